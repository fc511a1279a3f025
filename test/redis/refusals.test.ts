import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer, type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { Redis } from "ioredis";
import { expect, test } from "vitest";
import { systemClock } from "../../src/platform/clock.ts";
import { buildWorker } from "../../src/start/worker.ts";
import { createHarness } from "../support/harness.ts";
import { startOwnRedis } from "../support/redis-server.ts";
import { untilTrue } from "../support/until-true.ts";

/** A Redis that refuses, at its address, and how to end it. */
type Refusing = () => Promise<{ url: string; close: () => Promise<void> }>;

const configured =
  (...commands: [name: string, ...args: string[]][]): Refusing =>
  async () => {
    const server = await startOwnRedis();
    const redis = new Redis(server.url);
    for (const [name, ...args] of commands) await redis.call(name, ...args);
    redis.disconnect();
    return { url: server.url, close: () => server.stop() };
  };

/** As a Redis in protected mode answers to another machine. */
const protectedMode: Refusing = async () => {
  const server = createServer((socket) => {
    socket.on("error", () => undefined);
    socket.end("-DENIED Redis is running in protected mode because protected mode is enabled\r\n");
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    url: `redis://127.0.0.1:${port}`,
    close: async () => void server.close(),
  };
};

/** It tries to save, and its folder is gone. Asked to end, it would try to save again. */
const unableToSave: Refusing = async () => {
  const folder = await mkdtemp(join(tmpdir(), "rollcall-redis-"));
  const server = await startOwnRedis({ folder, settings: ["--save", "3600 1"] });
  await rm(folder, { recursive: true });
  const redis = new Redis(server.url);
  await redis.bgsave();
  const info = (): Promise<string> => redis.info("persistence");
  await expect.poll(info).toContain("rdb_last_bgsave_status:err");
  redis.disconnect();
  return { url: server.url, close: () => server.kill("SIGKILL") };
};

/** It was started again, and reads what it had stored for as long as the test runs. */
const loading: Refusing = async () => {
  const folder = await mkdtemp(join(tmpdir(), "rollcall-redis-"));
  const before = await startOwnRedis({ folder });
  const redis = new Redis(before.url);
  for (let key = 0; key < 300; key += 1) await redis.set(`key-${key}`, "x".repeat(100));
  await redis.save();
  redis.disconnect();
  await before.stop();
  const server = await startOwnRedis({
    folder,
    settings: ["--key-load-delay", "500000", "--loading-process-events-interval-bytes", "1024"],
  });
  const close = async (): Promise<void> => {
    await server.kill("SIGKILL");
    await rm(folder, { recursive: true });
  };
  return { url: server.url, close };
};

/** Its sockets stay open and nothing is answered. */
const stopped: Refusing = async () => {
  const server = await startOwnRedis();
  await server.kill("SIGSTOP");
  const close = async (): Promise<void> => {
    await server.kill("SIGCONT");
    await server.stop();
  };
  return { url: server.url, close };
};

const wrongPassword: Refusing = async () => {
  const { url, close } = await configured(["CONFIG", "SET", "requirepass", "right"])();
  return { url: url.replace("redis://", "redis://:wrong@"), close };
};

const refusals: readonly [word: string, advice: RegExp, Refusing][] = [
  ["DENIED", /protected mode.*set a password in it and in REDIS_URL/, protectedMode],
  ["NOAUTH", /put it in REDIS_URL/, configured(["CONFIG", "SET", "requirepass", "right"])],
  ["WRONGPASS", /password in REDIS_URL is wrong/, wrongPassword],
  [
    "MISCONF",
    /cannot save its data and takes no writes; look at its log and its disk/,
    unableToSave,
  ],
  [
    "MASTERDOWN",
    /REDIS_URL has to lead to the master/,
    configured(
      ["CONFIG", "SET", "replica-serve-stale-data", "no"],
      ["REPLICAOF", "127.0.0.1", "1"],
    ),
  ],
  ["OOM", /give it more memory/, configured(["CONFIG", "SET", "maxmemory", "1"])],
  [
    "NOPERM",
    /allow it all commands/,
    configured(["ACL", "SETUSER", "default", "-evalsha", "-eval"]),
  ],
];
const silences: readonly [what: string, Refusing][] = [
  ["loads its data", loading],
  ["is stopped", stopped],
];

test.concurrent.each(refusals)(
  "a Redis that refuses with %s leaves a few lines in the log, which say what to do",
  async (word, advice, refusing) => {
    await expect(runBeside(`"detail":"${word}"`, advice, refusing)).resolves.toBeUndefined();
  },
);
// A caller finds the queue away, or a socket has waited too long: the line tells of what came first.
test.each(silences)(
  "a Redis that %s and answers nothing leaves a few lines in the log, which say what to do",
  async (_, refusing) => {
    await expect(
      runBeside("the queue's Redis is away", /tried again until it is back/, refusing),
    ).resolves.toBeUndefined();
  },
);

/** Fails unless it is told in a few lines. `telling` is what a line that tells of it has in it. */
async function runBeside(telling: string, advice: RegExp, refusing: Refusing): Promise<void> {
  const { url, close } = await refusing();
  const harness = await createHarness({ clock: systemClock, env: { REDIS_URL: url } });
  const worker = buildWorker(harness.services);
  try {
    const { token: bearer } = await harness.connect();
    for (let turn = 0; turn < 30; turn += 1) {
      const { status } = await harness.http.get("/2023-03-01/xhr/employees", { bearer });
      expect([200, 202]).toContain(status);
      await delay(100);
    }
    const told = (): string[] => harness.logLines.filter((line) => line.includes(telling));
    await untilTrue("the refusal is in the log", () => told().length > 0);
    const lines = harness.logLines.filter((line) => /"level":(?:40|50)/.test(line));
    for (const line of told()) expect(line).toMatch(advice);
    expect(lines.length).toBeLessThan(8);
    expect(harness.logLines.length).toBeLessThan(400);
  } finally {
    await worker.stop();
    await harness.close();
    await close();
  }
}
