import { refuseInTransaction } from "../../src/platform/open-transaction.ts";
import { GuardedWays } from "../../src/platform/outbound/index.ts";
import { fromPlainFailure, toPlainFailure } from "../../src/providers/plain-failure.ts";
import {
  ProviderHost,
  providerPackages,
  type ProviderRegistry,
} from "../../src/providers/index.ts";
import type { Adapters, ReadCallbacks } from "../../src/reading/adapters.ts";
import type { Quotas } from "../../src/reading/quotas/quotas.ts";
import type { ReadAnswer } from "../../src/reading/records/read-answer.ts";
import { readWhole, type ReadTask } from "../../src/reading/records/read-whole.ts";
import type { BuildAdapters } from "../../src/start/build-adapters.ts";

/** Adapters in this process, which can be those of a test and go by its clock. */
export function inProcess(ofTest?: ProviderRegistry): BuildAdapters {
  return async (dependencies, disposals) => {
    const { config, applications, findQuotas } = dependencies;
    const registry = ofTest ?? (await providerPackages.register()).offerWith(applications);
    const ways = new GuardedWays(config.outboundAllow.providers, { allowsHttp: config.isLocal });
    disposals.push(() => ways.close());
    const host = new ProviderHost({
      ...dependencies,
      registry,
      agentOf: (clientId) => ways.agentOf(clientId),
      openWay: (clientId) => ways.open(clientId),
      limits: config.answerLimits,
    });
    const quotas = {
      of: (provider: string, signal: AbortSignal) => findQuotas().of(provider, signal),
    };
    return { adapters: new InProcessAdapters(host, quotas), registry };
  };
}

/** What could not cross to another process fails here too. */
class InProcessAdapters implements Adapters {
  readonly #host: ProviderHost;
  readonly #quotas: Pick<Quotas, "of">;

  constructor(host: ProviderHost, quotas: Pick<Quotas, "of">) {
    this.#host = host;
    this.#quotas = quotas;
  }

  async read(
    task: ReadTask,
    { signal, onProgress, onSession, services }: ReadCallbacks,
  ): Promise<ReadAnswer> {
    const { list, ...answer } = await asIfCrossing(signal, () =>
      readWhole(this.#host, structuredClone(task), {
        signal,
        onPage: onProgress,
        onFailed: onProgress,
        onSession: (session) => onSession(structuredClone(session)),
        services,
      }),
    );
    return { ...structuredClone(answer), list };
  }

  async checkForm({ signal, ...call }: Parameters<Adapters["checkForm"]>[0]) {
    return await this.#signIn(call, signal, (whole) => this.#host.checkForm(whole));
  }

  async findApprovalPage({ signal, ...call }: Parameters<Adapters["findApprovalPage"]>[0]) {
    return await this.#signIn(call, signal, (whole) => this.#host.findApprovalPage(whole));
  }

  async probe({ signal, ...call }: Parameters<Adapters["probe"]>[0]) {
    return await this.#signIn(call, signal, (whole) => this.#host.probe(whole));
  }

  async login({ signal, ...call }: Parameters<Adapters["login"]>[0]) {
    return await this.#signIn(call, signal, (whole) => this.#host.login(whole));
  }

  async resume({ signal, ...call }: Parameters<Adapters["resume"]>[0]) {
    return await this.#signIn(call, signal, (whole) => this.#host.resume(whole));
  }

  async inspect({ signal, ...call }: Parameters<Adapters["inspect"]>[0]) {
    return await this.#signIn(call, signal, (whole) => this.#host.inspect(whole));
  }

  async refresh({ signal, ...call }: Parameters<Adapters["refresh"]>[0]) {
    return await this.#signIn(call, signal, (whole) => this.#host.refresh(whole));
  }

  async logOut({ signal, ...call }: Parameters<Adapters["logOut"]>[0]) {
    await this.#signIn(call, signal, (whole) => this.#host.logOut(whole));
  }

  async stop(): Promise<void> {
    // A read ends by its signal.
  }

  async #signIn<Call extends { provider: string }, Result>(
    call: Call,
    signal: AbortSignal,
    work: (
      call: Call & { signal: AbortSignal; quotas: ReturnType<Quotas["of"]> },
    ) => Promise<Result>,
  ): Promise<Result> {
    const quotas = this.#quotas.of(call.provider, signal);
    const whole = { ...structuredClone(call), signal, quotas };
    return structuredClone(await asIfCrossing(signal, () => work(whole)));
  }
}

async function asIfCrossing<Result>(
  signal: AbortSignal,
  work: () => Promise<Result>,
): Promise<Result> {
  refuseInTransaction("a call of an adapter");
  try {
    return await work();
  } catch (error) {
    throw signal.aborted && error === signal.reason
      ? error
      : fromPlainFailure(toPlainFailure(error));
  }
}
