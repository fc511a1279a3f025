import type { ConnectionId } from "../model/index.ts";
import type { SnapshotReader } from "./open-snapshot.ts";
import { refresh, type Refreshed } from "./refresh.ts";
import type { RunFetchDependencies } from "./run-fetch.ts";

/** The employees of a connection, for whoever compares them. */
export interface EmployeeSource {
  /** Reads them from the provider now, even if fresh data is stored. */
  refresh(connectionId: ConnectionId, signal: AbortSignal): Promise<Refreshed>;
  /** A stored list with the index of each employee's position; undefined when that version is no longer stored. */
  open(
    connectionId: ConnectionId,
    version: string,
  ): Promise<{ body: Buffer; index: Buffer } | undefined>;
}

export function createEmployeeSource(
  dependencies: RunFetchDependencies & { reader: SnapshotReader },
): EmployeeSource {
  return {
    refresh: (connectionId, signal) =>
      refresh(dependencies, { connectionId, resource: "employees" }, signal),
    open: (connectionId, version) => dependencies.reader.openEmployees(connectionId, version),
  };
}
