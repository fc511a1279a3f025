import { refuseInTransaction } from "../platform/open-transaction.ts";
import { fromPlainFailure, toPlainFailure, type ProviderHost } from "../providers/index.ts";
import type { Quotas } from "./quotas/quotas.ts";
import type { Adapters, ReadCallbacks } from "./adapters.ts";
import { readWhole, type ReadAnswer, type ReadTask } from "./records/read-whole.ts";

/**
 * Runs adapters in this process: for tests that bring an adapter or a clock of their own. What could not cross to
 * another process fails here too.
 */
export class InProcessAdapters implements Adapters {
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
