import { readFileSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { EmbeddedPostgresError } from "./embedded-postgres-error.ts";

/** Whom Postgres runs as. It refuses to run as root. */
export interface Account {
  uid: number;
  gid: number;
}

export const isRoot = process.getuid?.() === 0;

/** No account is ever created. */
export function findUnprivilegedAccount(): Account {
  const entries = readFileSync("/etc/passwd", "utf8")
    .split("\n")
    .map((line) => line.split(":"));
  const entry =
    entries.find(([name]) => name === "postgres") ?? entries.find(([name]) => name === "nobody");
  if (!entry) {
    throw new EmbeddedPostgresError(
      "Postgres cannot run as root and this machine has neither an account postgres nor nobody. " +
        "Start as a normal user, or set DATABASE_URL to a Postgres of your own.",
    );
  }
  return { uid: Number(entry[2]), gid: Number(entry[3]) };
}

export function ownerOf(path: string): Account {
  const { uid, gid } = statSync(path);
  return { uid, gid };
}

/** Whether the account may pass through every folder down to and including `path`. */
export function canReach(account: Account, path: string): boolean {
  const { uid, gid, mode } = statSync(path);
  const executeBit = uid === account.uid ? 0o100 : gid === account.gid ? 0o010 : 0o001;
  if ((mode & executeBit) === 0) return false;
  const parent = dirname(path);
  return parent === path || canReach(account, parent);
}
