import { execFileSync, spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { chown, mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { Client } from "pg";
import {
  binaryEnvironment,
  prepareBinaries,
  type Binaries,
} from "../../src/platform/embedded/binaries.ts";
import { ensureCluster, formatDatabaseUrl, user } from "../../src/platform/embedded/cluster.ts";
import { postmasterArguments, serverSettings } from "../../src/platform/embedded/postmaster.ts";
import { prepareStateFolder, type StateFolder } from "../../src/platform/embedded/state-folder.ts";
import { createLog } from "../../src/platform/log.ts";
import { freePort, startOwnRedis, type OwnRedis } from "../support/redis-server.ts";
import { listTree } from "./process-tree.ts";

/** What happens to a store. It ends with the store as it was. */
export type StoreFault = (lastsMs: number) => Promise<void>;

/** Of a server that may have a standby. */
export const forReplication: Readonly<Record<string, string>> = {
  wal_level: "replica",
  max_wal_senders: "4",
  wal_keep_size: "256MB",
};

interface Made {
  state: StateFolder;
  binaries: Binaries;
  password: string;
  port: number;
  settings: Readonly<Record<string, string>>;
}

const startLimitMs = 60_000;

/** A Postgres on TCP whose processes a row may stop, kill and start again. */
export class OwnPostgres {
  readonly url: string;
  readonly #made: Made;
  readonly #start: () => ChildProcess;
  #child: ChildProcess;

  static async start(
    folder: string,
    settings: Readonly<Record<string, string>> = {},
  ): Promise<OwnPostgres> {
    const home = join(folder, "postgres");
    await mkdir(home);
    const state = prepareStateFolder(home);
    const binaries = prepareBinaries(state.home, state.account);
    const log = createLog({ level: "silent" });
    const password = await ensureCluster(state, { binaries, log, isDurable: false });
    const port = await freePort();
    return await OwnPostgres.#begin({ state, binaries, password, port, settings });
  }

  static async #begin(made: Made): Promise<OwnPostgres> {
    const postgres = new OwnPostgres(made);
    await postgres.untilReady();
    return postgres;
  }

  private constructor(made: Made) {
    const { state, binaries, password, port } = made;
    const address = { host: "127.0.0.1", port };
    const settings = {
      ...serverSettings({ socketFolder: "", isDurable: false }),
      listen_addresses: address.host,
      unix_socket_directories: "",
      port: String(port),
      // As many clients as an operator's Postgres takes by default.
      max_connections: "100",
      ...made.settings,
    };
    const args = postmasterArguments(state.dataDir, settings);
    this.#made = made;
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

  /**
   * A standby of this server, which has to have `forReplication` among its settings. From now on a commit is in both.
   * Nothing may be written meanwhile.
   */
  async startStandby(): Promise<OwnPostgres> {
    const { state, password, port } = this.#made;
    const dataDir = `${state.dataDir}-standby`;
    await this.#withClient(async (client) => {
      await client.query("select pg_backup_start('standby', true)");
      execFileSync("cp", ["-a", state.dataDir, dataDir]);
      const { rows } = await client.query<{ labelfile: string }>(
        "select labelfile from pg_backup_stop(false)",
      );
      await rm(join(dataDir, "postmaster.pid"));
      await writeFile(join(dataDir, "backup_label"), rows[0]!.labelfile);
      await writeFile(join(dataDir, "standby.signal"), "");
      const { account } = state;
      for (const name of account ? ["backup_label", "standby.signal"] : [])
        await chown(join(dataDir, name), account!.uid, account!.gid);
    });
    const primary = `host=127.0.0.1 port=${port} user=${user} password=${password}`;
    const standby = await OwnPostgres.#begin({
      ...this.#made,
      state: { ...state, dataDir },
      port: await freePort(),
      settings: { ...this.#made.settings, primary_conninfo: primary },
    });
    await this.#withClient(async (client) => {
      await client.query("alter system set synchronous_standby_names = '*'");
      await client.query("select pg_reload_conf()");
      await untilSynchronous(client);
    });
    return standby;
  }

  /** Makes a standby the primary. */
  async promote(): Promise<void> {
    await this.#withClient((client) => client.query("select pg_promote(true, 60)"));
  }

  /** It dies and stays away. */
  async die(): Promise<void> {
    await this.#end("SIGKILL");
  }

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

async function untilSynchronous(client: Client): Promise<void> {
  const deadline = performance.now() + startLimitMs;
  for (;;) {
    const { rowCount } = await client.query(
      "select from pg_stat_replication where sync_state = 'sync' and state = 'streaming'",
    );
    if (rowCount === 1) return;
    if (performance.now() > deadline) throw new Error("the standby does not follow");
    await delay(50);
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
