import type { ConnectionId, Resource } from "../model/index.ts";
import type { FilledFields, ReadAnswer, ReadKey } from "../reading/index.ts";
import { prepared, queryRow, queryRows, type Queryable } from "../platform/db/index.ts";

type CountedFields = FilledFields & { version: string };

export interface NewSnapshot
  extends ReadKey, Pick<ReadAnswer, "version" | "isSteady" | "limited" | "isFull"> {
  /** A MAC of what was asked for and of the provider's answer. Null when the answer cannot be compared. */
  sourceMac: Buffer | null;
  /** Names the code that made it. */
  madeBy: string;
  /** Null when the next read has to be a full one. */
  sealedSince: Buffer | null;
  /**
   * How many records have each field, and of which version: a program that knows nothing of it stores another version
   * beside what an earlier one counted. Null leaves what there is.
   */
  filled: CountedFields | null;
  sealedBody: Buffer;
  /** The length of the body when it is decompressed. */
  bodyBytes: number;
  sealedIndex: Buffer | null;
  /** Null for a resource that is not compared. */
  packedList: Buffer | null;
}

/**
 * `Last-Modified` has whole seconds, and two versions never have the same one: a version that follows another within a
 * second gets the next second. No moment is further ahead, also after the time was set back.
 */
const nextSecond = "date_trunc('second', service_now()) + interval '1 second'";

export async function upsertSnapshot(tx: Queryable, snapshot: NewSnapshot): Promise<void> {
  await tx.query(
    `insert into snapshots (connection_id, resource, parameters, version, source_mac, made_by, fetched_at,
       sealed_body, body_bytes, sealed_index, fingerprints, is_steady, limited,
       sealed_since, full_read_at, filled)
     values ($1, $2, $3, $4, $5, $6, service_now(), $7, $8, $9, $10, $11, $12, $13, case when $14 then service_now() end, $15)
     on conflict (connection_id, resource, parameters) do update
       set version = excluded.version, source_mac = excluded.source_mac, made_by = excluded.made_by,
           fetched_at = greatest(excluded.fetched_at, least(${nextSecond}, case
             when snapshots.version = excluded.version then snapshots.fetched_at
             else date_trunc('second', snapshots.fetched_at) + interval '1 second' end)),
           sealed_body = excluded.sealed_body, body_bytes = excluded.body_bytes,
           sealed_index = excluded.sealed_index, fingerprints = excluded.fingerprints,
           is_steady = excluded.is_steady, limited = excluded.limited, sealed_since = excluded.sealed_since,
           full_read_at = coalesce(excluded.full_read_at, snapshots.full_read_at),
           filled = coalesce(excluded.filled, snapshots.filled)`,
    [
      snapshot.connectionId,
      snapshot.resource,
      snapshot.parameters,
      snapshot.version,
      snapshot.sourceMac,
      snapshot.madeBy,
      snapshot.sealedBody,
      snapshot.bodyBytes,
      snapshot.sealedIndex,
      snapshot.packedList,
      snapshot.isSteady,
      snapshot.limited,
      snapshot.sealedSince,
      snapshot.isFull,
      snapshot.filled,
    ],
  );
}

type Touched = Omit<NewSnapshot, "sealedBody" | "bodyBytes" | "sealedIndex" | "packedList">;

/** The argument of the function `touch_snapshot`, which is for content that has not changed. */
export function describeTouched(snapshot: Touched): object {
  return {
    connection_id: snapshot.connectionId,
    resource: snapshot.resource,
    parameters: snapshot.parameters,
    version: snapshot.version,
    source_mac: toHex(snapshot.sourceMac),
    made_by: snapshot.madeBy,
    is_steady: snapshot.isSteady,
    limited: snapshot.limited,
    sealed_since: toHex(snapshot.sealedSince),
    is_full: snapshot.isFull,
    filled: snapshot.filled,
  };
}

function toHex(bytes: Buffer | null): string | null {
  return bytes && `\\x${bytes.toString("hex")}`;
}

/** For content that has not changed. False when there is no snapshot of that version. */
export async function touchSnapshot(tx: Queryable, snapshot: Touched): Promise<boolean> {
  const statement = prepared("select touch_snapshot($1) as touched", [describeTouched(snapshot)]);
  const row = await queryRow<{ touched: boolean }>(tx, statement);
  return row?.touched === true;
}

/** Of a snapshot of this version. The driver reads base64 faster than bytea. */
export async function findColumn(
  db: Queryable,
  column: "sealed_body" | "sealed_index" | "fingerprints",
  { connectionId, resource, parameters, version }: ReadKey & { version: string },
): Promise<Buffer | undefined> {
  const row = await queryRow<{ sealed: string | null }>(db, {
    name: `find-${column}`,
    text: `select encode(${column}, 'base64') as sealed from snapshots
           where connection_id = $1 and resource = $2 and parameters = $3 and version = $4`,
    values: [connectionId, resource, parameters, version],
  });
  const value = row?.sealed ?? undefined;
  return value === undefined ? undefined : Buffer.from(value, "base64");
}

/** A connection that has lists of many ranges counts no more than others. */
const mostListsOfOne = 10;

/** More bytes than this are asked for by themselves, so that nobody waits for them. */
const mostTogetherBytes = 65_536;

/** Several bodies by one statement: "large" for one that has to be asked for by itself. */
export async function findSealedBodies(
  db: Queryable,
  wanted: readonly (ReadKey & { version: string })[],
): Promise<(Buffer | "large" | undefined)[]> {
  const rows = await queryRows<{ position: number; sealed: string | null }>(db, {
    name: "find-bodies",
    text: `select position::integer,
         case when octet_length(sealed_body) <= ${mostTogetherBytes} then encode(sealed_body, 'base64') end as sealed
       from unnest((select $1::uuid[]), (select $2::text[]), (select $3::text[]), (select $4::text[]))
         with ordinality as w (connection_id, resource, parameters, version, position)
       cross join lateral (
         select sealed_body from snapshots s
         where s.connection_id = w.connection_id and s.resource = w.resource and s.parameters = w.parameters
           and s.version = w.version limit 1) s`,
    values: [
      wanted.map(({ connectionId }) => connectionId),
      wanted.map(({ resource }) => resource),
      wanted.map(({ parameters }) => parameters),
      wanted.map(({ version }) => version),
    ],
  });
  const byPosition = new Map(rows.map(({ position, sealed }) => [position, sealed]));
  return wanted.map((_, index) => {
    const sealed = byPosition.get(index + 1);
    if (sealed === undefined) return undefined;
    return sealed === null ? "large" : Buffer.from(sealed, "base64");
  });
}

/** The length of the body when it is decompressed; 0 when it is not known. */
export async function findBodyBytes(
  db: Queryable,
  { connectionId, resource, parameters, version }: ReadKey & { version: string },
): Promise<number> {
  const row = await queryRow<{ bytes: number }>(
    db,
    `select body_bytes::float8 as bytes from snapshots
     where connection_id = $1 and resource = $2 and parameters = $3 and version = $4`,
    [connectionId, resource, parameters, version],
  );
  return row?.bytes ?? 0;
}

/** Of all that is stored of a connection, in a steady order. Uses the primary key. */
export async function findKeysOf(db: Queryable, connectionId: ConnectionId): Promise<ReadKey[]> {
  return await queryRows<ReadKey>(
    db,
    prepared(
      `select connection_id as "connectionId", resource, parameters from snapshots where connection_id = $1
       order by resource, parameters`,
      [connectionId],
    ),
  );
}

/** How old the stored lists are. */
export interface Ages {
  lists: number;
  medianSeconds: number;
  /** 95 of 100 lists are younger. */
  p95Seconds: number;
}

/** Undefined when nothing is stored of the connections. Uses the primary key. */
export async function findAges(
  db: Queryable,
  connectionIds: readonly ConnectionId[],
): Promise<Ages | undefined> {
  const row = await queryRow<Ages>(
    db,
    `select count(*)::integer as lists, percentile_cont(0.5) within group (order by age) as "medianSeconds",
       percentile_cont(0.95) within group (order by age) as "p95Seconds"
     from unnest($1::uuid[]) as c (id) cross join lateral (
       select extract(epoch from service_now() - fetched_at)::float8 as age from snapshots
       where connection_id = c.id order by resource, parameters limit ${mostListsOfOne}) s`,
    [connectionIds],
  );
  return row && row.lists > 0 ? row : undefined;
}

/** What is known of a snapshot without its body. */
export type FoundSnapshot = Pick<
  NewSnapshot,
  "version" | "isSteady" | "limited" | "sourceMac" | "madeBy" | "sealedSince"
> & { fetchedAt: Date; fullReadAt: Date | null };

export async function findSnapshot(
  db: Queryable,
  { connectionId, resource, parameters }: ReadKey,
): Promise<FoundSnapshot | undefined> {
  return await queryRow<FoundSnapshot>(
    db,
    prepared(
      `select version, fetched_at as "fetchedAt", is_steady as "isSteady", limited, source_mac as "sourceMac",
       made_by as "madeBy", sealed_since as "sealedSince", full_read_at as "fullReadAt" from snapshots
     where connection_id = $1 and resource = $2 and parameters = $3`,
      [connectionId, resource, parameters],
    ),
  );
}

/** What is filled of the newest list of each resource. Uses the primary key. */
export interface FilledList {
  resource: Resource;
  fetchedAt: Date;
  /** Fields that the account may not read, and those that the client has switched off. */
  limited: readonly string[];
  /** Null when a program stored the list that does not count. */
  filled: CountedFields | null;
}

export async function findFilled(db: Queryable, connectionId: ConnectionId): Promise<FilledList[]> {
  return await queryRows<FilledList>(
    db,
    prepared(
      `select distinct on (resource) resource, fetched_at as "fetchedAt", limited,
         case when filled->>'version' = version then filled end as filled
       from snapshots where connection_id = $1 order by resource, fetched_at desc`,
      [connectionId],
    ),
  );
}

/** What is stored of these parameters, by them. */
export async function findVersions(
  db: Queryable,
  { connectionId, resource }: Pick<ReadKey, "connectionId" | "resource">,
  parameters: readonly string[],
): Promise<Map<string, Pick<FoundSnapshot, "version" | "fetchedAt">>> {
  const rows = await queryRows<Pick<FoundSnapshot, "version" | "fetchedAt"> & ReadKey>(
    db,
    prepared(
      `select parameters, version, fetched_at as "fetchedAt" from snapshots
       where connection_id = $1 and resource = $2 and parameters = any($3::text[])`,
      [connectionId, resource, parameters],
    ),
  );
  return new Map(rows.map(({ parameters: which, ...found }) => [which, found]));
}

/** No changes are added to the stored list until a full read has taken its place. */
export async function forgetFullRead(
  tx: Queryable,
  { connectionId, resource, parameters }: ReadKey,
): Promise<void> {
  await tx.query(
    `update snapshots set full_read_at = null, sealed_since = null
     where connection_id = $1 and resource = $2 and parameters = $3`,
    [connectionId, resource, parameters],
  );
}

/** Of one resource, or of all. */
export async function deleteSnapshotsOf(
  tx: Queryable,
  {
    connectionIds,
    resource = null,
  }: { connectionIds: readonly ConnectionId[]; resource?: Resource | null },
): Promise<void> {
  await tx.query(
    "delete from snapshots where connection_id = any($1::uuid[]) and ($2::text is null or resource = $2)",
    [connectionIds, resource],
  );
}

/** They stay until disconnect, because callers request payslips by them. */
export async function insertIssuedPayruns(
  tx: Queryable,
  connectionId: ConnectionId,
  payruns: readonly { id: string; sealedRemoteId: Buffer }[],
): Promise<void> {
  await tx.query(
    `insert into issued_payruns (connection_id, id, sealed_remote_id)
     select $1, id, sealed from unnest($2::text[], $3::bytea[]) as p (id, sealed)
     on conflict do nothing`,
    [
      connectionId,
      payruns.map(({ id }) => id),
      payruns.map(({ sealedRemoteId }) => sealedRemoteId),
    ],
  );
}

export async function findIssuedPayrun(
  db: Queryable,
  connectionId: ConnectionId,
  id: string,
): Promise<Buffer | undefined> {
  const row = await queryRow<{ sealed: Buffer }>(
    db,
    "select sealed_remote_id as sealed from issued_payruns where connection_id = $1 and id = $2",
    [connectionId, id],
  );
  return row?.sealed;
}
