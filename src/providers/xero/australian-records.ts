// Records of the Australian payroll as the British one would write them.
import { ProviderBug } from "../errors.ts";
import { toMinorUnits } from "../kit/money.ts";
import { number, text } from "../kit/readers.ts";
import { defineSource, fieldOf } from "../kit/source.ts";
import { listAt, type Row } from "./australian-client.ts";
import { isInHours, rateShape } from "./settings.ts";
import { withFound } from "./xero-client.ts";

type ById = ReadonlyMap<string, object>;

const country = "AU";
const none: ById = new Map();
const states: Readonly<Record<string, string>> = {
  ACT: "Australian Capital Territory",
  NSW: "New South Wales",
  NT: "Northern Territory",
  QLD: "Queensland",
  SA: "South Australia",
  TAS: "Tasmania",
  VIC: "Victoria",
  WA: "Western Australia",
};
const homeAddress = defineSource({ region: text, postalCode: text, country: text });
const rate = defineSource({ ...rateShape, ratePerUnit: number });
const payLine = defineSource({ calculationType: text, annualSalary: number, ratePerUnit: number });

/** Of the list as well, which has less of each person. */
export function toPerson(record: object, found: { calendars?: ById; rates?: ById } = {}): object {
  const of = record as Row;
  const { calendars = none, rates = none } = found;
  const calendar = calendars.get(String(of["payrollCalendarID"])) ?? null;
  const isContractor = of["employmentType"] === "CONTRACTOR";
  const person = {
    ...of,
    country,
    endDate: of["terminationDate"],
    phoneNumber: of["mobile"] || of["phone"],
    engagementType: isContractor ? "CONTRACTOR" : fieldOf(of["taxDeclaration"], "employmentBasis"),
    address: toAddress(of["homeAddress"]),
    paymentMethod: { bankAccounts: listAt(of, "bankAccounts").map(toBankAccount) },
    calendar,
  };
  const salaries = findOrdinaryPay(of).map((line) => ({
    ...toSalary(line, rates.get(String(line["earningsRateID"]))),
    jobTitle: of["jobTitle"],
    person,
    calendar,
  }));
  return { ...person, salaries };
}

function toAddress(home: unknown): object | null {
  if (typeof home !== "object" || home === null) return null;
  const { region, postalCode: postCode, country: countryName } = homeAddress.parts(home);
  const county = states[region?.toUpperCase() ?? ""] ?? region;
  return { ...home, county, postCode, countryName };
}

function toBankAccount(account: Row): object {
  const isRest = account["remainder"] === true;
  return {
    ...account,
    sortCode: account["bSB"],
    calculationType: isRest ? "Balance" : "FixedAmount",
  };
}

/** The one line of the ordinary rate. Of several, none says how much somebody is paid. */
function findOrdinaryPay(of: Row): Row[] {
  const ordinary = of["ordinaryEarningsRateID"];
  const lines = listAt(of["payTemplate"], "earningsLines").filter(
    (line) => line["earningsRateID"] === ordinary,
  );
  return lines.length === 1 ? lines : [];
}

/** Of a rate that is not by the hour, nothing says what period it is for. */
function toSalary(line: Row, of: object | undefined): object {
  const { calculationType, annualSalary, ratePerUnit } = payLine.parts(line);
  if (calculationType === "ANNUALSALARY") return { paymentType: "Salary", annualSalary };
  const perUnit =
    calculationType === "USEEARNINGSRATE" ? rate.read(of, "ratePerUnit") : ratePerUnit;
  return of && isInHours(rate.parts(of))
    ? { paymentType: "Hourly", ratePerUnit: perUnit }
    : { paymentType: null };
}

export function toPayrun(of: Row): object {
  return {
    payRunID: of["payRunID"],
    payRunStatus: of["payRunStatus"],
    periodStartDate: of["payRunPeriodStartDate"],
    periodEndDate: of["payRunPeriodEndDate"],
    paymentDate: of["paymentDate"],
  };
}

/** The types and rates of the company. */
interface Items {
  rates: ById;
  deductions: ById;
  reimbursements: ById;
}

/** One payslip of its two records: the pay run has its totals, and a request of its own its lines. */
export function toPayslip(summary: Row, detail: Row, { rates, deductions, reimbursements }: Items) {
  const supers = listAt(detail, "superannuationLines");
  const earningsOf = (field: string) =>
    withFound(listAt(detail, field).map(withAmount), "earningsRateID", { as: "type", of: rates });
  const leave = listAt(detail, "leaveEarningsLines").map(withAmount);
  return {
    country,
    paySlipID: detail["payslipID"],
    employeeID: detail["employeeID"],
    grossEarnings: summary["wages"],
    // Xero pays reimbursements with the net pay and counts them beside it.
    totalPay: addUp([summary["netPay"], summary["reimbursements"]]),
    earningsLines: earningsOf("earningsLines"),
    leaveEarningsLines: withFound(nameLeave(leave), "earningsRateID", { as: "type", of: rates }),
    timesheetEarningsLines: earningsOf("timesheetEarningsLines"),
    deductionLines: [
      ...withFound(listAt(detail, "deductionLines"), "deductionTypeID", {
        as: "type",
        of: deductions,
      }),
      ...findDeductedSupers(summary, detail, supers),
    ],
    superannuationLines: nameSupers(supers, ofEmployer),
    employeeTaxLines: listAt(detail, "taxLines").map((tax) => ({
      ...tax,
      displayName: tax["taxTypeName"],
    })),
    reimbursementLines: withFound(listAt(detail, "reimbursementLines"), "reimbursementTypeID", {
      as: "type",
      of: reimbursements,
    }),
  };
}

const ofEmployer: Readonly<Record<string, string>> = {
  SGC: "Superannuation guarantee",
  EMPLOYERADDITIONAL: "Additional superannuation",
};
const ofEmployee: Readonly<Record<string, string>> = {
  SALARYSACRIFICE: "Salary sacrifice",
  EMPLOYEE: "Superannuation of the employee",
};

function nameSupers(supers: readonly Row[], names: Readonly<Record<string, string>>): object[] {
  const named = new Map(Object.entries(names));
  return supers.flatMap((line) => {
    const displayName = named.get(String(line["contributionType"]));
    return displayName === undefined ? [] : [{ ...line, displayName }];
  });
}

/** What the employee pays into super, as far as Xero's total of deductions counts it. */
function findDeductedSupers(summary: Row, detail: Row, supers: readonly Row[]): object[] {
  const own = nameSupers(supers, ofEmployee);
  const amountsOf = (lines: readonly unknown[]) =>
    addUp(lines.map((line) => fieldOf(line, "amount")));
  const others = amountsOf(listAt(detail, "deductionLines"));
  const isCounted = addUp([others, amountsOf(own)]) === addUp([summary["deductions"]]);
  return isCounted ? own : [];
}

/** Xero names the amount of a line, or what it is the product of. */
function withAmount(line: Row): Row {
  const amount = line["amount"] ?? line["fixedAmount"];
  return { ...line, amount: amount ?? multiply(line["ratePerUnit"], line["numberOfUnits"]) };
}

/**
 * All leave has one rate, whatever its type, so its type is not known. Leave loading is a line of its own, with the
 * hours of the leave that it is paid for, which count once.
 */
function nameLeave(lines: readonly Row[]): Row[] {
  return lines.map((line) => {
    if (line["payOutType"] === "CASHED_OUT")
      return { ...line, displayName: "Leave that is paid out", numberOfUnits: null };
    return lines.some((other) => isLoadingOf(line, other))
      ? { ...line, displayName: "Leave loading", numberOfUnits: null }
      : { ...line, displayName: "Leave" };
  });
}

/** Loading is a small part of the rate: 17.5 % by most awards. */
function isLoadingOf(line: Row, other: Row): boolean {
  const [part, whole] = [Number(line["ratePerUnit"]), Number(other["ratePerUnit"])];
  const isOfSameTime =
    line["numberOfUnits"] === other["numberOfUnits"] && other["payOutType"] !== "CASHED_OUT";
  return isOfSameTime && part > 0 && part < whole / 2;
}

export function toLeave(of: Row, types: ById): object | null {
  // Money, and no absence.
  if (of["payOutType"] === "CASHED_OUT") return null;
  const type = types.get(String(of["leaveTypeID"]));
  const typeOfUnits = fieldOf(type, "typeOfUnits");
  return {
    ...of,
    leaveID: of["leaveApplicationID"],
    employeeId: of["employeeID"],
    type,
    periods: listAt(of, "leavePeriods").map((period) => ({
      numberOfUnits: period["numberOfUnits"],
      periodStatus: period["leavePeriodStatus"],
      typeOfUnits,
    })),
  };
}

export function toBalance(of: Row): object {
  return { ...of, name: of["leaveName"], balance: of["numberOfUnits"] };
}

/** In dollars, as exact as amounts are. */
function addUp(amounts: readonly unknown[]): number | null {
  const given = amounts.filter((one) => one !== null && one !== undefined);
  if (given.length === 0) return null;
  return given.reduce<number>((sum, one) => sum + toMinorUnits(one as number, "aud"), 0) / 100;
}

const decimalPattern = /^(-?)(\d+)(?:\.(\d+))?$/;

/** The decimal text of the product, with all its digits: a cent must not be lost before it is rounded. */
function multiply(first: unknown, second: unknown): string | null {
  if (isAbsent(first) || isAbsent(second)) return null;
  const [a, b] = [toDigits(first), toDigits(second)];
  const digits = String(a.digits * b.digits).replace("-", "");
  const sign = a.digits * b.digits < 0n ? "-" : "";
  const decimals = a.decimals + b.decimals;
  const padded = digits.padStart(decimals + 1, "0");
  const whole = padded.slice(0, padded.length - decimals);
  return decimals === 0 ? sign + whole : `${sign}${whole}.${padded.slice(-decimals)}`;
}

function isAbsent(value: unknown): boolean {
  return value === null || value === undefined;
}

function toDigits(value: unknown): { digits: bigint; decimals: number } {
  const match = decimalPattern.exec(String(value).trim());
  if (!match) throw new ProviderBug("a rate or a number of units is no decimal number");
  const [, sign = "", whole = "", fraction = ""] = match;
  return { digits: BigInt(sign + whole + fraction), decimals: fraction.length };
}
