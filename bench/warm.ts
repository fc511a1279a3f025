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
import { costPerRequest, serverAt, type Load, type Server } from "./load.ts";
import { rounds } from "./options.ts";
import type { Claim } from "./report.ts";
import { startServer } from "./start-server.ts";
import type { Store } from "./with-context.ts";

/** Of one measurement: a twentieth of a second of work. */
const requestsOf: Record<Size, number> = { 100: 400, 1_000: 330, 10_000: 84 };
/** Many short turns in a round tell two services of nearly the same cost apart better than few long ones. */
const turnsInRound = 3;
const encodings = ["br", "gzip"] as const;
/** V8 has compiled what a request needs after some twenty thousand of them. */
export const warmUpRounds = 3;

const warmTargets = {
  redis: { target: [0.55, 0.85, 0.9], guard: [0.42, 0.65, 0.7] },
  embedded: { target: [0.14, 0.32, 0.75], guard: [0.11, 0.25, 0.6] },
} as const;

export interface Measurement {
  name: string;
  target: number;
  guard: number;
  requests: number;
  ours: Load;
  reference: Load;
}

/** A measurement that takes turns with others, of other servers. */
interface Turn extends Measurement {
  servers: { ours: Server; reference: Server };
}

interface Measured extends Claim {
  costs: { ours: number; reference: number }[];
}

/**
 * A warm GET against a Fastify without anything of ours that sends the same bytes, with both stores, and then one store
 * against the other. The services with and without Redis take turns, so that both meet the machine in the same state.
 */
export async function benchWarm(): Promise<Claim[]> {
  return await withTurns("embedded", async (without) =>
    withTurns("redis", async (withRedis) => {
      const pairs = without.flatMap((turn, at) => [turn, ...withRedis.slice(at, at + 1)]);
      const measured = await measureTurns(pairs, turnsInRound);
      const embedded = measured.filter((_, at) => at % 2 === 0);
      const redis = measured.filter((_, at) => at % 2 === 1);
      return [...embedded, ...redis, ...compareStores(embedded, redis)];
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

/** Of each reply, what it costs without Redis against what it costs with it. */
function compareStores(embedded: readonly Measured[], redis: readonly Measured[]): Claim[] {
  return redis.map((withRedis, at) => {
    const costs = withRedis.costs.map(({ ours }, round) => ({
      ours,
      reference: embedded[at]?.costs[round]?.ours ?? 0,
    }));
    return {
      name: `${withRedis.name.replace(/,? against .*/, "")}, against the same without Redis`,
      target: 1,
      guard: 0.95,
      ratios: costs.map(({ ours, reference }) => reference / ours),
      costs,
    };
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
  const { target, guard } = warmTargets[store];
  const warm = encodings.flatMap((encoding) =>
    sizes.map((size, index) => ({
      name: `${store}: warm GET of ${size} employees, ${encoding}, against the same Buffer`,
      target: target[index] ?? 0,
      guard: guard[index] ?? 0,
      requests: requestsOf[size],
      ours: { path: employeesPath, headers: headersOf(tokens[size], encoding) },
      reference: { path: `/${encoding}-${size}` },
    })),
  );
  return [
    ...warm,
    {
      name: `${store}: 304 against a bare 304`,
      target: 0.5,
      guard: 0.38,
      requests: requestsOf[100],
      ours: {
        path: employeesPath,
        headers: { ...headersOf(tokens[100], "br"), "if-none-match": etag },
        status: 304,
      },
      reference: { path: "/unchanged", status: 304 },
    },
    {
      name: `${store}: /healthz against a bare route`,
      target: 0.7,
      guard: 0.5,
      requests: requestsOf[100],
      ours: { path: "/healthz", headers: {} },
      reference: { path: "/healthz" },
    },
  ];
}

export async function measureAll(
  measurements: readonly Measurement[],
  servers: { ours: Server; reference: Server },
): Promise<Claim[]> {
  return await measureTurns(measurements.map((measurement) => ({ ...measurement, servers })));
}

async function measureTurns(turns: readonly Turn[], inRound = 1): Promise<Measured[]> {
  const claims = turns.map(({ name, target, guard }) => ({
    name,
    target,
    guard,
    ratios: [] as number[],
    costs: [] as { ours: number; reference: number }[],
  }));
  for (let round = -warmUpRounds * inRound; round < rounds * inRound; round += 1)
    for (const [index, { requests, servers, ...load }] of turns.entries()) {
      const reference = await costPerRequest(servers.reference, load.reference, requests);
      const cost = await costPerRequest(servers.ours, load.ours, requests);
      if (round < 0) continue;
      claims[index]?.ratios.push(reference / cost);
      claims[index]?.costs.push({ ours: cost, reference });
    }
  return claims;
}
