import type { Audit } from "../audit/index.ts";
import type { Connections } from "../connections/index.ts";
import { NotFound, type ClientId, type TokenId } from "../model/index.ts";
import type { Clock } from "../platform/clock.ts";
import type { Pool } from "../platform/db/index.ts";
import type { ReadKey } from "../reading/index.ts";
import { formatQuery } from "./parameters.ts";
import { findKeysOf } from "./snapshot-store.ts";
import type { SnapshotReader } from "./open-snapshot.ts";

export interface ExportDependencies {
  pool: Pool;
  clock: Clock;
  connections: Connections;
  reader: SnapshotReader;
  audit: Audit;
}

/**
 * All that is stored of the end user's connection, as JSON in pieces of which few are in memory at a time: for whoever
 * has to answer a person who asks for it. The audit record says that it was asked for. Throws NotFound for a token of
 * another client, and for one that has ended.
 */
export async function exportConnection(
  dependencies: ExportDependencies,
  clientId: ClientId,
  tokenId: TokenId,
): Promise<AsyncGenerator<Buffer>> {
  const { pool, clock, connections, audit } = dependencies;
  const connection = await connections.find({ tokenId });
  if (connection?.clientId !== clientId) throw new NotFound(tokenId, "The token is not known.");
  const { id: connectionId, provider, mode, scopes } = connection;
  const captured = await connections.identity(connectionId);
  const label = (await connections.labels.ofConnections([connectionId])).get(connectionId);
  const keys = await findKeysOf(pool, connectionId);
  await audit.record(pool, "connection.exported", { clientId, tokenId, connectionId });
  const head = {
    token: tokenId,
    client_id: clientId,
    provider,
    mode,
    scopes,
    reference: label?.reference ?? null,
    metadata: label?.metadata ?? null,
    exported_at: clock.now().toISOString(),
    identity: captured?.identity ?? null,
  };
  return writeExport(dependencies, head, keys);
}

async function* writeExport(
  { reader }: ExportDependencies,
  head: object,
  keys: readonly ReadKey[],
): AsyncGenerator<Buffer> {
  yield Buffer.from(`${JSON.stringify(head).slice(0, -1)},"stored":[`);
  let isFirst = true;
  for (const key of keys) {
    const opened = await reader.openNewest(key);
    if (!opened) continue;
    const about = {
      resource: key.resource,
      parameters: formatQuery(key.parameters),
      read_at: opened.fetchedAt.toISOString(),
    };
    yield Buffer.from(`${isFirst ? "" : ","}${JSON.stringify(about).slice(0, -1)},"data":`);
    yield* opened.body;
    yield Buffer.from("}");
    isFirst = false;
  }
  yield Buffer.from("]}");
}
