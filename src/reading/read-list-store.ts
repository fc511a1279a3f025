import type { ClientId } from "../model/index.ts";
import { queryRows, type Queryable } from "../platform/db/index.ts";
import type { Read, ReadOutcome } from "./read.ts";
import { columns } from "./read-store.ts";

/** Which reads are listed. What is left out does not narrow the list. */
export interface ReadFilter {
  /** `pending` are all that have not ended, `running` those that a worker has begun. */
  status?: "pending" | "running" | ReadOutcome | undefined;
  clientId?: ClientId | undefined;
  provider?: string | undefined;
  /** Of the request of a read that is pending, and of the end of one that is settled. */
  since?: Date | undefined;
  until?: Date | undefined;
  limit: number;
}

type Parameter = (value: unknown) => string;

/** Those that have not ended, the newest request first, and then the others, the newest end first. */
export async function listReads(db: Queryable, filter: ReadFilter): Promise<Read[]> {
  const { status, limit } = filter;
  const isOpen = status === "pending" || status === "running";
  const pending = status === undefined || isOpen ? await listPending(db, filter) : [];
  if (isOpen || pending.length >= limit) return pending;
  return [...pending, ...(await listSettled(db, { ...filter, limit: limit - pending.length }))];
}

/** Uses reads_pending. */
async function listPending(db: Queryable, filter: ReadFilter): Promise<Read[]> {
  const isRunning = filter.status === "running" && "lease_until is not null";
  return await list(db, filter, { state: "pending", moment: "requested_at", where: isRunning });
}

/** Uses reads_settled_client, reads_settled_provider, reads_not_stored or reads_settled. */
async function listSettled(db: Queryable, filter: ReadFilter): Promise<Read[]> {
  const isFailure = filter.status !== undefined && filter.status !== "stored";
  return await list(db, filter, {
    state: "settled",
    moment: "settled_at",
    where: isFailure && "outcome <> 'stored'",
    outcome: filter.status,
  });
}

async function list(
  db: Queryable,
  { clientId, provider, since, until, limit }: ReadFilter,
  of: {
    state: Read["state"];
    moment: "requested_at" | "settled_at";
    where: string | false;
    outcome?: string | undefined;
  },
): Promise<Read[]> {
  const values: unknown[] = [limit];
  const parameter: Parameter = (value) => `$${values.push(value)}`;
  const conditions = [
    `state = '${of.state}'`,
    of.where,
    of.outcome && `outcome = ${parameter(of.outcome)}`,
    clientId !== undefined && `client_id = ${parameter(clientId)}`,
    provider !== undefined && `provider = ${parameter(provider)}`,
    since && `${of.moment} >= ${parameter(since)}`,
    until && `${of.moment} < ${parameter(until)}`,
  ].filter(Boolean);
  return await queryRows<Read>(
    db,
    `select ${columns} from reads where ${conditions.join(" and ")} order by ${of.moment} desc limit $1`,
    values,
  );
}
