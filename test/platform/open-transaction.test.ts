import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { systemClock } from "../../src/platform/clock.ts";
import { transaction } from "../../src/platform/db/index.ts";
import { createLog } from "../../src/platform/log.ts";
import { openRedis, OptionalRedis } from "../../src/platform/open-redis.ts";
import { AddressPolicy, createGuardedAgent } from "../../src/platform/outbound/index.ts";
import { waitUntil } from "../../src/platform/repeat.ts";
import { AdapterProcesses } from "../../src/reading/index.ts";
import { buildServices, type Services } from "../../src/start/services.ts";
import { readConfig } from "../../src/config/index.ts";
import { createTestDatabase, type TestDatabase } from "../support/database.ts";
import { createHarness, testEnvironment, type Harness } from "../support/harness.ts";

const silent = createLog({ level: "silent" });
const request = { provider: "sandbox", mode: "xhr", scopes: [] } as const;
const formValues = { username: "user_good", password: "x" };

/** With adapters in this process, and with those in child processes as the service runs them. */
let harness: Harness;
let database: TestDatabase;
let services: Services;
const server = createServer((_request, response) => response.end("here"));
const agent = createGuardedAgent({ policy: new AddressPolicy(["127.0.0.0/8"]), allowsHttp: true });
let url: string;

beforeAll(async () => {
  harness = await createHarness();
  database = await createTestDatabase();
  services = await buildServices(readConfig(testEnvironment(database.url)), { log: silent });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(async () => {
  await harness.close();
  await services.dispose();
  await database.drop();
  await agent.close();
  server.close();
});

const redis = { url: "redis://127.0.0.1:1", log: silent, what: "Redis", scripts: {} };

const waits: Readonly<Record<string, () => Promise<unknown>>> = {
  "a sign-in in this process": () => harness.services.connect.start(request, formValues),
  "a sign-in in a child process": () => services.connect.start(request, formValues),
  "an outgoing request": () =>
    agent.request({ origin: url, path: "/", method: "GET" }).then(({ body }) => body.text()),
  "an enqueue": () => services.queue.enqueue("read", { readId: "none" }),
  "a wait": () => systemClock.sleep(1),
  "a wait until something is so": () => waitUntil(() => true, { everyMs: 1 }),
};

describe("while a transaction is open", () => {
  test.each(Object.keys(waits))("%s is refused", async (name) => {
    expect(services.adapters).toBeInstanceOf(AdapterProcesses);
    const inside = transaction(services.pool, async () => await waits[name]?.());
    await expect(inside).rejects.toThrow("was begun in a transaction");
  });

  test("Redis is not asked", async () => {
    const optional = new OptionalRedis(redis);
    const inside = transaction(services.pool, () => optional.ask((client) => client.ping()));
    await expect(inside).rejects.toThrow("a question to Redis was begun in a transaction");
    optional.close();
    const opening = transaction(services.pool, async () => openRedis(redis.url, {}));
    await expect(opening).rejects.toThrow("a socket to Redis was begun in a transaction");
  });
});

describe("after its commit", () => {
  test.each(Object.keys(waits))("%s is possible", async (name) => {
    let isDone = false;
    await transaction(services.pool, async (tx) => {
      tx.afterCommit(async () => {
        await waits[name]?.();
        isDone = true;
      });
    });
    expect(isDone).toBe(true);
  });

  test("what the work has begun may go on", async () => {
    const committed = Promise.withResolvers<void>();
    let later: Promise<void> | undefined;
    await transaction(services.pool, async () => {
      later = committed.promise.then(() => systemClock.sleep(1));
    });
    committed.resolve();
    await expect(later).resolves.toBeUndefined();
  });
});
