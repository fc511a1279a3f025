import { AsyncLocalStorage } from "node:async_hooks";

/** The provider package whose code runs, as far as it is known: undefined in code of our own. */
export const runningPackage = new AsyncLocalStorage<string | undefined>();
