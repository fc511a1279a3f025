import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { projectDir } from "../support/program-environment.ts";
import { dependenciesOf, isTask, type Project, type Service } from "./compose.ts";
import type { Ended, Engine } from "./engine.ts";

const healthyLimitMs = 240_000;
const lookMs = 100;

/**
 * The services of compose files, as containers of one run. Two things are not as in the files: names begin with those
 * of the run, and each port is published on a free one of the loopback address.
 */
export class Stack {
  readonly engine: Engine;
  readonly prefix: string;
  readonly project: Project;
  /** What `.env` holds. */
  variables: Readonly<Record<string, string>>;
  readonly #running = new Set<string>();
  #isOver = false;

  constructor(
    engine: Engine,
    prefix: string,
    project: Project,
    variables: Readonly<Record<string, string>>,
  ) {
    this.engine = engine;
    this.prefix = prefix;
    this.project = project;
    this.variables = variables;
  }

  nameOf(service: string, number = 1): string {
    return `${this.prefix}-${service}-${number}`;
  }

  /** Makes the network and the volumes. */
  async prepare(): Promise<void> {
    const range = this.project.networks?.default.ipam.config[0];
    await this.engine.must([
      "network",
      "create",
      ...(range ? ["--subnet", range.subnet] : []),
      ...(range?.ip_range ? ["--ip-range", range.ip_range] : []),
      this.prefix,
    ]);
    for (const volume of Object.keys(this.project.volumes))
      await this.engine.must(["volume", "create", `${this.prefix}_${volume}`]);
  }

  /** Starts one of each service, in the order of what they depend on. Milliseconds until each was healthy. */
  async up(): Promise<Record<string, number>> {
    await this.prepare();
    const readyMs: Record<string, number> = {};
    const start = async (name: string): Promise<void> => {
      if (readyMs[name] !== undefined) return;
      for (const needed of dependenciesOf(this.#find(name))) await start(needed);
      readyMs[name] = await this.start(name);
    };
    for (const name of Object.keys(this.project.services)) await start(name);
    return readyMs;
  }

  /** Starts one container of a service; milliseconds until it was healthy. */
  async start(name: string, number = 1): Promise<number> {
    if (this.#isOver) throw new Error(`${name} is not started: the run ends`);
    const service = this.#find(name);
    const container = this.nameOf(name, number);
    const environment: Record<string, string> = {
      ...(service.env_file ? this.variables : {}),
      ...service.environment,
    };
    const startedAt = performance.now();
    this.#running.add(container);
    await this.engine.must(
      [
        "run",
        "--detach",
        ...this.engine.placeFlags,
        ...flag("--name", container),
        ...flag("--network", this.prefix),
        ...networkFlags(name, service),
        ...limitFlags(service),
        ...Object.keys(environment).flatMap((variable) => ["--env", variable]),
        ...service.volumes.flatMap((volume) => ["--volume", this.#mount(volume)]),
        ...service.ports.flatMap((port) => ["--publish", `127.0.0.1::${port.split(":").at(-1)}`]),
        service.image,
        ...service.command,
      ],
      { variables: environment },
    );
    if (isTask(this.project, name)) await this.#untilDone(name, number);
    else await this.untilHealthy(name, number);
    return Math.round(performance.now() - startedAt);
  }

  /** Waits for the service's own health check to pass. Throws with the last lines of its log when it does not. */
  async untilHealthy(name: string, number = 1): Promise<void> {
    const test = this.#find(name).healthcheck?.test;
    if (!test) return;
    const [kind, ...words] = test;
    const command = kind === "CMD-SHELL" ? ["sh", "-c", words.join(" ")] : words;
    const until = performance.now() + healthyLimitMs;
    let last: Ended = { code: null, stdout: "", stderr: "" };
    while (performance.now() < until) {
      last = await this.exec(name, command, { number });
      if (last.code === 0) return;
      if (!(await this.isRunning(name, number))) break;
      await delay(lookMs);
    }
    throw new Error(
      `${name} is not healthy: ${last.stderr.trim()}\n${await this.log(name, number)}`,
    );
  }

  async #untilDone(name: string, number: number): Promise<void> {
    const code = await this.engine.must(["wait", this.nameOf(name, number)]);
    if (code !== "0") throw new Error(`${name} failed:\n${await this.log(name, number)}`);
  }

  async isRunning(name: string, number = 1): Promise<boolean> {
    return (await this.inspect(name, "{{.State.Running}}", number)) === "true";
  }

  async exec(
    name: string,
    command: readonly string[],
    { number = 1, input }: { number?: number; input?: string | Buffer } = {},
  ): Promise<Ended> {
    return await this.engine.run(
      [
        "exec",
        ...(input === undefined ? [] : ["--interactive"]),
        this.nameOf(name, number),
        ...command,
      ],
      input === undefined ? {} : { input },
    );
  }

  /** `docker compose exec api rollcall …`. Throws when the command fails. */
  async rollcall(...args: string[]): Promise<string> {
    return await this.engine.must(["exec", this.nameOf("api"), "rollcall", ...args]);
  }

  async json<Value>(...args: string[]): Promise<Value> {
    return JSON.parse(await this.rollcall(...args, "--json")) as Value;
  }

  async inspect(name: string, format: string, number = 1): Promise<string> {
    const { stdout } = await this.engine.run([
      "inspect",
      ...flag("--type", "container"),
      ...flag("--format", format),
      this.nameOf(name, number),
    ]);
    return stdout.trim();
  }

  async log(name: string, number = 1): Promise<string> {
    const { stdout, stderr } = await this.engine.run([
      "logs",
      "--tail",
      "15",
      this.nameOf(name, number),
    ]);
    return stdout + stderr;
  }

  /** Where a published port of a container is on this machine. */
  async portOf(name: string, port: number, number = 1): Promise<number> {
    const shown = await this.engine.must(["port", this.nameOf(name, number), `${port}/tcp`]);
    return Number(shown.split("\n")[0]?.split(":").at(-1));
  }

  /** Stops and removes one container; milliseconds until it had stopped by itself. */
  async stop(name: string, number = 1): Promise<number> {
    const container = this.nameOf(name, number);
    const startedAt = performance.now();
    await this.engine.must(["stop", container]);
    const stopMs = Math.round(performance.now() - startedAt);
    const code = await this.inspect(name, "{{.State.ExitCode}}", number);
    await this.engine.must(["rm", "--force", "--volumes", container]);
    this.#running.delete(container);
    if (code === "137") throw new Error(`${name} was killed: it did not stop in its grace period`);
    return stopMs;
  }

  /** Stops and starts a container again with what the files and the variables say now. */
  async recreate(name: string, number = 1): Promise<{ stopMs: number; readyMs: number }> {
    return { stopMs: await this.stop(name, number), readyMs: await this.start(name, number) };
  }

  /** Removes what this run made, and nothing else. */
  async down(): Promise<void> {
    this.#isOver = true;
    for (const container of this.#running)
      await this.engine.run(["rm", "--force", "--volumes", container]);
    for (const volume of Object.keys(this.project.volumes))
      await this.engine.run(["volume", "rm", `${this.prefix}_${volume}`]);
    await this.engine.run(["network", "rm", this.prefix]);
  }

  #find(name: string): Service {
    const service = this.project.services[name];
    if (!service) throw new Error(`the compose files have no service ${name}`);
    return service;
  }

  #mount(volume: string): string {
    const [source = "", ...rest] = volume.split(":");
    const path = source.startsWith("./") ? join(projectDir, source) : `${this.prefix}_${source}`;
    return [source.startsWith("/") ? source : path, ...rest].join(":");
  }
}

function flag(name: string, value: string): string[] {
  return [name, value];
}

function networkFlags(name: string, { networks }: Service): string[] {
  const { ipv4_address: address, aliases = [] } = networks?.default ?? {};
  return [
    ...[name, ...aliases].flatMap((alias) => ["--network-alias", alias]),
    ...(address ? ["--ip", address] : []),
  ];
}

function limitFlags(service: Service): string[] {
  return [
    ...flag("--restart", service.restart),
    ...flag("--memory", service.mem_limit),
    ...(service.init ? ["--init"] : []),
    ...(service.read_only ? ["--read-only"] : []),
    ...service.tmpfs.flatMap((path) => ["--tmpfs", path]),
    ...service.cap_drop.flatMap((capability) => ["--cap-drop", capability]),
    ...service.security_opt.flatMap((option) => ["--security-opt", option]),
    ...(service.stop_grace_period
      ? ["--stop-timeout", service.stop_grace_period.replace("s", "")]
      : []),
    ...(service.logging
      ? [
          ...flag("--log-driver", service.logging.driver),
          ...Object.entries(service.logging.options).flatMap(([key, value]) => [
            "--log-opt",
            `${key}=${value}`,
          ]),
        ]
      : []),
  ];
}
