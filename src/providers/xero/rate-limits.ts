import type { ProviderDefinition } from "../contract.ts";

type Limits = NonNullable<ProviderDefinition["limits"]>;
type Answer = Parameters<NonNullable<Limits["waitSeconds"]>>[0];

/** By the word that names the limit, for a refusal without `Retry-After`. */
const waits = [
  ["concurrent", 2],
  ["minute", 60],
  ["app", 60],
  ["day", 3_600],
] as const;

/**
 * Xero counts for each organisation, and for the application over all of them. Applications of its smallest tier have
 * 1,000 a day for an organisation: then it refuses and says so.
 */
export const limits: Limits = {
  quotas: {
    tenant: { perMinute: 60, perDay: 5_000, atOnce: 5 },
    application: { perMinute: 10_000, isShared: true },
  },
  waitSeconds,
};

/** What a request for an organisation counts against. */
export function drawsOf(tenantId: string): Readonly<Record<string, string>> {
  return { tenant: tenantId, application: "all" };
}

/** Only the limit of requests at once is told without a time. */
export function waitSeconds({ status, headers }: Answer): number | undefined {
  if (status !== 429 || headers["retry-after"] !== undefined) return undefined;
  const problem = (headers["x-rate-limit-problem"] ?? "").trim().toLowerCase();
  return waits.find(([word]) => problem.startsWith(word))?.[1];
}
