import { describe, expect, test } from "vitest";
import { describeProvider } from "../../src/conformance/index.ts";
import { builtInProviders } from "../../src/providers/built-in.ts";
import { listFormFields } from "../../src/providers/form-field.ts";
import { checkedProviders } from "../support/built-in-conformances.ts";

/** Of the sign-in, the session and the limits, which are the same in every country: the home of the system shows them. */
const ofHomeAlone = new Set(
  (
    "sign-in wrong-password second-factor wrong-second-factor accounts password-once kept-secret log-out probe " +
    "other-system dead-session expired-session expired-between-pages rate-limited-seconds rate-limited-date " +
    "rate-limited server-error cut-off aborted quotas"
  ).split(" "),
);

const abroad = checkedProviders.flatMap(({ definition, abroad: places = {} }) =>
  Object.entries(places).flatMap(([place, conformance]) =>
    describeProvider(definition, [conformance])
      .filter(({ leftOut, name }) => leftOut === undefined && !ofHomeAlone.has(name))
      .map((check) => ({ ...check, place })),
  ),
);
const named = checkedProviders.map((checked) => ({ ...checked, name: checked.definition.name }));

test("every built-in provider is checked, in every mode", () => {
  const modesOf = Object.fromEntries(
    named.map(({ name, definition, conformances }) => [
      name,
      conformances.map(({ mode }) => mode ?? Object.keys(definition.modes)[0]).toSorted(),
    ]),
  );
  expect(modesOf).toEqual(
    Object.fromEntries(
      builtInProviders.map(({ name, modes }) => [name, Object.keys(modes).toSorted()]),
    ),
  );
});

describe("abroad", () => {
  test.each(abroad)("$subject in $place conforms: $name", async ({ run }) => {
    await expect(run()).resolves.not.toThrow();
  });
});

describe.each(named)("$name conforms", (checked) => {
  const { definition, conformances, leavesOut, leavesOutOfMode } = checked;
  const checks = describeProvider(definition, conformances);
  const runnable = checks.filter(({ leftOut }) => leftOut === undefined);

  test.each(runnable)("$subject $name", async ({ run }) => {
    await expect(run()).resolves.not.toThrow();
  });

  test.each(conformances)("$mode leaves out what is not declared alone", ({ mode = "xhr" }) => {
    const { refresh, resume, oauth2, resources, ...declared } = definition.modes[mode]!;
    const { account, accountOfSession, keepsSecret, logOut, form, origin } = declared;
    const hasSecret = listFormFields(form).some(({ isSecret }) => isSecret);
    const left = checks.filter(
      ({ subject, leftOut }) => subject.endsWith(mode) && leftOut !== undefined,
    );
    expect(left.map(({ name }) => name).toSorted()).toEqual(
      [
        ...leavesOut,
        // A password is typed on the provider's own page.
        ...(oauth2 ? ["wrong-password"] : []),
        ...(resume ? [] : ["second-factor", "wrong-second-factor"]),
        ...(leavesOutOfMode?.[mode] ?? []),
        ...(definition.limits?.quotas ? [] : ["quotas"]),
        ...(resources.employees?.changes ? [] : ["changes"]),
        ...(refresh ? [] : ["expired-session", "expired-between-pages"]),
        ...((account ?? accountOfSession) ? [] : ["accounts"]),
        ...(keepsSecret ? ["kept-secret"] : []),
        ...(keepsSecret || !hasSecret ? ["password-once"] : []),
        ...(logOut ? [] : ["log-out"]),
        ...(origin?.probe ? [] : ["probe", "other-system"]),
        ...(resources.payslips ? [] : ["payslips", "sums"]),
        ...(definition.isSimulated ? ["money", "times", "values", "unsaid"] : []),
      ].toSorted(),
    );
  });
});
