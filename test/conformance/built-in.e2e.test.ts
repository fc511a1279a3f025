import { describe, expect, test } from "vitest";
import { describeProvider } from "../../src/conformance/index.ts";
import type { Mode, Resource } from "../../src/model/index.ts";
import { builtInProviders } from "../support/built-in-providers.ts";
import type { ProviderDefinition, ProviderMode } from "../../src/providers/contract.ts";
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

/** How a reader meets what comes late, broken, in other pages or on another machine, however somebody has signed in. */
const ofReadersAlone = new Set(
  "slow hidden-field broken-request own-zone resume endless-pages repeated-page unchanged".split(
    " ",
  ),
);

/** A further mode whose readers are those of the first one. */
function hasSameReaders({ modes }: ProviderDefinition, mode: Mode): boolean {
  const [[first, { resources }]] = Object.entries(modes) as [[Mode, ProviderMode]];
  const own = Object.entries(modes[mode]!.resources) as [Resource, unknown][];
  return first !== mode && own.every(([name, reader]) => resources[name] === reader);
}

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

test("what is about readers alone is checked once for each reader, by names of checks that there are", () => {
  const modes = named.flatMap(({ name, definition }) =>
    Object.keys(definition.modes)
      .filter((mode) => hasSameReaders(definition, mode as Mode))
      .map((mode) => `${name} ${mode}`),
  );
  expect(modes).toEqual(
    ["sandbox", "employment-hero", "factorial", "gusto", "odoo", "xero"].map(
      (name) => `${name} official`,
    ),
  );
  const [{ definition, conformances }] = named as [(typeof named)[0]];
  const checks = new Set(describeProvider(definition, conformances).map(({ name }) => name));
  expect([...ofReadersAlone].filter((name) => !checks.has(name))).toEqual([]);
});

describe("abroad", () => {
  test.each(abroad)("$subject in $place conforms: $name", async ({ run }) => {
    await expect(run()).resolves.not.toThrow();
  });
});

describe.each(named)("$name conforms", (checked) => {
  const { definition, conformances, leavesOut, leavesOutOfMode } = checked;
  const checks = describeProvider(definition, conformances);
  const again = new Set(
    conformances
      .map(({ mode = "xhr" }) => mode)
      .filter((mode) => hasSameReaders(definition, mode))
      .map((mode) => `${definition.name} ${mode}`),
  );
  const runnable = checks.filter(
    ({ leftOut, subject, name }) =>
      leftOut === undefined && !(again.has(subject) && ofReadersAlone.has(name)),
  );

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
