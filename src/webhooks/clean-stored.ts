import { isDeepStrictEqual } from "node:util";
import { fieldsWithout, withoutFields, type ClientId, type ConnectionId } from "../model/index.ts";
import type { DataKey } from "../platform/crypto/index.ts";
import { queryRows, transaction, type Queryable, type Transaction } from "../platform/db/index.ts";
import { letOthersRun } from "../platform/let-others-run.ts";
import type { PackedId } from "../platform/packed-list.ts";
import { mapEmployees } from "../sync/index.ts";
import { findDeliveryIds, lockSealedBody, replaceSealedBody } from "./delivery-store.ts";
import type { WebhookDependencies } from "./dependencies.ts";
import { openPolledEmployees, sealPolledEmployees } from "./employee-list.ts";
import { cleanBody, openBody, sealBody } from "./delivery-body.ts";
import { openPolled, type PolledConnection } from "./open-polled.ts";
import { supersedePoll } from "./poll-store.ts";
import { findState, lockStoredState, saveCleaned, type StoredState } from "./state-store.ts";
import { openTombstones, sealTombstones } from "./tombstones.ts";

/** How far what is kept for a client has lost what the client has switched off. */
interface Cleaning {
  clientId: ClientId;
  /** How often fields were switched since all was clean last. */
  cleansDue: number;
  /** The connection that was begun last, in the order of their ids. */
  cleanedTo: ConnectionId | null;
  /** Those that were begun and have not ended. */
  uncleaned: ConnectionId[];
}

/**
 * What is kept for the client's webhooks has to lose what the client has switched off. Lists are kept without a webhook
 * address too, for events.
 */
export async function askToClean(tx: Queryable, clientId: ClientId): Promise<void> {
  await tx.query(
    `insert into webhook_endpoints as e (client_id, has_changed, cleans_due) values ($1, false, 1)
     on conflict (client_id) do update set cleans_due = e.cleans_due + 1`,
    [clientId],
  );
}

type CleanDependencies = Pick<WebhookDependencies, "pool" | "log" | "clients" | "connections">;

/** Of a client, before it is the turn of the next one. */
const portion = 5;
const recordsPerTurn = 100;

interface CleanSweep {
  isOver(): boolean;
  failures: unknown[];
}

/** What is left to do of a client. */
interface Left {
  cleaning: Cleaning;
  fields: readonly string[];
  connectionIds: ConnectionId[];
  /** False for connections that failed before, or that a killed process has left. */
  areFirstTime: boolean;
}

/**
 * Removes what clients have switched off from the lists and bodies that are kept for their webhooks. What is sent
 * before has lost it on its way already. Clients take turns, so that many connections of one keep no other one waiting.
 * A sweep that ends early is gone on with by the next one. A connection that failed is tried again when all others of its
 * client were begun, and stops none of them. Nor does a client stop others.
 */
export async function cleanStored(
  dependencies: CleanDependencies,
  sweep: CleanSweep,
): Promise<void> {
  let left: Left[] = [];
  for (const cleaning of await findCleanings(dependencies.pool)) {
    if (sweep.isOver()) return;
    await attempt(sweep, async () => void left.push(...(await findLeft(dependencies, cleaning))));
  }
  while (left.length > 0) {
    const unfinished: Left[] = [];
    for (const one of left) {
      if (sweep.isOver()) return;
      const isUnfinished = await attempt(sweep, () => cleanSome(dependencies, sweep, one));
      if (isUnfinished) unfinished.push(one);
    }
    left = unfinished;
  }
}

async function attempt<Result>(
  { failures }: CleanSweep,
  work: () => Promise<Result>,
): Promise<Result | undefined> {
  try {
    return await work();
  } catch (error) {
    failures.push(error);
    return undefined;
  }
}

/** Nothing for a client that is gone. */
async function findLeft(dependencies: CleanDependencies, cleaning: Cleaning): Promise<Left[]> {
  const { clientId, uncleaned } = cleaning;
  const client = await dependencies.clients.findAlsoEnded(clientId);
  if (!client) return [];
  const fields = fieldsWithout(client.fieldsOff);
  const connectionIds = await listLeft(dependencies, cleaning);
  const areFirstTime = connectionIds.length > 0;
  return [
    { cleaning, fields, areFirstTime, connectionIds: areFirstTime ? connectionIds : uncleaned },
  ];
}

/** False when the client is done with, or another sweep goes on with it. */
async function cleanSome(
  dependencies: CleanDependencies,
  { isOver, failures }: CleanSweep,
  { cleaning, fields, connectionIds, areFirstTime }: Left,
): Promise<boolean> {
  const { pool, log } = dependencies;
  const { clientId } = cleaning;
  for (const connectionId of connectionIds.splice(0, portion)) {
    if (isOver()) return false;
    if (areFirstTime && !(await beginCleaning(pool, cleaning, connectionId))) return false;
    try {
      await cleanConnection(dependencies, connectionId, fields);
      await endCleaning(pool, cleaning, connectionId);
    } catch (error) {
      failures.push(error);
      log.error(
        { err: error, clientId, connectionId },
        "what was switched off is kept for webhooks of a connection; a later sweep tries again",
      );
    }
  }
  if (connectionIds.length > 0) return true;
  await settleCleaned(pool, cleaning);
  return false;
}

/** Connections that were not begun, in the order in which they are. */
async function listLeft(
  { pool, connections }: CleanDependencies,
  { clientId, cleanedTo }: Cleaning,
): Promise<ConnectionId[]> {
  const ids = await connections.listIds(pool, clientId);
  return cleanedTo === null ? ids : ids.filter((id) => id > cleanedTo);
}

async function cleanConnection(
  { pool, connections }: CleanDependencies,
  connectionId: ConnectionId,
  fields: readonly string[],
): Promise<void> {
  const polled = await openPolled(connections, connectionId);
  if (!polled) return;
  const cleaning = { connectionId, polled, fields };
  while (!(await cleanState({ pool, connections }, cleaning))) continue;
  for (const id of await findDeliveryIds(pool, connectionId))
    await transaction(pool, (tx) => cleanDelivery(tx, { id, polled, fields }));
}

/**
 * A poll that runs now has prepared a list of before: it stores nothing, and is made again. False when one has stored
 * another list meanwhile.
 */
async function cleanState(
  { pool, connections }: Pick<CleanDependencies, "pool" | "connections">,
  {
    connectionId,
    polled: { dataKey },
    fields,
  }: { connectionId: ConnectionId; polled: PolledConnection; fields: readonly string[] },
): Promise<boolean> {
  const known = await findState(pool, connectionId);
  const cleaned = known && (await cleanLists(dataKey, known, fields));
  return await transaction(pool, async (tx) => {
    if (!(await connections.lockAgainstRemoval(tx, connectionId))) return true;
    await supersedePoll(tx, connectionId);
    const stored = await lockStoredState(tx, connectionId);
    if (!stored) return true;
    if (!cleaned || !hasListsOf(stored, known)) return false;
    await saveCleaned(tx, cleaned);
    return true;
  });
}

/** The lists of a large company take longer than a transaction may. */
async function cleanLists(
  key: DataKey,
  { connectionId, employees, sealedTombstones }: StoredState,
  fields: readonly string[],
): Promise<Parameters<typeof saveCleaned>[1]> {
  const clean = (json: string): string => cleanRecord(json, fields);
  const list = await mapEmployees(openPolledEmployees(key, connectionId, employees), clean);
  const tombstones = new Map<PackedId, string>();
  for (const [id, json] of await openTombstones(key, connectionId, sealedTombstones)) {
    tombstones.set(id, clean(json));
    if (tombstones.size % recordsPerTurn === 0) await letOthersRun();
  }
  return {
    connectionId,
    employees: sealPolledEmployees(key, connectionId, list),
    sealedTombstones: await sealTombstones(key, connectionId, tombstones),
  };
}

function hasListsOf(stored: StoredState, known: StoredState): boolean {
  const { employees, sealedTombstones } = known;
  return (
    stored.employees.sealedList.equals(employees.sealedList) &&
    isDeepStrictEqual(stored.sealedTombstones, sealedTombstones)
  );
}

async function cleanDelivery(
  tx: Transaction,
  {
    id,
    polled: { dataKey },
    fields,
  }: { id: string; polled: PolledConnection; fields: readonly string[] },
): Promise<void> {
  const sealed = await lockSealedBody(tx, id);
  if (!sealed) return;
  const body = cleanBody(openBody(dataKey, id, sealed), fields);
  await replaceSealedBody(tx, id, sealBody(dataKey, id, body));
}

function cleanRecord(json: string, fields: readonly string[]): string {
  return JSON.stringify(withoutFields(JSON.parse(json) as object, fields));
}

/** Uses webhook_endpoints_to_clean. */
async function findCleanings(db: Queryable): Promise<Cleaning[]> {
  return await queryRows(
    db,
    `select client_id as "clientId", cleans_due as "cleansDue", cleaned_to as "cleanedTo", uncleaned
     from webhook_endpoints where cleans_due > 0 order by client_id`,
  );
}

/** False when another sweep has begun it, or more was switched off meanwhile. */
async function beginCleaning(
  db: Queryable,
  { clientId, cleansDue }: Cleaning,
  connectionId: ConnectionId,
): Promise<boolean> {
  const { rowCount } = await db.query(
    `update webhook_endpoints set cleaned_to = $3, uncleaned = array_append(uncleaned, $3)
     where client_id = $1 and cleans_due = $2 and (cleaned_to is null or cleaned_to < $3)`,
    [clientId, cleansDue, connectionId],
  );
  return rowCount === 1;
}

/** Does nothing when more was switched off meanwhile. */
async function endCleaning(
  db: Queryable,
  { clientId, cleansDue }: Cleaning,
  connectionId: ConnectionId,
): Promise<void> {
  await db.query(
    `update webhook_endpoints set uncleaned = array_remove(uncleaned, $3)
     where client_id = $1 and cleans_due = $2`,
    [clientId, cleansDue, connectionId],
  );
}

/** Does nothing when more was switched off meanwhile, or a connection has not ended. */
async function settleCleaned(db: Queryable, { clientId, cleansDue }: Cleaning): Promise<void> {
  await db.query(
    `update webhook_endpoints set cleans_due = 0
     where client_id = $1 and cleans_due = $2 and uncleaned = '{}'`,
    [clientId, cleansDue],
  );
}
