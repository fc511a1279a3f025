import type { Mode } from "../../../src/model/index.ts";
import type { Conformance, FakeSystem, Scenario } from "../../../src/providers/conformance.ts";
import {
  createPeopleOfMeanings,
  listAbsencesOfMeanings,
  meaningsOfBamboo,
} from "../bamboohr-meanings.ts";
import { completeOfBamboo, createCompletePerson } from "../complete-records/bamboohr.ts";
import { withComplete } from "../complete-records/with-complete.ts";
import { expectedOfBamboo } from "../expected-of-fakes.ts";
import {
  bambooCode,
  bambooKey,
  otherBambooCode,
  FakeBamboo,
  type FakeBambooOptions,
} from "./fake-bamboohr.ts";
import { limitRefusals } from "./limit-refusals.ts";

/** How BambooHR is checked: beside its fake. */
export const bambooConformances: readonly Conformance[] = (["xhr", "official"] as const).map(
  (mode) => ({
    mode,
    start: (scenario) => startBamboo(mode, scenario),
    meanings: meaningsOfBamboo,
    ...(mode === "official" && {
      leavesOut: { "wrong-password": "the password is typed on BambooHR's own page" },
    }),
  }),
);

const fewerRights: FakeBambooOptions = {
  restricted: ["homeEmail", "birthDate", "ssn"],
  forbidden: [
    "/api/v1/employees/all/tables/compensation",
    "/api/v1/employeedependents",
    "/api/v1/time_tracking",
  ],
};

async function startBamboo(mode: Mode, scenario: Scenario): Promise<FakeSystem> {
  const fake = await FakeBamboo.start({
    people: 60,
    keyOpensAll: !["two-pages", "changes", "leavers", "missing-rights"].includes(scenario),
    ...(scenario === "missing-rights" && fewerRights),
    ...(scenario === "no-rights" && { forbidden: ["/api/"] }),
  });
  fake.people.splice(1, 0, ...createPeopleOfMeanings(), createCompletePerson());
  fake.absences = listAbsencesOfMeanings();
  return {
    baseUrl: fake.origin,
    formValues: {
      companyDomain: "lindgren",
      ...(mode === "xhr" && { key: scenario === "wrong-password" ? "wrong" : bambooKey }),
    },
    code: bambooCode,
    otherAccount: {
      formValues: {
        companyDomain: mode === "xhr" ? "holm" : "lindgren",
        ...(mode === "xhr" && { key: bambooKey }),
      },
      code: otherBambooCode,
    },
    expected: withComplete(expectedOfBamboo(), completeOfBamboo()),
    texts: ["Łucja", "大江", "O'Brien-Ñandú"],
    counts: { employees: fake.people.length },
    afterSignIn: () => beginTrouble(fake, scenario),
    change: () => fake.change(),
    close: () => fake.stop(),
  };
}

function beginTrouble(fake: FakeBamboo, scenario: Scenario): void {
  if (scenario === "dead-session") fake.endSession();
  if (scenario === "expired-session") fake.endToken();
  if (scenario === "expired-between-pages") endTokenOnce(fake);
  if (scenario === "cut-off")
    fake.interfere = ({ path, body }) =>
      path.includes("datasets/employee/data") && (body as { page: number }).page === 2
        ? "cut-off"
        : undefined;
  const refusal = refusals[scenario]?.();
  if (refusal) fake.interfere = () => refusal;
}

function endTokenOnce(fake: FakeBamboo): void {
  let isDone = false;
  fake.interfere = ({ path }) => {
    if (path.includes("page%5Bafter%5D") && !isDone) {
      isDone = true;
      fake.endToken();
    }
    return undefined;
  };
}

const refusals = limitRefusals(() => new Date());
