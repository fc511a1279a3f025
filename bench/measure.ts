import { costPerRequest, type Load, type Server } from "./load.ts";
import { rounds } from "./options.ts";
import type { Claim, Cost } from "./report.ts";

export interface Measurement {
  name: string;
  /** How many times cheaper than the reference it should be. Without one the figure is only told. */
  target?: number;
  /** Of one window. */
  requests: number;
  ours: Load;
  reference: Load;
  /** Windows that warm up at most, where what is asked for runs out. */
  mostWarmUps?: number;
}

/** A measurement that takes turns with others, of other servers. */
export interface Turn extends Measurement {
  servers: { ours: Server; reference: Server };
}

interface Measured extends Claim {
  costs: Cost[];
}

/** A server is warm when a window costs what the one before cost, within this share. */
const sameWithin = 0.06;
const usualWarmUps = 12;
/** V8 has compiled what a request needs after some twenty thousand of them. */
const leastOfWarmUp = { requests: 5_000, us: 1_000_000 };

export async function measureAll(
  measurements: readonly Measurement[],
  servers: { ours: Server; reference: Server },
): Promise<Claim[]> {
  return await measureTurns(measurements.map((measurement) => ({ ...measurement, servers })));
}

/** Warms up all, and then measures them in turns, so that each meets the machine in the same state. */
export async function measureTurns(turns: readonly Turn[], inRound = 1): Promise<Claim[]> {
  for (const { servers, ours, reference, requests, mostWarmUps } of turns) {
    await warmUp(servers.reference, reference, requests, mostWarmUps);
    await warmUp(servers.ours, ours, requests, mostWarmUps);
  }
  const claims: Measured[] = turns.map(({ name, target }) => ({ name, target, costs: [] }));
  for (let round = 0; round < rounds * inRound; round += 1)
    for (const [index, { requests, servers, ...load }] of turns.entries()) {
      const reference = await costPerRequest(servers.reference, load.reference, requests);
      const ours = await costPerRequest(servers.ours, load.ours, requests);
      claims[index]?.costs.push({ ours, reference });
    }
  return claims;
}

/** Asks until two windows of a second, or of 5,000 requests where they cost less, agree. */
async function warmUp(
  server: Server,
  load: Load,
  requests: number,
  most = usualWarmUps,
): Promise<void> {
  let before = await costPerRequest(server, load, requests);
  const window =
    most < usualWarmUps
      ? requests
      : Math.max(requests, Math.min(leastOfWarmUp.requests, Math.ceil(leastOfWarmUp.us / before)));
  for (let count = 1; count < most; count += 1) {
    const cost = await costPerRequest(server, load, window);
    if (Math.abs(cost / before - 1) < sameWithin) return;
    before = cost;
  }
}
