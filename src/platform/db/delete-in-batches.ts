/** Few enough that a statement is done within a moment, also where the values are large. */
const batch = 500;

/**
 * Deletes until a batch finds less than it may delete, or the signal fires. However much there is, no statement holds
 * many rows, and a process that stops waits for one of them at most. `deleteBatch` returns how many it deleted.
 */
export async function deleteInBatches(
  deleteBatch: (limit: number) => Promise<number>,
  signal?: AbortSignal,
): Promise<void> {
  let deleted = batch;
  while (deleted === batch && !isAborted(signal)) deleted = await deleteBatch(batch);
}

function isAborted(signal: AbortSignal | undefined): boolean {
  return signal?.aborted === true;
}
