import type { Config } from "../config/index.ts";
import { systemClock, type SteadyClock } from "../platform/clock.ts";
import { createLog, type Log } from "../platform/log.ts";
import { Metrics } from "../platform/metrics.ts";
import { noTracing, type Tracing } from "../platform/tracing/index.ts";
import type { Random } from "../platform/random.ts";
import type { OAuth2Applications, ProviderRegistry } from "../providers/index.ts";
import { AdapterProcesses, type Adapters, type Quotas } from "../reading/index.ts";

interface AdapterDependencies {
  config: Config;
  clock: SteadyClock;
  random: Random;
  log: Log;
  metrics: Metrics;
  tracing: Tracing;
  applications: OAuth2Applications;
  /** Called at the first sign-in. */
  findQuotas: () => Quotas;
  /** Packages are given as long to load as they need. */
  isPatient: boolean;
}

export type BuildAdapters = (
  dependencies: AdapterDependencies,
  disposals: (() => Promise<void>)[],
) => Promise<{ adapters: Adapters; registry: ProviderRegistry }>;

/**
 * Where adapters run, and the providers that there are. Code of a package runs in child processes alone. Throws
 * InvalidProvider for a package that cannot be used.
 */
export const buildAdapters: BuildAdapters = async (dependencies, disposals) => {
  const adapters = openProcesses(dependencies);
  disposals.push(() => adapters.stop());
  return { adapters, registry: await adapters.loadRegistry(dependencies) };
};

/** The providers of a configuration, for who needs nothing else. A child is asked what packages declare. */
export async function findProviders(config: Config): Promise<ProviderRegistry> {
  const log = createLog({ level: "silent" });
  const adapters = openProcesses({
    config,
    clock: systemClock,
    log,
    metrics: new Metrics(),
    tracing: noTracing,
    applications: {},
    findQuotas: () => {
      throw new Error("nobody signs in here");
    },
  });
  try {
    return await adapters.loadRegistry({ isPatient: false });
  } finally {
    await adapters.stop();
  }
}

type ProcessDependencies = Pick<
  AdapterDependencies,
  "config" | "clock" | "log" | "metrics" | "tracing" | "applications" | "findQuotas"
>;

function openProcesses({
  config,
  clock,
  log,
  metrics,
  tracing,
  applications,
  findQuotas,
}: ProcessDependencies): AdapterProcesses {
  const { outboundAllow, isLocal: allowsHttp, answerLimits, readMemoryMb } = config;
  return new AdapterProcesses({
    clock,
    log,
    metrics,
    providerPackages: config.providerPackages,
    withheld: [config.stateDir, ...config.secretFiles],
    applications,
    outboundAllow: outboundAllow.providers,
    allowsHttp,
    answerLimits,
    isTraced: tracing.isOn,
    readMemoryMb,
    quotas: { of: (provider, signal) => findQuotas().of(provider, signal) },
    processes: config.adapterProcesses,
    heapMb: config.adapterHeapMb,
    memoryMb: config.adapterMemoryMb,
  });
}
