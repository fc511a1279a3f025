import { createHash } from "node:crypto";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  statSync,
  statfsSync,
} from "node:fs";
import { dirname, join, basename } from "node:path";
import { StartRefused } from "../start-refused.ts";

/** The account that Postgres runs as when this program runs as root: Postgres refuses to run as root. */
export interface Account {
  uid: number;
  gid: number;
}

/** The paths that belong to one state folder, and the account that owns its data. */
export interface StateFolder {
  stateDir: string;
  /** Holds the cluster and the locks: `stateDir`, or a folder in /var/lib if Postgres cannot reach it. */
  home: string;
  /** Absent when this program does not run as root: Postgres then runs as the same user. */
  account?: Account;
  /** Holds the data folder and the password it was made with. It exists complete or not at all. */
  cluster: string;
  dataDir: string;
  passwordFile: string;
  loginFile: string;
  ownerLockFile: string;
  /** The lock of commands that use the server and cannot bear that it stops. */
  useLockFile: string;
  supervisorLockFile: string;
  logFile: string;
}

export const isRoot = process.getuid?.() === 0;

const sharedHome = "/var/lib/rollcall";

export function prepareStateFolder(requestedStateDir: string): StateFolder {
  mkdirSync(requestedStateDir, { recursive: true });
  const stateDir = realpathSync(requestedStateDir);
  restrict(stateDir);
  return isRoot ? folderForRoot(stateDir) : folderAt(stateDir, stateDir);
}

/** The account `postgres`, or else `nobody`. No account is ever created. */
export function findUnprivilegedAccount(): Account {
  const entries = readFileSync("/etc/passwd", "utf8")
    .split("\n")
    .map((line) => line.split(":"));
  const entry =
    entries.find(([name]) => name === "postgres") ?? entries.find(([name]) => name === "nobody");
  if (!entry) {
    throw new StartRefused(
      "Postgres refuses to run as root, and this machine has no account postgres or nobody. " +
        "Start as a normal user, or set DATABASE_URL to use a Postgres of your own.",
    );
  }
  return { uid: Number(entry[2]), gid: Number(entry[3]) };
}

/** True when the account may enter every folder on the way to `path`, and `path` itself. */
export function canReach(account: Account, path: string): boolean {
  const { uid, gid, mode } = statSync(path);
  const executeBit = uid === account.uid ? 0o100 : gid === account.gid ? 0o010 : 0o001;
  if ((mode & executeBit) === 0) return false;
  const parent = dirname(path);
  return parent === path || canReach(account, parent);
}

/** Existing data stays with the account that owns it, even if an account `postgres` is added later. */
function folderForRoot(stateDir: string): StateFolder {
  const folder = folderAt(stateDir, stateDir);
  if (existsSync(folder.cluster)) return { ...folder, account: ownerOfData(folder.cluster) };

  const account = findUnprivilegedAccount();
  if (canReach(account, stateDir)) return { ...folder, account };

  const home = sharedHomeOf(stateDir);
  for (const path of [sharedHome, home]) {
    mkdirSync(path, { recursive: true });
    restrict(path);
  }
  const shared = folderAt(stateDir, home);
  return { ...shared, account: existsSync(shared.cluster) ? ownerOfData(shared.cluster) : account };
}

function sharedHomeOf(stateDir: string): string {
  return join(sharedHome, createHash("sha256").update(stateDir).digest("hex").slice(0, 12));
}

/** The folders where the data of a state folder can be. Makes and changes nothing. */
export function listStateFolders(requestedStateDir: string): StateFolder[] {
  if (!existsSync(requestedStateDir)) return [];
  const stateDir = realpathSync(requestedStateDir);
  return [stateDir, sharedHomeOf(stateDir)].map((home) => folderAt(stateDir, home));
}

function ownerOfData(cluster: string): Account {
  const owner = statSync(cluster);
  if (owner.uid !== 0) return { uid: owner.uid, gid: owner.gid };
  const { uid, gid } = findUnprivilegedAccount();
  throw new StartRefused(
    `The data in ${cluster} belongs to root, and Postgres refuses to run as root. ` +
      `If the data was copied here, give it to the account of Postgres: chown -R ${uid}:${gid} ${cluster}`,
  );
}

function folderAt(stateDir: string, home: string): StateFolder {
  const cluster = join(home, "cluster");
  return {
    stateDir,
    home,
    cluster,
    dataDir: join(cluster, "data"),
    passwordFile: join(cluster, "password"),
    loginFile: join(stateDir, "postgres-login.json"),
    ownerLockFile: join(home, "owner.lock"),
    useLockFile: join(home, "use.lock"),
    supervisorLockFile: join(home, "supervisor.lock"),
    logFile: join(stateDir, "postgres.log"),
  };
}

/** The account of Postgres must be able to pass through. A folder of another owner keeps its mode. */
function restrict(path: string): void {
  try {
    chmodSync(path, isRoot ? 0o711 : 0o700);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EPERM") throw error;
  }
}

const needed = "about 200 MB";

/** The refusal of a start whose program of Postgres said that there is no room. Undefined when it said no such thing. */
export function diskFull(
  { home }: Pick<StateFolder, "home">,
  program: string,
  output: string,
): StartRefused | undefined {
  if (!/No space left on device|Disk quota exceeded/.test(output)) return undefined;
  return new StartRefused(
    explainFull(home, `Postgres (${program}) could not write its data there`),
  );
}

/** The same for a file of ours that could not be used. Undefined when its disk has room. */
export function diskFullAt(path: string, cause: unknown): StartRefused | undefined {
  if (statfsSync(dirname(path)).bavail > 0) return undefined;
  return new StartRefused(explainFull(dirname(path), `${basename(path)} could not be used`), {
    cause,
  });
}

function explainFull(folder: string, what: string): string {
  return (
    `The disk of ${folder} is full: ${what}. Make room on it, ${needed} for a start, or choose another folder with ` +
    "STATE_DIR."
  );
}
