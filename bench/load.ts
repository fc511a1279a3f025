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

/** Microseconds of processor time for each of so many requests, `atOnce` at a time. */
export async function costPerRequest(
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
  return cpuBetween(before, readCpuTimes(pids())) / requests;
}

function nextRequest({ path, headers, nextHeaders, nextBody }: Load) {
  const all = { ...headers, ...nextHeaders?.() };
  return nextBody
    ? {
        method: "POST" as const,
        path,
        headers: { "content-type": "application/json", ...all },
        body: nextBody(),
      }
    : { method: "GET" as const, path, headers: all };
}
