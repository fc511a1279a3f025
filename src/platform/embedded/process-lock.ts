import { chmodSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { waitUntil } from "../repeat.ts";
import { withTimeout } from "../with-timeout.ts";
import { StartRefused } from "../start-refused.ts";
import { diskFullAt } from "./state-folder.ts";

export interface ProcessLock {
  release(): void;
}

/** SQLite releases a lock when its object is garbage collected, so every lock is referenced from here. */
const held = new Set<DatabaseSync>();

const sqliteBusy = 5;
const pollMs = 10;

/**
 * Returns a lock that the kernel releases when the process dies, even by kill -9; undefined when another
 * caller has it, in this process or in another one. The file holds no pid that could be mistaken.
 *
 * Node has no flock, but its SQLite takes the same kind of lock: `begin exclusive` on an empty file locks
 * some bytes and writes nothing. Nothing else may open the file: closing any descriptor of it releases all
 * locks that this process has on it.
 */
export function tryProcessLock(path: string): ProcessLock | undefined {
  return tryLock(path, (database) => database.exec("begin exclusive"));
}

/** As `tryProcessLock`, for one of many that have the lock at once, and keep those out who want it alone. */
export function trySharedLock(path: string): ProcessLock | undefined {
  return tryLock(path, (database) => {
    database.exec("begin");
    database.prepare("select count(*) from sqlite_schema").get();
  });
}

function tryLock(path: string, lock: (database: DatabaseSync) => void): ProcessLock | undefined {
  const database = openLockFile(path);
  try {
    lock(database);
    chmodSync(path, 0o600);
  } catch (error) {
    database.close();
    if ((error as { errcode?: number }).errcode === sqliteBusy) return undefined;
    const refusal = new StartRefused(
      `Cannot lock ${path}. Check that the folder is writable and that its file system supports locks.`,
      { cause: error },
    );
    throw diskFullAt(path, error) ?? refusal;
  }
  held.add(database);
  return {
    release: () => {
      if (held.delete(database)) database.close();
    },
  };
}

export async function waitForProcessLock(path: string, limitMs: number): Promise<ProcessLock> {
  return await withTimeout(
    limitMs,
    (signal) => waitUntil(() => tryProcessLock(path), { everyMs: pollMs, signal }),
    {
      timedOut: () =>
        new StartRefused(
          `Another process still has the lock ${path} after ${limitMs / 1000} seconds. ` +
            "End the other processes that use this state folder, then start again.",
        ),
    },
  );
}

function openLockFile(path: string): DatabaseSync {
  try {
    return new DatabaseSync(path, { timeout: 0 });
  } catch (error) {
    throw new StartRefused(
      `Cannot open ${path}. Does the state folder belong to another account?`,
      {
        cause: error,
      },
    );
  }
}
