import { setTimeout as delay } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { disconnectAll, version } from "../support/data-endpoints.ts";
import { createHarness, type Harness } from "../support/harness.ts";
import type { Reply } from "../support/http-client.ts";
import { Gate, StubProvider } from "../support/stub-provider.ts";

const stub = new StubProvider();

let harness: Harness;
/** Two processes of the service. */
let apps: Harness[] = [];
beforeAll(async () => {
  const registry = stub.registry();
  harness = await createHarness({ registry });
  const { database, environment: env, clock } = harness;
  apps = [harness, await createHarness({ registry, database, env, clock })];
});
afterAll(async () => {
  for (const app of apps.toReversed()) await app.close();
});
beforeEach(() => stub.reset());
afterEach(() => disconnectAll(harness));

const url = (day: number, path = "timesheets"): string => {
  const date = new Date(Date.UTC(2026, 0, day)).toISOString().slice(0, 10);
  return `${version}/xhr/${path}?start_date=2026-01-01&end_date=${date}`;
};

async function askFor(
  days: readonly number[],
  bearer: string,
  headers: Record<string, string> = {},
): Promise<Reply[]> {
  return await Promise.all(
    days.map((day, index) => (apps[index % 2] ?? harness).http.get(url(day), { bearer, headers })),
  );
}

const upTo = (count: number): number[] => Array.from({ length: count }, (_, index) => index + 1);
const statusesOf = (replies: readonly Reply[]): number[] => replies.map(({ status }) => status);

async function countPending(): Promise<number> {
  return (await harness.database.query("select from reads where state = 'pending'")).length;
}

describe("ranges of dates of one connection", () => {
  test("38 at once to two processes begin four reads; all callers get 202 with Retry-After", async () => {
    const { token } = await harness.connect({ provider: "stub" });
    const replies = await askFor(upTo(38), token);
    expect(new Set(statusesOf(replies))).toEqual(new Set([202]));
    for (const { headers } of replies) expect(Number(headers["retry-after"])).toBeGreaterThan(0);
    expect(await countPending()).toBe(4);
    await harness.drain();
    expect(stub.fetches).toHaveLength(4);
  });

  test("each has its turn when its caller repeats the call", async () => {
    const { token } = await harness.connect({ provider: "stub" });
    const rounds: number[] = [];
    do {
      rounds.push(
        statusesOf(await askFor(upTo(10), token)).filter((status) => status === 202).length,
      );
      await harness.drain();
    } while (rounds.at(-1) !== 0 && rounds.length < 10);
    expect(rounds).toEqual([10, 6, 2, 0]);
    expect(stub.fetches).toHaveLength(10);
  });

  test("of all resources count together, and data without a range does not count", async () => {
    const { token } = await harness.connect({ provider: "stub" });
    await askFor(upTo(4), token);
    await harness.http.get(url(5, "time-off-entries"), { bearer: token });
    expect(await countPending()).toBe(4);
    await harness.http.get(`${version}/xhr/company`, { bearer: token });
    expect(await countPending()).toBe(5);
  });

  test("of another connection have places of their own", async () => {
    const [one, other] = [
      await harness.connect({ provider: "stub" }),
      await harness.connect({ provider: "stub" }),
    ];
    await askFor(upTo(9), one.token);
    await askFor(upTo(9), other.token);
    expect(await countPending()).toBe(8);
  });

  test("that are stored already are served, however many wait", async () => {
    const { token } = await harness.connect({ provider: "stub" });
    await askFor([31], token);
    await harness.drain();
    await askFor(upTo(6), token);
    expect(statusesOf(await askFor([31], token))).toEqual([200]);
    expect(statusesOf(await askFor([31], token, { "cache-control": "no-cache" }))).toEqual([200]);
    harness.clock.advance(120);
    expect(statusesOf(await askFor([31], token, { "cache-control": "no-cache" }))).toEqual([202]);
    expect(await countPending()).toBe(4);
  });

  test("that wait for a place begin when there is one, with Prefer: wait", async () => {
    const gate = new Gate();
    stub.onFetch = () => gate.pass();
    const { token } = await harness.connect({ provider: "stub" });
    await askFor(upTo(4), token);
    const draining = harness.drain();
    await gate.reached;
    const waiting = harness.http.get(url(5), { bearer: token, headers: { prefer: "wait=30" } });
    await delay(200);
    gate.open();
    await draining;
    expect((await waiting).status).toBeOneOf([200, 202]);
    expect(await harness.database.query("select from reads")).toHaveLength(5);
  });
});
