import type { Scenario } from "../../../src/providers/conformance.ts";

type Refusal = () => { status: number; headers?: Readonly<Record<string, string>> };

/** How a system refuses that says no more than HTTP does, by its own clock. */
export const limitRefusals = (now: () => Date): Partial<Record<Scenario, Refusal>> => ({
  "rate-limited-seconds": () => ({ status: 429, headers: { "retry-after": "30" } }),
  "rate-limited-date": () => ({
    status: 429,
    headers: { "retry-after": new Date(now().getTime() + 30_000).toUTCString() },
  }),
  "rate-limited": () => ({ status: 429 }),
  "server-error": () => ({ status: 503 }),
});
