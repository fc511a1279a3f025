import type { Resource } from "../model/index.ts";
import type { FakeSystem, FetchParameters, ProviderMode } from "../providers/index.ts";
import { onceFor } from "./once-for.ts";
import type { Saying } from "./sayings.ts";
import type { Trial, WholeRead } from "./trial.ts";
import type { SeenRequest } from "./watch-provider.ts";

/** One read, and what it asked the system. */
export interface UsualRead extends WholeRead {
  asked: readonly SeenRequest[];
}

/** All that a provider reads of its fake in the scenario "usual". The fake is closed: what it has to say is there. */
export interface UsualReads {
  readonly fake: FakeSystem;
  readonly signedIn: Awaited<ReturnType<Trial["signIn"]>>;
  readonly mode: ProviderMode;
  readonly today: string;
  readonly resources: readonly Resource[];
  /** Of payslips one read for each pay run, otherwise one. */
  readonly reads: ReadonlyMap<Resource, readonly UsualRead[]>;
  /** What reads of days ask for. */
  readonly range: FetchParameters["range"];
  readonly sayings: readonly Saying[];
  /** All requests, those of the sign-in too. */
  readonly requests: readonly SeenRequest[];
  /** Of the fields that the adapter describes, those that had a value. */
  readonly filled: ReadonlyMap<Resource, ReadonlySet<string>>;
  /** Fields that the adapter gives in some record, null or not. */
  readonly given: ReadonlyMap<Resource, ReadonlySet<string>>;
}

/** Reads everything, once for all checks that look at it. */
export const readUsual = onceFor(readEverything);

/** The records of a resource, of all its reads. */
export function recordsOf({ reads }: UsualReads, resource: Resource): WholeRead["records"] {
  return (reads.get(resource) ?? []).flatMap(({ records }) => records);
}

async function readEverything(trial: Trial): Promise<UsualReads> {
  const { fake, mode, today, resources, watch, sayings } = trial;
  const signedIn = await trial.signIn();
  const reads = new Map<Resource, readonly UsualRead[]>();
  for (const resource of resources) reads.set(resource, await readOne(trial, resource));
  const { requests, filled, given } = watch;
  const range = trial.usualRange;
  const seen = { requests, filled, given, sayings: sayings.all };
  return { fake, mode, today, resources, signedIn, reads, range, ...seen };
}

async function readOne(trial: Trial, resource: Resource): Promise<UsualRead[]> {
  const reads: UsualRead[] = [];
  for (const parameters of await trial.allParametersOf(resource)) {
    const before = trial.watch.requests.length;
    const read = await trial.read(resource, { parameters });
    const asked = trial.watch.requests.slice(before).filter(({ purpose }) => purpose === "read");
    reads.push({ ...read, asked });
  }
  return reads;
}
