import type { ClientId, ConnectionId } from "../model/index.ts";
import { queryRow, queryRows, type Pool } from "../platform/db/index.ts";
import { columns, type Delivery, type DeliveryError } from "./delivery-store.ts";
import type { EndpointKind, EndpointStatus } from "./endpoint-store.ts";

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

const mostReceivers = 100;
const newest = `select last_status, last_error, run from deliveries d
  where d.client_id = e.client_id and d.last_error is not null and SUBJECT order by d.id desc limit 1`;

const failingSql = (["employees", "events"] as const)
  .map((kind) => {
    const table = kind === "employees" ? "webhook_endpoints" : "event_endpoints";
    const subject = kind === "employees" ? "d.subject is null" : "d.subject is not null";
    return `select '${kind}' as kind, e.client_id as "clientId", e.status, e.failing_since as since,
        l.last_status as "lastStatus", l.last_error as "lastError", coalesce(l.run, 0) as attempts
      from ${table} e left join lateral (${newest.replace("SUBJECT", subject)}) l on true
      where (e.failing_since is not null or e.status in ('paused', 'gone')) and e.status is not null
        and ($1::text is null or e.client_id = $1)`;
  })
  .join(" union all ");

/** Receivers and deliveries as pages list them. */
export class ReceiverLists {
  readonly #pool: Pool;

  constructor(pool: Pool) {
    this.#pool = pool;
  }

  /** Of a client, or of all. Uses the rows of clients, of which there are few beside their connections. */
  async failing(clientId: ClientId | undefined): Promise<FailingReceiver[]> {
    return await queryRows<FailingReceiver>(
      this.#pool,
      `select kind, "clientId", status, since, "lastStatus", "lastError", attempts from (${failingSql}) failing
       order by since nulls first limit ${mostReceivers}`,
      [clientId ?? null],
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

  /** When the poll that is due longest was due. Uses polls_next_poll_at. */
  async oldestDuePoll(): Promise<Date | undefined> {
    const row = await queryRow<{ oldest: Date | null }>(
      this.#pool,
      "select min(next_poll_at) as oldest from polls where next_poll_at is not null",
    );
    return row?.oldest ?? undefined;
  }
}
