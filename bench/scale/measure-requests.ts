import { Pool } from "undici";
import { percentile } from "../../test/chaos/latency.ts";
import { cpuBetween, readCpuTimes } from "../cpu-meter.ts";

/** Processes of each part of the service. */
export type Parts = Readonly<Record<"api" | "worker" | "postgres" | "redis", readonly number[]>>;

export interface Figures {
  p50Ms: number;
  p99Ms: number;
  /** The status of each reply that has another one. */
  failed: readonly number[];
  /** Processor time of a request, in microseconds. */
  cpu: Readonly<Record<keyof Parts, number>>;
}

export interface Request {
  method?: "GET" | "POST";
  path: string;
  headers: Record<string, string>;
  body?: string;
  status?: number;
}

const atOnce = 8;
const partNames = ["api", "worker", "postgres", "redis"] as const;

/** Sends the requests to the processes of the API in turn, eight at a time. */
export async function measureRequests(
  origins: readonly string[],
  parts: Parts,
  requests: readonly Request[],
): Promise<Figures> {
  const pools = origins.map((origin) => new Pool(origin, { connections: atOnce }));
  const times: number[] = [];
  const failed: number[] = [];
  const left = requests.entries();
  const before = partNames.map((name) => readCpuTimes(parts[name]));
  const sendNext = async (): Promise<void> => {
    for (const [index, { path, method = "GET", status = 200, headers, body }] of left) {
      const beganAt = performance.now();
      const reply = await pools[index % pools.length]!.request({
        path,
        method,
        headers,
        body: body ?? null,
      });
      await reply.body.bytes();
      times.push(performance.now() - beganAt);
      if (reply.statusCode !== status) failed.push(reply.statusCode);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, sendNext));
  const cpu = partNames.map((name, index) => {
    const spent = cpuBetween(before[index] ?? new Map(), readCpuTimes(parts[name]));
    return [name, spent / requests.length] as const;
  });
  await Promise.all(pools.map((pool) => pool.close()));
  return {
    p50Ms: percentile(times, 0.5),
    p99Ms: percentile(times, 0.99),
    failed,
    cpu: Object.fromEntries(cpu) as Figures["cpu"],
  };
}
