// What every provider has to do, as checks that run beside a fake of its system. It is part of the product: the
// operator's command `provider check` runs them, and so do the tests of a package. Adapters run by the host of
// providers and the whole reads of reading. It knows no database and no queue.
export { describeProvider, registerChecks, type TestFramework } from "./describe-provider.ts";
export { listChecks, type Check } from "./list-checks.ts";
