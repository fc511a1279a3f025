import { durationSteps } from "../../platform/work-tally.ts";
import type { ProviderWork } from "./count-store.ts";

/** How a provider does: its reads of 24 hours, their length, its quota and the sign-ins at it. */
export interface ProviderFigures {
  provider: string;
  reads: number;
  /** Of the reads that ended; undefined without one. */
  successPercent: number | undefined;
  /** As far as the steps tell that durations are counted in; undefined without a read that was stored. */
  medianSeconds: number | undefined;
  p95Seconds: number | undefined;
  /** The most that was in use of one of its limits; undefined where nothing drew on one. */
  quotaShare: number | undefined;
  signIns: number;
  /** Attempts that failed, by why, the most frequent first. */
  failedSignIns: readonly { why: string; times: number }[];
}

const failures = new Set(["refused", "forbidden", "unsupported", "unavailable", "broken"]);
/** A form that goes on is neither. */
const onItsWay = new Set(["found", "question"]);

/** Those at which something was done, the one with the most reads first. */
export function describeProviders(work: readonly ProviderWork[]): ProviderFigures[] {
  const names = [...new Set(work.map(({ provider }) => provider))];
  return names
    .map((provider) =>
      describe(
        provider,
        work.filter((each) => each.provider === provider),
      ),
    )
    .toSorted((a, b) => b.reads - a.reads || (a.provider < b.provider ? -1 : 1));
}

function describe(provider: string, work: readonly ProviderWork[]): ProviderFigures {
  const of = (what: ProviderWork["what"]): ProviderWork[] =>
    work.filter((each) => each.what === what);
  const reads = of("reads");
  const stored = sum(reads.filter(({ outcome }) => outcome === "stored"));
  const ended = stored + sum(reads.filter(({ outcome }) => failures.has(outcome)));
  const attempts = of("sign-ins").filter(({ outcome }) => !onItsWay.has(outcome));
  const quotas = of("quotas").map(({ outcome }) => Number(outcome));
  return {
    provider,
    reads: ended,
    successPercent: ended === 0 ? undefined : (stored / ended) * 100,
    medianSeconds: percentile(of("durations"), 0.5),
    p95Seconds: percentile(of("durations"), 0.95),
    quotaShare: quotas.length === 0 ? undefined : Math.max(...quotas),
    signIns: sum(attempts),
    failedSignIns: attempts
      .filter(({ outcome }) => outcome !== "signed_in")
      .map(({ outcome, times }) => ({ why: outcome, times })),
  };
}

function sum(work: readonly ProviderWork[]): number {
  return work.reduce((all, { times }) => all + times, 0);
}

/** Durations are taken to lie evenly between two steps. What is beyond the last one counts as the last one. */
function percentile(durations: readonly ProviderWork[], part: number): number | undefined {
  const all = sum(durations);
  if (all === 0) return undefined;
  let left = all * part;
  let from = 0;
  for (const step of durationSteps) {
    const times = sum(durations.filter(({ outcome }) => outcome === String(step)));
    if (times >= left && times > 0) return from + ((step - from) * left) / times;
    left -= times;
    from = step;
  }
  return from;
}
