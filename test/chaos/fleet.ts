import { freePort } from "../support/redis-server.ts";
import type { RowContext } from "./row.ts";
import type { ServiceProgram } from "./service-program.ts";
import { SmallProxy } from "./small-proxy.ts";
import type { Stage } from "./stage.ts";

type Env = Record<string, string>;

/** Two processes of the API behind a small proxy, which listens at the stage's address, and two workers. */
export class Fleet {
  readonly apis: ServiceProgram[] = [];
  readonly workers: ServiceProgram[] = [];
  readonly proxy: SmallProxy;
  readonly ports: readonly number[];
  readonly #stage: Stage;
  readonly #preload: { preload?: string };

  static async start(
    context: RowContext,
    stage: Stage,
    { workers = 2, ...preload }: { preload?: string; workers?: number } = {},
  ): Promise<Fleet> {
    const ports = [await freePort(), await freePort()];
    const proxy = await SmallProxy.start(Number(stage.env["PORT"]), ports);
    context.defer("the proxy", () => proxy.close());
    const fleet = new Fleet(stage, proxy, { ports, preload });
    for (const index of ports.keys()) await fleet.startApi(index);
    for (let index = 0; index < workers; index += 1) await fleet.startWorker(index);
    return fleet;
  }

  private constructor(
    stage: Stage,
    proxy: SmallProxy,
    { ports, preload }: { ports: readonly number[]; preload: { preload?: string } },
  ) {
    this.#stage = stage;
    this.proxy = proxy;
    this.ports = ports;
    this.#preload = preload;
  }

  async startApi(index: number, env: Env = {}): Promise<void> {
    const port = String(this.ports[index]);
    this.apis[index] = await this.#stage.start("api", {
      env: { ...env, PORT: port },
      ...this.#preload,
    });
  }

  async startWorker(index: number, env: Env = {}): Promise<void> {
    this.workers[index] = await this.#stage.start("worker", { env, ...this.#preload });
  }

  /** Ended as an operator ends it, or by a signal, and started again. */
  async replaceApi(
    index: number,
    env: Env = {},
    signal: NodeJS.Signals = "SIGTERM",
  ): Promise<void> {
    await this.apis[index]!.kill(signal);
    await this.startApi(index, env);
  }

  async replaceWorker(
    index: number,
    env: Env = {},
    signal: NodeJS.Signals = "SIGTERM",
  ): Promise<void> {
    await this.workers[index]!.kill(signal);
    await this.startWorker(index, env);
  }
}
