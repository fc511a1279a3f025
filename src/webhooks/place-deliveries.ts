import { stateOf, subjectOf, type PlacedEvent, type StoredEvent } from "../events/index.ts";
import { eventTypes, type ClientId, type EventType } from "../model/index.ts";
import type { Transaction } from "../platform/db/index.ts";
import type { WebhookDependencies } from "./dependencies.ts";
import { findEventEndpoints } from "./endpoint-store.ts";
import { enqueueDelivery } from "./enqueue-delivery.ts";
import {
  deleteReplaced,
  insertEventDeliveries,
  lockHeads,
  releaseHeads,
} from "./event-delivery-store.ts";

type PlaceDependencies = Pick<WebhookDependencies, "clients" | "events" | "queue">;

/**
 * Makes deliveries of the events whose clients want them, in the transaction that gives the events their positions. A
 * state that nobody has acknowledged goes into a newer one of the same subject, which names it. Returns the events as they
 * are told from now on.
 */
export async function placeDeliveries(
  dependencies: PlaceDependencies,
  tx: Transaction,
  events: readonly PlacedEvent[],
): Promise<PlacedEvent[]> {
  const { queue } = dependencies;
  const sent = await chooseWanted(dependencies, tx, events);
  if (sent.length === 0) return [...events];
  const subjects = [...new Set(sent.map((event) => subjectOf(event)))];
  await lockHeads(tx, subjects);
  const waiting = new Map<string, PlacedEvent>();
  const told = new Map<string, PlacedEvent>();
  for (const event of sent) {
    const current = await replaceOlder(dependencies, tx, event, waiting);
    waiting.set(current.id, current);
    told.set(current.id, current);
  }
  await insertEventDeliveries(tx, [...waiting.values()]);
  for (const id of await releaseHeads(tx, subjects))
    tx.afterCommit(() => enqueueDelivery(queue, { id }));
  return events.map((event) => told.get(event.id) ?? event);
}

/** Those that their clients want at their addresses. */
async function chooseWanted(
  { clients }: PlaceDependencies,
  tx: Transaction,
  events: readonly PlacedEvent[],
): Promise<PlacedEvent[]> {
  const ids = [...new Set(events.map(({ clientId }) => clientId))];
  const wanted = new Map<ClientId, ReadonlySet<EventType>>();
  for (const clientId of await findEventEndpoints(tx, ids)) {
    const client = await clients.findAlsoEnded(clientId, tx);
    if (client?.eventUri) wanted.set(clientId, new Set(client.eventTypes ?? eventTypes));
  }
  return events.filter(({ clientId, type }) => wanted.get(clientId)?.has(type));
}

/** The event with all that those tell that it stands for. They are taken from `waiting`, and from the database. */
async function replaceOlder(
  { events }: PlaceDependencies,
  tx: Transaction,
  event: PlacedEvent,
  waiting: Map<string, PlacedEvent>,
): Promise<PlacedEvent> {
  const state = stateOf(event.type);
  if (!state) return event;
  const subject = subjectOf(event);
  const types = eventTypes.filter((type) => stateOf(type) === state);
  const deleted = await events.find(await deleteReplaced(tx, subject, types), tx);
  const unsent = [...waiting.values()].filter(
    (each) => subjectOf(each) === subject && stateOf(each.type) === state,
  );
  for (const { id } of unsent) waiting.delete(id);
  return [...deleted, ...unsent].reduceRight<PlacedEvent>(standFor, event);
}

function list(event: StoredEvent, name: string): readonly string[] {
  return (event.data[name] as readonly string[] | undefined) ?? [];
}

/** The newer event, which also tells what the older one does. What the newer one says of a resource counts. */
function standFor(newer: PlacedEvent, older: StoredEvent): PlacedEvent {
  const said = new Set([...list(newer, "gained"), ...list(newer, "lost")]);
  const both = (name: "gained" | "lost"): string[] =>
    [...list(newer, name), ...list(older, name).filter((each) => !said.has(each))].toSorted();
  const replaces = [...list(older, "replaces"), older.id, ...list(newer, "replaces")];
  const rights = stateOf(newer.type) === "rights";
  return {
    ...newer,
    data: {
      ...newer.data,
      ...(rights && { gained: both("gained"), lost: both("lost") }),
      replaces,
    },
  };
}
