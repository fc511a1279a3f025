import { AsyncLocalStorage } from "node:async_hooks";
import { hideSecrets, type CallSecrets } from "./secrets/call-secrets.ts";

/** On whose behalf code runs, as far as it is known. What an adapter does after its call belongs to the call too. */
interface RunningCall {
  id?: number;
  /** Of a provider that is not built in. */
  package?: string | undefined;
  secrets?: CallSecrets;
}

export const runningCall = new AsyncLocalStorage<RunningCall>();

/** The secrets of all calls that this process works on. */
export class KnownSecrets {
  readonly #running = new Set<CallSecrets>();

  begin(secrets: CallSecrets): void {
    this.#running.add(secrets);
  }

  end(secrets: CallSecrets): void {
    this.#running.delete(secrets);
  }

  /** For the log: a line may come from any call, and from one that has ended. */
  hide(text: string): string {
    const own = runningCall.getStore()?.secrets;
    const calls = own ? this.#running.union(new Set([own])) : this.#running;
    return hideSecrets(text, [...calls]);
  }
}
