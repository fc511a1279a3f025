import {
  employeesPath,
  fetchEmployees,
  headersOf,
  sizes,
  withCompanies,
  type Size,
} from "./companies.ts";
import { serverAt } from "./load.ts";
import type { Claim } from "./report.ts";
import { startServer } from "./start-server.ts";
import { measureAll } from "./warm.ts";

const requestsOf: Record<Size, number> = { 100: 1_200, 1_000: 500, 10_000: 100 };
const targets: Record<Size, { target: number; guard: number }> = {
  100: { target: 2, guard: 1.6 },
  1_000: { target: 4.5, guard: 3.7 },
  10_000: { target: 6, guard: 5 },
};

/** A warm GET in brotli against a Fastify that sends the same employees as they are, from one Buffer. */
export async function benchUncompressed(): Promise<Claim[]> {
  return await withCompanies("redis", {}, async ({ stage, tokens, pids, defer }) => {
    const bodies = await Promise.all(
      sizes.map(async (size) => ({
        name: `plain-${size}`,
        encoding: undefined,
        bytes: await fetchEmployees(stage, tokens[size], "identity"),
      })),
    );
    const reference = await startServer("bare-server.ts", bodies, { defer });
    const ours = serverAt(stage.baseUrl, pids);
    defer("the sockets", () => ours.pool.destroy());
    const measurements = sizes.map((size) => ({
      name: `redis: warm GET of ${size} employees, br, against a Buffer of them uncompressed`,
      ...targets[size],
      requests: requestsOf[size],
      ours: { path: employeesPath, headers: headersOf(tokens[size], "br") },
      reference: { path: `/plain-${size}` },
    }));
    return await measureAll(measurements, { ours, reference });
  });
}
