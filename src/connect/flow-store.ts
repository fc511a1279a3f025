import { queryRow, type Pool, type Queryable } from "../platform/db/index.ts";
import { LeaseTable, type Leased } from "../platform/leases/index.ts";
import type { Flow, Phase, Refusal } from "./flow.ts";
import type { ShareKeys } from "./share-keys.ts";

type FlowRow = Omit<Flow, "sealed" | "wrappedKey"> &
  Flow["sealed"] & { keyId: string; key: Buffer };

const columns = `id, purpose, coalesce(client_id, '') as "clientId", token_id as "tokenId", link_digest is not null as "isOfOneTimeLink", browser_digest as "browserDigest", mode,
  scopes, redirect_uri as "redirectUri", code_challenge as "codeChallenge", tags, is_sandbox as "isSandbox",
  provider, is_provider_fixed as "isProviderFixed", locale, phase, step, refusal,
  refused_attempts as "refusedAttempts", lease_until as "leaseUntil", finished_at as "finishedAt",
  expires_at as "expiresAt", sealed_state as state,
  sealed_submission as submission, sealed_prefill as prefill, sealed_challenge as challenge,
  sealed_sign_in as "signIn", sealed_redirect as redirect,
  sealed_account as account, key_id as "keyId", wrapped_key as key`;

const mostPerNetwork = 8;
const mostPerOrigin = 4;

/** The sign-ins under way: a share for each network that they come from, and for each typed address. */
export function createSignInTable(pool: Pool): LeaseTable<Leased> {
  return new LeaseTable<Leased>({
    pool,
    table: "connect_flows",
    fairBy: "network_key",
    shares: [
      { column: "network_key", limit: mostPerNetwork },
      { column: "origin_key", limit: mostPerOrigin },
    ],
    order: "due_at",
    columns: "id, run",
  });
}

export type NewFlow = Pick<
  Flow,
  | "id"
  | "clientId"
  | "tokenId"
  | "browserDigest"
  | "mode"
  | "scopes"
  | "redirectUri"
  | "codeChallenge"
  | "tags"
  | "isSandbox"
  | "provider"
  | "isProviderFixed"
  | "locale"
  | "phase"
  | "expiresAt"
  | "wrappedKey"
> &
  Partial<Pick<Flow, "purpose">> & {
    linkDigest: Buffer | null;
    openerKey: string | null;
    sealedState: Buffer | null;
    createdAt: Date;
  };

/** Leaves a flow of this id as it is. */
export async function insertFlow(db: Queryable, flow: NewFlow): Promise<void> {
  await db.query({
    name: "insert-flow",
    text: `insert into connect_flows (id, client_id, token_id, link_digest, browser_digest, mode, scopes,
       redirect_uri, code_challenge, tags, is_sandbox, provider, is_provider_fixed, locale, key_id,
       wrapped_key, sealed_state, phase, created_at, expires_at, purpose, opener_key)
     values ($1, nullif($2, ''), $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21,
       $22)
     on conflict (id) do nothing`,
    values: [
      flow.id,
      flow.clientId,
      flow.tokenId,
      flow.linkDigest,
      flow.browserDigest,
      flow.mode,
      flow.scopes,
      flow.redirectUri,
      flow.codeChallenge,
      flow.tags,
      flow.isSandbox,
      flow.provider,
      flow.isProviderFixed,
      flow.locale,
      flow.wrappedKey.keyId,
      flow.wrappedKey.bytes,
      flow.sealedState,
      flow.phase,
      flow.createdAt,
      flow.expiresAt,
      flow.purpose ?? "connection",
      flow.openerKey,
    ],
  });
}

export async function findFlow(db: Queryable, id: string): Promise<Flow | undefined> {
  return await findBy(db, "find-flow", "id", id);
}

export async function findFlowOfLink(db: Queryable, linkDigest: Buffer): Promise<Flow | undefined> {
  return await findBy(db, "find-link", "link_digest", linkDigest);
}

async function findBy(
  db: Queryable,
  name: string,
  column: "id" | "link_digest",
  value: string | Buffer,
): Promise<Flow | undefined> {
  const row = await queryRow<FlowRow>(db, {
    name,
    text: `select ${columns} from connect_flows where ${column} = $1`,
    values: [value],
  });
  return row && toFlow(row);
}

/** Of two browsers that claim a one-time link at once, one gets it, until `expiresAt`. The same one may come again. */
export async function claimLink(
  db: Queryable,
  {
    linkDigest,
    browserDigest,
    now,
    expiresAt,
  }: { linkDigest: Buffer; browserDigest: Buffer; now: Date; expiresAt: Date },
): Promise<Flow | undefined> {
  const row = await queryRow<FlowRow>(db, {
    name: "claim-link",
    text: `update connect_flows
     set browser_digest = $2, expires_at = case when browser_digest is null then $4 else expires_at end
     where link_digest = $1 and expires_at > $3 and (browser_digest is null or browser_digest = $2)
     returning ${columns}`,
    values: [linkDigest, browserDigest, now, expiresAt],
  });
  return row && toFlow(row);
}

/**
 * When an opener that has too many flows open may begin another one. Undefined when it may at once. A flow that led to
 * a connection does not count. The index connect_flows_opener serves this.
 */
export async function findTimeOfRoom(
  db: Queryable,
  { openerKey, now, mostOpenFlows }: { openerKey: string; now: Date; mostOpenFlows: number },
): Promise<Date | undefined> {
  const row = await queryRow<{ roomAt: Date | null }>(
    db,
    `select case when count(*) = $3 then min(expires_at) end as "roomAt" from (
       select expires_at from connect_flows
       where opener_key = $1 and expires_at > $2 and phase <> 'finished' order by expires_at desc limit $3
     ) as latest`,
    [openerKey, now, mostOpenFlows],
  );
  return row?.roomAt ?? undefined;
}

export interface FlowChange {
  phase: Phase;
  provider?: string | null;
  refusal?: Refusal | null;
  /** Adds one to the refused attempts. */
  isRefusedAttempt?: boolean;
  submission?: Buffer | null;
  prefill?: Buffer | null;
  challenge?: Buffer | null;
  signIn?: Buffer | null;
  redirect?: Buffer | null;
  account?: Buffer | null;
  /** When a worker goes on with the sign-in. A change without it withdraws what waits for a worker. */
  dueAt?: Date;
  shareKeys?: ShareKeys;
  endsLease?: boolean;
  finishedAt?: Date | null;
  expiresAt?: Date;
}

/** Changes the flow only if it is still at the step that was read. Undefined when it is not. */
export async function advanceFlow(
  db: Queryable,
  flow: Pick<Flow, "id" | "step">,
  change: FlowChange,
): Promise<Flow | undefined> {
  const sets = ["step = step + 1"];
  const values: unknown[] = [flow.id, flow.step];
  const set = (column: string, value: unknown): void =>
    void sets.push(`${column} = $${values.push(value)}`);
  set("phase", change.phase);
  if (change.provider !== undefined) set("provider", change.provider);
  if (change.refusal !== undefined)
    set("refusal", change.refusal && JSON.stringify(change.refusal));
  if (change.submission !== undefined) set("sealed_submission", change.submission);
  if (change.prefill !== undefined) set("sealed_prefill", change.prefill);
  if (change.challenge !== undefined) set("sealed_challenge", change.challenge);
  if (change.signIn !== undefined) set("sealed_sign_in", change.signIn);
  if (change.redirect !== undefined) set("sealed_redirect", change.redirect);
  if (change.account !== undefined) set("sealed_account", change.account);
  if (change.expiresAt !== undefined) set("expires_at", change.expiresAt);
  set("due_at", change.dueAt ?? null);
  if (change.shareKeys) set("network_key", change.shareKeys.networkKey);
  if (change.shareKeys) set("origin_key", change.shareKeys.originKey);
  if (change.endsLease) sets.push("lease_until = null");
  if (change.finishedAt !== undefined) set("finished_at", change.finishedAt);
  if (change.isRefusedAttempt) sets.push("refused_attempts = refused_attempts + 1");
  const row = await queryRow<FlowRow>(
    db,
    `update connect_flows set ${sets.join(", ")} where id = $1 and step = $2 returning ${columns}`,
    values,
  );
  return row && toFlow(row);
}

/**
 * Removes the submission from the row and returns it with the flow, so that it is tried at most once.
 * Undefined when there is none, or a newer run has begun.
 */
export async function claimSubmission(
  db: Queryable,
  { id, run }: Leased,
  step: number,
): Promise<Flow | undefined> {
  const claimedRow = await queryRow<FlowRow & { claimed: Buffer }>(
    db,
    `with claimed as (
       select id as flow_id, sealed_submission as claimed from connect_flows
       where id = $1 and step = $2 and run = $3 and phase = 'running' and sealed_submission is not null for update
     )
     update connect_flows set sealed_submission = null
     from claimed where id = flow_id returning claimed.claimed, ${columns}`,
    [id, step, run],
  );
  if (!claimedRow) return undefined;
  const { claimed, ...row } = claimedRow;
  return toFlow({ ...row, submission: claimed });
}

/** Gives the lease back. What was typed is tried at `dueAt`, unless the end user declines before. */
export async function postponeSignIn(
  db: Queryable,
  { id, run }: Leased,
  dueAt: Date,
): Promise<void> {
  await db.query(
    `update connect_flows set lease_until = null, due_at = case when phase = 'running' then $3::timestamptz end
     where id = $1 and run = $2`,
    [id, run, dueAt],
  );
}

/**
 * Gives the lease back until the provider is asked again. False when the end user has declined, or a newer run has
 * begun.
 */
export async function keepWaiting(
  db: Queryable,
  { id, run }: Leased,
  { step, challenge, dueAt }: { step: number; challenge: Buffer; dueAt: Date },
): Promise<boolean> {
  const { rowCount } = await db.query(
    `update connect_flows set lease_until = null, sealed_challenge = $4, due_at = $5
     where id = $1 and run = $2 and step = $3 and phase = 'waiting'`,
    [id, run, step, challenge, dueAt],
  );
  return rowCount === 1;
}

/** Gives back the lease of a run that has nothing more to do. */
export async function endLease(db: Queryable, { id, run }: Leased): Promise<void> {
  await db.query(
    `update connect_flows set lease_until = null, due_at = case when phase in ('running', 'waiting') then due_at end
     where id = $1 and run = $2`,
    [id, run],
  );
}

export async function setLocale(db: Queryable, id: string, locale: string): Promise<void> {
  await db.query("update connect_flows set locale = $2 where id = $1", [id, locale]);
}

/** Deletes at most `limit`. Returns how many they were. Uses connect_flows_expires_at. */
export async function deleteExpiredFlows(db: Queryable, now: Date, limit: number): Promise<number> {
  const { rowCount } = await db.query(
    `delete from connect_flows where id in (
       select id from connect_flows where expires_at <= $1
       order by expires_at limit $2 for update skip locked)`,
    [now, limit],
  );
  return rowCount ?? 0;
}

function toFlow({
  state,
  submission,
  prefill,
  challenge,
  signIn,
  redirect,
  account,
  keyId,
  key,
  ...flow
}: FlowRow): Flow {
  return {
    ...flow,
    sealed: { state, submission, prefill, challenge, signIn, redirect, account },
    wrappedKey: { keyId, bytes: key },
  };
}

/** Returns how many they were. */
export async function deleteAllFlows(db: Queryable): Promise<number> {
  return (await db.query("delete from connect_flows")).rowCount ?? 0;
}
