import { chmodSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as delay } from "node:timers/promises";
import { EmbeddedPostgresError } from "./embedded-postgres-error.ts";

export interface ProcessLock {
  release(): void;
}

/** SQLite drops a lock when its object is garbage collected, and a caller may well keep nothing of a server but its address. */
const held = new Set<DatabaseSync>();

const sqliteBusy = 5;
const pollMs = 10;

/**
 * A lock that the kernel drops when its holder dies, even by kill -9. No pid is stored, so none can be mistaken.
 *
 * Node has no flock, but its SQLite takes the same kind of lock: `begin immediate` on an empty file locks one byte
 * and writes nothing. It also excludes two holders inside one process. The file must never be opened by other
 * means, because closing any descriptor of it drops the locks of the whole process.
 */
export function tryProcessLock(path: string): ProcessLock | undefined {
  const database = openLockFile(path);
  try {
    database.exec("begin immediate");
    chmodSync(path, 0o600);
  } catch (error) {
    database.close();
    if ((error as { errcode?: number }).errcode === sqliteBusy) return undefined;
    throw new EmbeddedPostgresError(`Cannot lock ${path}.`, { cause: error });
  }
  held.add(database);
  return {
    release: () => {
      if (held.delete(database)) database.close();
    },
  };
}

export async function waitForProcessLock(path: string, limitMs: number): Promise<ProcessLock> {
  const startedMs = performance.now();
  for (;;) {
    const lock = tryProcessLock(path);
    if (lock) return lock;
    if (performance.now() - startedMs > limitMs) {
      throw new EmbeddedPostgresError(
        `Another process still holds ${path} after ${limitMs / 1000} seconds.`,
      );
    }
    await delay(pollMs);
  }
}

function openLockFile(path: string): DatabaseSync {
  try {
    return new DatabaseSync(path, { timeout: 0 });
  } catch (error) {
    throw new EmbeddedPostgresError(
      `Cannot open ${path}. Does the state folder belong to another account?`,
      { cause: error },
    );
  }
}
