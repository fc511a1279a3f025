import type { ClientId } from "../model/index.ts";
import { queryRows, type Queryable } from "../platform/db/index.ts";
import { columns, type Delivery, type DeliveryStatus } from "./delivery-store.ts";

/** Which webhooks are listed. What is left out does not narrow the list. */
export interface DeliveryFilter {
  clientId?: ClientId | undefined;
  /** The list goes on after this one. */
  after?: string | undefined;
  status?: DeliveryStatus | undefined;
  /** Made then or later, and before. */
  since?: Date | undefined;
  until?: Date | undefined;
  limit: number;
}

/**
 * Newest first, as their ids are. Uses deliveries_client, deliveries_pending, deliveries_failed or the key. No plan is
 * kept, because each combination of conditions has its own index.
 */
export async function listDeliveries(
  db: Queryable,
  { clientId, after, status, since, until, limit }: DeliveryFilter,
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
