import { z } from "zod";
import { LeasedWork, type Leased } from "../platform/leases/index.ts";
import type { JobDefinition } from "../platform/queue/index.ts";
import { signInQueue } from "./enqueue-sign-in.ts";
import { createSignInTable } from "./flow-store.ts";
import { runSignIn, type RunSignInDependencies } from "./run-sign-in.ts";

/** The most sign-ins that one process makes at once. */
const signInPlaces = 64;

/** This process's part of the sign-ins, and the job that wakes it. */
export interface SignInWork {
  work: LeasedWork<Leased>;
  job: JobDefinition<{ flowId: string }>;
}

/** Begins to work on sign-ins in this process. */
export function workOnSignIns(dependencies: RunSignInDependencies): SignInWork {
  const { pool, log } = dependencies;
  const work = new LeasedWork<Leased>({
    table: createSignInTable(pool),
    name: "sign-ins",
    places: signInPlaces,
    log,
    run: (lease, signal) => runSignIn(dependencies, lease, signal),
  });
  work.start();
  return { work, job: work.job(signInQueue, z.object({ flowId: z.uuid() })) };
}
