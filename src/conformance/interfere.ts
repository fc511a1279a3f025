import type { Resource } from "../model/index.ts";
import { chooseOfEachKind } from "./choose-some.ts";
import { attempt } from "./expect-failure.ts";
import { onceFor } from "./once-for.ts";
import type { ReadRecord, Trial } from "./trial.ts";
import type { SeenRequest } from "./watch-provider.ts";

/** So many requests of one read are broken, one after the other. */
const mostRequests = 6;

const kinds = ["fails", "odd-status"] as const;

/** What came of it when each of some requests of a read was broken. */
interface Interfered {
  resource: Resource;
  /** Of the read with nothing broken. */
  records: readonly ReadRecord[];
  /** So many a read makes. */
  requests: number;
  /**
   * The reads that count as complete, by the request that was broken: the first one is 0. Without those that asked once
   * more and have all that there is.
   */
  complete: readonly { kind: (typeof kinds)[number]; index: number }[];
}

/** What an adapter does when a request of a read is broken, once for all checks that look at it. */
export const breakRequests = onceFor(async (trial) => {
  const signedIn = await trial.signIn();
  const reads: Interfered[] = [];
  for (const resource of trial.resources) reads.push(await interfere(trial, resource));
  return { fake: trial.fake, signedIn, sayings: trial.sayings.all, reads };
});

/**
 * Reads again and again, each time with another request that the server fails, or answers with a status that there is
 * not.
 */
async function interfere(trial: Trial, resource: Resource): Promise<Interfered> {
  const parameters = await trial.parametersOf(resource);
  const before = trial.watch.requests.length;
  const { records, text } = await trial.read(resource, { parameters });
  const { readRequests: count } = trial.watch;
  const requests = trial.watch.requests.slice(before);
  const chosen = chooseRequests(requests);
  const complete: Interfered["complete"][number][] = [];
  for (const kind of kinds)
    for (const index of chosen) {
      trial.watch.interference = { resource, index, kind };
      const read = await attempt(() => trial.read(resource, { parameters }));
      if ("failure" in read) continue;
      const hasAskedAgain = trial.watch.readRequests > count;
      if (!hasAskedAgain || read.result.text !== text) complete.push({ kind, index });
    }
  trial.watch.interference = undefined;
  return { resource, records, requests: count, complete };
}

/** Some of each kind among those of one read, by their places. */
export function chooseRequests(requests: readonly SeenRequest[]): number[] {
  const ofRead = requests.filter(({ purpose }) => purpose === "read");
  return chooseOfEachKind(
    ofRead.map(({ request }) => kindOf(request)),
    mostRequests,
  );
}

/** Two are of one kind when they ask for the same, of whomever and from wherever in the list. */
function kindOf({ method = "GET", url, query, json }: SeenRequest["request"]): string {
  const { pathname, searchParams } = new URL(url);
  const places = pathname.split("/").map((part) => (/\d/.test(part) ? "*" : part));
  const names = [...searchParams.keys(), ...namesOf(query), ...namesOf(json)];
  return [method, ...places, ...new Set(names.toSorted())].join(" ");
}

function namesOf(value: unknown): string[] {
  return typeof value === "object" && value !== null ? Object.keys(value) : [];
}
