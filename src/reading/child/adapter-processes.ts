import { getCACertificates } from "node:tls";
import { listReadable } from "../../platform/belt/index.ts";
import type { Clock } from "../../platform/clock.ts";
import type { Log } from "../../platform/log.ts";
import type { Metrics } from "../../platform/metrics.ts";
import type { AnswerLimits, OpenedRange } from "../../platform/outbound/index.ts";
import { tellWhile } from "../../platform/repeat.ts";
import { beginOutsideOfSpans, withSpan } from "../../platform/tracing/index.ts";
import { Turns } from "../../platform/turns.ts";
import {
  fromPlainFailure,
  providerPackages,
  type OAuth2Applications,
  type ProviderRegistry,
  type SignInHost,
} from "../../providers/index.ts";
import { ProcessDied, type Adapters, type ReadCallbacks } from "../adapters.ts";
import type { Quotas } from "../quotas/quotas.ts";
import type { ReadAnswer } from "../records/read-answer.ts";
import type { ReadTask } from "../records/read-whole.ts";
import { AdapterProcess, type ProcessLimits } from "./adapter-process.ts";
import type { Calls, ChildSettings, Operation } from "./messages.ts";
import type { CallOptions } from "./pending-call.ts";
import { VendorRequests } from "./vendor-requests.ts";

export interface AdapterProcessesOptions {
  clock: Clock;
  log: Log;
  metrics: Metrics;
  /** How many child processes the reads share. */
  processes: number;
  heapMb: number;
  memoryMb: number;
  /** What the reads of all shared processes may have in memory. */
  readMemoryMb: number;
  quotas: Pick<Quotas, "of">;
  providerPackages: readonly string[];
  /** Files and folders of the service that no package may read, also when they are beside its code. */
  withheld: readonly string[];
  applications: OAuth2Applications;
  outboundAllow: readonly OpenedRange[];
  allowsHttp: boolean;
  answerLimits: AnswerLimits;
  isTraced?: boolean;
  pingEveryMs?: number;
  startMs?: number;
  silenceMs?: number;
  idleMs?: number;
}

const mostAlone = 2;
const tellLoadingEveryMs = 2_000;

class Stopped extends ProcessDied {
  constructor() {
    super("the service stops", false);
  }
}

/**
 * Runs adapters in child processes, which start when they are needed: some that the reads share, one for
 * sign-ins, so that a sign-in ends no read, and one for each read that runs alone.
 */
export class AdapterProcesses implements Adapters {
  readonly #options: AdapterProcessesOptions;
  readonly #settings: ChildSettings;
  readonly #readable: readonly string[];
  readonly #limits: ProcessLimits;
  readonly #builtIn = providerPackages.register();
  /** As soon as they are loaded. */
  #builtInNow: ProviderRegistry | undefined;
  readonly #shared: (AdapterProcess | undefined)[];
  #signIns: AdapterProcess | undefined;
  readonly #alone = new Turns({ places: mostAlone });
  readonly #running = new Set<AdapterProcess>();
  readonly #stopping = new AbortController();

  /** Throws InvalidProvider for a package that is not there. */
  constructor(options: AdapterProcessesOptions) {
    const { processes, heapMb, memoryMb, readMemoryMb, log } = options;
    const { applications, outboundAllow, allowsHttp, answerLimits, isTraced = false } = options;
    const packages = options.providerPackages.map(providerPackages.open);
    const { pingEveryMs = 1_000, silenceMs = 10_000 } = options;
    const { startMs = 60_000, idleMs = 60_000 } = options;
    this.#options = options;
    this.#readable = listReadable(
      packages.flatMap(({ code }) => code),
      options.withheld,
    );
    this.#settings = {
      providerPackages: packages,
      applications,
      outboundAllow,
      allowsHttp,
      answerLimits,
      readMemoryBytes: (readMemoryMb * 1_000_000) / processes,
      isTraced,
      isDebugLogged: log.isLevelEnabled("debug"),
      extraCertificates: getCACertificates("extra"),
    };
    this.#limits = { heapMb, memoryMb, pingEveryMs, startMs, silenceMs, idleMs };
    void this.#builtIn.then((registry) => (this.#builtInNow = registry));
    this.#shared = Array.from({ length: processes }, () => undefined);
  }

  /** The children that run. */
  get pids(): number[] {
    return [...this.#running].flatMap(({ pid }) => pid ?? []);
  }

  /**
   * The providers that the service offers: those of the packages as they declare themselves, which a child is asked
   * for. Throws InvalidProvider for one that cannot be used. A patient caller waits as long as the child lives, because
   * a slow machine is no fault of a package; another one for a minute.
   */
  async loadRegistry(patience: { isPatient: boolean }): Promise<ProviderRegistry> {
    const { applications, providerPackages: names } = this.#options;
    const declared = names.length === 0 ? [] : await this.#askDeclared(patience);
    return (await providerPackages.register(declared)).offerWith(applications);
  }

  async read(
    task: ReadTask,
    { isAlone, ...options }: ReadCallbacks & { isAlone: boolean },
  ): Promise<ReadAnswer> {
    return isAlone
      ? await this.#readAlone(task, options)
      : await this.#run(this.#leastLoaded(), "read", task, options);
  }

  /** Forms of built-in providers are code of our own, so no child has to start for them. */
  async checkForm({ signal, ...call }: Parameters<Adapters["checkForm"]>[0]) {
    const { provider, mode, formValues } = call;
    const builtIn = (await this.#builtIn).findAdapter(provider, mode);
    return builtIn
      ? providerPackages.checkForm(builtIn, formValues)
      : await this.#signIn("checkForm", call, signal);
  }

  async findApprovalPage({ signal, ...call }: Parameters<Adapters["findApprovalPage"]>[0]) {
    const { provider, mode, formValues, resources } = call;
    const builtIn = (await this.#builtIn).findAdapter(provider, mode);
    return builtIn
      ? providerPackages.findApprovalPage(builtIn, formValues, resources)
      : await this.#signIn("findApprovalPage", call, signal);
  }

  async refresh({ signal, ...call }: Parameters<Adapters["refresh"]>[0]) {
    return await this.#signIn("refresh", call, signal);
  }

  async probe({ signal, ...call }: Parameters<Adapters["probe"]>[0]) {
    return await this.#signIn("probe", call, signal);
  }

  async login({ signal, ...call }: Parameters<Adapters["login"]>[0]) {
    return await this.#signIn("login", call, signal);
  }

  async resume({ signal, ...call }: Parameters<Adapters["resume"]>[0]) {
    return await this.#signIn("resume", call, signal);
  }

  async inspect({ signal, ...call }: Parameters<Adapters["inspect"]>[0]) {
    return await this.#signIn("inspect", call, signal);
  }

  async logOut({ signal, ...call }: Parameters<Adapters["logOut"]>[0]) {
    await this.#signIn("logOut", call, signal);
  }

  async stop(): Promise<void> {
    this.#stopping.abort(new Stopped());
    await Promise.all([...this.#running].map((process) => process.end()));
  }

  async #readAlone(task: ReadTask, options: ReadCallbacks): Promise<ReadAnswer> {
    const signal = AbortSignal.any([options.signal, this.#stopping.signal]);
    return await this.#alone.run({ signal }, async () => {
      const process = this.#start("one read");
      try {
        return await this.#run(process, "read", task, options);
      } finally {
        await process.end();
      }
    });
  }

  async #signIn<Name extends keyof SignInHost>(
    operation: Name,
    call: Calls[Name]["arguments"],
    signal: AbortSignal,
  ): Promise<Calls[Name]["result"]> {
    try {
      const services = { quotas: this.#options.quotas.of(call.provider, signal) };
      return await this.#run(this.#signInProcess(), operation, call, { signal, services });
    } catch (error) {
      if (!(error instanceof ProcessDied && error.isBlamed)) throw error;
      throw Object.assign(brokenSignIn(), { cause: error });
    }
  }

  async #run<Name extends Operation>(
    process: AdapterProcess,
    operation: Name,
    args: Calls[Name]["arguments"],
    options: CallOptions,
  ): Promise<Calls[Name]["result"]> {
    const call = { operation, arguments: args } as Parameters<AdapterProcess["run"]>[0];
    const { provider, mode } = args;
    const attributes = {
      "process.pid": process.pid,
      "rollcall.provider": provider,
      "rollcall.operation": operation,
    };
    const isHostTold = this.#builtInNow?.hasFixedHost(provider, mode) ?? false;
    return (await withSpan({ name: "adapter process", attributes }, (span) => {
      const requests = new VendorRequests(span, { provider, isHostTold });
      return process.run(call, {
        ...options,
        onVendorRequest: (request) => requests.tell(request),
      });
    })) as Calls[Name]["result"];
  }

  #leastLoaded(): AdapterProcess {
    const loads = this.#shared.map((process) => (process?.isUsable ? process.load : 0));
    const place = loads.indexOf(Math.min(...loads));
    const found = this.#shared[place];
    if (found?.isUsable) return found;
    return (this.#shared[place] = this.#start("reads"));
  }

  /** A package may take its time to load. */
  async #askDeclared(patience: { isPatient: boolean }): Promise<readonly unknown[]> {
    const { log, providerPackages: packages } = this.#options;
    return await tellWhile(
      tellLoadingEveryMs,
      () => log.info({ packages }, "provider packages are still loading; the start waits for them"),
      () => this.#signInProcess().declared(patience),
    );
  }

  #signInProcess(): AdapterProcess {
    if (!this.#signIns?.isUsable) this.#signIns = this.#start("sign-ins");
    return this.#signIns;
  }

  #start(name: string): AdapterProcess {
    this.#stopping.signal.throwIfAborted();
    const { clock, log, metrics } = this.#options;
    const open = (): AdapterProcess =>
      new AdapterProcess({
        name,
        clock,
        log,
        settings: this.#settings,
        readable: this.#readable,
        limits: this.#limits,
        onEnd: (end) => {
          this.#running.delete(process);
          if (end) metrics.adapterProcessesEnded.inc({ reason: end.reason });
        },
      });
    const process = beginOutsideOfSpans(open);
    this.#running.add(process);
    return process;
  }
}

function brokenSignIn(): Error {
  const message = "the process that ran the sign-in had to be ended";
  return fromPlainFailure({ kind: "bug", message, description: { type: "ProviderBug" } });
}
