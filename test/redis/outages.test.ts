import { setTimeout as delay } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { systemClock } from "../../src/platform/clock.ts";
import { buildWorker, type Worker } from "../../src/start/worker.ts";
import { FlakyProxy } from "../support/flaky-proxy.ts";
import { createHarness, defaultLimits } from "../support/harness.ts";
import type { Reply } from "../support/http-client.ts";
import { readWhenReady } from "../support/read-when-ready.ts";
import { untilTrue } from "../support/until-true.ts";

const employees = "/2023-03-01/xhr/employees";
/** Redis, which may never answer, is not worth more of a caller's time, on a machine that does much else, too. */
const waitLimitMs = 6_000;
/** A disconnect that Redis cannot be told of waits until no copy of what the token gave access to lives. */
const copiesEndMs = 10_000;
/** The sweeper looks every five seconds for what could not be enqueued. */
const resolveLimitMs = 20_000;

type TakeAway = (proxy: FlakyProxy) => Promise<void> | void;
const ways: [string, TakeAway][] = [
  ["gone", (proxy) => proxy.cut()],
  ["hung", (proxy) => proxy.pause()],
];

async function createFixture({
  env = {},
  takeAwayFirst,
}: { env?: Record<string, string>; takeAwayFirst?: TakeAway } = {}) {
  const redisUrl = inject("redisUrl") ?? "";
  const proxy = await FlakyProxy.before(redisUrl);
  await takeAwayFirst?.(proxy);
  const harness = await createHarness({
    clock: systemClock,
    env: { REDIS_URL: proxy.through(redisUrl), ...env },
  });
  const worker: Worker = buildWorker(harness.services);
  return {
    proxy,
    harness,
    /** How often a request was counted in the process instead. */
    countedInProcess: async (): Promise<number> =>
      (await harness.services.metrics.limitsCountedInProcess.get()).values[0]?.value ?? 0,
    close: async () => {
      await proxy.restore();
      await worker.stop();
      await harness.close();
      await proxy.close();
    },
  };
}

type Fixture = Awaited<ReturnType<typeof createFixture>>;

async function timed(send: () => Promise<Reply>): Promise<{ reply: Reply; ms: number }> {
  const startedAt = performance.now();
  const reply = await send();
  return { reply, ms: performance.now() - startedAt };
}

describe.each(ways)("Redis is %s", (_how, takeAway) => {
  let fixture: Fixture;
  let bearer: string;
  let fresh: string[];

  beforeAll(async () => {
    fixture = await createFixture();
    const { harness, proxy } = fixture;
    ({ token: bearer } = await harness.connect());
    fresh = await Promise.all(
      Array.from({ length: 10 }, async () => (await harness.connect()).token),
    );
    await readWhenReady(harness.http, employees, { bearer });
    await takeAway(proxy);
  });
  afterAll(() => fixture.close());

  test("stored data is 200, and nobody waits long for it", async () => {
    const replies = await Promise.all(
      Array.from({ length: 20 }, () =>
        timed(() => fixture.harness.http.get(employees, { bearer })),
      ),
    );
    expect(replies.map(({ reply }) => reply.status)).toEqual(Array.from({ length: 20 }, () => 200));
    for (const { ms } of replies) expect(ms).toBeLessThan(waitLimitMs);
  });

  test("a new fetch is 202 with Retry-After, and nobody waits long for that", async () => {
    const replies = await Promise.all(
      fresh.map((token) => timed(() => fixture.harness.http.get(employees, { bearer: token }))),
    );
    for (const { reply, ms } of replies) {
      expect(reply.status).toBe(202);
      expect(reply.headers["retry-after"]).toMatch(/^[1-9]\d*$/);
      expect(ms).toBeLessThan(waitLimitMs);
    }
  });

  test("everything else goes on: sign-in, exchange, management, introspection, disconnect", async () => {
    const { harness } = fixture;
    const { client, secret, token } = await harness.connect();
    const basic: [string, string] = [client.clientId, secret];
    const replies = await Promise.all(
      [
        () => harness.http.get("/providers"),
        () => harness.http.get("/readyz"),
        () => harness.http.get("/2023-03-01/management/client", { basic }),
        () =>
          harness.http.post("/2023-03-01/management/client", { basic, json: { name: "During" } }),
        () => harness.http.get("/2023-03-01/management/tokens", { basic }),
        () => harness.http.get("/2023-03-01/management/introspect", { bearer: token }),
        () => harness.http.get("/2023-03-01/xhr/identity", { bearer: token }),
      ].map(timed),
    );
    const disconnected = await timed(() =>
      harness.http.post("/2023-03-01/management/disconnect", { bearer: token }),
    );
    for (const { reply, ms } of replies) {
      expect(reply.status).toBe(200);
      expect(ms).toBeLessThan(waitLimitMs);
    }
    expect(disconnected.reply.status).toBe(200);
    expect(disconnected.ms).toBeLessThan(copiesEndMs + waitLimitMs);
  });

  test("a metric says that limits hold per process", async () => {
    expect(await fixture.countedInProcess()).toBeGreaterThan(0);
  });

  test("when it is back, what was asked for is done, without a restart", async () => {
    const { harness, proxy } = fixture;
    await proxy.restore();
    const startedAt = performance.now();
    const replies = await Promise.all(
      fresh.map((token) => readWhenReady(harness.http, employees, { bearer: token })),
    );
    expect(replies.map(({ status }) => status)).toEqual(fresh.map(() => 200));
    expect(performance.now() - startedAt).toBeLessThan(resolveLimitMs);
  });

  test("when it is back, a new fetch is done at once and limits are shared again", async () => {
    const { harness, countedInProcess } = fixture;
    await untilTrue("limits are shared again", async () => {
      const counted = await countedInProcess();
      await harness.http.get("/healthz");
      return (await countedInProcess()) === counted;
    });
    const { token } = await harness.connect();
    const before = await countedInProcess();
    const reply = await harness.http.get(employees, {
      bearer: token,
      headers: { prefer: "wait=5" },
    });
    expect(reply.status).toBe(200);
    expect(await countedInProcess()).toBe(before);
  });

  test("neither the outage nor its end was an error of ours", () => {
    expect(fixture.harness.logLines.filter((line) => line.includes('"level":50'))).toEqual([]);
  });
});

describe.each(ways)("a start while Redis is %s", (_how, takeAway) => {
  test("works: it serves, and what is asked for meanwhile is done when Redis is there", async () => {
    const startedAt = performance.now();
    const fixture = await createFixture({ takeAwayFirst: takeAway });
    try {
      const { harness, proxy } = fixture;
      expect(performance.now() - startedAt).toBeLessThan(15_000);
      const { token } = await harness.connect();
      const { reply, ms } = await timed(() => harness.http.get(employees, { bearer: token }));
      expect(reply.status).toBe(202);
      expect(ms).toBeLessThan(waitLimitMs);
      await proxy.restore();
      expect((await readWhenReady(harness.http, employees, { bearer: token })).status).toBe(200);
    } finally {
      await fixture.close();
    }
  });
});

describe("Redis is gone for a blink, while a fetch is under way", () => {
  test("new fetches are done within seconds, and the one that was under way is done as well", async () => {
    const fixture = await createFixture();
    try {
      const { harness, proxy } = fixture;
      const [first, second] = [await harness.connect(), await harness.connect()];
      expect((await harness.http.get(employees, { bearer: first.token })).status).toBe(202);
      await expect
        .poll(() => harness.database.query("select run from reads"), {
          interval: 5,
        })
        .toEqual([{ run: 1 }]);
      await proxy.cut();
      await delay(300);
      await proxy.restore();
      const reply = await readWhenReady(harness.http, employees, { bearer: second.token });
      expect(reply.status).toBe(200);
      expect((await readWhenReady(harness.http, employees, { bearer: first.token })).status).toBe(
        200,
      );
      expect(
        (
          await harness.http.get("/2023-03-01/xhr/company", {
            bearer: second.token,
            headers: { prefer: "wait=5" },
          })
        ).status,
      ).toBe(200);
    } finally {
      await fixture.close();
    }
  });
});

describe("limits", () => {
  test.each(ways)(
    "while Redis is %s each process counts for itself, to the same limits",
    async (_how, takeAway) => {
      const fixture = await createFixture({ env: defaultLimits });
      try {
        await takeAway(fixture.proxy);
        const replies = await Promise.all(
          Array.from({ length: 20 }, () => fixture.harness.http.get("/providers")),
        );
        expect(replies.filter(({ status }) => status === 200)).toHaveLength(15);
        expect(
          replies.filter(
            ({ status, headers }) => status === 429 && Number(headers["retry-after"]) > 0,
          ),
        ).toHaveLength(5);
      } finally {
        await fixture.close();
      }
    },
  );
});
