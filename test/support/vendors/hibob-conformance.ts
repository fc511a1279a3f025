import type {
  Conformance,
  FakeSystem,
  MeaningAnswers,
  Scenario,
} from "../../../src/providers/conformance.ts";
import { completeOfHibob } from "../complete-records/hibob.ts";
import { FakeHibob, otherUser, serviceUser } from "./fake-hibob.ts";
import { hibobNow, personId } from "./hibob-people.ts";
import { limitRefusals } from "./limit-refusals.ts";

const meanings: MeaningAnswers = {
  overdrawn_leave: {
    record: { employee_remote_id: personId(3), policy_remote_id: "Holiday", balance: -2, used: 27 },
  },
  rehired: { record: { remote_id: personId(8), start_date: "2024-02-05" } },
  future_leaver: { record: { remote_id: personId(7), termination_date: "2099-12-31" } },
  future_starter: { record: { remote_id: personId(6), start_date: "2099-01-01" } },
  // Away from the day on, without an end.
  away_today: { record: { remote_id: personId(12) } },
  lost_right: { record: { remote_id: personId(2) } },
  deleted: { record: { remote_id: personId(60) } },
  no_email: { record: { remote_id: personId(11) } },
  nationality: { record: { remote_id: personId(12), nationality: null } },
  weekly_hours: {
    record: {
      remote_id: personId(2),
      custom_fields: { Shoes: "Boots", Locker: 17, weekly_working_hours: 37.5 },
    },
  },
  legal_entities: { notTold: "Bob has a company's legal entities as its own fields." },
  half_day: { record: { remote_id: "9002", amount: 0.5, unit: "days" } },
  leave_in_hours: { record: { remote_id: "9005", amount: 10, unit: "hours" } },
  holiday_in_leave: { record: { remote_id: "9001", amount: 6 } },
  biweekly: {
    record: {
      remote_id: personId(13),
      employments: [{ pay_rate: 21.75, pay_frequency: "biweekly", currency: "usd" }],
    },
  },
  semimonthly: {
    record: {
      remote_id: personId(14),
      employments: [{ pay_rate: 3_000, pay_frequency: "semimonthly" }],
    },
  },
  nothing_readable: { refusal: "sees nobody" },
};

export const hibobConformance: Conformance = { mode: "xhr", start: startHibob, meanings };

async function startHibob(scenario: Scenario): Promise<FakeSystem> {
  const fake = await FakeHibob.start();
  if (scenario === "no-rights") fake.audience = [];
  if (scenario === "missing-rights") {
    fake.hidden = { home: "everybody", address: [personId(2)], own: "everybody" };
    fake.forbidden = ["/bulk/people/salaries", "/timeoff/", "/attendance/"];
  }
  return toSystem(fake, scenario);
}

/** The fake as the checks use it. */
export function toSystem(fake: FakeHibob, scenario: Scenario = "usual"): FakeSystem {
  const { id, token } = serviceUser;
  if (scenario === "usual") fake.users.push(otherUser);
  if (scenario === "two-pages") addPeople(fake);
  return {
    baseUrl: fake.origin,
    now: hibobNow,
    range: { start: "2026-01-01", end: "2026-03-31" },
    formValues: {
      id,
      token: scenario === "wrong-password" ? "wrong" : token,
      time_zone: "Europe/London",
    },
    otherAccount: { formValues: { ...otherUser, time_zone: "Europe/London" } },
    expected: completeOfHibob,
    texts: ["Łucja", "大江", "O'Brien-Ñandú"],
    counts: { employees: fake.company.people.length, groups: 3 },
    afterSignIn: () => beginTrouble(fake, scenario),
    change: () => change(fake),
    close: () => fake.stop(),
  };
}

/** So many leavers that people come in two answers: 200 are asked for at once, and balances of others alone. */
function addPeople({ company }: FakeHibob): void {
  const leaver = company.people[4];
  company.people.splice(22);
  for (let number = 23; number <= 230; number += 1)
    company.people.push({ ...leaver, "root.id": personId(number) });
}

/** One gets another name, one begins, and one is deleted. */
function change({ company }: FakeHibob): void {
  const [first] = company.people;
  company.people.splice(-1, 1, { ...first, "root.id": personId(301), "root.firstName": "Nils" });
  Object.assign(company.people[2] ?? {}, { "root.surname": "Dvořák" });
}

function beginTrouble(fake: FakeHibob, scenario: Scenario): void {
  if (scenario === "dead-session") fake.users = [];
  if (scenario === "cut-off")
    fake.interfere = ({ path }) => (path === "/people/search" ? "cut-off" : undefined);
  const refusal = refusals[scenario]?.();
  if (refusal) fake.interfere = () => refusal;
}

const refusals = limitRefusals(() => hibobNow);
