import { randomUUID } from "node:crypto";
import { resourceRecords, type Mode, type Resource } from "../../model/index.ts";
import { systemClock, utcDay, type Clock } from "../../platform/clock.ts";
import { MacKey } from "../../platform/crypto/index.ts";
import { GuardedWays, NameResolver } from "../../platform/outbound/index.ts";
import { systemRandom } from "../../platform/random.ts";
import {
  explainFailure,
  isProviderFailure,
  listFormFields,
  makeApprovalAddress,
  ProviderHost,
  providerPackages,
  type FetchParameters,
  type FormValues,
  type OAuth2Authorization,
  type ProviderDefinition,
  type ProviderMode,
  type RawPage,
  type Session,
  type Settings,
  type SourceRecord,
} from "../../providers/index.ts";
import { arrangeRecords, createMint, placeRecord, toRecord } from "../../reading/records/index.ts";
import { formValuesAt, noonOf, recordedCode, ReplayServer } from "../../recordings/index.ts";
import type { KeptSignIn, RunEvent, RunRecord, RunTask, ToldChallenge } from "./messages.ts";
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

const withDates: ReadonlySet<Resource> = new Set(["payruns", "timesheets", "time-off-entries"]);
/** Ids of one run are those of another one, and of no connection. */
const key = new Uint8Array(32).fill(7);
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
      replayed && server ? { formValues: formValuesAt(replayed, server.baseUrl) } : undefined;
    const answers = [...(replayed?.answers ?? [])];
    const run = new Run(
      subject,
      { ...task, ...(given && { signIn: given }), baseUrl },
      {
        ...listener,
        ...(replayed && { approve: async () => recordedCode }),
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
  readonly #mint = createMint(new MacKey(key));
  #step: Resource | "sign-in" = "sign-in";
  #requests = 0;
  #session: Session | undefined;
  #settings: Settings = {};
  #payrun: string | undefined;

  constructor(subject: RunnableMode, task: RunTask, listener: RunListener) {
    this.#subject = subject;
    this.#task = task;
    this.#listener = listener;
    const { definition } = subject;
    const { baseUrl, replayed } = task;
    const { application = replayed && noApplication } = task;
    const names = new NameResolver();
    const ranges = baseUrl ? [{ range: "127.0.0.0/8:*" }] : task.outboundAllow;
    const ways = new GuardedWays(ranges, {
      resolve: names.resolve.bind(names),
      allowsHttp: task.allowsHttp || baseUrl !== undefined,
    });
    this.#clock = replayed ? clockAt(replayed.today) : systemClock;
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
      this.#settings = this.#settingsOf(signIn.formValues);
      await this.#inspect(await this.#logIn(signIn.formValues));
    }
  }

  async read(resource: Resource): Promise<void> {
    this.#step = resource;
    this.#requests = 0;
    try {
      const parameters = await this.#parametersOf(resource);
      if (parameters === undefined)
        return this.#fail(
          resource,
          "there is no pay run in the range, whose payslips could be read",
        );
      await this.#readPages(resource, parameters);
    } catch (error) {
      if (!isProviderFailure(error)) throw error;
      this.#fail(resource, explainFailure(error));
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
    const { address, codeVerifier } = makeApprovalAddress(page, {
      clientId: application.clientId,
      redirectUri,
      state,
    });
    return { code: await this.#listener.approve(address, state), codeVerifier, redirectUri };
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

  async #readPages<R extends Resource>(resource: R, parameters: FetchParameters): Promise<void> {
    const { limit, isRecorded } = this.#task;
    const limited = new Set<string>();
    const progress = { pages: 0, records: 0 };
    let isCut = false;
    const notes = { nulled: new Set<string>(), unknown: new Set<string>() };
    const records: RunRecord["record"][] = [];
    for await (const page of this.#host.read<R>({
      ...this.#call(),
      resource,
      session: this.#requireSession(),
      parameters,
      settings: this.#settings,
      today: utcDay(this.#clock.now()),
      onLimited: (fields) => fields.forEach((field) => limited.add(field)),
      onNulled: (field) => notes.nulled.add(field),
      onUnknown: (field) => notes.unknown.add(field),
      onSession: (session) => this.#keep(session),
      sessions: {
        current: () => this.#requireSession(),
        renew: async () => await this.#renew(),
      },
    })) {
      progress.pages += 1;
      for (const raw of page.raw) {
        progress.records += 1;
        const isTold = progress.records <= limit;
        if (!isTold && !isRecorded && resource !== "payruns") continue;
        const told = this.#toRecord(resource, { page, raw, parameters, notes });
        records.push(told.record);
        if (isTold) this.#listener.onEvent({ type: "record", ...told });
      }
      isCut = !isRecorded && resource !== "payruns" && progress.records >= limit;
      if (isCut) break;
    }
    if (resource === "payruns") this.#payrun = firstPayrun(records, parameters);
    const { range } = parameters;
    this.#listener.onEvent({
      type: "read",
      resource,
      ...progress,
      requests: this.#requests,
      isCut,
      limited: [...limited].toSorted(),
      ...(range && { range }),
    });
  }

  #toRecord<R extends Resource>(
    resource: R,
    {
      page,
      raw,
      parameters,
      notes,
    }: {
      page: RawPage<R>;
      raw: unknown;
      parameters: FetchParameters;
      notes: { nulled: Set<string>; unknown: Set<string> };
    },
  ): RunRecord {
    notes.nulled.clear();
    notes.unknown.clear();
    const onNulled = (field: string): void => void notes.nulled.add(field);
    const noted = () => ({
      resource,
      source: raw,
      nulled: [...notes.nulled],
      unknown: [...notes.unknown],
    });
    try {
      const source: SourceRecord<R> | null = page.map(raw);
      if (source === null) return { ...noted(), leftOut: "`map` gave null" };
      const record = toRecord(resource, source, { mint: this.#mint, asked: parameters, onNulled });
      const isInside = placeRecord(resource, record, parameters.range) !== undefined;
      return { ...noted(), record, ...(!isInside && { leftOut: "it is outside of the range" }) };
    } catch (error) {
      if (!isProviderFailure(error)) throw error;
      return { ...noted(), leftOut: explainFailure(error) };
    }
  }

  async #parametersOf(resource: Resource): Promise<FetchParameters | undefined> {
    const { range } = this.#task;
    if (withDates.has(resource)) return { range };
    if (resource !== "payslips") return {};
    return this.#payrun === undefined ? undefined : { payrunRemoteId: this.#payrun };
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

  #settingsOf(formValues: FormValues): Settings {
    const fields = listFormFields(this.#subject.mode.form).filter(({ isSetting }) => isSetting);
    return Object.fromEntries(fields.map(({ name }) => [name, formValues[name] ?? ""]));
  }

  #requireSession(): Session {
    if (!this.#session) throw new Error("nobody has signed in");
    return this.#session;
  }
}

/** The one that the replies of the service would have first. */
function firstPayrun(records: readonly unknown[], { range }: FetchParameters): string | undefined {
  const placed = records.flatMap((record) => {
    const parsed = resourceRecords.payruns.safeParse(record);
    const place = parsed.success ? placeRecord("payruns", parsed.data, range) : undefined;
    if (!place || !parsed.success) return [];
    const json = Buffer.from(JSON.stringify(record));
    return [{ ...place, json, remoteId: parsed.data.remote_id }];
  });
  return arrangeRecords(placed).records[0]?.remoteId;
}

/** A recording is read on its own day. */
function clockAt(day: string): Clock {
  const now = noonOf(day);
  return { now: () => now, sleep: (ms, signal) => systemClock.sleep(Math.min(ms, 5), signal) };
}

/** A recording takes any. */
const noApplication = { clientId: "rollcall", clientSecret: "recorded-secret" };

const quietLog = {
  child: () => ({ debug: () => undefined, warn: () => undefined }),
};
