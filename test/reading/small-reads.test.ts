import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { ProviderRegistry } from "../../src/providers/registry.ts";
import { sandbox } from "../../src/providers/sandbox/index.ts";
import { Quotas } from "../../src/reading/index.ts";
import { createHarness, type Harness } from "../support/harness.ts";
import { StandingClock } from "../support/standing-clock.ts";
import { StubProvider } from "../support/stub-provider.ts";

const clock = new StandingClock();
const limits = {
  quotas: {
    tenant: { perMinute: 60 },
    few: { perMinute: 4 },
    second: { perSecond: 1 },
    places: { atOnce: 1 },
    application: { perMinute: 100, isShared: true },
  },
};
const { definition } = new StubProvider();
const registry = new ProviderRegistry([sandbox, { ...definition, limits }]);
let ending: AbortController;

let harness: Harness;
/** As two processes have them. */
let processes: Quotas[];
beforeAll(async () => {
  harness = await createHarness({ clock, registry });
  processes = [harness.services.quotas, new Quotas({ ...harness.services, registry })];
});
beforeEach(() => {
  ending = new AbortController();
});
afterEach(async () => {
  ending.abort();
  await harness.services.pool.query("delete from quota_counts");
});
afterAll(() => harness.close());

/** Draws of some reads, the tickets of those that were admitted, and their names in that order. */
class Line {
  readonly admitted: string[] = [];
  readonly tickets: { end(): void }[] = [];
  #asked = 0;
  #ended = 0;

  /** Requests of one read that are asked for at once. The first ones of a small read are small. */
  ask(name: string, count: number, draws: Readonly<Record<string, string>>): void {
    const process = processes[this.#asked % processes.length]!;
    const isSmall = name.startsWith("small");
    const quotas = process.of("stub", ending.signal, isSmall ? 3 : 0);
    for (let request = 0; request < count; request += 1) {
      this.#asked += 1;
      quotas.draw(draws, undefined).then(
        (ticket) => this.#admit(name, ticket),
        () => void (this.#ended += 1),
      );
    }
  }

  #admit(name: string, ticket: { end(): void }): void {
    this.admitted.push(name);
    this.tickets.push(ticket);
  }

  /** Each request was admitted, waits, or has ended because it would wait too long. */
  async settled(others = 0): Promise<void> {
    await vi.waitUntil(
      () => this.admitted.length + this.#ended + clock.asleep === this.#asked + others,
      { timeout: 30_000, interval: 5 },
    );
  }

  /** Everybody looks again, several times in the same second, until nobody gets any further. */
  async turn(seconds: number): Promise<void> {
    clock.wakeAll(seconds);
    await this.settled();
    for (let look = 0; look < 2; look += 1) {
      clock.wakeAll(0);
      await this.settled();
    }
  }

  count(name: string): number {
    return this.admitted.filter((each) => each === name).length;
  }
}

async function countsOfMinute(): Promise<number[]> {
  const { rows } = await harness.services.pool.query<{ requests: number }>(
    "select sum(requests)::integer as requests from quota_counts where window_seconds = 60 group by key",
  );
  return rows.map(({ requests }) => requests);
}

test("a small read draws at once while long ones have drawn all that they may, of two tenants each", async () => {
  const line = new Line();
  for (const tenant of ["maple", "birch"]) line.ask(`long ${tenant}`, 70, { tenant });
  await line.settled();
  expect([line.count("long maple"), line.count("long birch")]).toEqual([57, 57]);
  for (const tenant of ["maple", "birch"]) line.ask(`small ${tenant}`, 3, { tenant });
  await line.settled();
  expect([line.count("small maple"), line.count("small birch")]).toEqual([3, 3]);
  expect([line.count("long maple"), line.count("long birch")]).toEqual([57, 57]);
  expect(await countsOfMinute()).toEqual([60, 60]);
  await line.turn(62);
  expect([line.count("long maple"), line.count("long birch")]).toEqual([70, 70]);
});

test("only the first requests of a read are small: the rest of a large one waits as others do", async () => {
  const line = new Line();
  line.ask("small beginning of a large one", 70, { tenant: "oak" });
  await line.settled();
  expect(line.admitted).toHaveLength(60);
  await line.turn(62);
  expect(line.admitted).toHaveLength(70);
});

test("once the share is used, a long read has the whole quota but for it", async () => {
  const line = new Line();
  line.ask("small", 3, { tenant: "elm" });
  await line.settled();
  line.ask("long", 70, { tenant: "elm" });
  await line.settled();
  expect(line.count("long")).toBe(57);
  expect(await countsOfMinute()).toEqual([60]);
});

test("a small read that finds no share is the next one, and holds up no other tenant", async () => {
  const line = new Line();
  line.ask("long", 10, { few: "maple" });
  await line.settled();
  line.ask("small", 1, { few: "maple" });
  await line.settled();
  expect(line.admitted).toHaveLength(4);
  line.ask("long of another", 4, { few: "birch" });
  await line.settled();
  expect(line.count("long of another")).toBe(4);
  const before = line.admitted.length;
  await line.turn(62);
  expect(line.admitted.slice(before)).toHaveLength(4);
  expect(line.admitted.slice(before)).toContain("small");
});

test("of a limit of one a second, a small read has the next turn, and a long one every fourth at least", async () => {
  const line = new Line();
  line.ask("long", 6, { second: "a" });
  await line.settled();
  expect(line.admitted).toEqual(["long"]);
  for (let reads = 0; reads < 3; reads += 1) line.ask(`small ${reads}`, 3, { second: "a" });
  await line.settled();
  for (let turns = 0; turns < 14; turns += 1) await line.turn(1.1);
  const isLong = line.admitted.map((name) => (name === "long" ? "L" : "s")).join("");
  expect(isLong).toBe("LsssLsssLsssLLL".slice(0, isLong.length));
  expect(line.admitted).toHaveLength(15);
});

test("of a limit of one at once, too", async () => {
  const line = new Line();
  line.ask("long", 6, { places: "a" });
  await line.settled();
  line.ask("small", 1, { places: "a" });
  await line.settled();
  expect(line.admitted).toEqual(["long"]);
  line.tickets[0]?.end();
  await expect
    .poll(async () => await harness.database.query("select from quota_places"))
    .toEqual([]);
  await line.turn(0.1);
  expect(line.admitted).toEqual(["long", "small"]);
});

test("a small read that is given up holds up nobody", async () => {
  const line = new Line();
  line.ask("long", 5, { second: "b" });
  await line.settled();
  const given = new AbortController();
  const waiting = harness.services.quotas.draw("stub", { second: "b" }, given.signal);
  await line.settled(1);
  given.abort();
  await expect(waiting).rejects.toThrow("aborted");
  await line.turn(1.1);
  expect(line.admitted).toEqual(["long", "long"]);
});
