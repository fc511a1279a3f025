import { queryRow, queryRows, type Queryable } from "../platform/db/index.ts";

export interface DeliveryCount {
  status: string;
  deliveries: number;
  /** Of the one that was made first. */
  oldest: Date;
}

export async function countDeliveries(db: Queryable): Promise<DeliveryCount[]> {
  return await queryRows<DeliveryCount>(
    db,
    `select status, count(*)::integer as deliveries, min(created_at) as oldest from deliveries
     group by status order by status`,
  );
}

export async function findOldestPending(db: Queryable): Promise<Date | undefined> {
  const row = await queryRow<{ oldest: Date | null }>(
    db,
    "select min(created_at) as oldest from deliveries where status = 'pending'",
  );
  return row?.oldest ?? undefined;
}
