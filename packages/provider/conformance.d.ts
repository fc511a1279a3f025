// Written by `npm run types` from src. TypeScript reads it; nothing runs it.

import type { Conformance, ProviderPackage } from "./provider.js";

/** The checks of a package, for its own tests: of its default export, by its conformance description. */
declare function describeProvider(provider: ProviderPackage, conformance: Conformance | readonly Conformance[]): Check[];

/** Makes a test of each check. The name of one that is left out has the reason. */
declare function registerChecks(checks: readonly Check[], { describe, test }: TestFramework): void;

/** One check of a provider. */
interface Check {
    /** The provider and its mode. */
    subject: string;
    name: string;
    /** What the provider has to do. */
    title: string;
    /** Why it is not run. */
    leftOut?: string;
    /** Another fake, or a fake in place of a recording, could play it. */
    needsFake?: boolean;
    /** Throws an error that says what is wrong. Returns why there was nothing to check, when that is seen only then. */
    run(): Promise<string | undefined>;
}

/** The `describe` and `test` of any framework. */
interface TestFramework {
    describe(name: string, body: () => void): unknown;
    test(name: string, body: () => Promise<void>): unknown;
}

export { Check, TestFramework, describeProvider, registerChecks };

