import type { Mode, Resource } from "../model/index.ts";
import { utcDay, type Clock } from "../platform/clock.ts";
import type { Random } from "../platform/random.ts";
import {
  createProviderHttp,
  defaultAnswerLimits,
  type AnswerLimits,
  TargetRefused,
  type createGuardedAgent,
} from "../platform/outbound/index.ts";
import { inClosedSet, inClosedSetSync, untilAborted } from "./closed-set.ts";
import type {
  Cursor,
  FetchParameters,
  FormValues,
  ProviderContext,
  ProviderLog,
  ProviderMode,
  Session,
  Settings,
  SignInResult,
} from "./contract.ts";
import { AuthError, OperationNotSupported, ProviderBug } from "./errors.ts";
import { createReadContext, openPage, startReading, type ReadCall } from "./read-context.ts";
import { createMapContext } from "./map-context.ts";
import type { OAuth2Applications, OAuth2Authorization } from "./oauth2-sign-in.ts";
import type { ProviderRegistry } from "./registry.ts";
import { noteSecret } from "./note-secret.ts";
import { refusedAddress } from "./refused-address.ts";
import { admitByQuotas, type RequestQuotas } from "./request-quotas.ts";
import { readExpiry, requireRights } from "./require-given.ts";
import { checkForm, findApprovalPage, type ApprovalPage, type FormCheck } from "./sign-in-form.ts";
import type { SignedIn } from "./sign-in-host.ts";
import { eachUnknownField } from "./source-fields.ts";
import type { SourceRecord } from "./source-records.ts";

const signInCallTimeoutMs = 10_000;
/** Unknown fields are looked for in so many records: a misspelt field shows in the first ones of a read. */
const mostLookedThrough = 1_000;
/** All answers of one call of a sign-in together may be this many times as large as one. */
const signInAnswers = 2;

type AgentOfClient = (clientId: string | undefined) => ReturnType<typeof createGuardedAgent>;

interface Call {
  /** The client that it is for, which may have ways out of its own. */
  clientId?: string | undefined;
  provider: string;
  mode: Mode;
  signal: AbortSignal;
  /** Called for each request that is sent. */
  onRequest?: () => void;
  onAnswer?: (body: Uint8Array) => void;
  /** Without it, requests count against no quota. */
  quotas?: RequestQuotas | undefined;
  onSession?: (session: Session) => void;
  /** Called with each secret that the provider gives, such as a cookie or a token. */
  onSecret?: (secret: string) => void;
}

type FormCall = Pick<Call, "provider" | "mode"> & { formValues: FormValues };

interface HostLog {
  child(fields: object): ProviderLog;
}

/** A page as the adapter read it. `map` maps one of its records. */
export interface RawPage<R extends Resource> {
  raw: readonly unknown[];
  /** Where the read can go on after this page. */
  cursor?: Cursor;
  /** Of a page of changes: the provider's ids of those who are gone. */
  removed?: readonly string[];
  /** Of a page of changes: those of all who are there still, where the provider lists them. */
  present?: readonly string[];
  /** Null for a record that the adapter leaves out. */
  map: (raw: unknown) => SourceRecord<R> | null;
}

/**
 * Runs adapters. Gives them what they may use and turns every failure into one of the contract's
 * errors.
 */
export class ProviderHost {
  readonly #registry: ProviderRegistry;
  readonly #agentOf: AgentOfClient;
  readonly #clock: Clock;
  readonly #random: Random;
  readonly #log: HostLog;
  readonly #limits: AnswerLimits | undefined;
  readonly #applications: OAuth2Applications;

  constructor({
    registry,
    agentOf,
    clock,
    random,
    log,
    limits,
    applications = {},
  }: {
    registry: ProviderRegistry;
    agentOf: AgentOfClient;
    clock: Clock;
    random: Random;
    log: HostLog;
    /** How large the answers of providers may be. */
    limits?: AnswerLimits;
    applications?: OAuth2Applications;
  }) {
    this.#registry = registry;
    this.#agentOf = agentOf;
    this.#clock = clock;
    this.#random = random;
    this.#log = log;
    this.#limits = limits;
    this.#applications = applications;
  }

  async checkForm(call: FormCall): Promise<FormCheck> {
    return inClosedSetSync(() => checkForm(this.#mode(call), call.formValues));
  }

  async findApprovalPage(
    call: FormCall & { resources: readonly Resource[] },
  ): Promise<ApprovalPage> {
    const { formValues, resources } = call;
    return inClosedSetSync(() => findApprovalPage(this.#mode(call), formValues, resources));
  }

  async login(
    call: Call & {
      formValues: FormValues;
      resources: readonly Resource[];
      previousSession?: Session;
      authorization?: OAuth2Authorization;
    },
  ): Promise<SignInResult> {
    const { authorization } = call;
    const { context } = this.#context(call, "sign-in");
    const mode = this.#mode(call);
    return await inClosedSet(call.signal, async () => {
      try {
        const given = { ...signInPart(call), ...(authorization && { authorization }) };
        return await mode.login({ ...context, ...given }, call.formValues);
      } catch (error) {
        throw error instanceof TargetRefused ? refusedAddress(mode, error) : error;
      }
    });
  }

  async resume(
    call: Call & {
      state: Session;
      answer: string;
      resources: readonly Resource[];
      previousSession?: Session;
    },
  ): Promise<SignInResult> {
    const { context } = this.#context(call, "sign-in");
    const { resume } = this.#mode(call);
    if (!resume) throw new ProviderBug("the adapter asks a question and has no resume");
    return await inClosedSet(call.signal, () =>
      resume({ ...context, ...signInPart(call) }, call.state, call.answer),
    );
  }

  /** Checks a new session: that it works, what it cannot read, and who signed in. */
  async inspect(
    call: Call & { session: Session; resources: readonly Resource[]; settings?: Settings },
  ): Promise<SignedIn> {
    const { context, savedSession, origins } = this.#context(call, "sign-in");
    const mode = this.#mode(call);
    return await inClosedSet(call.signal, async () => {
      const { session: checked, settings = {} } = call;
      const found = await mode.check({ ...context, ...signInPart(call), settings }, checked);
      requireRights(found);
      const identity = await mode.identity(context, savedSession() ?? checked);
      const session = savedSession() ?? checked;
      readExpiry(mode, session);
      const accountOfSession = mode.accountOfSession?.(checked).map(String);
      return {
        ...found,
        session,
        identity,
        origin: origins[0] ?? null,
        ...(accountOfSession && { accountOfSession }),
      };
    });
  }

  /** Ends a session at the provider. Does nothing for an adapter that cannot. */
  async logOut(call: Call & { session: Session; isAccountInUse: boolean }): Promise<void> {
    const { context } = this.#context(call, "sign-in");
    const { logOut } = this.#mode(call);
    const { session, isAccountInUse } = call;
    await inClosedSet(
      call.signal,
      async () => await logOut?.({ ...context, isAccountInUse }, session),
    );
  }

  /**
   * Reads one resource page by page. It returns only when the adapter's generator returned, and
   * throws otherwise. Calls `onAnswer` with the body of every answer of the provider, and
   * `onSession` with every session that the adapter saves, at once.
   */
  async *read<R extends Resource>(
    call: Call &
      ReadCall & {
        resource: R;
        session: Session;
        /** Those of the resource are passed on. */
        parameters: FetchParameters;
        /** YYYY-MM-DD, UTC. By default the day of the host's clock. */
        today?: string;
        onSession: (session: Session) => void;
      },
  ): AsyncGenerator<RawPage<R>> {
    const { context } = this.#context(call, "reply");
    const reader = this.#mode(call).resources[call.resource];
    if (!reader) throw new OperationNotSupported("the adapter lacks the resource");
    const readContext = createReadContext(context, this.#mode(call), call);
    const mapContext = createMapContext({ today: utcDay(this.#clock.now()), ...call });
    const { parameters } = mapContext;
    let mapped = 0;
    const pages = await inClosedSet(call.signal, async () =>
      startReading(reader, readContext, { ...call, parameters })[Symbol.asyncIterator](),
    );
    try {
      for (;;) {
        const page = await inClosedSet(call.signal, () => untilAborted(pages.next(), call.signal));
        if (page.done) return;
        const opened = openPage(page.value);
        const map = (raw: unknown): SourceRecord<R> | null =>
          inClosedSetSync(() => {
            const source = reader.map(raw as never, mapContext);
            mapped += 1;
            if (call.onUnknown && mapped <= mostLookedThrough)
              eachUnknownField(call.resource, source, call.onUnknown);
            return source;
          });
        yield { ...opened, map };
      }
    } finally {
      void Promise.resolve(pages.return?.()).catch(() => undefined);
    }
  }

  isPagedByOffset(call: Pick<Call, "provider" | "mode"> & { resource: Resource }): boolean {
    return this.#mode(call).resources[call.resource]?.isPagedByOffset ?? false;
  }

  hasChanges(call: Pick<Call, "provider" | "mode"> & { resource: Resource }): boolean {
    return this.#mode(call).resources[call.resource]?.changes !== undefined;
  }

  /** A new session for one that has ended or is about to. */
  async refresh(call: Call & { session: Session }): Promise<Session> {
    const { context } = this.#context(call, "sign-in");
    const mode = this.#mode(call);
    const { refresh } = mode;
    if (!refresh) throw new AuthError("reauthentication_required");
    return await inClosedSet(call.signal, async () => {
      const session = await refresh(context, call.session);
      readExpiry(mode, session);
      return session;
    });
  }

  #mode({ provider, mode }: Pick<Call, "provider" | "mode">): ProviderMode {
    const found = this.#registry.findAdapter(provider, mode);
    if (!found) throw new OperationNotSupported("the provider is not there in this mode");
    return found;
  }

  #context(
    { clientId, provider, mode, signal, quotas, onRequest, onAnswer, onSession, onSecret }: Call,
    purpose: "sign-in" | "reply",
  ): {
    context: ProviderContext;
    savedSession: () => Session | undefined;
    /** Those that the adapter asked for a client for. */
    origins: readonly string[];
  } {
    let saved: Session | undefined;
    const origins: string[] = [];
    const onBytes = purpose === "sign-in" ? this.#boundAnswers() : onAnswer;
    const log = this.#log.child({ provider, mode });
    const definition = this.#registry.findDefinition(provider);
    const waitSeconds = definition?.limits?.waitSeconds;
    const application = definition?.modes[mode]?.oauth2 && this.#applications[provider];
    const context: ProviderContext = {
      clock: this.#clock,
      signal,
      log,
      ...(onSecret && { [noteSecret]: onSecret }),
      ...(application && { application }),
      http: (origin, { cookies, draws, maxBytes } = {}) => {
        origins.push(URL.parse(origin)?.origin ?? origin);
        const admission = admitByQuotas(quotas, draws);
        return createProviderHttp({
          agent: this.#agentOf(clientId),
          clock: this.#clock,
          random: this.#random,
          origins: [origin],
          purpose,
          limits: this.#limits,
          timeoutMs: purpose === "sign-in" ? signInCallTimeoutMs : undefined,
          cookies,
          signal,
          log,
          onRequest,
          onBytes,
          maxBytes,
          admission,
          waitSeconds,
          onWait: admission?.onRefused,
          onCookie: onSecret,
        });
      },
      saveSession: (session) => {
        saved = session;
        onSession?.(session);
      },
    };
    return { context, savedSession: () => saved, origins };
  }

  /** A server that anybody may have named cannot fill the process with many small answers. */
  #boundAnswers(): (body: Uint8Array) => void {
    const mostBytes = signInAnswers * (this.#limits ?? defaultAnswerLimits).signInBytes;
    let bytes = 0;
    return (body) => {
      bytes += body.length;
      if (bytes > mostBytes)
        throw new ProviderBug(
          `the provider's answers of a sign-in have more than ${mostBytes} bytes`,
        );
    };
  }
}

function signInPart(call: { resources: readonly Resource[]; previousSession?: Session }) {
  return {
    resources: call.resources,
    ...(call.previousSession && { previousSession: call.previousSession }),
  };
}
