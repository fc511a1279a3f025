import type { RecordOf, Resource } from "../model/index.ts";
import type { DataKey } from "../platform/crypto/index.ts";
import type { Queryable } from "../platform/db/index.ts";
import { snapshotContext } from "./open-snapshot.ts";
import { payrunContext } from "./payrun-context.ts";
import { compress, encodeBody, encodeEmployeeIndex } from "./snapshot-body.ts";
import { insertIssuedPayruns, touchSnapshot, upsertSnapshot, type NewSnapshot, type SnapshotKey } from "./snapshot-store.ts";

export interface PreparedSnapshot extends Omit<NewSnapshot, "fetchedAt"> {
  issuedPayruns: readonly { id: string; sealedRemoteId: Buffer }[];
}

/** Everything that takes time, done before the transaction: the whole reply is made, compressed and sealed once. */
export async function prepareSnapshot<R extends Resource>(key: SnapshotKey & { resource: R }, dataKey: DataKey, records: readonly RecordOf<R>[]): Promise<PreparedSnapshot> {
  const { connectionId, resource, parameters } = key;
  const { body, ends } = await encodeBody(records);
  const version = dataKey.mac("version", resource, "\0", parameters, "\0", body).subarray(0, 12).toString("base64url");
  const compressed = await compress(body, "br");
  const index = resource === "employees" ? encodeEmployeeIndex(records as readonly RecordOf<"employees">[], ends) : undefined;
  return {
    connectionId,
    resource,
    parameters,
    version,
    sealedBody: dataKey.seal(compressed, snapshotContext("body", key, version)),
    sealedIndex: index ? dataKey.seal(index, snapshotContext("index", key, version)) : null,
    issuedPayruns: resource === "payruns" ? sealPayruns(connectionId, dataKey, records as readonly RecordOf<"payruns">[]) : [],
  };
}

export async function storeSnapshot(tx: Queryable, { issuedPayruns, ...snapshot }: PreparedSnapshot, fetchedAt: Date): Promise<void> {
  if (!(await touchSnapshot(tx, { ...snapshot, fetchedAt }))) await upsertSnapshot(tx, { ...snapshot, fetchedAt });
  if (issuedPayruns.length > 0) await insertIssuedPayruns(tx, snapshot.connectionId, issuedPayruns);
}

function sealPayruns(connectionId: string, dataKey: DataKey, payruns: readonly RecordOf<"payruns">[]): PreparedSnapshot["issuedPayruns"] {
  return payruns.map(({ id, remote_id: remoteId }) => ({ id, sealedRemoteId: dataKey.seal(Buffer.from(remoteId), payrunContext(connectionId, id)) }));
}
