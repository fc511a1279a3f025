import type { Reauthentication } from "../connections/index.ts";
import type { ConnectionId } from "../model/index.ts";
import { queryRows, type Queryable } from "../platform/db/index.ts";
import type { ReadKey } from "../reading/index.ts";

/**
 * What the account of a new sign-in may not read: resources that it lacks, lists that have a field that is limited now,
 * and everything when it may be another account. Uses the primary key.
 */
export async function findUnreadable(
  tx: Queryable,
  connectionId: ConnectionId,
  { isSameAccount, unsupported, forbidden, limited }: Reauthentication,
): Promise<ReadKey[]> {
  return await queryRows<ReadKey>(
    tx,
    `select connection_id as "connectionId", resource, parameters from snapshots s where connection_id = $1
       and (not $2 or resource = any($3::text[]) or exists (
         select from jsonb_array_elements_text($4::jsonb -> s.resource) field where field <> all (s.limited)))`,
    [connectionId, isSameAccount, [...unsupported, ...forbidden], limited],
  );
}

export async function deleteSnapshots(
  tx: Queryable,
  connectionId: ConnectionId,
  keys: readonly Omit<ReadKey, "connectionId">[],
): Promise<void> {
  await tx.query(
    `delete from snapshots s using unnest($2::text[], $3::text[]) as k (resource, parameters)
     where s.connection_id = $1 and s.resource = k.resource and s.parameters = k.parameters`,
    [connectionId, keys.map(({ resource }) => resource), keys.map(({ parameters }) => parameters)],
  );
}
