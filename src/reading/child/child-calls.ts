import { systemClock, type SteadyClock } from "../../platform/clock.ts";
import type { OnExchange } from "../../platform/outbound/index.ts";
import { Turns } from "../../platform/turns.ts";
import {
  ProviderBug,
  providerPackages,
  toPlainFailure,
  type FormCheck,
  type OAuth2Applications,
  type PlainFailure,
  type ProviderHost,
  type ProviderRegistry,
  type Session,
  type SignInResult,
} from "../../providers/index.ts";
import { readWhole, type ReadTask } from "../records/read-whole.ts";
import { runningCall, type KnownSecrets } from "./known-secrets.ts";
import { MemoryBudget } from "./memory-budget.ts";
import { MemoryReturn } from "./memory-return.ts";
import type { Call, QuestionReply, SendToParent } from "./messages.ts";
import { Questions } from "./questions.ts";
import { SavedSessions } from "./saved-sessions.ts";
import { hideIn, type CallSecrets } from "./secrets/call-secrets.ts";
import { secretsOfCall } from "./secrets/secrets-of-call.ts";
import { sendAnswer } from "./answer-pieces.ts";

const longestSession = 1_000_000;

interface ChildCallsOptions {
  host: ProviderHost;
  registry: ProviderRegistry;
  applications: OAuth2Applications;
  clock: SteadyClock;
  readMemoryBytes: number;
  send: SendToParent;
  /** The packages of providers that are not built in. */
  packageOf: ReadonlyMap<string, string>;
  secrets: KnownSecrets;
  isTraced: boolean;
}

interface Work {
  signal: AbortSignal;
  questions: Questions;
  secrets: CallSecrets;
}

/** The calls that this child process works on. */
export class ChildCalls {
  readonly #options: ChildCallsOptions;
  readonly #host: ProviderHost;
  readonly #send: SendToParent;
  readonly #memory: MemoryBudget;
  readonly #memoryReturn = new MemoryReturn(() => this.#aborts.size === 0);
  /** One list at a time is encoded and sent, because that takes as much memory again. */
  readonly #encoder = new Turns({ places: 1 });
  readonly #aborts = new Map<number, AbortController>();
  readonly #questions = new Map<number, Questions>();

  constructor(options: ChildCallsOptions) {
    const { host, clock, readMemoryBytes, send } = options;
    this.#options = options;
    this.#host = host;
    this.#send = send;
    this.#memory = new MemoryBudget(clock, readMemoryBytes);
  }

  /** A provider is loaded with its first call. */
  start(id: number, call: Call): void {
    const abort = new AbortController();
    this.#aborts.set(id, abort);
    this.#start(id, call, abort.signal)
      .catch((error: unknown) => this.#send({ type: "failed", id, failure: toPlainFailure(error) }))
      .finally(() => this.#aborts.delete(id));
  }

  /** Rejects when the code of the provider cannot be loaded. */
  async #start(id: number, call: Call, signal: AbortSignal): Promise<void> {
    const { registry, applications, packageOf } = this.#options;
    const { provider, mode } = call.arguments;
    await providerPackages.addBuiltIn(registry, provider);
    const secrets = secretsOfCall(call, {
      fields: registry.findMode(provider, mode)?.fields,
      application: applications[provider],
    });
    const running = { id, package: packageOf.get(provider), secrets };
    await runningCall.run(running, () => this.#run(id, call, { signal, secrets }));
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

  async #run(
    id: number,
    call: Call,
    { signal, secrets }: Pick<Work, "signal" | "secrets">,
  ): Promise<void> {
    const questions = new Questions(id, this.#send);
    this.#questions.set(id, questions);
    this.#options.secrets.begin(secrets);
    try {
      const result = await this.#work(id, call, { signal, questions, secrets });
      await this.#send({ type: "done", id, result });
    } catch (error) {
      await this.#send({
        type: "failed",
        id,
        failure: this.#describeFailure(error, call, secrets),
      });
    } finally {
      this.#options.secrets.end(secrets);
      this.#questions.delete(id);
      questions.end();
      this.#memoryReturn.afterCall();
    }
  }

  /** The name of a field is stored and logged, so it is one of the form or none. */
  #describeFailure(error: unknown, { arguments: given }: Call, secrets: CallSecrets): PlainFailure {
    const failure = toPlainFailure(error, (text) => secrets.hide(text));
    if (failure.kind !== "field") return failure;
    const fields = this.#options.registry.findMode(given.provider, given.mode)?.fields ?? [];
    const isKnown = fields.some(({ name }) => name === failure.field);
    return isKnown ? failure : { ...failure, field: "" };
  }

  async #work(id: number, call: Call, work: Work): Promise<unknown> {
    const { signal, questions, secrets } = work;
    const means = {
      signal,
      onExchange: this.#tellExchange(id),
      quotas: questions.quotas,
      onSession: (session: Session) => secrets.gainSession(session),
      onSecret: (secret: string) => secrets.gain(secret),
    };
    switch (call.operation) {
      case "checkForm":
        return hideInProblems(await this.#host.checkForm(call.arguments), secrets);
      case "findApprovalPage":
        return await this.#host.findApprovalPage(call.arguments);
      case "probe":
        return await this.#host.probe({ ...call.arguments, ...means });
      case "login":
        return hideInChallenge(
          toPlainJson(await this.#host.login({ ...call.arguments, ...means })),
          secrets,
        );
      case "resume":
        return hideInChallenge(
          toPlainJson(await this.#host.resume({ ...call.arguments, ...means })),
          secrets,
        );
      case "inspect":
        return toPlainJson(await this.#host.inspect({ ...call.arguments, ...means }));
      case "refresh":
        return toPlainJson(await this.#host.refresh({ ...call.arguments, ...means }));
      case "logOut":
        return await this.#host.logOut({ ...call.arguments, ...means });
      case "read":
        return await this.#read(id, call.arguments, work);
    }
  }

  /** By the clock of the machine, which the spans of the parent go by too. */
  #tellExchange(id: number): OnExchange | undefined {
    if (!this.#options.isTraced) return undefined;
    return (label) => {
      const startedMs = systemClock.now().getTime();
      return (end) => {
        const request = { ...label, ...end, startedMs, endedMs: systemClock.now().getTime() };
        void this.#send({ type: "request", id, request });
      };
    };
  }

  async #read(id: number, task: ReadTask, work: Work): Promise<void> {
    const { signal, questions, secrets } = work;
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
        onFailed: (progress) => void this.#send({ type: "progress", id, progress, heldBytes: 0 }),
        beforeEncoding: async () => {
          giveBackEncoder = await this.#encoder.take({ signal });
        },
        onSession: (session) => {
          secrets.gainSession(session);
          sessions.save(toPlainJson(session));
        },
        onSecret: (secret) => secrets.gain(secret),
        onExchange: this.#tellExchange(id),
        services: {
          quotas: questions.quotas,
          keep: (pages) => questions.keep(pages),
          renewSession: async (version) => {
            const renewed = await questions.renewSession(version);
            secrets.gainSession(renewed.session);
            return renewed;
          },
        },
      });
      // Before the parent takes memory for the answer.
      this.#memoryReturn.afterList(answer.list?.bodyBytes ?? 0);
      const unknownFields = answer.unknownFields.map((field) => secrets.hide(field));
      await sendAnswer(this.#send, id, { ...answer, unknownFields }, signal);
    } finally {
      sessions.flush();
      giveBackEncoder?.();
      this.#memory.release(id);
    }
  }
}

/** The state and the values of options are for the adapter alone. */
function hideInChallenge(result: SignInResult, secrets: CallSecrets): SignInResult {
  if (!("challenge" in result)) return result;
  const { prompt, ...challenge } = result.challenge;
  const shown = { ...challenge, prompt: hideIn(prompt, (text) => secrets.hide(text)) };
  const challenged =
    "options" in shown
      ? {
          ...shown,
          options: shown.options.map(({ value, title }) => ({
            value,
            title: hideIn(title, (text) => secrets.hideInOption(text)),
          })),
        }
      : shown;
  return { challenge: challenged as typeof result.challenge };
}

function hideInProblems(check: FormCheck, secrets: CallSecrets): FormCheck {
  return "problems" in check ? hideIn(check, (text) => secrets.hide(text)) : check;
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
