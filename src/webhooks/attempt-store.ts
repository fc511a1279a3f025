import { queryRows, type Queryable } from "../platform/db/index.ts";

/** One POST of a delivery, and its result. */
export interface DeliveryAttempt {
  number: number;
  at: Date;
  durationMs: number;
  status: number | null;
  /** An enumerated word, such as `ok`, `timeout`, `refused_target`. */
  reason: string;
}

/** Writes nothing for a deleted delivery: its token was disconnected, or its address was removed. */
export async function insertAttempt(
  tx: Queryable,
  deliveryId: string,
  { number, at, durationMs, status, reason }: DeliveryAttempt,
): Promise<void> {
  await tx.query(
    `insert into delivery_attempts (delivery_id, number, at, duration_ms, status, reason)
     select id, $2, $3, $4, $5, $6 from deliveries where id = $1 for key share on conflict do nothing`,
    [deliveryId, number, at, Math.round(durationMs), status, reason],
  );
}

export async function listAttempts(db: Queryable, deliveryId: string): Promise<DeliveryAttempt[]> {
  return await queryRows<DeliveryAttempt>(
    db,
    `select number, at, duration_ms as "durationMs", status, reason from delivery_attempts
     where delivery_id = $1 order by number`,
    [deliveryId],
  );
}
