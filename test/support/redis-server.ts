import { spawn, spawnSync, type ChildProcess } from "node:child_process";
import { randomInt } from "node:crypto";
import { once } from "node:events";
import { createConnection, createServer } from "node:net";
import { setTimeout as delay } from "node:timers/promises";

export interface RedisServer {
  url: string;
  stop(): Promise<void>;
}

export interface OwnRedis extends RedisServer {
  pid: number;
  /** Waits for its end, unless the signal is one that stops or continues it. */
  kill(signal: NodeJS.Signals): Promise<void>;
}

export function hasRedis(): boolean {
  return (
    Boolean(process.env["REDIS_URL"]) ||
    spawnSync("redis-server", ["--version"], { stdio: "ignore" }).status === 0
  );
}

/** The Redis of `REDIS_URL`, or a new one on a free port that stores no file. */
export async function startRedis(): Promise<RedisServer> {
  const given = process.env["REDIS_URL"];
  if (given) return { url: given, stop: async () => {} };
  return await startOwnRedis();
}

/** A new one, which a test may change as it likes. It keeps nothing over its end, unless `settings` say so. */
export async function startOwnRedis({
  folder = "/tmp",
  settings = [],
  port: given,
}: { folder?: string; settings?: readonly string[]; port?: number } = {}): Promise<OwnRedis> {
  const port = given ?? (await freePort());
  const child = spawn(
    "redis-server",
    [
      "--bind",
      "127.0.0.1",
      "--port",
      String(port),
      "--save",
      "",
      "--appendonly",
      "no",
      "--maxmemory-policy",
      "noeviction",
      "--dir",
      folder,
      ...settings,
    ],
    { stdio: "ignore" },
  );
  await untilListening(port);
  return {
    url: `redis://127.0.0.1:${port}`,
    pid: child.pid ?? 0,
    stop: () => end(child, "SIGTERM"),
    kill: async (signal) => {
      if (signal === "SIGSTOP" || signal === "SIGCONT") child.kill(signal);
      else await end(child, signal);
    },
  };
}

/**
 * A port that somebody listens to later. It is none of those that the system gives to connections and to `listen(0)`:
 * those, from 32768 on, may be taken in the meantime.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(12_000, 32_000);
    const server = createServer();
    const isFree = await new Promise<boolean>((resolve) => {
      server.once("error", () => resolve(false));
      server.listen(port, "127.0.0.1", () => resolve(true));
    });
    if (!isFree) continue;
    server.close();
    await once(server, "close");
    return port;
  }
}

async function untilListening(port: number): Promise<void> {
  for (let attempt = 0; attempt < 200; attempt += 1) {
    const socket = createConnection(port, "127.0.0.1");
    const isOpen = await Promise.race([
      once(socket, "connect").then(() => true),
      once(socket, "error").then(() => false),
    ]).catch(() => false);
    socket.destroy();
    if (isOpen) return;
    await delay(50);
  }
  throw new Error(`nothing listens on port ${port}`);
}

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, "exit");
  child.kill(signal);
  await exited;
}
