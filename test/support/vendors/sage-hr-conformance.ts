import type {
  Conformance,
  ExpectedRecords,
  FakeSystem,
  MeaningAnswers,
  Scenario,
} from "../../../src/providers/conformance.ts";
import { FakeSageHr, sageKey } from "./fake-sage-hr.ts";
import { sageNow } from "./sage-hr-people.ts";
import { limitRefusals } from "./limit-refusals.ts";

const withoutDays =
  "Sage HR does not say how many days are taken; those from Monday to Friday are counted.";
const withoutFrequency = "Sage HR does not tell how often pay is paid.";

const meanings: MeaningAnswers = {
  overdrawn_leave: {
    record: { employee_remote_id: "102", policy_remote_id: "31", balance: -2, used: 27 },
  },
  rehired: { notTold: "Sage HR tells one first day of a person." },
  future_leaver: { record: { remote_id: "108", termination_date: "2099-12-31" } },
  future_starter: { record: { remote_id: "105", start_date: "2099-01-01" } },
  away_today: { record: { remote_id: "101" } },
  lost_right: { record: { remote_id: "101" } },
  deleted: { record: { remote_id: "160" } },
  no_email: { record: { remote_id: "103" } },
  nationality: { notTold: "Sage HR tells no nationality." },
  weekly_hours: { notTold: "Sage HR tells no hours of a week." },
  legal_entities: { notTold: "An account of Sage HR has one company." },
  half_day: { record: { remote_id: "502", amount: 0.5, unit: "days" } },
  leave_in_hours: { record: { remote_id: "503", amount: 3.5, unit: "hours" } },
  holiday_in_leave: { notTold: withoutDays },
  biweekly: { notTold: withoutFrequency },
  semimonthly: { notTold: withoutFrequency },
  nothing_readable: { refusal: "insufficient_permission" },
};

/** By hand, from the people of the fake. */
const expected: ExpectedRecords = {
  company: [{ remote_id: "lindgren", display_name: "lindgren" }],
  employees: [
    {
      remote_id: "101",
      employee_number: "H-101",
      first_name: "Łucja",
      work_email: "lucja@lindgren.example",
      mobile_phone_number: "+46 70 555 01 01",
      gender: "female",
      date_of_birth: "1979-11-30",
      job_title: "Head of harbour",
      start_date: "2019-01-07",
      employment_status: "leave",
      employment_type: "full_time",
      home_location: {
        street_address: "Strandvägen 7, Lgh 1203",
        locality: "Malmö",
        post_code: "21114",
        country: "SE",
      },
      groups: [{ remote_id: "11", name: "Harbour", type: "team" }],
      employments: [
        {
          effective_date: "2023-02-01",
          job_title: "Head of harbour",
          employment_type: "full_time",
          pay_rate: 4_100.5,
          pay_period: "MONTH",
          currency: "sek",
        },
        { effective_date: "2021-01-01", job_title: "Planner", employment_type: "full_time" },
        {
          effective_date: "2019-01-07",
          job_title: "Planner",
          employment_type: "part_time",
          pay_rate: 3_000,
          pay_period: "MONTH",
        },
      ],
    },
    {
      remote_id: "106",
      employment_status: "active",
      employment_type: "other",
      manager: { remote_id: "101" },
    },
    { remote_id: "203", employment_status: "inactive", termination_date: "2026-03-15" },
  ],
  "time-off-entries": [
    {
      remote_id: "501",
      employee_remote_id: "101",
      start_date: "2026-03-13",
      end_date: "2026-03-19",
      amount: 5,
      unit: "days",
      status: "approved",
      policy_remote_id: "31",
      policy_type: "vacation",
    },
    { remote_id: "504", amount: 1, unit: "days", status: "pending", policy_type: "sick" },
    { remote_id: "505", status: "rejected", policy_type: "bereavement" },
  ],
  "time-off-balances": [
    {
      employee_remote_id: "101",
      policy_remote_id: "31",
      balance: 12.5,
      used: 12.5,
      unit: "days",
      policy_type: "vacation",
    },
  ],
};

export const sageHrConformance: Conformance = { mode: "xhr", start: startSage, meanings };

async function startSage(scenario: Scenario): Promise<FakeSystem> {
  const fake = await FakeSageHr.start();
  if (scenario === "no-rights") fake.forbidden = ["/"];
  if (scenario === "missing-rights")
    fake.forbidden = ["/teams", "/leave-management/out-of-office-today"];
  return toSystem(fake, scenario);
}

/** The fake as the checks use it. */
export function toSystem(fake: FakeSageHr, scenario: Scenario = "usual"): FakeSystem {
  return {
    baseUrl: fake.origin,
    now: sageNow,
    range: { start: "2026-01-01", end: "2026-03-31" },
    formValues: {
      subdomain: "lindgren",
      key: scenario === "wrong-password" ? "wrong" : sageKey,
    },
    otherAccount: { formValues: { subdomain: "holm", key: sageKey } },
    expected,
    texts: ["Łucja", "大江", "O'Brien-Ñandú"],
    counts: { employees: 64, groups: 3 },
    afterSignIn: () => beginTrouble(fake, scenario),
    change: () => change(fake),
    close: () => fake.stop(),
  };
}

/** One gets another position, one begins, and one is deleted. */
function change({ company }: FakeSageHr): void {
  const [first] = company.people;
  company.people.splice(-1, 1, { ...first, id: 301, first_name: "Nils" });
  Object.assign(company.people[2] ?? {}, { position: "Chief planner" });
}

function beginTrouble(fake: FakeSageHr, scenario: Scenario): void {
  if (scenario === "dead-session") fake.keys = [];
  if (scenario === "cut-off")
    fake.interfere = ({ path, query }) =>
      path === "/employees" && query["page"] === "2" ? "cut-off" : undefined;
  const refusal = refusals[scenario]?.();
  if (refusal) fake.interfere = () => refusal;
}

const refusals = limitRefusals(() => sageNow);
