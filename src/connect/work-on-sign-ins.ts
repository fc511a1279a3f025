import { z } from "zod";
import { LeasedWork, type Leased } from "../platform/leases/index.ts";
import type { JobDefinition } from "../platform/queue/index.ts";
import { runInSpan, type SpanStart } from "../platform/tracing/index.ts";
import { signInQueue } from "./begin-sign-in.ts";
import { createSignInTable } from "./flow-store.ts";
import { runSignIn, type RunSignInNeeds } from "./run-sign-in.ts";
import type { Needs } from "./services.ts";

/** The most sign-ins that one process makes at once. */
const signInPlaces = 64;

/** This process's part of the sign-ins, and the job that wakes it. */
export interface SignInWork {
  work: LeasedWork<Leased>;
  job: JobDefinition<{ flowId: string }>;
}

/** Begins to work on sign-ins in this process. */
export function workOnSignIns(dependencies: RunSignInNeeds & Needs<"tracing">): SignInWork {
  const { pool, log, tracing } = dependencies;
  const work = new LeasedWork<Leased>({
    table: createSignInTable(pool),
    name: "sign-ins",
    places: signInPlaces,
    log,
    run: (lease, signal) =>
      runInSpan(tracing, describeSpan(lease), () => runSignIn(dependencies, lease, signal)),
  });
  work.start();
  return { work, job: work.job(signInQueue, z.object({ flowId: z.uuid() })) };
}

/** It begins a trace: its row is of an end user, and keeps nothing of the request. */
function describeSpan({ id, run }: Leased): SpanStart & { parent: null } {
  const attributes = { "rollcall.flow_id": id, "rollcall.run": run };
  return { name: "sign-in", kind: "consumer", attributes, parent: null };
}
