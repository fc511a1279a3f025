import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { Pool } from "undici";
import { cpuBetween, readCpuTimes } from "./cpu-meter.ts";
import { atOnce } from "./options.ts";

export interface Load {
  path: string;
  headers?: Record<string, string>;
  /** More headers of the next request. */
  nextHeaders?: () => Record<string, string>;
  /** The body of the next request, which is a POST then, of JSON unless its headers say otherwise. */
  nextBody?: () => string;
  /** The status of every reply. Any other one ends the measurement. */
  status?: number;
}

/** A server under load, and the processes whose time counts: its own, and those of its stores. */
export interface Server {
  origin: string;
  pool: Pool;
  pids: () => readonly number[];
}

export function serverAt(origin: string, pids: () => readonly number[]): Server {
  return { origin, pool: new Pool(origin, { connections: atOnce }), pids };
}

/** An undici that asks costs more than a bare Fastify that answers, and leaves it waiting. */
export const hasWrk = spawnSync("wrk", ["-v"]).error === undefined;

/** With fewer requests the start of wrk and its last ones, which nobody waits for, would count too much. */
const leastOfWrk = 10 * atOnce;
/** As long as wrk may take. It is ended when its replies have come. */
const wrkLimit = "600s";

/** Microseconds of processor time for each of so many requests, `atOnce` at a time. */
export async function costPerRequest(
  server: Server,
  load: Load,
  requests: number,
): Promise<number> {
  const askAll = hasWrk && requests >= leastOfWrk ? askWithWrk : askWithUndici;
  return (await askAll(server, load, requests)) / requests;
}

async function askWithUndici(
  { pool, pids }: Server,
  load: Load,
  requests: number,
): Promise<number> {
  const { path, status = 200 } = load;
  let left = requests;
  const before = readCpuTimes(pids());
  const askAgain = async (): Promise<void> => {
    while (left > 0) {
      left -= 1;
      const { statusCode, body } = await pool.request(nextRequest(load));
      // It throws for a reply that is cut off. `dump` would close the socket of a long one.
      await body.bytes();
      if (statusCode !== status) throw new Error(`${path} was answered with ${statusCode}`);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, askAgain));
  return cpuBetween(before, readCpuTimes(pids()));
}

async function askWithWrk({ origin, pids }: Server, load: Load, requests: number): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), "rollcall-bench-"));
  try {
    const file = join(folder, "requests");
    await writeFile(file, writeRequests(origin, load, requests));
    const { path, status = 200 } = load;
    const script = join(import.meta.dirname, "load.lua");
    const flags = [
      "-t",
      "1",
      "-c",
      String(atOnce),
      "-d",
      wrkLimit,
      "--timeout",
      wrkLimit,
      "-s",
      script,
    ];
    const given = [file, String(requests), String(status)];
    const before = readCpuTimes(pids());
    const wrk = spawn("wrk", [...flags, origin, "--", ...given], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    const ended = once(wrk, "exit");
    let used = Number.NaN;
    for await (const line of createInterface({ input: wrk.stdout })) {
      if (line === "broken") throw new Error(`connections to ${origin}${path} were broken`);
      if (!line.startsWith("wrong ")) continue;
      used = cpuBetween(before, readCpuTimes(pids()));
      // Its main thread sleeps till its time is over.
      wrk.kill("SIGINT");
      if (line !== "wrong 0") throw new Error(`${path}: another status than ${status}, ${line}`);
    }
    await ended;
    if (Number.isNaN(used)) throw new Error(`wrk ended before it had asked ${origin}${path}`);
    return used;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Those that are on their way at the end are requests too, so there are a few more. */
function writeRequests(origin: string, load: Load, requests: number): string {
  const differ = load.nextHeaders !== undefined || load.nextBody !== undefined;
  const { host } = new URL(origin);
  return Array.from({ length: differ ? requests + atOnce : 1 }, () => {
    const { method, path, headers, body = "" } = nextRequest(load);
    const all = { host, ...headers, ...(method === "POST" && { "content-length": body.length }) };
    const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
    const text = `${method} ${path} HTTP/1.1\r\n${lines.join("")}\r\n${body}`;
    return `${Buffer.byteLength(text)}\n${text}`;
  }).join("");
}

function nextRequest({ path, headers, nextHeaders, nextBody }: Load): {
  method: "GET" | "POST";
  path: string;
  headers: Record<string, string>;
  body?: string;
} {
  const all = { ...headers, ...nextHeaders?.() };
  if (!nextBody) return { method: "GET", path, headers: all };
  const withType = { "content-type": "application/json", ...all };
  return { method: "POST", path, headers: withType, body: nextBody() };
}
