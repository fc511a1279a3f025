import { setTimeout as delay } from "node:timers/promises";
import { MockAgent } from "undici";
import { describe, expect, test } from "vitest";
import { limits, xero } from "../../src/providers/xero/index.ts";
import {
  ProviderHost,
  providerPackages,
  type RequestQuotas,
  type Session,
} from "../../src/providers/index.ts";
import { ProviderRateLimited } from "../../src/providers/errors.ts";
import { systemRandom } from "../../src/platform/random.ts";
import { decompress } from "../../src/platform/compression.ts";
import { utcDay } from "../../src/platform/clock.ts";
import type { ReadAnswer } from "../../src/reading/index.ts";
import { readWhole, type ReadTask } from "../../src/reading/records/index.ts";
import { TestClock } from "../support/test-clock.ts";
import { tenants } from "../support/fake-xero-conformance.ts";
import { application, FakeXero, rightCode } from "../support/vendors/fake-xero.ts";
import { createCompanyAbroad } from "../support/vendors/xero-abroad.ts";
import { createCompany, createPerson } from "../support/vendors/xero-company.ts";

const call = { provider: "xero", mode: "official" as const };
const key = new Uint8Array(32).fill(7);
const { perMinute = 0, perDay = 0 } = limits.quotas?.["tenant"] ?? {};
const longestWaitMs = 65_000;
const dayMs = 86_400_000;
const keepingMs = 100;

type Stored = NonNullable<ReadTask["base"]>;
type Kept = NonNullable<ReadTask["kept"]>;

/** Reads an organisation as the service does, without sockets and in simulated time. */
class XeroStage {
  readonly clock = new TestClock();
  readonly fake: FakeXero;
  kept: (Kept & { parts: Uint8Array[] }) | undefined;
  /** The process is killed at this request of the organisation's data. */
  killedAt = Infinity;
  readonly #agent = new MockAgent();
  readonly #host: ProviderHost;
  #session: { session: Session; version: number } | undefined;
  #drawn: number[] = [];
  #pausedUntil = 0;

  constructor(people: number, perDayOfXero = 5_000, country?: "NZ" | "AU") {
    const all = Array.from({ length: people }, (_value, index) => createPerson(index + 1));
    this.fake = new FakeXero({
      company: country ? createCompanyAbroad(all, country) : createCompany(all),
      tenants: [tenants.maple],
      now: () => this.clock.now(),
      perDay: perDayOfXero,
    });
    this.#agent.disableNetConnect();
    for (const origin of ["https://api.xero.com", "https://identity.xero.com"])
      for (const method of ["GET", "POST"])
        this.#agent
          .get(origin)
          .intercept({ path: () => true, method })
          .reply(({ path, headers, body }) => {
            const asked = {
              method,
              path,
              headers: toPlain(headers),
              body: typeof body === "string" ? body : "",
            };
            const { status, headers: replied = {}, body: data } = this.fake.answer(asked);
            const type = { "content-type": "application/json" };
            return {
              statusCode: status,
              data: data === undefined ? "" : JSON.stringify(data),
              responseOptions: { headers: { ...type, ...replied } },
            };
          })
          .persist();
    const quiet = { debug: () => undefined, warn: () => undefined };
    this.#host = new ProviderHost({
      registry: providerPackages.createRegistry([xero]),
      agentOf: () => this.#agent,
      clock: this.clock,
      random: systemRandom,
      log: { child: () => quiet },
      applications: { xero: application },
    });
  }

  async signIn(): Promise<void> {
    const result = await this.#host.login({
      ...call,
      formValues: {},
      resources: ["employees"],
      signal: new AbortController().signal,
      authorization: {
        code: rightCode,
        codeVerifier: "v",
        redirectUri: "https://rollcall.invalid",
      },
    });
    if (!("session" in result)) throw new Error("there is a question");
    this.#session = { session: result.session, version: 1 };
  }

  /** One run. The next one goes on with what this one kept. */
  async read(base?: Stored): Promise<ReadAnswer> {
    const session = this.#session;
    if (!session) throw new Error("nobody has signed in");
    const kill = new AbortController();
    const task: ReadTask = {
      ...call,
      clientId: "",
      resource: "employees",
      parameters: "",
      fetchParameters: {},
      session: session.session,
      sessionVersion: session.version,
      today: utcDay(this.clock.now()),
      idKey: key,
      fingerprintKey: key,
      stored: undefined,
      settings: {},
      kept: this.kept,
      base,
      bounds: { maxBytes: 1e9, maxListBytes: 1e9, maxRecords: 1e6, maxPageMs: 60_000 },
    };
    return await readWhole(this.#host, task, {
      signal: kill.signal,
      onPage: () => undefined,
      onSession: () => undefined,
      services: {
        quotas: this.#quotas(kill),
        renewSession: async (version) => await this.#renew(version),
        keep: async ({ records, pages, ...end }) => {
          if (kill.signal.aborted) return;
          const { parts = [], pages: before = 0 } = this.kept ?? {};
          this.kept = { ...end, parts: [...parts, records], pages: before + pages };
        },
      },
    });
  }

  /** As a read is tried again when its provider or its process asks for it. */
  async untilRead(): Promise<ReadAnswer> {
    for (let runs = 0; runs < 10; runs += 1)
      try {
        return await this.read();
      } catch (error) {
        if (error instanceof ProviderRateLimited) this.clock.advance(error.afterSeconds);
        else if (this.fake.counts.requests < this.killedAt) throw error;
        else this.killedAt = Infinity;
      }
    throw new Error("the read does not end");
  }

  /** Waits as the quotas of the service do. */
  #quotas(kill: AbortController): RequestQuotas {
    return {
      draw: async () => {
        if (this.fake.counts.requests >= this.killedAt) {
          // In true time, pages are kept long before the requests for the next ones have ended.
          await delay(keepingMs);
          kill.abort(new Error("killed"));
        }
        kill.signal.throwIfAborted();
        const now = this.clock.now().getTime();
        const free = Math.max(
          this.#pausedUntil,
          this.#freeAt(perMinute, 60_000),
          this.#freeAt(perDay, dayMs),
        );
        if (free - now > longestWaitMs) throw new ProviderRateLimited((free - now) / 1_000);
        if (free > now) this.clock.advance((free - now) / 1_000);
        this.#drawn.push(this.clock.now().getTime());
        return { end: () => undefined };
      },
      pause: async (_draws, seconds = 1) => {
        this.#pausedUntil = this.clock.now().getTime() + seconds * 1_000;
      },
    };
  }

  #freeAt(most: number, windowMs: number): number {
    const oldest = this.#drawn.at(-most);
    return oldest === undefined ? 0 : oldest + windowMs + 1;
  }

  async #renew(version: number) {
    const { session } = this.#session!;
    const signal = new AbortController().signal;
    const renewed = await this.#host.refresh({ ...call, session, signal });
    return (this.#session = { session: renewed, version: version + 1 });
  }
}

function toPlain(headers: unknown): Record<string, string> {
  return headers as Record<string, string>;
}

function toStored({ list, since }: ReadAnswer): Stored {
  if (!list?.index || !since) throw new Error("the read says nothing of changes");
  return { cursor: since, body: list.body, index: list.index, limited: [] };
}

async function peopleOf({ list }: ReadAnswer): Promise<Record<string, unknown>[]> {
  const text = await decompress(list!.body, list!.bodyBytes);
  return JSON.parse(text.toString()) as Record<string, unknown>[];
}

describe("600 people at 60 requests a minute", () => {
  const people = 600;
  /** Six pages of the list, the calendars, and two requests for each person. */
  const least = 6 + 1 + 2 * people;

  test("are read whole although the process is killed, and the next poll costs what changed", async () => {
    const stage = new XeroStage(people);
    const { fake, clock } = stage;
    await stage.signIn();
    const startedAt = clock.now().getTime();
    stage.killedAt = 700;
    clock.advance(15 * 60);
    const answer = await stage.untilRead();
    const { requests, refused, refreshes, refusedRefreshes } = fake.counts;
    expect(stage.killedAt).toBe(Infinity);
    expect(requests).toBeGreaterThan(least);
    expect(requests).toBeLessThanOrEqual(least * 1.05);
    expect({ refused, refreshes, refusedRefreshes }).toEqual({
      refused: 0,
      refreshes: 1,
      refusedRefreshes: 0,
    });
    expect(clock.now().getTime() - startedAt).toBeLessThan(45 * 60_000);
    const before = await peopleOf(answer);
    const rates = before.map(
      ({ employments }) => (employments as { pay_rate: number }[])[0]?.pay_rate,
    );
    expect(rates).toEqual(fake.company.people.map(({ salaries }) => salaries[0]?.["annualSalary"]));

    const { company } = fake;
    Object.assign(company.people[2]!.record, { email: "new@example.com" });
    company.people = [...company.people.filter((_one, index) => index !== 8), createPerson(900)];
    stage.kept = undefined;
    const asked = fake.counts.requests;
    const changes = await stage.read(toStored(answer));
    expect(fake.counts.requests - asked).toBeLessThanOrEqual(6 + 1 + 2 * 2 + 2 * 20);
    const after = await peopleOf(changes);
    expect(after).toHaveLength(people);
    const old = new Map(before.map((person) => [person["remote_id"], JSON.stringify(person)]));
    const others = after.filter(
      (person) => old.get(person["remote_id"]) !== JSON.stringify(person),
    );
    expect(others.map(({ work_email: email }) => email)).toEqual([
      "new@example.com",
      "person.900@example.com",
    ]);

    const again = fake.counts.requests;
    await stage.read(toStored(changes));
    expect(fake.counts.requests - again).toBe(6);
  });
});

describe("an application with fewer requests a day than a read takes", () => {
  test("has it in two days, and seldom asks while it is refused", async () => {
    const stage = new XeroStage(100, 150);
    await stage.signIn();
    const startedAt = stage.clock.now().getTime();
    expect(await peopleOf(await stage.untilRead())).toHaveLength(100);
    const { requests, refused } = stage.fake.counts;
    expect(requests - refused).toBeLessThanOrEqual(1 + 1 + 200 + 22);
    expect(refused).toBeLessThan(5);
    expect(stage.clock.now().getTime() - startedAt).toBeLessThan(2 * dayMs);
  });
});

/** The pages of the lists, the calendars and rates, and what each person takes. */
const leastOf = {
  NZ: (people: number) => Math.ceil(people / 100) + 1 + 3 * people,
  // A list without a count ends with a page that is not full.
  AU: (people: number) => Math.floor(people / 100) + 1 + 1 + 2 + people,
};

describe.each([
  ["NZ", 60],
  ["AU", 200],
] as const)("an organisation in %s with %i people", (country, people) => {
  test("is read whole by few requests more than it takes, and each poll by fewer", async () => {
    const stage = new XeroStage(people, 5_000, country);
    const { fake } = stage;
    await stage.signIn();
    // The stage counts the requests of reads alone.
    stage.clock.advance(61);
    const asked = fake.counts.requests;
    const answer = await stage.untilRead();
    expect(await peopleOf(answer)).toHaveLength(people);
    const { requests, refused } = fake.counts;
    expect((requests - asked) / leastOf[country](people)).toBeLessThanOrEqual(1.05);
    expect(refused).toBe(0);
    stage.kept = undefined;
    const again = fake.counts.requests;
    const changes = await stage.read(toStored(answer));
    expect(await peopleOf(changes)).toHaveLength(people);
    expect(fake.counts.requests - again).toBeLessThanOrEqual(12);
  });
});
