import type { SteadyClock } from "../../platform/clock.ts";
import { ProviderBug, toPlainFailure, type ProviderHost } from "../../providers/index.ts";
import { readWhole, type ReadTask } from "../records/read-whole.ts";
import { MemoryBudget } from "./memory-budget.ts";
import { MemoryReturn } from "./memory-return.ts";
import type { Call, QuestionReply, SendToParent } from "./messages.ts";
import { Places } from "./places.ts";
import { Questions } from "./questions.ts";
import { runningPackage } from "./running-package.ts";
import { SavedSessions } from "./saved-sessions.ts";
import { sendAnswer } from "./send-answer.ts";

const longestSession = 1_000_000;

interface ChildCallsOptions {
  host: ProviderHost;
  clock: SteadyClock;
  readMemoryBytes: number;
  send: SendToParent;
  /** The packages of providers that are not built in. */
  packageOf: ReadonlyMap<string, string>;
}

interface Work {
  signal: AbortSignal;
  questions: Questions;
}

/** The calls that this child process works on. */
export class ChildCalls {
  readonly #host: ProviderHost;
  readonly #send: SendToParent;
  readonly #packageOf: ReadonlyMap<string, string>;
  readonly #memory: MemoryBudget;
  readonly #memoryReturn = new MemoryReturn();
  /** One list at a time is encoded and sent, because that takes as much memory again. */
  readonly #encoder = new Places(1);
  readonly #aborts = new Map<number, AbortController>();
  readonly #questions = new Map<number, Questions>();

  constructor({ host, clock, readMemoryBytes, send, packageOf }: ChildCallsOptions) {
    this.#host = host;
    this.#send = send;
    this.#packageOf = packageOf;
    this.#memory = new MemoryBudget(clock, readMemoryBytes);
  }

  start(id: number, call: Call): void {
    const name = this.#packageOf.get(call.arguments.provider);
    void runningPackage.run(name, () => this.#run(id, call));
  }

  receive(id: number, number: number, reply: QuestionReply): void {
    this.#questions.get(id)?.receive(number, reply);
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
    const questions = new Questions(id, this.#send);
    this.#aborts.set(id, abort);
    this.#questions.set(id, questions);
    try {
      const result = await this.#work(id, call, { signal: abort.signal, questions });
      await this.#send({ type: "done", id, result });
    } catch (error) {
      await this.#send({ type: "failed", id, failure: toPlainFailure(error) });
    } finally {
      this.#aborts.delete(id);
      this.#questions.delete(id);
      questions.end();
      this.#memoryReturn.afterCall();
    }
  }

  async #work(id: number, call: Call, { signal, questions }: Work): Promise<unknown> {
    const means = { signal, quotas: questions.quotas };
    switch (call.operation) {
      case "checkForm":
        return await this.#host.checkForm(call.arguments);
      case "findApprovalPage":
        return await this.#host.findApprovalPage(call.arguments);
      case "login":
        return toPlainJson(await this.#host.login({ ...call.arguments, ...means }));
      case "resume":
        return toPlainJson(await this.#host.resume({ ...call.arguments, ...means }));
      case "inspect":
        return toPlainJson(await this.#host.inspect({ ...call.arguments, ...means }));
      case "refresh":
        return toPlainJson(await this.#host.refresh({ ...call.arguments, ...means }));
      case "logOut":
        return await this.#host.logOut({ ...call.arguments, ...means });
      case "read":
        return await this.#read(id, call.arguments, { signal, questions });
    }
  }

  async #read(id: number, task: ReadTask, { signal, questions }: Work): Promise<void> {
    const sessions = new SavedSessions(
      (session) => void this.#send({ type: "session", id, session }),
    );
    let giveBackEncoder: (() => void) | undefined;
    const holder = { id, client: task.clientId };
    try {
      await this.#memory.hold(holder, 0, signal);
      const answer = await readWhole(this.#host, task, {
        signal,
        onPage: async (progress, heldBytes) => {
          await this.#send({ type: "progress", id, progress, heldBytes });
          await this.#memory.hold(holder, heldBytes, signal);
        },
        beforeEncoding: async () => {
          giveBackEncoder = await this.#encoder.take(signal);
        },
        onSession: (session) => sessions.save(toPlainJson(session)),
        services: questions,
      });
      // Before the parent takes memory for the answer.
      this.#memoryReturn.afterList(answer.list?.bodyBytes ?? 0);
      await sendAnswer(this.#send, id, answer, signal);
    } finally {
      sessions.flush();
      giveBackEncoder?.();
      this.#memory.release(id);
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
