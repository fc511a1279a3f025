const batch = 500;

/** The work is done to a few at a time: however many they are, no statement takes long. */
export async function inBatches<Id extends string>(
  ids: readonly Id[],
  work: (some: readonly Id[]) => Promise<unknown>,
): Promise<void> {
  for (let first = 0; first < ids.length; first += batch)
    await work(ids.slice(first, first + batch));
}
