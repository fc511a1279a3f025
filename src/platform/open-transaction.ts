import { AsyncLocalStorage } from "node:async_hooks";

const current = new AsyncLocalStorage<{ isOpen: boolean }>();

/** Runs the work of a transaction, so that `refuseInTransaction` knows of it. */
export async function runInTransaction<Result>(work: () => Promise<Result>): Promise<Result> {
  const transaction = { isOpen: true };
  try {
    return await current.run(transaction, work);
  } finally {
    // The work may have begun something that goes on after it.
    transaction.isOpen = false;
  }
}

/**
 * Throws when the caller is in the work of a transaction. Whatever waits for somebody else calls it first: a
 * transaction that waits holds its locks and its database client, and the server ends it after ten seconds.
 */
export function refuseInTransaction(what: string): void {
  if (current.getStore()?.isOpen)
    throw new Error(
      `${what} was begun in a transaction; it has to come before it or after its commit`,
    );
}
