import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import {
  chownSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
} from "node:fs";
import { basename, join } from "node:path";
import { renameDurably, writeFlushed, replaceDurably } from "../durable-files.ts";
import type { Log } from "../log.ts";
import { binaryEnvironment, type Binaries } from "./binaries.ts";
import { diskFull, type Account, type StateFolder } from "./state-folder.ts";
import { StartRefused } from "../start-refused.ts";

const draftPrefix = "init.";
const keptOutputLength = 2000;
const useOwnPostgres = "Set DATABASE_URL to use a Postgres of your own.";

/**
 * Makes sure that there is a complete cluster of our major version, and returns its password.
 * The caller holds the owner lock, and no server runs.
 */
export async function ensureCluster(
  folder: StateFolder,
  options: { binaries: Binaries; log: Log; isDurable: boolean },
): Promise<string> {
  removeDrafts(folder);
  setForgottenClusterAside(folder, options.log);
  if (!existsSync(folder.cluster)) await createCluster(folder, options);
  requireMajorVersion(folder, options.binaries.majorVersion);
  return readFileSync(folder.passwordFile, "utf8").trim();
}

function removeDrafts(folder: StateFolder): void {
  for (const name of readdirSync(folder.home)) {
    if (name.startsWith(draftPrefix)) removeWhileWritten(join(folder.home, name));
  }
}

/** The initdb of a killed owner can write for another moment, and a new file can end the removal early. */
function removeWhileWritten(path: string): void {
  while (existsSync(path))
    rmSync(path, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
}

/**
 * A state folder without a login file is new. A cluster in /var/lib then belongs to a deleted state
 * folder of the same path: it must not be used, and it is not ours to delete.
 */
function setForgottenClusterAside(folder: StateFolder, log: Log): void {
  const isForgotten =
    folder.home !== folder.stateDir && existsSync(folder.cluster) && !existsSync(folder.loginFile);
  if (!isForgotten) return;
  const asideDir = join(folder.home, `set-aside.${randomBytes(4).toString("hex")}`);
  renameSync(folder.cluster, asideDir);
  log.warn(
    { stateDir: folder.stateDir, asideDir },
    "moved the data of a deleted state folder of the same path aside; this one gets an empty database",
  );
}

/** Nothing has its final name before the last step, so a crash never leaves half a cluster in place. */
async function createCluster(
  folder: StateFolder,
  options: { binaries: Binaries; isDurable: boolean },
): Promise<void> {
  const { account } = folder;
  const draft = join(folder.home, `${draftPrefix}${process.pid}`);
  const dataDir = join(draft, "data");
  const passwordFile = join(draft, "password");
  const password = randomBytes(24).toString("base64url");

  mkdirSync(draft, { mode: 0o700 });
  writeFlushed(passwordFile, `${password}\n`);
  if (account) {
    for (const path of [draft, passwordFile]) chownSync(path, account.uid, account.gid);
  }
  await runToEnd(
    options.binaries.initdb,
    initdbArguments(dataDir, passwordFile, options.isDurable),
    { account, folder },
  );
  await runToEnd(
    options.binaries.postgres,
    ["--single", "-D", dataDir, "-c", "exit_on_error=on", "postgres"],
    { account, folder, input: `create database ${database}\n` },
  );
  writeServerLogin(folder.loginFile, password);
  renameDurably(draft, folder.cluster);
}

/** The builtin locale sorts the same on every machine, whatever locales the machine has. */
function initdbArguments(dataDir: string, passwordFile: string, isDurable: boolean): string[] {
  return [
    `--pgdata=${dataDir}`,
    `--username=${user}`,
    `--pwfile=${passwordFile}`,
    "--auth=scram-sha-256",
    "--encoding=UTF8",
    "--locale-provider=builtin",
    "--builtin-locale=C.UTF-8",
    // For what the builtin provider does not cover; macOS has no C.UTF-8.
    process.platform === "darwin" ? "--locale=C" : "--locale=C.UTF-8",
    "--no-instructions",
    ...(isDurable ? [] : ["--no-sync"]),
  ];
}

function requireMajorVersion(folder: StateFolder, majorVersion: string): void {
  const found = readFileSync(join(folder.dataDir, "PG_VERSION"), "utf8").trim();
  if (found !== majorVersion) {
    throw new StartRefused(
      `The data in ${folder.dataDir} was made by Postgres ${found}, ` +
        `and this program runs Postgres ${majorVersion}. ` +
        "Start the version of this program that made the data and move the data with pg_dump, " +
        "or set DATABASE_URL to a Postgres server that has this data.",
    );
  }
}

/** Fails with the last lines that the program printed, unless a sentence says what to do. */
async function runToEnd(
  program: string,
  args: string[],
  {
    account,
    folder,
    input = "",
  }: { account: Account | undefined; folder: StateFolder; input?: string },
): Promise<void> {
  const child = spawn(program, args, {
    cwd: "/",
    env: binaryEnvironment,
    stdio: "pipe",
    ...account,
  });
  let output = "";
  const keepOutput = (chunk: Buffer) => {
    output = (output + chunk.toString()).slice(-keptOutputLength);
  };
  child.stdout.on("data", keepOutput);
  child.stderr.on("data", keepOutput);
  // A program that ends early does not read its input; its exit code says what happened.
  child.stdin.on("error", () => {});
  child.stdin.end(input);

  const { promise, resolve, reject } = Promise.withResolvers<void>();
  child.once("error", (cause) => {
    reject(
      new StartRefused(
        `Cannot run ${program} (${(cause as NodeJS.ErrnoException).code}). ` +
          `On Linux the binaries need glibc. ${useOwnPostgres}`,
        { cause },
      ),
    );
  });
  child.once("close", (code, signal) => {
    if (code === 0) return resolve();
    const what = basename(program);
    const explained = `${what} ended with ${signal ?? code}. ${useOwnPostgres}\n${output.trim()}`;
    reject(diskFull(folder, what, output) ?? new StartRefused(explained));
  });
  await promise;
}

const database = "rollcall";
export const user = "rollcall";

/** The host is the folder of a Unix socket, of whose name the port is a part, or an IP address. */
export function formatDatabaseUrl(
  password: string,
  { host, port }: { host: string; port: number },
): string {
  return `postgres://${user}:${password}@${encodeURIComponent(host)}:${port}/${database}`;
}

/** The password. An unreadable file counts as absent, because the password is also kept beside the data. */
export function readServerLogin(path: string): string | undefined {
  try {
    const { password } = JSON.parse(readFileSync(path, "utf8"));
    return typeof password === "string" ? password : undefined;
  } catch {
    return undefined;
  }
}

export function writeServerLogin(path: string, password: string): void {
  replaceDurably(path, `${JSON.stringify({ password })}\n`);
}
