// What every provider has to do, as checks that run beside a fake of its system. It is part of the product: the
// operator's command `provider check` runs them in a child process, and so do the tests of a package in their own. Adapters run by the host of
// providers and the whole reads of reading. It knows no database and no queue.
export { checkInChild } from "./check-in-child.ts";
export { describeProvider, registerChecks, type TestFramework } from "./describe-provider.ts";
export { listChecks, type Check } from "./list-checks.ts";
