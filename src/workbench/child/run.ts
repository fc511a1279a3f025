import { randomUUID } from "node:crypto";
import { hasDates, type Mode, type Resource } from "../../model/index.ts";
import { createHurriedClock, systemClock, utcDay, type Clock } from "../../platform/clock.ts";
import { GuardedWays } from "../../platform/outbound/index.ts";
import { systemRandom } from "../../platform/random.ts";
import {
  type FetchParameters,
  type FormValues,
  isProviderFailure,
  type OAuth2Authorization,
  type ProviderDefinition,
  ProviderHost,
  type ProviderMode,
  providerPackages,
  type Session,
  type Settings,
} from "../../providers/index.ts";
import { replay, ReplayServer } from "../../recordings/index.ts";
import type { KeptSignIn, RunEvent, RunTask, ToldChallenge } from "./messages.ts";
import { RecordMapper } from "./record-mapper.ts";
import { watchExchanges } from "./watch-exchanges.ts";

/** Whom a run asks and tells. */
export interface RunListener {
  onEvent: (event: RunEvent) => void;
  onSession: (kept: KeptSignIn) => void;
  ask: (challenge: ToldChallenge) => Promise<string>;
  /** The person approves at the address. Resolves with the code that the provider gave. */
  approve: (url: string, state: string) => Promise<string>;
}

/** A provider in one mode. */
export interface RunnableMode {
  definition: ProviderDefinition;
  mode: ProviderMode;
  modeName: Mode;
}

const longestRunMs = 30 * 60_000;

/** Signs in, reads the resources one after the other, and tells all of it. Throws what refuses the sign-in. */
export async function runProvider(
  subject: RunnableMode,
  task: RunTask,
  listener: RunListener,
): Promise<void> {
  const { replayed } = task;
  const server =
    replayed &&
    new ReplayServer(replayed, {
      onMissing: (request) => listener.onEvent({ type: "missing", request }),
    });
  await server?.start();
  try {
    const baseUrl = server?.baseUrl ?? task.baseUrl;
    const given =
      replayed && server
        ? { formValues: replay.formValuesAt(replayed, server.baseUrl) }
        : undefined;
    const answers = [...(replayed?.answers ?? [])];
    const run = new Run(
      subject,
      { ...task, ...(given && { signIn: given }), baseUrl },
      {
        ...listener,
        ...(replayed && { approve: async () => replay.code }),
        ask: async (challenge) => answers.shift() ?? (await listener.ask(challenge)),
      },
    );
    await run.signIn();
    for (const resource of task.resources) await run.read(resource);
  } finally {
    await server?.close();
  }
}

class Run {
  readonly #subject: RunnableMode;
  readonly #task: RunTask;
  readonly #listener: RunListener;
  readonly #host: ProviderHost;
  readonly #clock: Clock;
  readonly #signal = AbortSignal.timeout(longestRunMs);
  #step: Resource | "sign-in" = "sign-in";
  #requests = 0;
  #session: Session | undefined;
  #settings: Settings = {};
  /** The provider's ids, in the order of our replies. */
  #payruns: readonly string[] = [];

  constructor(subject: RunnableMode, task: RunTask, listener: RunListener) {
    this.#subject = subject;
    this.#task = task;
    this.#listener = listener;
    const { definition } = subject;
    const { baseUrl, replayed } = task;
    const { application = replayed && noApplication } = task;
    const ranges = baseUrl ? [{ range: "127.0.0.0/8:*" }] : task.outboundAllow;
    const ways = new GuardedWays(ranges, {
      allowsHttp: task.allowsHttp || baseUrl !== undefined,
    });
    // A recording is read on its own day.
    this.#clock = replayed ? createHurriedClock(replay.noonOf(replayed.today)) : systemClock;
    this.#host = new ProviderHost({
      registry: providerPackages.createRegistry([
        watchExchanges(definition, {
          ...(baseUrl && { baseUrl }),
          onExchange: (exchange) => {
            this.#requests += 1;
            const { seen, ...rest } = exchange;
            const told = this.#task.isRecorded ? { ...rest, ...(seen && { seen }) } : rest;
            listener.onEvent({ type: "exchange", step: this.#step, exchange: told });
          },
        }),
      ]),
      agentOf: () => ways.agentOf(undefined),
      openWay: () => ways.open(undefined),
      clock: this.#clock,
      random: systemRandom,
      log: quietLog,
      ...(application && { applications: { [definition.name]: application } }),
    });
  }

  async signIn(): Promise<void> {
    const { signIn } = this.#task;
    if ("kept" in signIn) {
      this.#settings = signIn.kept.settings;
      await this.#inspect(signIn.kept.session);
    } else {
      this.#settings = providerPackages.chooseSettings(this.#subject.mode.form, signIn.formValues);
      await this.#probe(signIn.formValues);
      await this.#inspect(await this.#logIn(signIn.formValues));
    }
  }

  async read(resource: Resource): Promise<void> {
    this.#step = resource;
    this.#requests = 0;
    try {
      const all = this.#parametersOf(resource);
      if (all.length === 0)
        this.#fail(resource, "there is no pay run in the range, whose payslips could be read");
      for (const parameters of all) await this.#readPages(resource, parameters);
    } catch (error) {
      if (!isProviderFailure(error)) throw error;
      this.#fail(resource, providerPackages.explainFailure(error));
    }
  }

  async #logIn(formValues: FormValues): Promise<Session> {
    const { mode } = this.#subject;
    const call = { ...this.#call(), resources: this.#task.resources };
    const authorization = mode.oauth2 && (await this.#authorize(formValues));
    let result = await this.#host.login({
      ...call,
      formValues,
      ...(authorization && { authorization }),
    });
    while ("challenge" in result) {
      const { state, ...challenge } = result.challenge;
      const answer = await this.#listener.ask(challenge);
      result = await this.#host.resume({ ...call, state, answer });
    }
    return result.session;
  }

  async #authorize(formValues: FormValues): Promise<OAuth2Authorization | undefined> {
    const { replayed, redirectUri } = this.#task;
    const { application = replayed && noApplication } = this.#task;
    if (!application) return undefined;
    const call = { ...this.#call(), formValues, resources: this.#task.resources };
    const page = await this.#host.findApprovalPage(call);
    const state = randomUUID();
    const { address, codeVerifier } = providerPackages.makeApprovalAddress(page, {
      clientId: application.clientId,
      redirectUri,
      state,
    });
    return { code: await this.#listener.approve(address, state), codeVerifier, redirectUri };
  }

  async #probe(formValues: FormValues): Promise<void> {
    const { definition, mode } = this.#subject;
    const typed = formValues[mode.origin?.field ?? ""];
    const found = typed === undefined ? null : await this.#host.probe({ ...this.#call(), typed });
    if (!found) return;
    const { version = "" } = found;
    const system = `${definition.title} ${version}`.trim();
    this.#listener.onEvent({ type: "found", system });
  }

  async #inspect(session: Session): Promise<void> {
    const signedIn = await this.#host.inspect({
      ...this.#call(),
      resources: this.#task.resources,
      settings: this.#settings,
      session,
    });
    this.#keep(signedIn.session);
    const { origin, forbidden = [], unsupported } = signedIn;
    this.#listener.onEvent({ type: "signed-in", origin, forbidden, unsupported });
  }

  async #readPages(resource: Resource, parameters: FetchParameters): Promise<void> {
    const { limit } = this.#task;
    const isWhole = this.#task.isWhole || resource === "payruns";
    const limited = new Set<string>();
    const nulled = new Set<string>();
    const progress = { pages: 0, records: 0, isCut: false };
    const mapper = new RecordMapper(resource, parameters);
    for await (const page of this.#pagesOf(resource, { parameters, limited, mapper })) {
      progress.pages += 1;
      for (const raw of page.raw) {
        progress.records += 1;
        const isTold = progress.records <= limit;
        if (!isTold && !isWhole) continue;
        const told = mapper.map(page, raw);
        for (const field of told.nulled) nulled.add(field);
        if (isTold) this.#listener.onEvent({ type: "record", ...told });
      }
      progress.isCut = !isWhole && progress.records >= limit;
      if (progress.isCut) break;
    }
    if (resource === "payruns") this.#payruns = mapper.listPayruns();
    const { range } = parameters;
    this.#listener.onEvent({
      type: "read",
      resource,
      ...progress,
      requests: this.#requests,
      limited: [...limited].toSorted(),
      nulled: [...nulled].toSorted(),
      ...(range && { range }),
    });
    this.#requests = 0;
  }

  #pagesOf(
    resource: Resource,
    {
      parameters,
      limited,
      mapper,
    }: { parameters: FetchParameters; limited: Set<string>; mapper: RecordMapper },
  ) {
    return this.#host.read({
      ...this.#call(),
      resource,
      session: this.#requireSession(),
      parameters,
      settings: this.#settings,
      today: utcDay(this.#clock.now()),
      onLimited: (fields) => fields.forEach((field) => limited.add(field)),
      onNulled: (field) => mapper.noteNulled(field),
      onUnknown: (field) => mapper.noteUnknown(field),
      onSession: (session) => this.#keep(session),
      sessions: {
        current: () => this.#requireSession(),
        renew: async () => await this.#renew(),
      },
    });
  }

  /** One read for each of these. A recording has the payslips of as many pay runs as checks look at. */
  #parametersOf(resource: Resource): FetchParameters[] {
    const { range, isWhole } = this.#task;
    if (hasDates(resource)) return [{ range }];
    if (resource !== "payslips") return [{}];
    const runs = this.#payruns.slice(0, isWhole ? replay.checkedPayruns : 1);
    return runs.map((payrunRemoteId) => ({ payrunRemoteId }));
  }

  async #renew(): Promise<Session> {
    const session = await this.#host.refresh({ ...this.#call(), session: this.#requireSession() });
    this.#keep(session);
    return session;
  }

  #keep(session: Session): void {
    this.#session = session;
    this.#listener.onSession({ session, settings: this.#settings });
  }

  #fail(resource: Resource, failure: string): void {
    this.#listener.onEvent({ type: "failed", resource, failure });
  }

  #call() {
    const { definition, modeName } = this.#subject;
    return { provider: definition.name, mode: modeName, signal: this.#signal };
  }

  #requireSession(): Session {
    if (!this.#session) throw new Error("nobody has signed in");
    return this.#session;
  }
}

/** A recording takes any. */
const noApplication = { clientId: "rollcall", clientSecret: "recorded-secret" };

const quietLog = {
  child: () => ({ debug: () => undefined, warn: () => undefined }),
};
