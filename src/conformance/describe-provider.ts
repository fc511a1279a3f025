import { providerPackages, type Conformance, type ProviderPackage } from "../providers/index.ts";
import { listChecks, type Check } from "./list-checks.ts";

/** The `describe` and `test` of any framework. */
export interface TestFramework {
  describe(name: string, body: () => void): unknown;
  test(name: string, body: () => Promise<void>): unknown;
}

/** The checks of a package, for its own tests: of its default export, by its conformance description. */
export function describeProvider(
  provider: ProviderPackage,
  conformance: Conformance | readonly Conformance[],
): Check[] {
  const definitions = providerPackages.define(provider);
  return providerPackages.listCheckable(definitions, [conformance].flat()).flatMap(listChecks);
}

/** Makes a test of each check. The name of one that is left out has the reason. */
export function registerChecks(checks: readonly Check[], { describe, test }: TestFramework): void {
  for (const subject of new Set(checks.map((check) => check.subject)))
    describe(subject, () => {
      for (const check of checks.filter((other) => other.subject === subject)) {
        const { title, leftOut, run } = check;
        if (leftOut === undefined) void test(title, async () => void (await run()));
        else void test(`${title} (left out: ${leftOut})`, async () => undefined);
      }
    });
}
