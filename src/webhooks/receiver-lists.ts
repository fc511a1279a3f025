import type { ClientId, ConnectionId } from "../model/index.ts";
import { queryRow, queryRows, type Pool } from "../platform/db/index.ts";
import {
  columns,
  type Delivery,
  type DeliveryAttempt,
  type DeliveryError,
} from "./delivery-store.ts";
import { ofKind, tables, type EndpointKind, type EndpointStatus } from "./endpoint-store.ts";

/** An address of a client that does not take what is sent to it. */
export interface FailingReceiver {
  kind: EndpointKind;
  clientId: ClientId;
  status: EndpointStatus;
  /** Null when nobody knows any more. */
  since: Date | null;
  /** Of the newest delivery that was refused. */
  lastStatus: number | null;
  lastError: DeliveryError | null;
  attempts: number;
}

const failingSql = (["employees", "events"] as const)
  .map(
    (
      kind,
    ) => `select '${kind}' as kind, e.client_id as "clientId", e.status, e.failing_since as since,
        l.last_status as "lastStatus", l.last_error as "lastError", coalesce(l.run, 0) as attempts
      from ${tables[kind]} e left join lateral (
        select last_status, last_error, run from deliveries d
        where d.client_id = e.client_id and d.last_error is not null and d.${ofKind[kind]}
        order by d.id desc limit 1) l on true
      where (e.failing_since is not null or e.status in ('paused', 'gone')) and e.status is not null
        and ($1::text is null or e.client_id = $1)`,
  )
  .join(" union all ");

interface PollCounts {
  /** Connections that are polled every hour. */
  polled: number;
  /** Due, and not begun or not ended. */
  due: number;
  /** When the poll that is due longest was due. */
  oldestDue: Date | null;
}

interface DeliveryCount {
  status: string;
  deliveries: number;
  /** Of the one that was made first. */
  oldest: Date;
}

/** Receivers, deliveries and polls as people look at them, and how many there are. */
export class ReceiverLists {
  readonly #pool: Pool;

  constructor(pool: Pool) {
    this.#pool = pool;
  }

  /**
   * Of a client, or of all, those that fail longest first. Uses the rows of clients, of which there are few beside their
   * connections, and deliveries_refused_employees and deliveries_refused_events.
   */
  async failing(
    clientId: ClientId | undefined,
    { limit }: { limit?: number } = {},
  ): Promise<FailingReceiver[]> {
    return await queryRows<FailingReceiver>(
      this.#pool,
      `select kind, "clientId", status, since, "lastStatus", "lastError", attempts from (${failingSql}) failing
       order by since nulls first, "clientId", kind limit $2`,
      [clientId ?? null, limit ?? null],
    );
  }

  /** The newest first. Uses deliveries_connection. */
  async ofConnection(connectionId: ConnectionId, limit: number): Promise<Delivery[]> {
    return await queryRows<Delivery>(
      this.#pool,
      `select ${columns} from deliveries where connection_id = $1 order by id desc limit $2`,
      [connectionId, limit],
    );
  }

  /** The attempts at a delivery. */
  async attempts(deliveryId: string): Promise<DeliveryAttempt[]> {
    return await queryRows<DeliveryAttempt>(
      this.#pool,
      `select number, at, duration_ms as "durationMs", status, reason from delivery_attempts
       where delivery_id = $1 order by number`,
      [deliveryId],
    );
  }

  async countDeliveries(): Promise<DeliveryCount[]> {
    return await queryRows<DeliveryCount>(
      this.#pool,
      `select status, count(*)::integer as deliveries, min(created_at) as oldest from deliveries
       group by status order by status`,
    );
  }

  /** The age in seconds of the oldest body that no receiver has acknowledged; 0 when there is none. */
  async undeliveredAge(): Promise<number> {
    const row = await queryRow<{ seconds: number }>(
      this.#pool,
      `select greatest(0, extract(epoch from service_now() - min(created_at)))::float8 as seconds
       from deliveries where status = 'pending'`,
    );
    return row?.seconds ?? 0;
  }

  async countPolls(): Promise<PollCounts> {
    const row = await queryRow<PollCounts>(
      this.#pool,
      `select count(*) filter (where next_poll_at is not null)::integer as polled,
         count(*) filter (where state = 'pending' or next_poll_at <= service_now())::integer as due,
         min(case when state = 'pending' then slot when next_poll_at <= service_now() then next_poll_at end) as "oldestDue"
       from polls`,
    );
    return row ?? { polled: 0, due: 0, oldestDue: null };
  }

  /** How many polls are due or wait to run. Uses polls_stale_of_client and polls_next_poll_at. */
  async countDuePolls(): Promise<number> {
    const row = await queryRow<{ due: number }>(
      this.#pool,
      `select ((select count(*) from polls where state = 'pending')
         + (select count(*) from polls where next_poll_at <= service_now() and state <> 'pending'))::integer as due`,
    );
    return row?.due ?? 0;
  }

  /** When the poll that is due longest was due. Uses polls_next_poll_at. */
  async oldestDuePoll(): Promise<Date | undefined> {
    const row = await queryRow<{ oldest: Date | null }>(
      this.#pool,
      "select min(next_poll_at) as oldest from polls where next_poll_at is not null",
    );
    return row?.oldest ?? undefined;
  }
}
