import type { Clock } from "../../platform/clock.ts";
import { ProviderBug, toPlainFailure, type ProviderHost } from "../../providers/index.ts";
import { readWhole, type ReadTask } from "../records/read-whole.ts";
import { MemoryBudget } from "./memory-budget.ts";
import type { Call, SendToParent } from "./messages.ts";
import { Places } from "./places.ts";
import { SavedSessions } from "./saved-sessions.ts";
import { sendAnswer } from "./send-answer.ts";

const longestSession = 1_000_000;
/** What a larger read leaves behind is collected at once: a child without work does not collect it by itself. */
const largeReadBytes = 16_000_000;

interface ChildCallsOptions {
  host: ProviderHost;
  clock: Clock;
  readMemoryBytes: number;
  send: SendToParent;
}

/** The calls that this child process works on. */
export class ChildCalls {
  readonly #host: ProviderHost;
  readonly #send: SendToParent;
  readonly #memory: MemoryBudget;
  /** One list at a time is encoded and sent, because that takes as much memory again. */
  readonly #encoder = new Places(1);
  readonly #aborts = new Map<number, AbortController>();

  constructor({ host, clock, readMemoryBytes, send }: ChildCallsOptions) {
    this.#host = host;
    this.#send = send;
    this.#memory = new MemoryBudget(clock, readMemoryBytes);
  }

  start(id: number, call: Call): void {
    void this.#run(id, call);
  }

  /** A call that took too long fails as the contract says; any other one just ends. */
  abort(id: number, isTimeout: boolean): void {
    const reason = isTimeout
      ? ["it took too long", "TimeoutError"]
      : ["it was ended", "AbortError"];
    this.#aborts.get(id)?.abort(new DOMException(...reason));
  }

  async #run(id: number, call: Call): Promise<void> {
    const abort = new AbortController();
    this.#aborts.set(id, abort);
    try {
      const result = await this.#work(id, call, abort.signal);
      await this.#send({ type: "done", id, result });
    } catch (error) {
      await this.#send({ type: "failed", id, failure: toPlainFailure(error) });
    } finally {
      this.#aborts.delete(id);
    }
  }

  async #work(id: number, call: Call, signal: AbortSignal): Promise<unknown> {
    switch (call.operation) {
      case "login":
        return toPlainJson(await this.#host.login({ ...call.arguments, signal }));
      case "resume":
        return toPlainJson(await this.#host.resume({ ...call.arguments, signal }));
      case "inspect":
        return toPlainJson(await this.#host.inspect({ ...call.arguments, signal }));
      case "read":
        return await this.#read(id, call.arguments, signal);
    }
  }

  async #read(id: number, task: ReadTask, signal: AbortSignal): Promise<void> {
    const sessions = new SavedSessions(
      (session) => void this.#send({ type: "session", id, session }),
    );
    let giveBackEncoder: (() => void) | undefined;
    let mostHeldBytes = 0;
    try {
      await this.#memory.hold(id, 0, signal);
      const answer = await readWhole(this.#host, task, {
        signal,
        onPage: async (progress, heldBytes) => {
          mostHeldBytes = Math.max(mostHeldBytes, heldBytes);
          await this.#send({ type: "progress", id, progress, heldBytes });
          await this.#memory.hold(id, heldBytes, signal);
        },
        beforeEncoding: async () => {
          giveBackEncoder = await this.#encoder.take(signal);
        },
        onSession: (session) => sessions.save(toPlainJson(session)),
      });
      await sendAnswer(this.#send, id, answer, signal);
    } finally {
      sessions.flush();
      giveBackEncoder?.();
      this.#memory.release(id);
      if (mostHeldBytes > largeReadBytes) setImmediate(() => globalThis.gc?.());
    }
  }
}

/** What an adapter gives for later is plain JSON, and not a place for data. */
function toPlainJson<Value>(value: Value): Value {
  let text: string;
  try {
    text = JSON.stringify(value);
  } catch (error) {
    throw Object.assign(new ProviderBug("the adapter's session is no plain JSON"), {
      cause: error,
    });
  }
  if (text.length > longestSession)
    throw new ProviderBug(`the adapter's session has more than ${longestSession} characters`);
  return JSON.parse(text) as Value;
}
