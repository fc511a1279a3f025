import type { ProviderDefinition } from "../contract.ts";

type Limits = NonNullable<ProviderDefinition["limits"]>;

/** A bucket that fills more slowly than this would be a mistake: the next answer says it again. */
const mostSeconds = 60;

export const limits: Limits = {
  quotas: {
    address: { perMinute: 2_000, isShared: true },
    // Without a limit that is known. A refusal of v1 pauses it.
    customer: {},
    employees: { perSecond: 15, perMinute: 300 },
    // As others measured it. Personio's answers say it for each endpoint.
    endpoint: { perSecond: 10 },
  },
  /**
   * v2 tells how much of its limit is left, and how much comes back in a second. A 429 says nothing of use: after it
   * the pauses of the host double from a second.
   */
  waitSeconds: ({ status, headers }) => {
    if (status === 429) return undefined;
    const left = readNumber(headers["x-ratelimit-remaining"]);
    const needed = readNumber(headers["x-ratelimit-requested-tokens"]) ?? 1;
    const perSecond = readNumber(headers["x-ratelimit-replenish-rate"]) ?? 0;
    if (left === undefined || left >= needed || perSecond <= 0) return undefined;
    return Math.min((needed - left) / perSecond, mostSeconds);
  },
};

function readNumber(header: string | undefined): number | undefined {
  const number = Number(header ?? Number.NaN);
  return Number.isFinite(number) ? number : undefined;
}
