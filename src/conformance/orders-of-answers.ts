import { setTimeout as delay } from "node:timers/promises";
import type { Alter, Watch } from "./watch-provider.ts";

/** Who asks for several things at once has asked for all of them within this time. */
const quietMs = 10;
/** For an answer that never comes, because its request failed. */
const longestWaitMs = 2_000;

/** The answers come in the order of their requests. */
export function inOrder(): Alter {
  const given = new Given();
  return async ({ answer }, index) => {
    if (index > 0) await given.until(index - 1);
    given.note(index);
    return answer;
  };
}

/** Of what is asked at once, the last answer comes first. */
export function inReverse(watch: Watch): Alter {
  const given = new Given();
  return async ({ answer }, index) => {
    if (watch.readRequests <= index + 1) await delay(quietMs);
    if (watch.readRequests > index + 1) await given.until(index + 1);
    given.note(index);
    return answer;
  };
}

/** Which answers the adapter has. */
class Given {
  readonly #waits = new Map<number, PromiseWithResolvers<void>>();

  note(index: number): void {
    this.#waitFor(index).resolve();
  }

  async until(index: number): Promise<void> {
    const ended = new AbortController();
    const given = this.#waitFor(index).promise;
    const late = delay(longestWaitMs, undefined, { signal: ended.signal }).catch(() => undefined);
    await Promise.race([given, late]).finally(() => ended.abort());
  }

  #waitFor(index: number): PromiseWithResolvers<void> {
    const wait = this.#waits.get(index) ?? Promise.withResolvers<void>();
    this.#waits.set(index, wait);
    return wait;
  }
}
