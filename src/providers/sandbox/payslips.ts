import type { SourceRecord } from "../source-records.ts";
import { countries } from "./countries.ts";
import { drawBelow } from "./draw.ts";
import { jobsOf } from "./employments.ts";
import { payrollRules } from "./payroll-rules.ts";
import type { Run } from "./payruns.ts";
import { isEmployedWithin, payFrequencyOf, remoteIdOf, terms, type Person } from "./person.ts";
import { peopleOf, type Company } from "./roster.ts";
import { shiftsOf, type Shift } from "./timesheets.ts";

type Payslip = SourceRecord<"payslips">;
type Earning = NonNullable<Payslip["earnings"]>[number];
type Line = NonNullable<Payslip["deductions"]>[number];
type Tax = NonNullable<Payslip["taxes"]>[number];

/** The weekly hours for which people are paid who record no time. */
const fullWeekHours = 40;

/** One for everybody who was employed in the run's period and whom the run concerns. */
export function* listPayslips(company: Company, run: Run): Generator<Payslip> {
  for (const person of peopleOf(company)) {
    if (
      payFrequencyOf(person) !== run.frequency ||
      !isEmployedWithin(person, run.startDate, run.endDate) ||
      !isConcerned(person, run)
    )
      continue;
    yield payslip(person, run, company.today);
  }
}

/**
 * The smaller runs concern a sixth of the people, another sixth each year. A year's correction and
 * its reversal concern the same people.
 */
function isConcerned({ number }: Person, { type, startDate }: Run): boolean {
  return (
    type === "regular" || type === "one_time" || number % 6 === Number(startDate.slice(0, 4)) % 6
  );
}

function payslip(person: Person, run: Run, today: string): Payslip {
  const earnings = earningsOf(person, run, today);
  const gross = sum(earnings);
  const { taxes, deductions, contributions } = payrollRules[countries[person.home].currency];
  const isRegular = run.type === "regular";
  const lines = {
    earnings,
    contributions: isRegular ? shares(contributions, gross) : [],
    deductions: isRegular ? shares(deductions, gross) : [],
    taxes: taxes.map(({ name, basisPoints, isEmployerTax }): Tax => ({
      name,
      amount: shareOf(gross, basisPoints),
      employer_tax: isEmployerTax,
    })),
    reimbursements: isRegular ? expensesOf(person, run) : [],
  };
  const employeeTaxes = lines.taxes.filter(({ employer_tax }) => employer_tax !== true);
  return {
    remote_id: `ps_${run.remoteId}_${person.number}`,
    employee_remote_id: remoteIdOf(person),
    payrun_remote_id: run.remoteId,
    payrun_type: run.type,
    currency: countries[person.home].currency,
    gross_pay: gross,
    net_pay: gross - sum(lines.deductions) - sum(employeeTaxes) + sum(lines.reimbursements),
    start_date: run.startDate,
    end_date: run.endDate,
    payment_date: run.paymentDate,
    ...lines,
  };
}

function earningsOf(person: Person, run: Run, today: string): Earning[] {
  const monthly = monthlyPayOf(person, run);
  switch (run.type) {
    case "one_time":
      return [{ name: "Annual bonus", amount: Math.round(monthly / 2) }];
    case "off_cycle":
      return [{ name: "Spot award", amount: Math.round(monthly / 10) }];
    case "correction":
      return [overtime(monthly, 6)];
    case "reversal":
      return [overtime(monthly, -6)];
    case "regular":
      return run.frequency === "weekly"
        ? weeklyEarnings(person, run, today)
        : [{ name: "Base salary", amount: monthly }, ...commission(person, run, monthly)];
  }
}

function weeklyEarnings(person: Person, run: Run, today: string): Earning[] {
  const rate = rateOf(person, run);
  const shifts = shiftsOf(person, { start: run.startDate, end: run.endDate }, today);
  const away = hoursOf(shifts.filter(({ isAbsent }) => isAbsent));
  const worked = person.hasRecords
    ? hoursOf(shifts.filter(({ isAbsent }) => !isAbsent))
    : fullWeekHours;
  const line = (name: string, hours: number): Earning => ({
    name,
    hours,
    amount: Math.round(rate * hours),
  });
  return [line("Regular hours", worked), ...(away > 0 ? [line("Paid leave", away)] : [])];
}

function hoursOf(shifts: readonly Shift[]): number {
  return shifts.reduce((total, { workedMinutes }) => total + workedMinutes, 0) / 60;
}

function commission({ department, number }: Person, { remoteId }: Run, monthly: number): Earning[] {
  if (department !== "sales") return [];
  return [
    {
      name: "Commission",
      amount: Math.round((monthly * (1 + drawBelow(12, "commission", number, remoteId))) / 100),
    },
  ];
}

function overtime(monthly: number, hours: number): Earning {
  const hourly = Math.round(monthly / 160);
  return { name: "Overtime", hours, amount: hourly * hours };
}

function expensesOf({ number }: Person, { remoteId }: Run): Line[] {
  if (drawBelow(4, "has expenses", number, remoteId) > 0) return [];
  return [
    { name: "Travel expenses", amount: 1_250 + 5 * drawBelow(4_000, "expenses", number, remoteId) },
  ];
}

function monthlyPayOf(person: Person, run: Run): number {
  const rate = rateOf(person, run);
  return terms[person.terms].period === "YEAR" ? Math.round(rate / 12) : rate;
}

function rateOf(person: Person, run: Run): number {
  const [firstJob, ...laterJobs] = jobsOf(person, run.endDate);
  return (laterJobs.at(-1) ?? firstJob).rate;
}

function shares(rates: readonly { name: string; basisPoints: number }[], gross: number): Line[] {
  return rates.map(({ name, basisPoints }) => ({ name, amount: shareOf(gross, basisPoints) }));
}

/**
 * Rounds a negative amount like the positive one, so that a reversal undoes its correction to the
 * cent.
 */
function shareOf(gross: number, basisPoints: number): number {
  return Math.sign(gross) * Math.round((Math.abs(gross) * basisPoints) / 10_000);
}

function sum(lines: readonly { amount: number }[]): number {
  return lines.reduce((total, { amount }) => total + amount, 0);
}
