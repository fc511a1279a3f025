import { v7 as uuidv7 } from "uuid";
import type { ConnectionId, Resource } from "../model/index.ts";
import { findFetch, requestFetch } from "./fetch-store.ts";
import { runFetch, type RunFetchDependencies } from "./run-fetch.ts";
import { findSnapshotVersion } from "./snapshot-store.ts";

/** The result of reading a resource anew. */
export type Refreshed =
  | { kind: "ready"; version: string }
  /** The provider is asked again at that time, or another process is asking it now. */
  | { kind: "later"; at: Date }
  | { kind: "refused" | "unavailable" | "broken" | "unsupported" | "disconnected" };

const elsewherePauseMs = 5_000;

/** Reads a whole resource from the provider now, in this process. Stores the result as any other fetch does. */
export async function refresh(
  dependencies: RunFetchDependencies,
  { connectionId, resource }: { connectionId: ConnectionId; resource: Resource },
  signal: AbortSignal,
): Promise<Refreshed> {
  const { pool, clock, connections, host } = dependencies;
  const connection = await connections.find(connectionId);
  if (!connection) return { kind: "disconnected" };
  if (connection.authFailure) return { kind: "refused" };
  const { provider, mode, unsupported, signedInAt } = connection;
  if (unsupported.includes(resource) || !host.hasResource({ provider, mode, resource }))
    return { kind: "unsupported" };

  const key = { connectionId, resource, parameters: "" };
  const now = clock.now();
  const requested = await requestFetch(
    pool,
    { ...key, provider, mode },
    { id: uuidv7({ msecs: now.getTime() }), now, storedAfter: now, signedInAt },
  );
  const fetch = requested ?? (await findFetch(pool, key));
  if (!fetch) return { kind: "disconnected" };
  if (fetch.state === "pending") {
    const outcome = await runFetch(dependencies, fetch.id, signal);
    if (outcome !== "done") return { kind: "later", at: outcome.retryAt };
  }
  return await describeOutcome(dependencies, key);
}

async function describeOutcome(
  { pool, clock }: RunFetchDependencies,
  key: { connectionId: ConnectionId; resource: Resource; parameters: string },
): Promise<Refreshed> {
  const settled = await findFetch(pool, key);
  const later: Refreshed = {
    kind: "later",
    at: new Date(clock.now().getTime() + elsewherePauseMs),
  };
  if (!settled) return { kind: "disconnected" };
  if (settled.state === "pending" || settled.outcome === null) return later;
  if (settled.outcome !== "stored") return { kind: settled.outcome };
  const snapshot = await findSnapshotVersion(pool, key);
  return snapshot ? { kind: "ready", version: snapshot.version } : later;
}
