import type { Resource } from "../model/index.ts";
import { attempt } from "./expect-failure.ts";
import type { Trial } from "./trial.ts";

/** So many requests of one read are made to fail, one after the other. */
const mostRequests = 6;

type Kind = "fails" | "odd-status";

/**
 * Reads again and again, each time with another request that the server fails, or answers with a status that there is
 * not. Returns how many requests a read makes, and which of these reads count as complete.
 */
export async function interfere(
  trial: Trial,
  resource: Resource,
  kind: Kind,
): Promise<{ requests: number; complete: readonly number[] }> {
  const parameters = await trial.parametersOf(resource);
  await trial.read(resource, { parameters });
  const requests = trial.watch.readRequests;
  const complete: number[] = [];
  for (const index of spread(requests)) {
    trial.watch.interference = { resource, index, kind };
    const read = await attempt(() => trial.read(resource, { parameters }));
    if ("result" in read) complete.push(index);
  }
  trial.watch.interference = undefined;
  return { requests, complete };
}

/** The first, the last and some between them. */
export function spread(count: number, mostTries = mostRequests): number[] {
  const most = Math.min(count, mostTries);
  const indexes = Array.from({ length: most }, (_value, place) =>
    most === 1 ? 0 : Math.round((place * (count - 1)) / (most - 1)),
  );
  return [...new Set(indexes)];
}
