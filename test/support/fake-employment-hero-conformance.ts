import type { Mode } from "../../src/model/index.ts";
import type { Conformance, FakeSystem, Scenario } from "../../src/providers/conformance.ts";
import { expectedOfEmploymentHero, meaningsOfEmploymentHero } from "./employment-hero-meanings.ts";
import {
  businessId,
  createBusiness,
  createOtherBusiness,
  createPeople,
  otherBusinessId,
  person,
} from "./vendors/employment-hero-company.ts";
import {
  FakeEmploymentHero,
  type FakeKey,
  type HeroAnswer,
} from "./vendors/fake-employment-hero.ts";

export const heroUser = {
  id: 11,
  email: "payroll@bureau.example",
  displayName: "Petra Payroll",
  timeZone: "Singapore Standard Time",
};

/** Of a business, of a bureau, of somebody else, of some of the people, and of some of the data. */
export function createHeroKeys(): FakeKey[] {
  const businesses = [businessId];
  return [
    { key: "key-of-one", user: heroUser, businesses },
    { key: "key-of-bureau", user: heroUser, businesses: [businessId, otherBusinessId] },
    {
      key: "key-of-other",
      user: { ...heroUser, id: 12, email: "other@bureau.example" },
      businesses,
    },
    { key: "key-restricted", user: heroUser, businesses, access: "Restricted" },
    { key: "key-of-clerk", user: heroUser, businesses, forbids: /^(payrun|timesheet)/ },
    { key: "key-of-nothing", user: heroUser, businesses, forbids: /^/ },
    { key: "key-of-nobody", user: heroUser, businesses: [] },
  ];
}

const keyOf: Partial<Record<Scenario, string>> = {
  "wrong-password": "key-unknown",
  "second-factor": "key-of-bureau",
  "wrong-second-factor": "key-of-bureau",
  "missing-rights": "key-of-clerk",
  "no-rights": "key-of-nothing",
};

export const employmentHeroConformances: readonly Conformance[] = (
  ["xhr", "official"] as const
).map((mode: Mode) => ({
  mode,
  start: (scenario) => startHero(mode, scenario),
  meanings: meaningsOfEmploymentHero[mode],
  // What only payrolls of other countries have.
  neverFilled: {
    employees: ["marital_status", "bank_account.sort_code", "bank_account.bank_name"],
  },
}));

async function startHero(mode: Mode, scenario: Scenario): Promise<FakeSystem> {
  const isLong = ["two-pages", "cut-off"].includes(scenario);
  const own = createBusiness(createPeople(isLong ? 100 : 0));
  const fake = new FakeEmploymentHero([own, createOtherBusiness()], createHeroKeys());
  const trouble = troubles[scenario];
  const chosen = scenario === "wrong-second-factor" ? "sg/1" : `sg/${businessId}`;
  return {
    baseUrl: await fake.start(),
    formValues: { region: "sg", key: keyOf[scenario] ?? "key-of-one" },
    otherAccount: { formValues: { region: "sg", key: "key-of-other" } },
    expected: expectedOfEmploymentHero[mode],
    answers: [chosen],
    texts: ["O'Brien-Ñandú", "大江", "Łucja"],
    counts: { employees: own.people.length },
    range: { start: "2026-01-01", end: "2026-03-31" },
    afterSignIn: () => {
      if (scenario === "dead-session") fake.keys = [];
      if (trouble) fake.interfere = trouble;
    },
    change: () => {
      own.people = [...own.people.filter(({ id }) => id !== 60), person(900)];
    },
    close: () => fake.stop(),
  };
}

const troubles: Partial<Record<Scenario, FakeEmploymentHero["interfere"]>> = {
  "rate-limited-seconds": () => refuse({ "retry-after": "30" }),
  "rate-limited-date": () => refuse({ "retry-after": new Date(Date.now() + 30_000).toUTCString() }),
  "rate-limited": () => refuse({}),
  "server-error": () => ({ status: 500, raw: "" }),
  "cut-off": ({ query }) =>
    query["$skip"] === "100"
      ? { status: 200, headers: { "content-length": "9000", connection: "close" }, raw: '[{"id":' }
      : undefined,
};

function refuse(headers: Record<string, string>): HeroAnswer {
  return { status: 429, headers, raw: "" };
}
