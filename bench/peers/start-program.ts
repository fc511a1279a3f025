import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { request } from "undici";
import { projectDir } from "../../test/support/program-environment.ts";
import { freePort } from "../../test/support/redis-server.ts";
import { serverAt, type Server } from "../load.ts";

const startLimitMs = 60_000;

/** A program of `node_modules/.bin` that serves HTTP on the port that its arguments name. It is ready when `path` is there. */
export async function startProgram(
  name: string,
  argumentsFor: (port: number) => string[],
  {
    path,
    headers,
    defer,
  }: {
    path: string;
    headers: Record<string, string>;
    defer: (what: string, end: () => Promise<unknown>) => void;
  },
): Promise<Server> {
  const port = await freePort();
  const program = join(projectDir, "node_modules/.bin", name);
  const child = spawn(process.execPath, [program, ...argumentsFor(port)], {
    env: { ...process.env, NODE_ENV: "production" },
    stdio: "ignore",
  });
  const exited = once(child, "exit");
  const isRunning = (): boolean => child.exitCode === null && child.signalCode === null;
  const server = serverAt(`http://127.0.0.1:${port}`, () => [child.pid ?? 0]);
  defer(name, async () => {
    await server.pool.destroy();
    child.kill();
    if (isRunning()) await exited;
  });
  const deadline = performance.now() + startLimitMs;
  while (isRunning() && performance.now() < deadline) {
    const url = `http://127.0.0.1:${port}${path}`;
    const status = await request(url, { headers }).then(
      async ({ statusCode, body }) => (await body.dump(), statusCode),
      () => 0,
    );
    if (status === 200) return server;
    await delay(100);
  }
  throw new Error(`${name} does not answer ${path} with 200`);
}
