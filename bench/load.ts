import { Pool } from "undici";
import { cpuBetween, readCpuTimes } from "./cpu-meter.ts";

export interface Load {
  origin: string;
  path: string;
  headers?: Record<string, string>;
  /** The body of the next request, which is a POST of JSON then. */
  nextBody?: () => string;
  /** The status of every reply. Any other one ends the measurement. */
  status?: number;
}

/** A server under load, and the processes whose time counts: its own, and those of its stores. */
export interface Server {
  pool: Pool;
  pids: () => readonly number[];
}

const sockets = 8;

export function serverAt(origin: string, pids: () => readonly number[]): Server {
  return { pool: new Pool(origin, { connections: sockets }), pids };
}

/** Microseconds of processor time for each of so many requests, eight at a time. */
export async function costPerRequest(
  { pool, pids }: Server,
  { path, headers = {}, status = 200, nextBody }: Omit<Load, "origin">,
  requests: number,
): Promise<number> {
  let left = requests;
  const before = readCpuTimes(pids());
  const askAgain = async (): Promise<void> => {
    while (left > 0) {
      left -= 1;
      const { statusCode, body } = await pool.request(
        nextBody
          ? {
              method: "POST",
              path,
              headers: { ...headers, "content-type": "application/json" },
              body: nextBody(),
            }
          : { method: "GET", path, headers },
      );
      await body.dump({ limit: Infinity });
      if (statusCode !== status) throw new Error(`${path} was answered with ${statusCode}`);
    }
  };
  await Promise.all(Array.from({ length: sockets }, askAgain));
  return cpuBetween(before, readCpuTimes(pids())) / requests;
}
