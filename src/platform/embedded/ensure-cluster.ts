import { randomBytes } from "node:crypto";
import {
  chownSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import type { Binaries } from "./prepare-binaries.ts";
import { database, user, writeConnection } from "./connection-file.ts";
import { renameDurably } from "./durable-rename.ts";
import { EmbeddedPostgresError } from "./embedded-postgres-error.ts";
import type { LauncherLog } from "./launcher-log.ts";
import { runProgram } from "./run-program.ts";
import type { StateFolder } from "./state-folder.ts";

const buildingPrefix = "init.";

/**
 * Returns the password of a cluster that is complete and of our version, making one when there is none.
 * The caller holds the owner lock and no server runs.
 */
export async function ensureCluster(
  folder: StateFolder,
  options: { binaries: Binaries; log: LauncherLog; isDurable: boolean },
): Promise<string> {
  removeUnfinished(folder);
  setAsideForgotten(folder, options.log);
  if (!existsSync(folder.cluster)) await createCluster(folder, options);
  requireVersion(folder, options.binaries.majorVersion);
  return readFileSync(folder.passwordFile, "utf8").trim();
}

function removeUnfinished(folder: StateFolder): void {
  for (const name of readdirSync(folder.home)) {
    if (name.startsWith(buildingPrefix)) removeWhileWritten(join(folder.home, name));
  }
}

/** The initdb of a killed owner may still write for a moment, and a removal that meets it can end early. */
function removeWhileWritten(folder: string): void {
  while (existsSync(folder))
    rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
}

/**
 * A state folder without a connection file is new. Data kept for it in /var/lib is then from a deleted folder of
 * the same path: it must not come back to life, and it is not ours to delete.
 */
function setAsideForgotten(folder: StateFolder, log: LauncherLog): void {
  const isForgotten =
    folder.home !== folder.stateDir && existsSync(folder.cluster) && !existsSync(folder.loginFile);
  if (!isForgotten) return;
  const keptAs = join(folder.home, `set-aside.${randomBytes(4).toString("hex")}`);
  renameSync(folder.cluster, keptAs);
  log.warn(
    { keptAs },
    "the state folder is new; the data of an earlier one of the same path was set aside",
  );
}

/** Until the last step nothing has its final name, so a crash at any moment leaves no half-made cluster behind. */
async function createCluster(
  folder: StateFolder,
  options: { binaries: Binaries; isDurable: boolean },
): Promise<void> {
  const { account } = folder;
  const building = join(folder.home, `${buildingPrefix}${process.pid}`);
  const dataDir = join(building, "data");
  const passwordFile = join(building, "password");
  const password = randomBytes(24).toString("base64url");

  mkdirSync(building, { mode: 0o700 });
  writeFileSync(passwordFile, `${password}\n`, { mode: 0o600, flush: true });
  if (account) {
    for (const path of [building, passwordFile]) chownSync(path, account.uid, account.gid);
  }
  await runProgram(
    options.binaries.initdb,
    initdbArguments(dataDir, passwordFile, options.isDurable),
    { account },
  );
  await runProgram(
    options.binaries.postgres,
    ["--single", "-D", dataDir, "-c", "exit_on_error=on", "postgres"],
    {
      account,
      input: `create database ${database}\n`,
    },
  );
  writeConnection(folder.loginFile, { password });
  renameDurably(building, folder.cluster);
}

/** The builtin locale sorts the same on every machine, whatever the C library there knows. */
function initdbArguments(dataDir: string, passwordFile: string, isDurable: boolean): string[] {
  return [
    `--pgdata=${dataDir}`,
    `--username=${user}`,
    `--pwfile=${passwordFile}`,
    "--auth=scram-sha-256",
    "--encoding=UTF8",
    "--locale-provider=builtin",
    "--builtin-locale=C.UTF-8",
    // macOS has no C.UTF-8 of its own for what the provider does not cover.
    process.platform === "darwin" ? "--locale=C" : "--locale=C.UTF-8",
    "--no-instructions",
    ...(isDurable ? [] : ["--no-sync"]),
  ];
}

function requireVersion(folder: StateFolder, majorVersion: string): void {
  const found = readFileSync(join(folder.dataDir, "PG_VERSION"), "utf8").trim();
  if (found !== majorVersion) {
    throw new EmbeddedPostgresError(
      `The data in ${folder.dataDir} was made by Postgres ${found}, and this program brings Postgres ${majorVersion}. ` +
        `Start the version of this program that made the data and move it with pg_dump, or set DATABASE_URL to a Postgres ${found} server.`,
    );
  }
}
