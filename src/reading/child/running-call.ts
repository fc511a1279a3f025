import { AsyncLocalStorage } from "node:async_hooks";
import type { CallSecrets } from "./secrets/call-secrets.ts";

/** On whose behalf code runs, as far as it is known. What an adapter does after its call belongs to the call too. */
interface RunningCall {
  id?: number;
  /** Of a provider that is not built in. */
  package?: string | undefined;
  secrets?: CallSecrets;
}

export const runningCall = new AsyncLocalStorage<RunningCall>();
