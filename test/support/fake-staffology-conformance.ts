import type { Conformance, FakeSystem, Scenario } from "../../src/providers/conformance.ts";
import { addCompletePerson, completeOfStaffology } from "./complete-records/staffology.ts";
import { withComplete } from "./complete-records/with-complete.ts";
import { expectedOfStaffology } from "./expected-of-fakes.ts";
import { addPeopleOfMeanings, meaningsOfStaffology } from "./staffology-meanings.ts";
import { FakeStaffology, type FakeEmployer, type FakeKey } from "./vendors/fake-staffology.ts";
import {
  archivedEmployer,
  archivedEmployerId,
  costCentres,
  departments,
  employer,
  employerId,
  leaveOf,
  makeCrowd,
  otherEmployer,
  otherEmployerId,
  staff,
} from "./vendors/staffology-people.ts";
import { makeRuns, payCodes, uuid } from "./vendors/staffology-payroll.ts";

/** The user of the keys. */
export const user = {
  id: uuid("user", 1),
  firstName: "Morwenna",
  lastName: "Trelawny",
  emailAddress: "morwenna@bureau.example",
  telephoneNumber: "01632 960002",
  disabled: false,
  loginDisabled: false,
};

export function createEmployers(crowd = 0): FakeEmployer[] {
  const empty = { staff: [], departments: [], costCentres: [], payCodes, runs: [], leave: {} };
  const whole = {
    staff: [...staff, ...makeCrowd(crowd)],
    departments,
    costCentres,
    payCodes,
    runs: makeRuns(),
    leave: leaveOf,
  };
  return [
    { ...whole, record: employer },
    { ...empty, record: otherEmployer },
    { ...empty, record: archivedEmployer },
  ];
}

/** The key of a bureau that sees several employers, one of a single employer, and one with a smaller role. */
export function createKeys(): FakeKey[] {
  const account = { ...user };
  const archived = { Archived: [archivedEmployerId] };
  return [
    { key: "one", account, employers: { Owned: [employerId], ...archived } },
    {
      key: "bureau",
      account,
      employers: { Owned: [employerId], FromOthers: [otherEmployerId, employerId], ...archived },
    },
    {
      key: "clerk",
      account: { ...user, id: uuid("user", 2), emailAddress: "clerk@bureau.example" },
      employers: { Owned: [employerId], ...archived },
    },
    {
      key: "reviewer",
      account,
      employers: { Owned: [employerId] },
      forbids: /\/(?:payrun|schedules)\//,
    },
  ];
}

const keyOf: Partial<Record<Scenario, string>> = {
  "wrong-password": "none",
  "second-factor": "bureau",
  "wrong-second-factor": "bureau",
  "missing-rights": "reviewer",
  "no-rights": "outsider",
};
/** It sees that the employer is there, and nothing of it. */
const outsider: FakeKey = {
  key: "outsider",
  account: user,
  employers: { Owned: [employerId] },
  forbids: /^\/employers\/./,
};
/** More than the adapter asks for on one page. */
const manyPeople = 60;

/** How Staffology is checked: beside the fake server of the tests. */
export const staffologyConformance: Conformance = {
  mode: "xhr",
  start: startStaffology,
  meanings: meaningsOfStaffology,
};

async function startStaffology(scenario: Scenario): Promise<FakeSystem> {
  const isLong = scenario === "two-pages" || scenario === "cut-off";
  const employers = createEmployers(isLong ? manyPeople : 0);
  const [own] = employers;
  if (own) {
    addPeopleOfMeanings(own);
    addCompletePerson(own);
  }
  const fake = await FakeStaffology.start(employers, [...createKeys(), outsider]);
  const trouble = troubles[scenario];
  return {
    baseUrl: fake.origin,
    formValues: { key: keyOf[scenario] ?? "one" },
    otherAccount: { formValues: { key: "clerk" } },
    expected: withComplete(expectedOfStaffology, completeOfStaffology),
    answers: [scenario === "wrong-second-factor" ? archivedEmployerId : employerId],
    texts: ["Okafor-Müller", "大江", "Åberg"],
    counts: { employees: own?.staff.length ?? 0 },
    range: { start: "2025-10-01", end: "2026-04-05" },
    afterSignIn: () => {
      if (scenario === "dead-session") fake.keys = [];
      if (trouble === undefined) return;
      fake.interfere = ({ query }) => {
        const isLate = query["status"] === "Current" && query["pageNum"] === "1";
        return isLate || scenario !== "cut-off" ? trouble() : undefined;
      };
    },
    change: () => {
      if (own) own.staff = own.staff.filter(({ id }) => id !== uuid("employee", 9));
    },
    close: async () => {
      await fake.stop();
      if (fake.violations.length > 0) throw new Error(fake.violations.join("; "));
    },
  };
}

const troubles: Partial<Record<Scenario, () => ReturnType<FakeStaffology["interfere"]>>> = {
  "rate-limited-seconds": () => refuse({ "retry-after": "30" }),
  "rate-limited-date": () => refuse({ "retry-after": new Date(Date.now() + 30_000).toUTCString() }),
  "rate-limited": () => refuse({}),
  "server-error": () => ({ status: 500, body: "" }),
  "cut-off": () => ({
    status: 200,
    headers: { "content-type": "application/json", "content-length": "9000", connection: "close" },
    body: '[{"id":',
  }),
};

function refuse(headers: Record<string, string>) {
  return { status: 429, headers, body: "" };
}
