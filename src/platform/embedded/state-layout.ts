import { createHash } from "node:crypto";
import { chmodSync, existsSync, mkdirSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { canReach, findUnprivilegedAccount, isRoot, ownerOf, type Account } from "./account.ts";
import { EmbeddedPostgresError } from "./embedded-postgres-error.ts";

/** Where everything of one state folder lies. */
export interface StateLayout {
  stateDir: string;
  /** Holds the cluster and the locks: the state folder itself, or a folder in /var/lib when Postgres cannot get there. */
  home: string;
  /** Absent when we are a normal user: then Postgres runs as us. */
  account?: Account;
  /** One folder, made whole or not at all: the data folder and the password it was made with. */
  cluster: string;
  dataDir: string;
  passwordFile: string;
  connectionFile: string;
  ownerLockFile: string;
  supervisorLockFile: string;
  logFile: string;
}

const sharedHome = "/var/lib/rollcall";

export function prepareStateLayout(requestedStateDir: string): StateLayout {
  mkdirSync(requestedStateDir, { recursive: true });
  const stateDir = realpathSync(requestedStateDir);
  restrict(stateDir);
  return isRoot ? layoutForRoot(stateDir) : layoutIn(stateDir, stateDir);
}

/** Data that exists stays with the account that owns it, also when an account of a better name appears later. */
function layoutForRoot(stateDir: string): StateLayout {
  const cluster = join(stateDir, "cluster");
  if (existsSync(cluster))
    return { ...layoutIn(stateDir, stateDir), account: ownerOfData(cluster) };

  const account = findUnprivilegedAccount();
  if (canReach(account, stateDir)) return { ...layoutIn(stateDir, stateDir), account };

  const home = join(sharedHome, createHash("sha256").update(stateDir).digest("hex").slice(0, 12));
  for (const folder of [sharedHome, home]) {
    mkdirSync(folder, { recursive: true });
    restrict(folder);
  }
  const layout = layoutIn(stateDir, home);
  return { ...layout, account: existsSync(layout.cluster) ? ownerOfData(layout.cluster) : account };
}

function ownerOfData(cluster: string): Account {
  const owner = ownerOf(cluster);
  if (owner.uid !== 0) return owner;
  const { uid, gid } = findUnprivilegedAccount();
  throw new EmbeddedPostgresError(
    `The data in ${cluster} belongs to root, as which Postgres cannot run. Was it copied here? Give it back with: chown -R ${uid}:${gid} ${cluster}`,
  );
}

function layoutIn(stateDir: string, home: string): StateLayout {
  const cluster = join(home, "cluster");
  return {
    stateDir,
    home,
    cluster,
    dataDir: join(cluster, "data"),
    passwordFile: join(cluster, "password"),
    connectionFile: join(stateDir, "connection.json"),
    ownerLockFile: join(home, "owner.lock"),
    supervisorLockFile: join(home, "supervisor.lock"),
    logFile: join(stateDir, "postgres.log"),
  };
}

/** As root the account of Postgres must pass through. A folder that we do not own keeps the mode its owner chose. */
function restrict(folder: string): void {
  try {
    chmodSync(folder, isRoot ? 0o711 : 0o700);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EPERM") throw error;
  }
}
