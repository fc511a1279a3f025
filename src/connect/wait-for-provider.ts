import type { Flow } from "./flow.ts";
import { findStoredFlow } from "./flow-store.ts";
import type { Needs } from "./services.ts";

/** Resolves when the provider has answered, when a colleague came in, or after the timeout. */
export async function waitForProvider(
  { pool, listener }: Needs<"pool" | "listener">,
  flow: Flow,
  timeoutMs: number,
): Promise<void> {
  const answered = new AbortController();
  const waiting = listener.waitFor(flow.id, timeoutMs, answered.signal);
  // The answer may have come before the listener waited for it.
  const current = await findStoredFlow(pool, { id: flow.id });
  if (current?.step !== flow.step || !isSame(current.sealed.handover, flow.sealed.handover))
    answered.abort();
  await waiting;
}

function isSame(one: Buffer | null, other: Buffer | null): boolean {
  return one === null || other === null ? one === other : one.equals(other);
}
