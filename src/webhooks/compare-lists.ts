import type { ClientId, ConnectionId, PollableResource } from "../model/index.ts";
import { queryRow, type Pool, type Queryable, inBatches } from "../platform/db/index.ts";
import type { ListComparison, PolledKey } from "../sync/index.ts";
import { describeChanges } from "./describe-changes.ts";
import { listPolls } from "./poll-store.ts";
import {
  beginPolledList,
  comparePolledList,
  openPolledList,
  sealPolledList,
} from "./polled-list.ts";

interface StoredPolledList extends PolledKey {
  version: string;
  /** Whether somebody is missing of whom no second list has confirmed it. */
  hasSuspected: boolean;
  sealedList: Buffer;
}

type Key = { connectionId: ConnectionId; resource: PollableResource };

/**
 * Tells what has changed in polled resources other than the employees, whoever asked for the read: a caller's read may
 * store what the next poll would have found. The first list only sets the baseline.
 */
export function compareLists(pool: Pool): ListComparison {
  return {
    find: async (key, { clientId }) => {
      const compared = await findCompared(pool, key, clientId);
      if (compared === undefined) return undefined;
      if (compared === null) return { version: undefined };
      const { parameters, version, hasSuspected } = compared;
      if (isEarlier(key, compared)) return undefined;
      const isDone = parameters === key.parameters && !hasSuspected;
      return { version: isDone ? version : undefined };
    },
    compare: async (tx, key, { dataKey }, found) => {
      const { connectionId, resource, parameters } = key;
      const stored = await lockPolledList(tx, key);
      if (stored && isEarlier(key, stored)) return;
      const compared = stored
        ? comparePolledList(openPolledList(dataKey, key, stored), found, parameters)
        : { list: beginPolledList(found, parameters), news: undefined, ids: [] };
      const { list, news, ids } = compared;
      const { version, suspectedMissing } = list;
      const saved = { connectionId, resource, parameters, version };
      const sealed = {
        hasSuspected: suspectedMissing.size > 0,
        sealedList: sealPolledList(dataKey, key, list),
      };
      const changes = news && describeChanges(resource, news, () => ids);
      await savePolledList(tx, { ...saved, ...sealed }, changes);
    },
  };
}

/** Whether the range is the one before that of the last poll. Ranges are written with their first day in front. */
function isEarlier(asked: { parameters: string }, known: { parameters: string }): boolean {
  return asked.parameters < known.parameters;
}

/** Undefined when the client does not have the resource polled. Null before the first list. */
async function findCompared(
  db: Queryable,
  { connectionId, resource }: Key,
  clientId: string,
): Promise<Omit<StoredPolledList, keyof Key | "sealedList"> | null | undefined> {
  const row = await queryRow<Omit<StoredPolledList, "version"> & { version: string | null }>(db, {
    name: "find-compared",
    text: `select l.parameters, l.version, l.has_suspected as "hasSuspected"
       from event_endpoints e
       left join polled_lists l on l.connection_id = $1 and l.resource = $2
       where e.client_id = $3 and $2 = any(e.polled)`,
    values: [connectionId, resource, clientId],
  });
  if (!row) return undefined;
  const { version } = row;
  return version === null ? null : { ...row, version };
}

/** Locks the row until the transaction ends. */
async function lockPolledList(
  tx: Queryable,
  { connectionId, resource }: Key,
): Promise<Omit<StoredPolledList, keyof Key> | undefined> {
  return await queryRow(
    tx,
    `select parameters, version, has_suspected as "hasSuspected", sealed_list as "sealedList" from polled_lists
     where connection_id = $1 and resource = $2 for update`,
    [connectionId, resource],
  );
}

/** Saves the list of a poll, and what a `data.changed` tells of it. */
async function savePolledList(
  tx: Queryable,
  { connectionId, resource, parameters, version, hasSuspected, sealedList }: StoredPolledList,
  changes: object | undefined,
): Promise<void> {
  await tx.query(
    `insert into polled_lists (connection_id, resource, parameters, version, has_suspected, sealed_list)
     values ($1, $2, $3, $4, $5, $6)
     on conflict (connection_id, resource) do update
       set parameters = excluded.parameters, version = excluded.version, has_suspected = excluded.has_suspected,
           sealed_list = excluded.sealed_list
     returning record_event_of($1, case when $7::jsonb is not null then 'data.changed' end, $7)`,
    [connectionId, resource, parameters, version, hasSuspected, sealedList, changes],
  );
}

/** Those of resources that the client has polled no more. Later ones begin with a new baseline. */
export async function deleteUnwantedLists(tx: Queryable, clientId: ClientId): Promise<void> {
  await inBatches(await listPolls(tx, clientId), (ids) =>
    tx.query(
      `delete from polled_lists where connection_id = any($2) and resource <> all ((select polled_for($1))::text[])`,
      [clientId, ids],
    ),
  );
}
