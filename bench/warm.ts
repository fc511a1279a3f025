import { request } from "undici";
import type { Stage } from "../test/chaos/stage.ts";
import type { BareBody } from "./bare-server.ts";
import {
  employeesPath,
  fetchEmployees,
  headersOf,
  sizes,
  withCompanies,
  type Size,
} from "./companies.ts";
import { serverAt } from "./load.ts";
import { measureTurns, type Measurement, type Turn } from "./measure.ts";
import type { Claim } from "./report.ts";
import { startServer } from "./start-server.ts";
import type { Store } from "./with-context.ts";

const requestsOf: Record<Size, number> = { 100: 1_500, 1_000: 1_000, 10_000: 400 };
/** Many short turns in a round tell two services of nearly the same cost apart better than few long ones. */
const turnsInRound = 3;
const encodings = ["br", "gzip"] as const;

/** With Redis. A service of any size has one. */
const targets: Record<Size, number> = { 100: 0.35, 1_000: 0.55, 10_000: 0.88 };

/**
 * A warm GET against a Fastify without anything of ours that sends the same bytes. The services with and without Redis
 * take turns, so that both meet the machine in the same state.
 */
export async function benchWarm(): Promise<Claim[]> {
  return await withTurns("embedded", async (without) =>
    withTurns("redis", async (withRedis) => {
      const pairs = without.flatMap((turn, at) => [turn, ...withRedis.slice(at, at + 1)]);
      const measured = await measureTurns(pairs, turnsInRound);
      return [
        ...measured.filter((_, at) => at % 2 === 0),
        ...measured.filter((_, at) => at % 2 === 1),
      ];
    }),
  );
}

async function withTurns(
  store: Store,
  work: (turns: Turn[]) => Promise<Claim[]>,
): Promise<Claim[]> {
  return await withCompanies(store, {}, async ({ stage, tokens, pids, defer }) => {
    const bodies = await fetchBodies(stage, tokens);
    const reference = await startServer("bare-server.ts", bodies, { defer });
    const ours = serverAt(stage.baseUrl, pids);
    defer("the sockets", () => ours.pool.destroy());
    const measurements = listMeasurements(store, tokens, await etagOf(stage, tokens[100]));
    return await work(measurements.map((each) => ({ ...each, servers: { ours, reference } })));
  });
}

async function fetchBodies(stage: Stage, tokens: Record<Size, string>): Promise<BareBody[]> {
  const bodies: BareBody[] = [];
  for (const size of sizes)
    for (const encoding of encodings) {
      const bytes = await fetchEmployees(stage, tokens[size], encoding);
      bodies.push({ name: `${encoding}-${size}`, encoding, bytes });
    }
  return bodies;
}

async function etagOf(stage: Stage, token: string): Promise<string> {
  const { headers, body } = await request(stage.baseUrl + employeesPath, {
    headers: headersOf(token, "br"),
  });
  await body.dump();
  return String(headers["etag"]);
}

function listMeasurements(store: Store, tokens: Record<Size, string>, etag: string): Measurement[] {
  const withRedis = store === "redis";
  const warm = encodings.flatMap((encoding) =>
    sizes.map((size) => ({
      name: `${store}: warm GET of ${size} employees, ${encoding}, against the same Buffer`,
      ...(withRedis && { target: targets[size] }),
      requests: requestsOf[size],
      ours: { path: employeesPath, headers: headersOf(tokens[size], encoding) },
      reference: {
        path: `/${encoding}-${size}`,
        headers: headersOf(tokens[size], encoding),
      },
    })),
  );
  return [
    ...warm,
    {
      name: `${store}: 304 against a bare 304`,
      ...(withRedis && { target: 0.35 }),
      requests: requestsOf[100],
      ours: {
        path: employeesPath,
        headers: { ...headersOf(tokens[100], "br"), "if-none-match": etag },
        status: 304,
      },
      reference: { path: "/unchanged", headers: headersOf(tokens[100], "br"), status: 304 },
    },
    {
      name: `${store}: /healthz against a bare route`,
      ...(withRedis && { target: 0.5 }),
      requests: requestsOf[100],
      ours: { path: "/healthz", headers: {} },
      reference: { path: "/healthz" },
    },
  ];
}
