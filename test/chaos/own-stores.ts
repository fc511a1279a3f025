import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { Client } from "pg";
import {
  binaryEnvironment,
  prepareBinaries,
  type Binaries,
} from "../../src/platform/embedded/binaries.ts";
import { ensureCluster } from "../../src/platform/embedded/cluster.ts";
import { postmasterArguments } from "../../src/platform/embedded/postmaster.ts";
import { formatDatabaseUrl } from "../../src/platform/embedded/server-login.ts";
import { serverSettings } from "../../src/platform/embedded/server-settings.ts";
import { prepareStateFolder, type StateFolder } from "../../src/platform/embedded/state-folder.ts";
import { createLog } from "../../src/platform/log.ts";
import { freePort, startOwnRedis, type OwnRedis } from "../support/redis-server.ts";
import { listTree } from "./process-tree.ts";

/** What happens to a store. It ends with the store as it was. */
export type StoreFault = (lastsMs: number) => Promise<void>;

const startLimitMs = 60_000;

/** A Postgres on TCP whose processes a row may stop, kill and start again. */
export class OwnPostgres {
  readonly url: string;
  readonly #start: () => ChildProcess;
  #child: ChildProcess;

  static async start(folder: string): Promise<OwnPostgres> {
    const home = join(folder, "postgres");
    await mkdir(home);
    const state = prepareStateFolder(home);
    const binaries = prepareBinaries(state.home, state.account);
    const log = createLog({ level: "silent" });
    const password = await ensureCluster(state, { binaries, log, isDurable: false });
    const postgres = new OwnPostgres({ state, binaries, password, port: await freePort() });
    await postgres.untilReady();
    return postgres;
  }

  private constructor(made: {
    state: StateFolder;
    binaries: Binaries;
    password: string;
    port: number;
  }) {
    const { state, binaries, password, port } = made;
    const address = { host: "127.0.0.1", port };
    // As many clients as an operator's Postgres takes by default.
    const settings = { ...serverSettings({ address, isDurable: false }), max_connections: "100" };
    const args = postmasterArguments(state.dataDir, settings);
    this.url = formatDatabaseUrl(password, address);
    this.#start = () =>
      spawn(binaries.postgres, args, {
        cwd: "/",
        env: binaryEnvironment,
        stdio: "ignore",
        ...state.account,
      });
    this.#child = this.#start();
  }

  readonly faults: Readonly<Record<string, StoreFault>> = {
    "Postgres restarts": () => this.#again("SIGINT"),
    "Postgres is killed": () => this.#again("SIGKILL"),
    "Postgres is stopped for a while": async (lastsMs) => {
      const pids = this.#signal("SIGSTOP");
      await delay(lastsMs);
      this.#signal("SIGCONT", pids);
    },
    "database clients are ended": async (lastsMs) => {
      const until = performance.now() + lastsMs;
      while (performance.now() < until) {
        // Its own client may be too slow on a busy machine. The next one ends what this one left.
        await this.endClients().catch(() => undefined);
        await delay(100);
      }
    },
    "all places of Postgres are taken": (lastsMs) => this.#exhaust(lastsMs),
  };

  async endClients(): Promise<void> {
    await this.#withClient(endOthers);
  }

  async untilReady(): Promise<void> {
    const deadline = performance.now() + startLimitMs;
    for (;;) {
      const isReady = await this.#withClient(() => Promise.resolve()).then(
        () => true,
        () => false,
      );
      if (isReady) return;
      if (performance.now() > deadline) throw new Error("Postgres did not start");
      // A process of a killed server that has not ended yet keeps the next server from starting.
      if (this.#hasEnded) this.#child = this.#start();
      await delay(50);
    }
  }

  async stop(): Promise<void> {
    this.#signal("SIGCONT");
    await this.#end("SIGINT");
  }

  async #again(signal: NodeJS.Signals): Promise<void> {
    await this.#end(signal);
    this.#child = this.#start();
    await this.untilReady();
  }

  get #hasEnded(): boolean {
    return this.#child.exitCode !== null || this.#child.signalCode !== null;
  }

  async #end(signal: NodeJS.Signals): Promise<void> {
    if (this.#hasEnded) return;
    const exited = once(this.#child, "exit");
    // A server whose main process alone is killed leaves processes that keep the next one from starting.
    if (signal === "SIGKILL") this.#signal(signal);
    else this.#child.kill(signal);
    await exited;
  }

  /** To the server and each process of it: they are in groups of their own. */
  #signal(
    signal: NodeJS.Signals,
    pids: readonly number[] = listTree([this.#child.pid ?? 0]),
  ): readonly number[] {
    for (const pid of pids) {
      try {
        process.kill(pid, signal);
      } catch {
        // It has ended meanwhile.
      }
    }
    return pids;
  }

  async #exhaust(lastsMs: number): Promise<void> {
    const until = performance.now() + lastsMs;
    const taken: Client[] = [];
    while (performance.now() < until) {
      const client = this.#client();
      await client.connect().then(
        () => taken.push(client),
        () => delay(20),
      );
      // Who had a place has to ask for one too.
      if (taken.length === 1) await endOthers(client).catch(() => undefined);
    }
    await Promise.all(taken.map((client) => client.end()));
  }

  #client(): Client {
    const client = new Client({ connectionString: this.url, connectionTimeoutMillis: 5_000 });
    client.on("error", () => undefined);
    return client;
  }

  async #withClient(work: (client: Client) => Promise<unknown>): Promise<void> {
    const client = this.#client();
    await client.connect();
    try {
      await work(client);
    } finally {
      await client.end();
    }
  }
}

async function endOthers(client: Client): Promise<void> {
  await client.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
     where pid <> pg_backend_pid() and backend_type = 'client backend'`,
  );
}

/** A Redis whose process a row may stop, kill and start again. What it held is lost. */
export class OwnRedisServer {
  readonly url: string;
  #redis: OwnRedis;

  static async start(): Promise<OwnRedisServer> {
    return new OwnRedisServer(await startOwnRedis());
  }

  private constructor(redis: OwnRedis) {
    this.#redis = redis;
    this.url = redis.url;
  }

  readonly faults: Readonly<Record<string, StoreFault>> = {
    "Redis restarts": () => this.#again("SIGTERM", 0),
    "Redis is killed and comes back": (lastsMs) => this.#again("SIGKILL", lastsMs),
    "Redis is stopped for a while": async (lastsMs) => {
      await this.#redis.kill("SIGSTOP");
      await delay(lastsMs);
      await this.#redis.kill("SIGCONT");
    },
  };

  async stop(): Promise<void> {
    await this.#redis.kill("SIGCONT");
    await this.#redis.stop();
  }

  async #again(signal: NodeJS.Signals, awayMs: number): Promise<void> {
    await this.#redis.kill(signal);
    await delay(awayMs);
    this.#redis = await startOwnRedis({ port: Number(new URL(this.url).port) });
  }
}
