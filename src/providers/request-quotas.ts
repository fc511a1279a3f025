import type { RequestAdmission } from "../platform/outbound/index.ts";

/** The quotas that a request counts against, each with the value that it is counted by, such as the tenant. */
export type Draws = Readonly<Record<string, string>>;

/** The requests that the provider takes from one call, and from everybody else. */
export interface RequestQuotas {
  /** Resolves when one more request may be sent. Throws ProviderRateLimited when that takes long. */
  draw(draws: Draws, signal: AbortSignal | undefined): Promise<{ end(): void }>;
  /** The provider asked to wait. It did not say how long: undefined. */
  pause(draws: Draws, seconds: number | undefined): Promise<void>;
}

/** Undefined for requests that count against nothing. */
export function admitByQuotas(
  quotas: RequestQuotas | undefined,
  draws: Draws | undefined,
): RequestAdmission | undefined {
  if (!quotas || !draws || Object.keys(draws).length === 0) return undefined;
  return {
    admit: (signal) => quotas.draw(draws, signal),
    onRefused: (seconds) => quotas.pause(draws, seconds),
  };
}
