import type { Resource } from "../model/index.ts";
import { utcDay, type Clock } from "../platform/clock.ts";
import type { Random } from "../platform/random.ts";
import type { AnswerLimits, createGuardedAgent, OwnWay } from "../platform/outbound/index.ts";
import { createCallContext, type Call } from "./call-context.ts";
import { inClosedSet, inClosedSetSync, untilAborted } from "./closed-set.ts";
import type {
  Cursor,
  FetchParameters,
  FoundSystem,
  ProviderLog,
  ProviderMode,
  Session,
  SignInResult,
} from "./contract.ts";
import { AuthError, OperationNotSupported, ProviderBug } from "./errors.ts";
import {
  createMapContext,
  createReadContext,
  openPage,
  startReading,
  type ReadCall,
} from "./read-context.ts";
import type { OAuth2Applications } from "./oauth2-sign-in.ts";
import type { ProviderRegistry } from "./registry.ts";
import { readExpiry, requireRights } from "./require-given.ts";
import { checkForm, findApprovalPage, type ApprovalPage, type FormCheck } from "./sign-in-form.ts";
import type { SignedIn, SignInHost } from "./sign-in-host.ts";
import { eachUnknownField } from "./source-fields.ts";
import type { SourceRecord } from "./source-records.ts";
import { probeOrigin, watchTypedOrigin } from "./typed-origin.ts";

/** Unknown fields are looked for in so many records: a misspelt field shows in the first ones of a read. */
const mostLookedThrough = 1_000;

type Agent = ReturnType<typeof createGuardedAgent>;
type AgentOfClient = (clientId: string | undefined) => Agent;

/** What a sign-in host is asked, and whom it tells. */
type Asked<Name extends keyof SignInHost> = Call & Parameters<SignInHost[Name]>[0];
/** Nothing is asked of the provider. */
type AskedOfForm<Name extends "checkForm" | "findApprovalPage"> = Omit<
  Parameters<SignInHost[Name]>[0],
  "signal"
>;

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
  readonly #openWay: (clientId: string | undefined) => OwnWay;
  readonly #clock: Clock;
  readonly #random: Random;
  readonly #log: HostLog;
  readonly #limits: AnswerLimits | undefined;
  readonly #applications: OAuth2Applications;

  constructor({
    registry,
    agentOf,
    openWay = (clientId) => sharedWay(agentOf(clientId)),
    clock,
    random,
    log,
    limits,
    applications = {},
  }: {
    registry: ProviderRegistry;
    agentOf: AgentOfClient;
    /** For what was typed: tells whether it is inside. Without it, it is taken to be. */
    openWay?: (clientId: string | undefined) => OwnWay;
    clock: Clock;
    random: Random;
    log: HostLog;
    /** How large the answers of providers may be. */
    limits?: AnswerLimits;
    applications?: OAuth2Applications;
  }) {
    this.#registry = registry;
    this.#agentOf = agentOf;
    this.#openWay = openWay;
    this.#clock = clock;
    this.#random = random;
    this.#log = log;
    this.#limits = limits;
    this.#applications = applications;
  }

  async checkForm(call: AskedOfForm<"checkForm">): Promise<FormCheck> {
    return inClosedSetSync(() => checkForm(this.#mode(call), call.formValues));
  }

  async findApprovalPage(call: AskedOfForm<"findApprovalPage">): Promise<ApprovalPage> {
    const { formValues, resources } = call;
    return inClosedSetSync(() => findApprovalPage(this.#mode(call), formValues, resources));
  }

  /** Looks whether the system is at the address that was typed. Null for an adapter that cannot tell. */
  async probe(call: Asked<"probe">): Promise<FoundSystem | null> {
    const mode = this.#mode(call);
    return await this.#onWayOf(mode, call, async ({ agent, wentInside }) => {
      const { context } = this.#context(call, "sign-in", agent);
      return await inClosedSet(call.signal, () =>
        probeOrigin(mode, call.typed, { context, wentInside }),
      );
    });
  }

  async login(call: Asked<"login">): Promise<SignInResult> {
    const { authorization, formValues } = call;
    const mode = this.#mode(call);
    return await this.#onWayOf(mode, call, async ({ agent, wentInside }) => {
      const { context } = this.#context(call, "sign-in", agent);
      return await inClosedSet(call.signal, async () => {
        const { http, explain } = watchTypedOrigin(mode, formValues, { ...context, wentInside });
        const given = { http, ...signInPart(call), ...(authorization && { authorization }) };
        try {
          return await mode.login({ ...context, ...given }, formValues);
        } catch (error) {
          throw explain(error);
        }
      });
    });
  }

  async resume(call: Omit<Asked<"resume">, "isChoice">): Promise<SignInResult> {
    const { context } = this.#context(call, "sign-in");
    const { resume } = this.#mode(call);
    if (!resume) throw new ProviderBug("the adapter asks a question and has no resume");
    return await inClosedSet(call.signal, () =>
      resume({ ...context, ...signInPart(call) }, call.state, call.answer),
    );
  }

  /** Checks a new session: that it works, what it cannot read, and who signed in. */
  async inspect(call: Asked<"inspect">): Promise<SignedIn> {
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
  async logOut(call: Asked<"logOut">): Promise<void> {
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
  async refresh(call: Asked<"refresh">): Promise<Session> {
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

  #context(call: Call, purpose: "sign-in" | "reply", agent = this.#agentOf(call.clientId)) {
    const { provider, mode } = call;
    const definition = this.#registry.findDefinition(provider);
    const application = definition?.modes[mode]?.oauth2 && this.#applications[provider];
    return createCallContext(call, {
      agent,
      purpose,
      clock: this.#clock,
      random: this.#random,
      log: this.#log.child({ provider, mode }),
      limits: this.#limits,
      waitSeconds: definition?.limits?.waitSeconds,
      application,
    });
  }

  /** The way of what was typed is its own, because nobody else's sockets tell where it leads. */
  async #onWayOf<Result>(
    { origin }: ProviderMode,
    { clientId }: Call,
    work: (way: OwnWay) => Promise<Result>,
  ): Promise<Result> {
    const way = origin ? this.#openWay(clientId) : sharedWay(this.#agentOf(clientId));
    try {
      return await work(way);
    } finally {
      await way.close();
    }
  }
}

function sharedWay(agent: Agent): OwnWay {
  return { agent, wentInside: () => true, close: async () => undefined };
}

function signInPart(call: { resources: readonly Resource[]; previousSession?: Session }) {
  return {
    resources: call.resources,
    ...(call.previousSession && { previousSession: call.previousSession }),
  };
}
