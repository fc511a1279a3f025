import type { ClientId, ConnectionId, TokenId } from "../model/index.ts";
import { queryRow, queryRows, type Queryable } from "../platform/db/index.ts";
import { bindingColumns, toFoundConnection } from "./bound-store.ts";
import type { FoundConnection } from "./connection.ts";
import type { GrantBinding } from "./grant.ts";
import type { StoredRights } from "./rights.ts";
import { columns, type ConnectionRow } from "./store.ts";

export type ListedState = keyof typeof states;

/** Which connections, beside all. */
export interface Narrowing {
  clientId?: ClientId | undefined;
  provider?: string | undefined;
  /** Those whose end user has to sign in again, or that may not read a resource, or some fields. */
  state?: ListedState | undefined;
}

export type FoundInPage = FoundConnection & {
  createdAt: Date;
  authFailedAt: Date | null;
  rights: StoredRights;
};
type PageRow = ConnectionRow & GrantBinding & { createdAt: Date };

const mostSampled = 500;

/** As the index of the state has it. */
const states = {
  refused: "auth_failure is not null",
  forbidden: "jsonb_path_exists(rights, '$.* ? (@.isForbidden == true)')",
  limited: "jsonb_path_exists(rights, '$.*.limited[*]')",
} as const;

/** Newest first. Uses the indexes of connections that the migrations 0057 and 0077 make. */
export async function findPage(
  db: Queryable,
  {
    before,
    tokenIds,
    limit,
    ...narrowing
  }: Narrowing & {
    before?: TokenId | undefined;
    tokenIds?: readonly TokenId[];
    limit: number;
  },
): Promise<FoundInPage[]> {
  const { conditions, values } = describe(narrowing);
  values.push(limit);
  const most = `$${values.length}`;
  if (before !== undefined) {
    values.push(before);
    conditions.push(`token_id < $${values.length}`);
  }
  if (tokenIds) {
    values.push(tokenIds);
    conditions.push(`token_id = any($${values.length}::uuid[])`);
  }
  const rows = await queryRows<PageRow>(
    db,
    // The page comes first: the planner believes that a state has many, and would look through all tokens beside it.
    `with page as materialized (
       select id from connections where claimed_at is not null and ${conditions.join(" and ")}
       order by token_id desc limit ${most})
     select ${columns}, created_at as "createdAt", ${bindingColumns}
     from bound_connections where id in (select id from page) order by token_id desc`,
    values,
  );
  const failedAt = await findFailures(db, rows);
  return rows.map(({ createdAt, ...row }) => ({
    ...toFoundConnection(row),
    rights: row.rights,
    createdAt,
    authFailedAt: failedAt.get(row.id) ?? null,
  }));
}

/** The view has no column that is newer than itself. */
async function findFailures(
  db: Queryable,
  rows: readonly PageRow[],
): Promise<Map<string, Date | null>> {
  const ids = rows.filter(({ authFailure }) => authFailure !== null).map(({ id }) => id);
  if (ids.length === 0) return new Map();
  const found = await queryRows<{ id: string; at: Date | null }>(
    db,
    "select id, auth_failed_at as at from connections where id = any($1::uuid[])",
    [ids],
  );
  return new Map(found.map(({ id, at }) => [id, at]));
}

/** Tokens of connections of a client. Uses connections_of_client. */
export async function findTokens(
  db: Queryable,
  clientId: ClientId,
  limit: number,
): Promise<TokenId[]> {
  const rows = await queryRows<{ tokenId: TokenId }>(
    db,
    `select token_id as "tokenId" from connections where client_id = $1 and claimed_at is not null
     order by token_id limit $2`,
    [clientId, limit],
  );
  return rows.map(({ tokenId }) => tokenId);
}

/** Reads no more rows than `most`. Those whose code was not exchanged yet are among them. */
export async function countUpTo(
  db: Queryable,
  narrowing: Narrowing,
  most: number,
): Promise<number> {
  const { conditions, values } = describe(narrowing);
  const row = await queryRow<{ count: number }>(
    db,
    `select count(*)::integer as count from (
       select from connections where ${conditions.join(" and ")} limit $${values.length + 1}) counted`,
    [...values, most],
  );
  return row?.count ?? 0;
}

/**
 * Of a client its newest connections; of all some that lie beside each other in blocks taken at random, always the same
 * as long as the table does not grow. Reads no more rows than it returns, about 500.
 */
export async function sampleIds(
  db: Queryable,
  clientId: ClientId | undefined,
): Promise<ConnectionId[]> {
  const rows = await queryRows<{ id: ConnectionId }>(
    db,
    clientId === undefined
      ? `select id from connections tablesample system (
           (select least(100, ${100 * mostSampled} / greatest(1, reltuples)) from pg_class where oid = 'connections'::regclass))
         repeatable (1) limit ${2 * mostSampled}`
      : `select id from connections where client_id = $1 order by token_id desc limit ${mostSampled}`,
    clientId === undefined ? [] : [clientId],
  );
  return rows.map(({ id }) => id);
}

function describe({ clientId, provider, state }: Narrowing): {
  conditions: string[];
  values: unknown[];
} {
  const given = Object.entries({ client_id: clientId, provider }).filter(
    ([, value]) => value !== undefined,
  );
  const conditions = given.map(([column], index) => `${column} = $${index + 1}`);
  const values: unknown[] = given.map(([, value]) => value);
  if (state) conditions.push(states[state]);
  return { conditions: conditions.length > 0 ? conditions : ["true"], values };
}
