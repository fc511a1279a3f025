import type { Queryable } from "../platform/db/index.ts";
import type { Flow } from "./flow.ts";
import { advanceFlow } from "./flow-store.ts";
import type { Needs } from "./services.ts";

/** Shows the form again after a sign-in was cut off: its submission is claimed, and its lease has ended. */
export async function recoverSignIn({ pool }: Needs<"pool">, flow: Flow): Promise<Flow> {
  const { phase, sealed, isLeased } = flow;
  if (phase !== "running" || sealed.submission || isLeased) return flow;
  return (await interruptSignIn(pool, flow)) ?? flow;
}

/** What was typed is not tried again: its outcome is not known. Undefined when the flow has moved on. */
export async function interruptSignIn(db: Queryable, flow: Flow): Promise<Flow | undefined> {
  return await advanceFlow(db, flow, {
    phase: "form",
    refusal: { kind: "interrupted" },
    challenge: null,
    endsLease: true,
  });
}
