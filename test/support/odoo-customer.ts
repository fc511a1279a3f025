import type { Mode, Resource } from "../../src/model/index.ts";
import type { Clock } from "../../src/platform/clock.ts";
import { createLog } from "../../src/platform/log.ts";
import { AddressPolicy, createGuardedAgent } from "../../src/platform/outbound/index.ts";
import { systemRandom } from "../../src/platform/random.ts";
import type { Cursor, FetchParameters, Session, Settings } from "../../src/providers/contract.ts";
import { odoo } from "../../src/providers/odoo/index.ts";
import { ProviderHost } from "../../src/providers/provider-host.ts";
import { ProviderRegistry } from "../../src/providers/registry.ts";
import type { SourceRecord } from "../../src/providers/source-records.ts";
import { FakeOdoo, type FakeOdooOptions } from "./fake-odoo.ts";
import { TestClock } from "./test-clock.ts";

export const password = "password-marker-éß";

interface ReadSince {
  people: SourceRecord<"employees">[];
  present: string[] | undefined;
  next: Cursor | undefined;
  requests: number;
  pages: number;
}

interface CustomerOptions {
  mode?: Mode;
  settings?: Settings;
  resources?: readonly Resource[];
}

const opened: (() => unknown)[] = [];

/** Ends what the tests of a file have started. */
export async function closeAll(): Promise<void> {
  await Promise.all(opened.splice(0).map((close) => close()));
}

export async function startFakeOdoo(options: FakeOdooOptions): Promise<FakeOdoo> {
  const fake = await FakeOdoo.start(options);
  opened.push(() => fake.stop());
  return fake;
}

const everyDay = { start: "2000-01-01", end: "2100-12-31" };

/** Signs in to an Odoo and reads it, by the code of the service. */
export class Customer {
  readonly logged: string[] = [];
  readonly saved: Session[] = [];
  readonly limited: (readonly string[])[] = [];
  readonly abort = new AbortController();
  readonly host: ProviderHost;
  readonly #origin: string;
  readonly #mode: Mode;
  readonly #settings: Settings;
  readonly #resources: readonly Resource[];

  constructor(
    origin: string,
    clock: Clock = new TestClock(),
    reachable = ["127.0.0.0/8", "::1/128"],
    {
      mode = "xhr",
      settings = {},
      resources = ["company", "employees", "groups", "work-locations"],
    }: CustomerOptions = {},
  ) {
    this.#mode = mode;
    this.#settings = settings;
    this.#resources = resources;
    const agent = createGuardedAgent({ policy: new AddressPolicy(reachable) });
    opened.push(() => agent.destroy());
    const log = createLog({
      level: "trace",
      destination: { write: (line) => void this.logged.push(line) },
    });
    this.host = new ProviderHost({
      registry: new ProviderRegistry([odoo]),
      agentOf: () => agent,
      openWay: () => ({ agent, wentInside: () => false, close: async () => undefined }),
      clock,
      random: systemRandom,
      log,
    });
    this.#origin = origin;
  }

  get call() {
    return { provider: "odoo", mode: this.#mode, signal: this.abort.signal };
  }

  async logIn(formValues: Record<string, string> = {}, previousSession?: Session) {
    const typed = {
      url: this.#origin,
      database: "people",
      username: "ines@example.com",
      password,
      ...formValues,
    };
    await this.host.probe({ ...this.call, typed: typed.url });
    return await this.host.login({
      ...this.call,
      resources: this.#resources,
      ...(previousSession && { previousSession }),
      formValues: typed,
    });
  }

  async signIn(username = "ines@example.com"): Promise<Session> {
    const result = await this.logIn({ username });
    if (!("session" in result)) throw new Error("a second factor is asked for");
    return result.session;
  }

  async answer(state: Session, answer: string) {
    return await this.host.resume({ ...this.call, resources: this.#resources, state, answer });
  }

  async logOut(session: Session): Promise<void> {
    await this.host.logOut({ ...this.call, session, isAccountInUse: false });
  }

  async inspect(session: Session, wanted: readonly Resource[] = this.#resources) {
    const settings = this.#settings;
    return await this.host.inspect({ ...this.call, session, resources: wanted, settings });
  }

  async readPages<R extends Resource>(
    resource: R,
    session: Session,
    parameters: FetchParameters = { range: everyDay },
  ): Promise<SourceRecord<R>[][]> {
    const pages: SourceRecord<R>[][] = [];
    for await (const { raw, map } of this.host.read({
      ...this.call,
      resource,
      session,
      parameters,
      settings: this.#settings,
      onSession: (next) => void this.saved.push(next),
      onLimited: (fields) => void this.limited.push(fields),
    }))
      pages.push(raw.map(map).filter((record) => record !== null));
    return pages;
  }

  /** Everybody, or who changed since then, as a poll reads them. */
  async readSince(session: Session, since?: Cursor): Promise<ReadSince> {
    const read: ReadSince = {
      people: [],
      present: undefined,
      next: undefined,
      requests: 0,
      pages: 0,
    };
    for await (const { raw, map, present } of this.host.read({
      ...this.call,
      resource: "employees" as const,
      session,
      parameters: {},
      settings: this.#settings,
      since,
      onSession: (next) => void this.saved.push(next),
      onContinueFrom: (next) => void (read.next = next),
      onRequest: () => void (read.requests += 1),
    })) {
      read.pages += 1;
      read.people.push(...raw.map(map).filter((record) => record !== null));
      if (present) read.present = [...(read.present ?? []), ...present];
    }
    return read;
  }

  async read<R extends Resource>(
    resource: R,
    session: Session,
    parameters?: FetchParameters,
  ): Promise<SourceRecord<R>[]> {
    return (await this.readPages(resource, session, parameters)).flat();
  }
}
