export interface LatencySummary {
  count: number;
  failed: number;
  p50Ms: number;
  p99Ms: number;
  maxMs: number;
  /** How late the prober itself was at its 99th percentile. */
  ownDelayP99Ms: number;
}

export function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.ceil(sorted.length * share) - 1)] ?? 0;
}

export function formatMs(ms: number): string {
  return ms >= 10_000
    ? `${(ms / 1_000).toFixed(0)} s`
    : ms >= 1_000
      ? `${(ms / 1_000).toFixed(1)} s`
      : `${ms.toFixed(0)} ms`;
}
