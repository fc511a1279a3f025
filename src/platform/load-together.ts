import DataLoader from "dataloader";

/** What is asked for in one turn of the event loop is found by one call, for at most so many of them. */
export function loadTogether<Key, Value>(
  find: (keys: readonly Key[]) => Promise<Value[]>,
  mostTogether: number,
): Pick<DataLoader<Key, Value>, "load"> {
  return new DataLoader(find, {
    // Each request looks at what is true now.
    cache: false,
    maxBatchSize: mostTogether,
    batchScheduleFn: (findTogether) => void setImmediate(findTogether),
  });
}
