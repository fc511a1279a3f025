import type { Conformance, FakeSystem, Scenario } from "../../src/providers/conformance.ts";
import { addCompletePerson, completeOfPersonio } from "./complete-records/personio.ts";
import { withComplete } from "./complete-records/with-complete.ts";
import { expectedOfPersonio } from "./expected-of-fakes.ts";
import {
  addPeopleOfMeanings,
  everyPathOfPersonio,
  meaningsOfPersonio,
} from "./personio-meanings.ts";
import { FakePersonio, type PersonioAnswer } from "./vendors/fake-personio.ts";
import { createPeople, employee, idOf } from "./vendors/personio-records.ts";

/** More than Personio gives on one page. */
const manyPeople = 105;

/** How Personio is checked: beside the fake server of the tests. */
export const personioConformance: Conformance = {
  mode: "official",
  start: startPersonio,
  meanings: meaningsOfPersonio,
};

async function startPersonio(scenario: Scenario): Promise<FakeSystem> {
  const fake = await FakePersonio.start();
  const isLong = ["two-pages", "cut-off", "expired-between-pages"].includes(scenario);
  if (isLong) fake.people = createPeople(manyPeople);
  addPeopleOfMeanings(fake);
  addCompletePerson(fake);
  if (scenario === "no-rights")
    fake.refused = Object.fromEntries(everyPathOfPersonio.map((path) => [path, 403]));
  if (scenario === "missing-rights") {
    fake.hidden = ["fix_salary"];
    fake.refused = { "/v1/company/time-offs": 403, "/v1/company/time-off-types": 403 };
  }
  const { client_id: clientId, client_secret: secret } = fake.credential;
  return {
    baseUrl: fake.origin,
    formValues: {
      client_id: clientId,
      client_secret: scenario === "wrong-password" ? "wrong" : secret,
    },
    otherAccount: { formValues: { ...fake.otherCredential } },
    expected: withComplete(expectedOfPersonio, completeOfPersonio),
    texts: ["Nadia", "van den Éynde", "大江"],
    counts: { employees: fake.people.length },
    range: { start: "2026-01-01", end: "2026-03-31" },
    afterSignIn: () => beginTrouble(fake, scenario),
    change: () => change(fake),
    close: () => fake.stop(),
  };
}

function beginTrouble(fake: FakePersonio, scenario: Scenario): void {
  if (scenario === "dead-session") fake.credential = { client_id: "papi-2", client_secret: "new" };
  if (scenario === "dead-session" || scenario === "expired-session") fake.endTokens();
  const trouble = troubles[scenario];
  if (trouble) fake.interfere = trouble;
  let isEnded = false;
  if (scenario === "expired-between-pages")
    fake.interfere = ({ path, query }) => {
      if (!isEnded && path === "/v1/company/employees" && query["offset"] === "100") {
        isEnded = true;
        fake.endTokens();
      }
      return undefined;
    };
}

const troubles: Partial<Record<Scenario, FakePersonio["interfere"]>> = {
  "rate-limited-seconds": () => refuse({ "retry-after": "30" }),
  "rate-limited-date": () => refuse({ "retry-after": new Date(Date.now() + 30_000).toUTCString() }),
  "rate-limited": () => refuse({}),
  "server-error": () => ({
    status: 500,
    body: { success: false, error: { code: 500, message: "Something went wrong" } },
  }),
  "cut-off": ({ path, query }) =>
    path === "/v1/company/employees" && query["offset"] !== "0" ? "cut-off" : undefined,
};

function refuse(headers: Record<string, string>): PersonioAnswer {
  return { status: 429, headers, body: "" };
}

/** One gets another job, one comes and one goes. */
function change(fake: FakePersonio): void {
  const now = new Date().toISOString().slice(0, 19);
  fake.people = [
    ...fake.people.filter(({ record }) => ![13, 14].includes(Number(idOf(record)))),
    employee(13, { first_name: "Bram", last_name: "Holm", position: "Clerk" }, now),
    employee(15, { first_name: "Noor", last_name: "Haddad" }, now),
  ];
}
