import type { Mode } from "../../../src/model/index.ts";
import type {
  Conformance,
  FakeSystem,
  MeaningAnswers,
  Scenario,
} from "../../../src/providers/conformance.ts";
import { completeOfFactorial } from "../complete-records/factorial.ts";
import { factorialNow, idOf } from "./factorial-company.ts";
import {
  factorialCode,
  factorialKey,
  FakeFactorial,
  otherFactorialCode,
  otherFactorialKey,
} from "./fake-factorial.ts";
import { limitRefusals } from "./limit-refusals.ts";

const withoutFrequency =
  "Factorial tells the period of a rate of pay, and not how often it is paid.";

const meanings: MeaningAnswers = {
  overdrawn_leave: {
    record: { employee_remote_id: idOf(2), policy_remote_id: idOf(601), balance: -2, used: 24 },
  },
  rehired: {
    record: {
      remote_id: idOf(4),
      start_date: "2022-05-01",
      custom_fields: { original_start_date: "2015-01-01" },
    },
    only: "where the first contract has its end",
  },
  future_leaver: { record: { remote_id: idOf(5), termination_date: "2099-12-31" } },
  future_starter: { record: { remote_id: idOf(6), start_date: "2099-01-01" } },
  // Without an end, so that a recording of any day shows it.
  away_today: { record: { remote_id: idOf(5) } },
  lost_right: { record: { remote_id: idOf(1) } },
  deleted: { record: { remote_id: idOf(60) } },
  no_email: { record: { remote_id: idOf(9) } },
  nationality: { record: { remote_id: idOf(1), nationality: "PL" } },
  weekly_hours: {
    notTold: "Factorial does not say whether it counts hours, or hundredths of an hour.",
  },
  legal_entities: {
    record: {
      remote_id: idOf(8),
      custom_fields: { company: { remote_id: idOf(902), name: "Garriga Ltd" } },
    },
  },
  half_day: { record: { remote_id: idOf(502), amount: 0.5, unit: "days" } },
  leave_in_hours: { record: { remote_id: idOf(504), amount: 3.5, unit: "hours" } },
  holiday_in_leave: { record: { remote_id: idOf(501), amount: 4 } },
  biweekly: { notTold: withoutFrequency },
  semimonthly: { notTold: withoutFrequency },
  nothing_readable: { refusal: "insufficient_permission" },
};

/** How Factorial is checked: beside its fake. */
export const factorialConformances: readonly Conformance[] = (["xhr", "official"] as const).map(
  (mode) => ({
    mode,
    start: (scenario) => startFactorial(mode, scenario),
    meanings,
    ...(mode === "official" && {
      leavesOut: { "wrong-password": "the password is typed on Factorial's own page" },
    }),
  }),
);

const everyList = [
  "companies",
  "employees",
  "teams",
  "locations",
  "attendance",
  "timeoff",
  "compensations",
];

async function startFactorial(mode: Mode, scenario: Scenario): Promise<FakeSystem> {
  const fake = await new FakeFactorial().start();
  if (scenario === "no-rights") fake.forbidden = everyList;
  if (scenario === "missing-rights") fake.forbidden = ["contracts/", "custom_fields/", "timeoff/"];
  if (scenario === "two-pages") fake.pageSize = 40;
  return toSystem(fake, mode, scenario);
}

/** The fake as the checks use it. */
export function toSystem(
  fake: FakeFactorial,
  mode: Mode = "xhr",
  scenario: Scenario = "usual",
): FakeSystem {
  const isKey = mode === "xhr";
  const { payruns = [], ...complete } = completeOfFactorial;
  return {
    baseUrl: fake.origin,
    now: factorialNow,
    range: { start: "2026-03-01", end: "2026-04-30" },
    formValues: isKey ? { key: scenario === "wrong-password" ? "wrong-key" : factorialKey } : {},
    code: factorialCode,
    otherAccount: {
      formValues: isKey ? { key: otherFactorialKey } : {},
      code: otherFactorialCode,
    },
    expected: isKey ? { ...complete, payruns } : complete,
    texts: ["Łucja", "大江", "O'Brien-Ñandú"],
    counts: {
      employees: fake.company["employees/employees"].length,
      groups: 3,
      "work-locations": 3,
    },
    afterSignIn: () => beginTrouble(fake, scenario),
    change: () => change(fake),
    ...(!isKey && { openSessions: () => fake.openSessions }),
    close: () => fake.stop(),
  };
}

/** One gets another name, one begins, and one is deleted. */
function change({ company }: FakeFactorial): void {
  const people = company["employees/employees"];
  const [first] = people;
  const updated_at = factorialNow.toISOString();
  people.splice(-1, 1, { ...first, id: idOf(3_001), first_name: "Nil", updated_at });
  Object.assign(people[2] ?? {}, { first_name: "Nil", updated_at });
}

function beginTrouble(fake: FakeFactorial, scenario: Scenario): void {
  if (scenario === "dead-session") fake.endEverything();
  if (scenario === "expired-session") fake.endTokens();
  if (scenario === "expired-between-pages") endTokensOnce(fake);
  if (scenario === "cut-off")
    fake.interfere = ({ path }) =>
      path.includes("/teams/") || path.includes("after_id") ? "cut-off" : undefined;
  const refusal = refusals[scenario]?.();
  if (refusal) fake.interfere = () => refusal;
}

function endTokensOnce(fake: FakeFactorial): void {
  let isDone = false;
  fake.pageSize = 40;
  fake.interfere = ({ path }) => {
    if (path.includes("after_id") && !isDone) {
      isDone = true;
      fake.endTokens();
    }
    return undefined;
  };
}

const refusals = limitRefusals(() => factorialNow);
