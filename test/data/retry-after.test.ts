import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { ProviderRateLimited } from "../../src/providers/errors.ts";
import { disconnectAll, fetchData, retryAfter, version } from "../support/data-endpoints.ts";
import { createHarness, type Harness } from "../support/harness.ts";
import { StubProvider } from "../support/stub-provider.ts";

const url = (path: string): string => `${version}/xhr/${path}`;

describe("Retry-After of a 202", () => {
  const stub = new StubProvider();
  let harness: Harness;
  beforeAll(async () => {
    harness = await createHarness({ registry: stub.registry() });
  });
  afterAll(() => harness.close());
  beforeEach(() => stub.reset());
  afterEach(() => disconnectAll(harness));

  const ask = async (bearer: string, path: string): Promise<number> =>
    retryAfter(await harness.http.get(url(path), { bearer }));
  const connect = async (): Promise<string> => (await harness.connect({ provider: "stub" })).token;

  /** From then on, this is how long fetches of this resource usually take; each test has a resource of its own. */
  async function learnDuration(path: string, seconds: number): Promise<void> {
    stub.onFetch = () => harness.clock.advance(seconds);
    await fetchData(harness, await connect(), url(path));
  }

  test("is at least 1", async () => {
    await learnDuration("company", 0);
    expect(await ask(await connect(), "company")).toBe(1);
  });

  test("is the time that this provider's fetches of this resource usually still take", async () => {
    await learnDuration("groups", 40);
    const token = await connect();
    expect(await ask(token, "groups")).toBe(40);
    for (const [advance, left] of [
      [10, 30],
      [20.5, 10],
    ] as const) {
      harness.clock.advance(advance);
      expect(await ask(token, "groups")).toBe(left);
    }
    expect(await ask(token, "employees")).toBeLessThan(10);
  });

  test("is a quarter of the job's age when that is more", async () => {
    await learnDuration("work-locations", 40);
    const token = await connect();
    await ask(token, "work-locations");
    for (const [advance, seconds] of [
      [40, 10],
      [60, 25],
      [300, 100],
    ] as const) {
      harness.clock.advance(advance);
      expect(await ask(token, "work-locations")).toBe(seconds);
    }
  });

  test("is at most 300, by usual time as by age", async () => {
    await learnDuration("time-off-balances", 2_000);
    const token = await connect();
    expect(await ask(token, "time-off-balances")).toBe(300);
    harness.clock.advance(24 * 3600);
    expect(await ask(token, "time-off-balances")).toBe(300);
  });

  test("lasts until the provider may be asked again", async () => {
    stub.onFetch = () => {
      throw new ProviderRateLimited(50);
    };
    const token = await connect();
    await ask(token, "employees");
    await harness.drain();
    expect(await ask(token, "employees")).toBe(50);
    harness.clock.advance(20);
    expect(await ask(token, "employees")).toBe(30);
  });
});

describe.each([
  ["the minute of the address", { RATE_LIMIT_GATED_IP_1M: "3" }, 60],
  ["the five minutes of the client", { RATE_LIMIT_GATED_CLIENT_5M: "3" }, 300],
])("Retry-After of a 202 and %s", (_name, env, seconds) => {
  let harness: Harness;
  beforeAll(async () => {
    harness = await createHarness({ env });
  });
  afterAll(() => harness.close());

  test("who has used up the window is told to wait for it, so that the next call is not refused", async () => {
    const { token } = await harness.connect();
    const waits = [];
    for (let call = 1; call <= 3; call += 1) {
      const reply = await harness.http.get(url("company"), { bearer: token });
      expect(reply.status).toBe(202);
      waits.push(retryAfter(reply));
    }
    expect(waits.slice(0, 2)).toEqual([1, 1]);
    expect(waits[2]).toBeGreaterThan(seconds - 10);
    expect(waits[2]).toBeLessThanOrEqual(seconds);
    expect((await harness.http.get(url("company"), { bearer: token })).status).toBe(429);
  });
});
