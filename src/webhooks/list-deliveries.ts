import type { ClientId } from "../model/index.ts";
import { queryRows, type Queryable } from "../platform/db/index.ts";
import { columns, type Delivery, type DeliveryStatus } from "./delivery-store.ts";
import type { WebhookDependencies } from "./dependencies.ts";

/** Which webhooks are listed. What is left out does not narrow the list. */
export interface ListedDeliveries {
  clientId?: ClientId | undefined;
  /** The list goes on after this one. */
  after?: string | undefined;
  status?: DeliveryStatus | undefined;
  /** Made then or later, and before. */
  since?: Date | undefined;
  until?: Date | undefined;
  limit: number;
  /** Of the connection. Events are of none. */
  provider?: string | undefined;
}

type Dependencies = Pick<WebhookDependencies, "pool" | "connections" | "events">;

const mostAtOnce = 1_000;

/**
 * Newest first. One whose client is not that of its connection was written by somebody else, and is left out; those
 * behind it take its place. A delivery does not name its provider, so those of one provider are looked for among all, a
 * thousand at a time.
 */
export async function listOwnDeliveries(
  dependencies: Dependencies,
  { provider, ...filter }: ListedDeliveries,
): Promise<Delivery[]> {
  const found: Delivery[] = [];
  const limit = provider === undefined ? filter.limit : mostAtOnce;
  for (let { after } = filter; ;) {
    const listed = await listDeliveries(dependencies.pool, { ...filter, after, limit });
    found.push(...(await findOwn(dependencies, listed, provider)));
    after = listed.at(-1)?.id;
    if (listed.length < limit || found.length >= filter.limit) return found.slice(0, filter.limit);
  }
}

async function findOwn(
  { connections, events }: Dependencies,
  listed: readonly Delivery[],
  provider: string | undefined,
): Promise<Delivery[]> {
  const ids = listed.flatMap(({ connectionId }) => connectionId ?? []);
  const [found, ofEvents] = await Promise.all([
    connections.findAll(ids),
    findOwnEvents({ events }, listed),
  ]);
  const byId = new Map(found.map((connection) => [connection.id, connection]));
  return listed
    .filter(({ id, clientId, connectionId }) => {
      if (connectionId === null) return provider === undefined && ofEvents.has(id);
      const connection = byId.get(connectionId);
      const isWanted = provider === undefined || connection?.provider === provider;
      return connection?.clientId === clientId && isWanted;
    })
    .map((delivery) => ({
      ...delivery,
      tokenId: byId.get(delivery.connectionId ?? "")?.tokenId ?? delivery.tokenId,
    }));
}

/** The ids of the events that are told to the clients of these deliveries. */
export async function findOwnEvents(
  { events }: Pick<Dependencies, "events">,
  listed: readonly Delivery[],
): Promise<ReadonlySet<string>> {
  const byClient = new Map<ClientId, string[]>();
  for (const { id, clientId, subject } of listed)
    if (subject !== null) byClient.set(clientId, [...(byClient.get(clientId) ?? []), id]);
  const own = await Promise.all(
    [...byClient].map(async ([clientId, ids]) => events.render(clientId, await events.find(ids))),
  );
  return new Set(own.flat().map(({ id }) => id));
}

/**
 * Newest first, as their ids are. Uses deliveries_client, deliveries_pending, deliveries_failed or the key. No plan is
 * kept, because each combination of conditions has its own index.
 */
async function listDeliveries(
  db: Queryable,
  { clientId, after, status, since, until, limit }: ListedDeliveries,
): Promise<Delivery[]> {
  const values: unknown[] = [limit];
  const parameter = (value: unknown): string => `$${values.push(value)}`;
  const conditions = [
    clientId !== undefined && `client_id = ${parameter(clientId)}`,
    after !== undefined && `id < ${parameter(after)}`,
    status && `status = '${status}'`,
    since && `id >= ${parameter(firstIdOf(since))}`,
    until && `id < ${parameter(firstIdOf(until))}`,
  ].filter(Boolean);
  const where = conditions.length > 0 ? `where ${conditions.join(" and ")}` : "";
  return await queryRows<Delivery>(
    db,
    `select ${columns} from deliveries ${where} order by id desc limit $1`,
    values,
  );
}

/** Ids are in the order of their moments: those made then or later are not less. */
function firstIdOf(moment: Date): string {
  const hex = moment.getTime().toString(16).padStart(12, "0");
  return `${hex.slice(0, 8)}-${hex.slice(8)}-0000-0000-000000000000`;
}
