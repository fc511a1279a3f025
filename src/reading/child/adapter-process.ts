import type { ChildProcess } from "node:child_process";
import { fileURLToPath } from "node:url";
import { forkBelted, type BeltedProcess } from "../../platform/belt/index.ts";
import type { Clock } from "../../platform/clock.ts";
import { reviveError, type ErrorDescription } from "../../platform/describe-error.ts";
import type { Log } from "../../platform/log.ts";
import { refuseInTransaction } from "../../platform/open-transaction.ts";
import { providerPackages, type PlainRefusal } from "../../providers/index.ts";
import { ProcessDied } from "../adapters.ts";
import { lowerPriority } from "./lower-priority.ts";
import type { Call, ChildSettings, FromChild, ToChild } from "./messages.ts";
import { PendingCall, type CallOptions } from "./pending-call.ts";
import { describeExit, type ProcessEnd } from "./process-end.ts";
import { residentBytes } from "./resident-bytes.ts";

export interface ProcessLimits {
  heapMb: number;
  /** Resident memory. It is watched on Linux alone. */
  memoryMb: number;
  pingEveryMs: number;
  /** A process that is not ready so long after its start is ended. */
  startMs: number;
  /** A process that does not answer for so long is ended. */
  silenceMs: number;
  /** A process without work for so long ends. The next call starts another one. */
  idleMs: number;
}

interface AdapterProcessOptions {
  /** What the process is for, for the log. */
  name: string;
  settings: ChildSettings;
  /** What it may read of the disk. */
  readable: readonly string[];
  limits: ProcessLimits;
  clock: Clock;
  log: Log;
  /** Called once, before the calls of the process reject. Undefined for an end that was asked for. */
  onEnd: (end: ProcessEnd | undefined) => void;
}

const entry = fileURLToPath(new URL("./entry.ts", import.meta.url));
const lookAtMemoryEveryMs = 200;
const longestErrorOutput = 16_000;
const lastMessagesMs = 1_000;
/** When a process had too much memory, a call that held less than this part of the largest is not blamed. */
const smallPart = 4;
const largeBytes = 32_000_000;
/** A read that has just begun counts as this many bytes of memory. */
const bytesOfCall = 4_000_000;

/** One child process with the calls that run in it. When it ends, each of them rejects with ProcessDied. */
export class AdapterProcess {
  readonly #options: AdapterProcessOptions;
  readonly #child: ChildProcess;
  readonly #cleanUp: () => void;
  readonly #declared = Promise.withResolvers<readonly unknown[]>();
  readonly #calls = new Map<number, PendingCall>();
  readonly #timers: NodeJS.Timeout[] = [];
  readonly #ended = Promise.withResolvers<void>();
  #lastId = 0;
  #isReady = false;
  #unansweredMs = 0;
  #idleMs = 0;
  #errorOutput = "";
  /** Why this process ends it; "asked" for an end that is no failure. */
  #ending: ProcessEnd | "asked" | undefined;
  #hasEnded = false;
  #refusal: PlainRefusal | undefined;
  #isAskedToDeclare = false;
  #mayLoadForEver = false;

  constructor(options: AdapterProcessOptions) {
    this.#options = options;
    const { child, cleanUp } = forkEntry(options.limits.heapMb, options.readable);
    this.#child = child;
    this.#cleanUp = cleanUp;
    this.#declared.promise.catch(() => undefined);
    this.#listen();
    const { pingEveryMs } = options.limits;
    this.#timers.push(
      setInterval(() => this.#ping(), pingEveryMs),
      setInterval(() => void this.#watchMemory(), lookAtMemoryEveryMs),
    );
    options.log.debug({ pid: this.#child.pid, purpose: options.name }, "an adapter process starts");
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  /** False once it is to end. */
  get isUsable(): boolean {
    return this.#ending === undefined && !this.#hasEnded;
  }

  get load(): number {
    return [...this.#calls.values()].reduce((sum, call) => sum + call.heldBytes + bytesOfCall, 0);
  }

  async run(call: Call, options: CallOptions): Promise<unknown> {
    refuseInTransaction("a call of an adapter");
    options.signal.throwIfAborted();
    const id = (this.#lastId += 1);
    const pending = new PendingCall(id, call, options, (message) => this.#send(message));
    this.#calls.set(id, pending);
    try {
      if (this.#isReady) pending.begin();
      return await pending.result;
    } finally {
      this.#calls.delete(id);
    }
  }

  /**
   * What the providers of its packages declare. Throws InvalidProvider for a package that cannot be used. A patient
   * caller waits as long as the process lives.
   */
  async declared({ isPatient }: { isPatient: boolean }): Promise<readonly unknown[]> {
    refuseInTransaction("the start of a process of adapters");
    this.#isAskedToDeclare = true;
    this.#mayLoadForEver = isPatient;
    return await this.#declared.promise;
  }

  /** Ends it for no fault of its own. Resolves when the process is gone. */
  async end(): Promise<void> {
    this.#kill("asked");
    await this.#ended.promise;
  }

  #listen(): void {
    const child = this.#child;
    child.on("message", (message: FromChild) => this.#receive(message));
    child.stderr?.on("data", (chunk: Buffer) => {
      if (this.#errorOutput.length < longestErrorOutput)
        this.#errorOutput += chunk.toString("latin1", 0, longestErrorOutput);
    });
    const settle = (code: number | null, signal: NodeJS.Signals | null): void =>
      this.#settle(describeExit({ code, signal, errorOutput: this.#errorOutput }));
    child.on("error", () => {
      if (this.pid === undefined)
        this.#settle({ reason: "start", explanation: "it could not be started" });
    });
    // After "close" all messages that it had sent have been received.
    child.once("close", settle);
    child.once("exit", (code, signal) => {
      this.#timers.push(setTimeout(() => settle(code, signal), lastMessagesMs));
    });
  }

  #receive(message: FromChild): void {
    switch (message.type) {
      case "loaded":
        this.#tellTime();
        this.#send({ type: "settings", settings: this.#options.settings });
        if (this.pid !== undefined) lowerPriority(this.pid);
        break;
      case "refused":
        this.#refusal = message.refusal;
        this.#kill({ reason: "start", explanation: message.refusal.explanation });
        break;
      case "ready":
        this.#isReady = true;
        this.#unansweredMs = 0;
        this.#declared.resolve(message.declared);
        for (const call of this.#calls.values()) call.begin();
        break;
      case "pong":
        this.#unansweredMs = 0;
        break;
      case "log":
        this.#log(message);
        break;
      default:
        this.#calls.get(message.id)?.receive(message);
        break;
    }
  }

  #log({ level, fields, message, call }: Extract<FromChild, { type: "log" }>): void {
    const write = (): void => this.#options.log[level](reviveErrors(fields), message);
    const pending = call === undefined ? undefined : this.#calls.get(call);
    if (pending) pending.inSpan(write);
    else write();
  }

  /** Counts its own rounds, not the time: when this process stood still, the child's answer may be waiting. */
  #ping(): void {
    const { pingEveryMs, startMs, silenceMs, idleMs } = this.#options.limits;
    const isIdle = this.#isReady && this.#calls.size === 0;
    this.#idleMs = isIdle ? this.#idleMs + pingEveryMs : 0;
    if (this.#idleMs > idleMs) this.#kill("asked");
    const longestStartMs = this.#mayLoadForEver ? Infinity : startMs;
    const limitMs = this.#isReady ? silenceMs : longestStartMs;
    if (this.#unansweredMs >= limitMs)
      this.#kill({
        reason: this.#isReady ? "silent" : "start",
        explanation: `it did not answer for ${limitMs} ms`,
      });
    this.#unansweredMs += pingEveryMs;
    this.#tellTime();
  }

  #tellTime(): void {
    this.#send({ type: "ping", now: this.#options.clock.now().getTime() });
  }

  async #watchMemory(): Promise<void> {
    const { memoryMb } = this.#options.limits;
    const bytes = this.pid === undefined ? undefined : await residentBytes(this.pid);
    if (bytes !== undefined && bytes > memoryMb * 1_000_000)
      this.#kill({ reason: "memory", explanation: `it had more than ${memoryMb} MB of memory` });
  }

  #kill(ending: ProcessEnd | "asked"): void {
    if (!this.isUsable) return;
    this.#ending = ending;
    this.#child.kill("SIGKILL");
  }

  #settle(exit: ProcessEnd): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    for (const timer of this.#timers) clearTimeout(timer);
    this.#cleanUp();
    const { log, name, onEnd } = this.#options;
    const calls = [...this.#calls.values()];
    const isAsked = this.#ending === "asked";
    const end = this.#endOf(exit);
    const fields = { pid: this.pid, purpose: name, ...end, calls: calls.length };
    // Whoever asked what the packages declare reports why there is no answer.
    if (isAsked || (this.#isAskedToDeclare && !this.#isReady))
      log.debug(fields, "an adapter process has ended");
    else log.warn(fields, "an adapter process ended; the next call starts another one");
    onEnd(isAsked ? undefined : end);
    void this.#endDeclaring(end);
    const largest = Math.max(...calls.map(({ heldBytes }) => heldBytes));
    for (const call of calls) {
      const isSmall =
        end.reason === "memory" && largest >= largeBytes && call.heldBytes < largest / smallPart;
      call.end(end, { isAlone: !isAsked && calls.length === 1, isSmall });
    }
    this.#ended.resolve();
  }

  /** A package can also end the process that loads it, or keep it from answering. */
  async #endDeclaring({ explanation }: ProcessEnd): Promise<void> {
    if (this.#ending === "asked") return this.#declared.reject(new ProcessDied(explanation, false));
    const { readable, settings } = this.#options;
    const names = settings.providerPackages.map(({ name }) => name).join(", ");
    const refusal = this.#refusal ?? {
      explanation: `the process that loads ${names} ended: ${explanation}`,
    };
    this.#declared.reject(await providerPackages.fromPlainRefusal(refusal, readable));
  }

  #endOf(exit: ProcessEnd): ProcessEnd {
    if (this.#ending === "asked") return { reason: "exit", explanation: "the service ended it" };
    if (this.#ending !== undefined) return this.#ending;
    return this.#isReady ? exit : { ...exit, reason: "start" };
  }

  #send(message: ToChild): void {
    // Without a process to send to, the call ends when its end is noticed.
    if (this.#child.connected) this.#child.send(message, () => undefined);
  }
}

function forkEntry(heapMb: number, readable: readonly string[]): BeltedProcess {
  return forkBelted(entry, {
    serialization: "advanced",
    readable,
    // Nothing of the service's environment. The memory of a large read goes back to the system when it is done.
    env: {
      MALLOC_ARENA_MAX: "2",
      MALLOC_MMAP_THRESHOLD_: "131072",
      MALLOC_TRIM_THRESHOLD_: "131072",
    },
    execArgv: [
      `--max-old-space-size=${heapMb}`,
      // What is made of a list dies with its call: in a nursery of this size most of it does before it is copied.
      "--max-semi-space-size=8",
      "--expose-gc",
      // A pattern that would go back and forth for ever over a provider's text ends in linear time.
      "--enable-experimental-regexp-engine-on-excessive-backtracks",
      "--disable-warning=ExperimentalWarning",
    ],
    stdio: ["ignore", "ignore", "pipe", "ipc"],
  });
}

function reviveErrors(fields: object): object {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]: [string, unknown]) => {
      const { described } = (value ?? {}) as { described?: ErrorDescription };
      return [name, described ? reviveError(described) : value];
    }),
  );
}
