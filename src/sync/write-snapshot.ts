import type { RecordOf, Resource } from "../model/index.ts";
import { compress } from "../platform/compression.ts";
import type { DataKey } from "../platform/crypto/index.ts";
import type { Queryable } from "../platform/db/index.ts";
import { snapshotContext } from "./open-snapshot.ts";
import { payrunContext } from "./payrun-context.ts";
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

/** Everything that takes time, done before the transaction: the whole reply is made, compressed and sealed once, and not at all when it did not change. */
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
  const sealedBody = dataKey.seal(
    await compress(body, "br"),
    snapshotContext("body", key, version),
  );
  const sealedIndex = index ? dataKey.seal(index, snapshotContext("index", key, version)) : null;
  return { ...key, version, sourceMac, sealed: { sealedBody, sealedIndex }, issuedPayruns };
}

/** False when the stored version, which was to stay, is gone meanwhile: nothing is stored then. */
export async function storeSnapshot(
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
  connectionId: string,
  dataKey: DataKey,
  payruns: readonly RecordOf<"payruns">[],
): PreparedSnapshot["issuedPayruns"] {
  return payruns.map(({ id, remote_id: remoteId }) => ({
    id,
    sealedRemoteId: dataKey.seal(Buffer.from(remoteId), payrunContext(connectionId, id)),
  }));
}
