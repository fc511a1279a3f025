import type { ConnectionId, RecordOf, Resource } from "../model/index.ts";
import { compress } from "../platform/compression.ts";
import type { DataKey } from "../platform/crypto/index.ts";
import type { Queryable } from "../platform/db/index.ts";
import { sealedBody, sealedIndex, sealedPayrun } from "./sealed-snapshot.ts";
import { encodeBody, encodeEmployeeIndex } from "./snapshot-body.ts";
import {
  insertIssuedPayruns,
  touchSnapshot,
  upsertSnapshot,
  type NewSnapshot,
  type SnapshotKey,
} from "./snapshot-store.ts";

export interface PreparedSnapshot extends SnapshotKey {
  version: string;
  sourceMac: Buffer | null;
  /** Null when the content is that of the stored version, which then stays as it is. */
  sealed: Pick<NewSnapshot, "sealedBody" | "sealedIndex"> | null;
  issuedPayruns: readonly { id: string; sealedRemoteId: Buffer }[];
}

/**
 * Does everything that takes time before the transaction: makes, compresses and seals the whole reply. A reply
 * that did not change is neither compressed nor sealed.
 */
export async function prepareSnapshot<R extends Resource>(
  { connectionId, resource, parameters }: SnapshotKey & { resource: R },
  dataKey: DataKey,
  records: readonly RecordOf<R>[],
  { sourceMac, storedVersion }: { sourceMac: Buffer | null; storedVersion: string | undefined },
): Promise<PreparedSnapshot> {
  const key = { connectionId, resource, parameters };
  const { body, ends } = await encodeBody(records);
  const version = dataKey
    .mac("version", resource, "\0", parameters, "\0", body)
    .subarray(0, 12)
    .toString("base64url");
  const issuedPayruns =
    resource === "payruns"
      ? sealPayruns(connectionId, dataKey, records as readonly RecordOf<"payruns">[])
      : [];
  if (version === storedVersion) return { ...key, version, sourceMac, sealed: null, issuedPayruns };
  const index =
    resource === "employees"
      ? encodeEmployeeIndex(records as readonly RecordOf<"employees">[], ends)
      : undefined;
  const owner = { ...key, version };
  const sealed = {
    sealedBody: sealedBody.seal(dataKey, owner, await compress(body, "br")),
    sealedIndex: index ? sealedIndex.seal(dataKey, owner, index) : null,
  };
  return { ...owner, sourceMac, sealed, issuedPayruns };
}

/** False, with nothing stored, when the version that was to stay was deleted in the meantime. */
export async function writeSnapshot(
  tx: Queryable,
  { issuedPayruns, sealed, ...snapshot }: PreparedSnapshot,
  fetchedAt: Date,
): Promise<boolean> {
  if (sealed) await upsertSnapshot(tx, { ...snapshot, ...sealed, fetchedAt });
  else if (!(await touchSnapshot(tx, { ...snapshot, fetchedAt }))) return false;
  if (issuedPayruns.length > 0) await insertIssuedPayruns(tx, snapshot.connectionId, issuedPayruns);
  return true;
}

function sealPayruns(
  connectionId: ConnectionId,
  dataKey: DataKey,
  payruns: readonly RecordOf<"payruns">[],
): PreparedSnapshot["issuedPayruns"] {
  return payruns.map(({ id, remote_id: remoteId }) => ({
    id,
    sealedRemoteId: sealedPayrun.seal(dataKey, { connectionId, id }, remoteId),
  }));
}
