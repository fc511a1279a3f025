import { hasDates, type Resource } from "../model/index.ts";
import { createHurriedClock, utcDay, type Clock } from "../platform/clock.ts";
import { decompress } from "../platform/compression.ts";
import { AddressPolicy, createGuardedAgent } from "../platform/outbound/index.ts";
import { systemRandom } from "../platform/random.ts";
import {
  ProviderHost,
  providerPackages,
  type Checkable,
  type OAuth2Authorization,
  type Cursor,
  type FakeSystem,
  type FetchParameters,
  type FormValues,
  type ProviderMode,
  type Scenario,
  type Session,
  type Settings,
  type TypedValues,
} from "../providers/index.ts";
import { readWhole, type ReadTask } from "../reading/records/index.ts";
import { replay } from "../recordings/index.ts";
import { limitPages } from "./page-limit.ts";
import { Sayings } from "./sayings.ts";
import { Watch, watchProvider } from "./watch-provider.ts";

/** A record as the API gives it. */
export type ReadRecord = Readonly<Record<string, unknown>>;

export interface WholeRead {
  /** The reply, byte for byte. */
  text: string;
  records: readonly ReadRecord[];
  nulledFields: readonly string[];
  unknownFields: readonly string[];
  /** False when somebody may be missing who was not removed. */
  isSteady: boolean;
}

/** What is checked, until the signal fires. */
export interface CheckContext {
  subject: Checkable;
  signal: AbortSignal;
}

interface ReadOptions {
  /** By default the range of the fake, and of payslips its first pay run. */
  parameters?: FetchParameters;
  /** Reads on from here, or the changes since then; without the fields that are not wanted. */
  start?: { cursor?: Cursor; since?: Cursor; fieldsOff?: readonly string[] };
  signal?: AbortSignal;
  onPage?: () => void;
}

/** Ids of one trial are those of another one. */
const key = new Uint8Array(32).fill(7);
const bounds = {
  maxBytes: 200_000_000,
  maxListBytes: 200_000_000,
  maxRecords: 200_000,
  maxPageMs: 60_000,
};
const rangeDays = 60;
/** What the operator and the connect flow have for a sign-in on the provider's own page. */
const application = { clientId: "rollcall", clientSecret: "secret of rollcall" };
const codeVerifier = "v".repeat(43);
const redirectUri = "https://rollcall.invalid/connect/callback";
const onThisMachine = new AddressPolicy(["127.0.0.0/8", "::1/128"]);
const publicWay = { wentInside: () => false, close: async () => undefined };

/** A provider beside its fake, in one scenario: from the form to whole reads, by the code of the service. */
export class Trial {
  readonly watch = new Watch();
  /** Its log, its errors and its questions. */
  readonly sayings = new Sayings();
  readonly fake: FakeSystem;
  readonly mode: ProviderMode;
  readonly resources: readonly Resource[];
  readonly #subject: Checkable;
  readonly #agent = createGuardedAgent({
    policy: onThisMachine,
    allowsHttp: true,
    resolve: async (hostname) => resolveLoopback(hostname),
  });
  readonly #host: ProviderHost;
  readonly #signal: AbortSignal;
  readonly #clock: Clock;
  #session: Session | undefined;
  #settings: Settings = {};
  #payrunIds: readonly string[] | undefined;
  /** How often the session was refreshed. */
  renewals = 0;

  constructor(subject: Checkable, fake: FakeSystem, signal: AbortSignal) {
    const { definition, adapter: mode } = subject;
    this.#subject = subject;
    this.#signal = signal;
    this.#clock = createHurriedClock(fake.now);
    this.fake = fake;
    this.mode = mode;
    this.resources = Object.keys(mode.resources) as Resource[];
    this.watch.baseUrl = fake.baseUrl;
    this.#host = new ProviderHost({
      registry: providerPackages.createRegistry([watchProvider(definition, this.watch)]),
      agentOf: () => this.#agent,
      // What the adapter says by itself has to be seen.
      openWay: () => ({ ...publicWay, agent: this.#agent }),
      clock: this.#clock,
      random: systemRandom,
      log: this.sayings.log,
      applications: { [definition.name]: application },
    });
  }

  get today(): string {
    return utcDay(this.#clock.now());
  }

  /** Answers the challenges and inspects the session, as the sign-in page does. */
  async signIn(typed: TypedValues = this.fake) {
    return await this.sayings.hear(() => this.#signIn(typed));
  }

  async #signIn({ formValues, code, answers = [] }: TypedValues) {
    const { definition, mode } = this.#subject;
    const call = {
      provider: definition.name,
      mode,
      resources: this.resources,
      signal: this.#signal,
    };
    await this.#probe(formValues);
    const left = [...answers];
    const authorization = this.#authorize(formValues, code);
    let result = await this.#host.login({
      ...call,
      formValues,
      ...(authorization && { authorization }),
    });
    let challenges = 0;
    while ("challenge" in result) {
      const { challenge } = result;
      this.sayings.note("a question to the person", challenge.prompt);
      const answer = challenge.kind === "wait" ? await this.#waitForPerson() : left.shift();
      if (answer === undefined)
        throw new Error(`the sign-in asks "${challenge.prompt}", and the fake has no answer to it`);
      challenges += 1;
      result = await this.#host.resume({ ...call, state: challenge.state, answer });
    }
    const { session } = result;
    this.#settings = providerPackages.chooseSettings(this.mode.form, formValues);
    const signedIn = await this.#host.inspect({ ...call, session, settings: this.#settings });
    this.#session = signedIn.session;
    await this.fake.afterSignIn?.();
    return { ...signedIn, challenges };
  }

  /** Looks for the system at the address that was typed, or at another one. Null for a provider that cannot tell. */
  async probe({ formValues }: TypedValues = this.fake) {
    return await this.sayings.hear(() => this.#probe(formValues));
  }

  async #probe(formValues: FormValues) {
    const { definition, mode } = this.#subject;
    const typed = formValues[this.mode.origin?.field ?? ""];
    if (typed === undefined) return null;
    const call = { provider: definition.name, mode, signal: this.#signal };
    return await this.#host.probe({ ...call, typed });
  }

  /** What a provider's own page gives, once the address that leads there is made. */
  #authorize(formValues: FormValues, code: string | undefined): OAuth2Authorization | undefined {
    const { oauth2 } = this.mode;
    if (!oauth2) return undefined;
    if (!URL.canParse(oauth2.authorizationUrl(formValues)))
      throw new Error("oauth2.authorizationUrl makes no address");
    oauth2.scopes(this.resources);
    if (code === undefined)
      throw new Error("the fake has no code, which the provider's page gives");
    return { code, codeVerifier, redirectUri };
  }

  /** Ends the session at the provider, as after a disconnect. */
  async logOut(): Promise<void> {
    const { definition, mode } = this.#subject;
    const session = this.#requireSession();
    const call = { provider: definition.name, mode, session, signal: this.#signal };
    await this.sayings.hear(() => this.#host.logOut({ ...call, isAccountInUse: false }));
  }

  async read(resource: Resource, options: ReadOptions = {}): Promise<WholeRead> {
    return await this.sayings.hear(() => this.#read(resource, options));
  }

  async #read(
    resource: Resource,
    { parameters, start = {}, signal = this.#signal, onPage = () => undefined }: ReadOptions,
  ): Promise<WholeRead> {
    const task = this.#taskOf(resource, parameters ?? (await this.parametersOf(resource)));
    const { cursor, since, fieldsOff = [] } = start;
    task.fieldsOff = fieldsOff;
    this.watch.since = since;
    if (cursor) task.kept = { cursor, limited: [], parts: [], pages: 0 };
    const limit = limitPages(resource);
    const { list, nulledFields, unknownFields, isSteady } = await readWhole(this.#host, task, {
      signal: AbortSignal.any([signal, this.#signal, limit.signal]),
      onPage: () => {
        limit.start();
        onPage();
      },
      onSession: (session) => (this.#session = session),
      services: {
        quotas: unlimited,
        renewSession: (version) => this.#renewSession(version),
        keep: async () => undefined,
      },
    }).finally(() => limit.stop());
    if (!list) throw new Error("the read gave no list");
    const text = (await decompress(list.body, list.bodyBytes)).toString();
    return {
      text,
      records: JSON.parse(text) as ReadRecord[],
      nulledFields: Object.keys(nulledFields),
      unknownFields,
      isSteady,
    };
  }

  /** Who approves elsewhere gives an empty answer. */
  async #waitForPerson(): Promise<string> {
    await this.#clock.sleep(1_000, this.#signal);
    return "";
  }

  async close(): Promise<void> {
    await this.#agent.destroy();
  }

  #taskOf(resource: Resource, fetchParameters: FetchParameters): ReadTask {
    const { definition, mode } = this.#subject;
    return {
      clientId: "",
      provider: definition.name,
      mode,
      resource,
      parameters: JSON.stringify(fetchParameters),
      fetchParameters,
      session: this.#requireSession(),
      today: utcDay(this.#clock.now()),
      idKey: key,
      fingerprintKey: key,
      stored: undefined,
      sessionVersion: 1,
      settings: this.#settings,
      kept: undefined,
      base: undefined,
      bounds,
    };
  }

  /** As the service does it: once for all who ask. */
  async #renewSession(version: number): Promise<{ session: Session; version: number }> {
    const { definition, mode } = this.#subject;
    const session = this.#requireSession();
    const call = { provider: definition.name, mode, session, signal: this.#signal };
    this.renewals += 1;
    this.#session = await this.#host.refresh(call);
    return { session: this.#session, version: version + 1 };
  }

  #requireSession(): Session {
    if (!this.#session) throw new Error("nobody has signed in");
    return this.#session;
  }

  /** The days that reads ask for unless it is said otherwise. */
  get usualRange(): { start: string; end: string } {
    return this.fake.range ?? lastDays(this.#clock.now());
  }

  /** What a read asks for unless it is said otherwise. */
  async parametersOf(resource: Resource): Promise<FetchParameters> {
    const [first] = await this.allParametersOf(resource);
    if (!first) throw new Error("there are payslips and no pay run in the range that is read");
    return first;
  }

  /** What each read asks for that together read all of a resource: of payslips, those of each pay run. */
  async allParametersOf(resource: Resource): Promise<FetchParameters[]> {
    if (resource !== "payslips") return [hasDates(resource) ? { range: this.usualRange } : {}];
    this.#payrunIds ??= (await this.read("payruns")).records.map((run) => String(run["remote_id"]));
    const checked = this.#payrunIds.slice(0, replay.checkedPayruns);
    return checked.map((payrunRemoteId) => ({ payrunRemoteId }));
  }

  /** All that the range of the fake has of a resource: its records, or the payslips of each of its pay runs. */
  async readAll(resource: Resource): Promise<WholeRead[]> {
    const reads: WholeRead[] = [];
    for (const parameters of await this.allParametersOf(resource))
      reads.push(await this.read(resource, { parameters }));
    return reads;
  }
}

/** Opens a trial for the work. The trial and its fake are closed in any case, at once when the signal fires. */
export async function inTrial<Result>(
  subject: Checkable,
  scenario: Scenario,
  signal: AbortSignal,
  work: (trial: Trial) => Promise<Result>,
): Promise<Result> {
  const fake = await subject.conformance.start(scenario);
  let trial: Trial | undefined;
  const end = async (): Promise<void> => {
    await trial?.close();
    await fake.close();
  };
  let ending: Promise<void> | undefined;
  const close = (): Promise<void> => (ending ??= end());
  const onAbort = (): void => void close().catch(() => undefined);
  signal.addEventListener("abort", onAbort, { once: true });
  try {
    signal.throwIfAborted();
    trial = new Trial(subject, fake, signal);
    return await work(trial);
  } finally {
    signal.removeEventListener("abort", onAbort);
    await close();
  }
}

function lastDays(now: Date): { start: string; end: string } {
  const today = utcDay(now);
  return { start: providerPackages.addDays(today, -rangeDays), end: today };
}

function resolveLoopback(hostname: string): string[] {
  if (hostname === "localhost" || hostname.endsWith(".localhost")) return ["127.0.0.1"];
  throw new Error(
    "a check reaches this machine alone: the fake has to name its baseUrl, or the form its address",
  );
}

const unlimited = {
  draw: async () => ({ end: () => undefined }),
  pause: async () => undefined,
};
