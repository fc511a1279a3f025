import { runningCall } from "./running-call.ts";
import type { CallSecrets } from "./secrets/call-secrets.ts";

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
    let shown = own && !this.#running.has(own) ? own.hide(text) : text;
    for (const secrets of this.#running) shown = secrets.hide(shown);
    return shown;
  }
}
