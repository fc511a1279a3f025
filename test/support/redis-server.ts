import { spawn, spawnSync, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:net";
import type { AddressInfo } from "node:net";
import { createConnection } from "node:net";
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

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
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
