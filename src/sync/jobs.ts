import { z } from "zod";
import type { JobDefinition } from "../platform/queue/index.ts";
import type { ProviderRegistry } from "../providers/index.ts";
import { fetchQueue } from "./enqueue-fetch.ts";
import { runFetch, type RunFetchDependencies } from "./run-fetch.ts";

const usualConcurrency = 16;

/** One kind of job per provider, each with the provider's own limit. */
export function fetchJobs(
  dependencies: RunFetchDependencies,
  { registry, workerConcurrency }: { registry: ProviderRegistry; workerConcurrency: number },
): JobDefinition<{ fetchId: string }>[] {
  return registry.list().map(({ name, limits }) => ({
    name: fetchQueue(name),
    payload: z.object({ fetchId: z.uuid() }),
    concurrency: Math.min(limits?.concurrency ?? usualConcurrency, workerConcurrency),
    run: ({ fetchId }, signal) => runFetch(dependencies, fetchId, signal),
  }));
}
