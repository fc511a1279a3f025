import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { request } from "undici";
import { checkOfProgram } from "./description-check.ts";
import { HttpClient } from "./http-client.ts";
import { onlyEndToEnd } from "./only-end-to-end.ts";
import { programEnvironment, projectDir } from "./program-environment.ts";
import { freePort } from "./redis-server.ts";

export interface Exit {
  code: number | null;
  signal: NodeJS.Signals | null;
}

/** For reads. Each costs half a second of a core to start; test/support/killed-workers.ts has as many as operators. */
const oneChild = { ADAPTER_PROCESSES: "1" };
const startLimitMs = 300_000;
const stopLimitMs = 60_000;

/** The service as an operator runs it, with only the given environment. */
export class ServiceProcess {
  readonly port: number;
  readonly baseUrl: string;
  readonly exited: Promise<Exit>;
  readonly #program: string;
  readonly #child: ChildProcess;
  #output = "";
  #http: HttpClient | undefined;

  constructor(env: Record<string, string>, port: number, program: string) {
    onlyEndToEnd("the service");
    this.port = port;
    this.baseUrl = `http://127.0.0.1:${port}`;
    this.#program = program;
    this.#child = spawn(join(program, "bin/start"), [], {
      cwd: program,
      env: programEnvironment({ PORT: String(port), ...oneChild, ...env }),
      stdio: ["ignore", "pipe", "pipe"],
    });
    for (const stream of [this.#child.stdout, this.#child.stderr])
      stream?.on("data", (chunk: Buffer) => (this.#output += chunk.toString()));
    this.exited = once(this.#child, "close").then(([code, signal]) => ({
      code: code as number | null,
      signal: signal as NodeJS.Signals | null,
    }));
  }

  get pid(): number {
    return this.#child.pid ?? 0;
  }

  /** All standard output and standard error so far. */
  get output(): string {
    return this.#output;
  }

  get isRunning(): boolean {
    return this.#child.exitCode === null && this.#child.signalCode === null;
  }

  /** Checks every reply against the description that processes of its program publish. */
  get http(): HttpClient {
    if (!this.#http) throw new Error("the service is not ready yet");
    return this.#http;
  }

  async untilServing(): Promise<this> {
    await this.#until(
      async () => (await request(`${this.baseUrl}/readyz`)).statusCode === 200,
      "it did not serve",
    );
    const swagger = async (): Promise<unknown> =>
      await (await request(`${this.baseUrl}/openapi.json`)).body.json();
    // While it can still be asked: it may be gone when a reply is checked.
    await checkOfProgram(this.#program, swagger);
    this.#http = new HttpClient(this.baseUrl, { swagger }, this.#program);
    return this;
  }

  /**
   * Waits for the log line that ends the start. A worker serves nothing, so this is all that it
   * shows.
   */
  async untilStarted(): Promise<this> {
    await this.#until(() => this.#output.includes('"msg":"started"'), "it did not start");
    return this;
  }

  kill(signal: NodeJS.Signals): void {
    this.#child.kill(signal);
  }

  async stop(): Promise<Exit> {
    if (!this.isRunning) return await this.exited;
    this.kill("SIGTERM");
    const timer = setTimeout(() => this.kill("SIGKILL"), stopLimitMs);
    const exit = await this.exited;
    clearTimeout(timer);
    return exit;
  }

  async #until(isReached: () => Promise<boolean> | boolean, otherwise: string): Promise<void> {
    const startedAt = performance.now();
    for (;;) {
      if (!this.isRunning)
        throw new Error(`the service ended before it was ready:\n${this.#output}`);
      if (await Promise.resolve(isReached()).catch(() => false)) return;
      if (performance.now() - startedAt > startLimitMs)
        throw new Error(`${otherwise}:\n${this.#output}`);
      await delay(25);
    }
  }
}

/**
 * A process that is not ready yet, for starts that fail or are interrupted. `program` is the folder of another copy of
 * the program.
 */
export async function spawnService(
  env: Record<string, string>,
  program = projectDir,
): Promise<ServiceProcess> {
  return new ServiceProcess(env, Number(env["PORT"] ?? (await freePort())), program);
}

/** A process that serves. */
export async function startService(env: Record<string, string>): Promise<ServiceProcess> {
  return await (await spawnService(env)).untilServing();
}

/** A process of the role `worker`. */
export async function startWorker(env: Record<string, string>): Promise<ServiceProcess> {
  return await (await spawnService({ ...env, ROLE: "worker" })).untilStarted();
}
