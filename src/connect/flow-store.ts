import type { ClientId } from "../model/index.ts";
import { deleteOld, queryRow, type Pool, type Queryable } from "../platform/db/index.ts";
import { LeaseTable, type Leased } from "../platform/leases/index.ts";
import type { Flow, Phase, Refusal } from "./flow.ts";
import type { ChangedTerms, FlowTerms, unsealedTerms } from "./flow-terms.ts";
import type { ShareKeys } from "./share-keys.ts";

/** The terms that have no column. */
type SealedTerm = keyof typeof unsealedTerms;

/** A row as it is stored. Its columns with terms count only for flows of an earlier version. */
export type StoredFlow = Omit<Flow, SealedTerm>;

/** What changes while the end user goes through the flow. */
type ChangingRow = Pick<
  Flow,
  "phase" | "step" | "refusal" | "refusedAttempts" | "isLeased" | "hasJustEnded" | "isExpired"
> &
  Flow["sealed"];

type FlowRow = Omit<StoredFlow, "sealed" | "wrappedKey" | keyof ChangingRow> &
  ChangingRow & { keyId: string; key: Buffer };

const changingColumns = `phase, step, refusal, refused_attempts as "refusedAttempts",
  coalesce(lease_until > service_now(), false) as "isLeased",
  coalesce(finished_at >= service_now() - interval '1 minute', false) as "hasJustEnded",
  expires_at <= service_now() as "isExpired", sealed_state as state,
  sealed_submission as submission, sealed_prefill as prefill, sealed_challenge as challenge,
  sealed_sign_in as "signIn", sealed_redirect as redirect, sealed_account as account,
  sealed_handover as handover`;

const columns = `id, purpose, coalesce(client_id, '') as "clientId", token_id as "tokenId", link_digest as "linkDigest",
  browser_digest as "browserDigest", mode, scopes, redirect_uri as "redirectUri", code_challenge as "codeChallenge", tags,
  is_sandbox as "isSandbox", provider, is_provider_fixed as "isProviderFixed", locale, sealed_terms as "sealedTerms",
  key_id as "keyId", wrapped_key as key, ${changingColumns}`;

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

/** Keyed digests of the address whose browser begins a flow, and of the network around it. */
export interface OpenerKeys {
  address: string;
  site: string;
}

export type NewFlow = Omit<FlowTerms, SealedTerm> &
  Pick<Flow, "id" | "locale" | "phase" | "wrappedKey"> & {
    /** Null when the client's server made the flow. */
    opener: OpenerKeys | null;
    sealedState: Buffer | null;
    sealedTerms: Buffer;
    lifetimeSeconds: number;
  };

/** Does nothing when a flow has this id. */
export async function insertFlow(db: Queryable, flow: NewFlow): Promise<void> {
  await db.query({
    name: "insert-flow",
    text: `insert into connect_flows (id, client_id, token_id, link_digest, browser_digest, mode, scopes,
       redirect_uri, code_challenge, tags, is_sandbox, provider, is_provider_fixed, locale, key_id,
       wrapped_key, sealed_state, phase, created_at, expires_at, purpose, sealed_terms, opener_key,
       opener_site_key, opener_site_number)
     values ($1, nullif($2, ''), $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18,
       service_now(), service_now() + make_interval(secs => $19), $20, $21, $22, $23,
       case when $23::text is not null then coalesce(
         (select max(opener_site_number) from connect_flows where opener_site_key = $23), 0) + 1 end)
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
      flow.lifetimeSeconds,
      flow.purpose,
      flow.sealedTerms,
      flow.opener?.address,
      flow.opener?.site,
    ],
  });
}

export async function findStoredFlow(
  db: Queryable,
  by: { id: string } | { linkDigest: Buffer },
): Promise<StoredFlow | undefined> {
  const [name, column, value] =
    "id" in by ? ["find-flow", "id", by.id] : ["find-link", "link_digest", by.linkDigest];
  const text = `select ${columns} from connect_flows where ${column} = $1`;
  const row = await queryRow<FlowRow>(db, { name, text, values: [value] });
  return row && toStoredFlow(row);
}

/** Claims a one-time link for a browser. Of two at once one gets it; false for the other one. */
export async function claimLink(
  db: Queryable,
  { id, sealedTerms }: Pick<Flow, "id" | "sealedTerms">,
  claimed: ChangedTerms & { lifetimeSeconds: number },
): Promise<boolean> {
  const { rowCount } = await db.query(
    `update connect_flows set browser_digest = $3, sealed_terms = $4, expires_at = ${inSeconds("$5")}
     where id = $1 and sealed_terms is not distinct from $2 and browser_digest is null
       and expires_at > service_now()`,
    [id, sealedTerms, claimed.browserDigest, claimed.sealedTerms, claimed.lifetimeSeconds],
  );
  return rowCount === 1;
}

export interface FlowChange {
  phase: Phase;
  /** The terms with another provider. */
  terms?: ChangedTerms;
  refusal?: Refusal | null;
  /** Adds one to the refused attempts. */
  isRefusedAttempt?: boolean;
  submission?: Buffer | null;
  prefill?: Buffer | null;
  challenge?: Buffer | null;
  signIn?: Buffer | null;
  redirect?: Buffer | null;
  account?: Buffer | null;
  /** After how many seconds a worker goes on with the sign-in. A change without it withdraws what waits for a worker. */
  dueInSeconds?: number;
  shareKeys?: ShareKeys;
  endsLease?: boolean;
  /** Whether the change ends the flow. */
  isEnd?: boolean;
  expiresInSeconds?: number;
}

/** SQL for the moment so many seconds from now; null for null. */
function inSeconds(parameter: string): string {
  return `service_now() + make_interval(secs => ${parameter})`;
}

/** Changes the flow only if it is still at the step that was read. Undefined when it is not. */
export async function advanceFlow(
  db: Queryable,
  flow: Flow,
  change: FlowChange,
): Promise<Flow | undefined> {
  const sets = ["step = step + 1"];
  const values: unknown[] = [flow.id, flow.step];
  const set = (column: string, value: unknown, format = (text: string) => text): void =>
    void sets.push(`${column} = ${format(`$${values.push(value)}`)}`);
  set("phase", change.phase);
  if (change.terms) set("provider", change.terms.provider);
  if (change.terms) set("sealed_terms", change.terms.sealedTerms);
  if (change.refusal !== undefined)
    set("refusal", change.refusal && JSON.stringify(change.refusal));
  if (change.submission !== undefined) set("sealed_submission", change.submission);
  if (change.prefill !== undefined) set("sealed_prefill", change.prefill);
  if (change.challenge !== undefined) set("sealed_challenge", change.challenge);
  if (change.signIn !== undefined) set("sealed_sign_in", change.signIn);
  if (change.redirect !== undefined) set("sealed_redirect", change.redirect);
  if (change.account !== undefined) set("sealed_account", change.account);
  if (change.expiresInSeconds !== undefined) set("expires_at", change.expiresInSeconds, inSeconds);
  set("due_at", change.dueInSeconds ?? null, inSeconds);
  if (change.shareKeys) set("network_key", change.shareKeys.networkKey);
  if (change.shareKeys) set("origin_key", change.shareKeys.originKey);
  if (change.endsLease) sets.push("lease_until = null");
  if (change.isEnd) sets.push("finished_at = service_now()");
  if (change.isRefusedAttempt) sets.push("refused_attempts = refused_attempts + 1");
  const row = await queryRow<ChangingRow>(
    db,
    `update connect_flows set ${sets.join(", ")} where id = $1 and step = $2 returning ${changingColumns}`,
    values,
  );
  return row && { ...flow, ...change.terms, ...nestSealed(row) };
}

/**
 * Removes the submission from the row and returns it sealed, so that it is tried at most once. Undefined when there is
 * none, or a newer run has begun.
 */
export async function claimSubmission(
  db: Queryable,
  { id, run }: Leased,
  step: number,
): Promise<Buffer | undefined> {
  const row = await queryRow<{ claimed: Buffer }>(
    db,
    `with claimed as (
       select id as flow_id, sealed_submission as claimed from connect_flows
       where id = $1 and step = $2 and run = $3 and phase = 'running' and sealed_submission is not null for update
     )
     update connect_flows set sealed_submission = null from claimed where id = flow_id returning claimed.claimed`,
    [id, step, run],
  );
  return row?.claimed;
}

/** Gives the lease back. The sign-in goes on after so many seconds, unless the end user declines before. */
export async function postponeSignIn(
  db: Queryable,
  { id, run }: Leased,
  afterSeconds: number,
): Promise<void> {
  await db.query(
    `update connect_flows set lease_until = null,
       due_at = case when phase in ('running', 'waiting') then ${inSeconds("$3")} end
     where id = $1 and run = $2`,
    [id, run, afterSeconds],
  );
}

/**
 * Gives the lease back until the provider is asked again. False when the end user has declined, or a newer run has
 * begun.
 */
export async function keepWaiting(
  db: Queryable,
  { id, run }: Leased,
  { step, challenge, afterSeconds }: { step: number; challenge: Buffer; afterSeconds: number },
): Promise<boolean> {
  const { rowCount } = await db.query(
    `update connect_flows set lease_until = null, sealed_challenge = $4, due_at = ${inSeconds("$5")}
     where id = $1 and run = $2 and step = $3 and phase = 'waiting'`,
    [id, run, step, challenge, afterSeconds],
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

/**
 * Replaces what the sign-in was handed over with, if it is still as it was read. It is no step of the flow: a sign-in
 * that runs meanwhile goes on. With a lifetime the flow is open for so long from now on.
 */
export async function replaceHandover(
  db: Queryable,
  { id, sealed: { handover } }: Flow,
  { sealed, lifetimeSeconds }: { sealed: Buffer | null; lifetimeSeconds: number | null },
): Promise<boolean> {
  const { rowCount } = await db.query(
    `update connect_flows set sealed_handover = $3, expires_at = coalesce(${inSeconds("$4::float8")}, expires_at)
     where id = $1 and sealed_handover is not distinct from $2 and expires_at > service_now()`,
    [id, handover, sealed, lifetimeSeconds],
  );
  return rowCount === 1;
}

/** Nobody goes on with the open sign-ins and links of the client. */
export async function expireFlowsOf(db: Queryable, clientId: ClientId): Promise<void> {
  await db.query(
    `update connect_flows set expires_at = service_now() where client_id = $1 and expires_at > service_now()`,
    [clientId],
  );
}

export async function setLocale(db: Queryable, id: string, locale: string): Promise<void> {
  await db.query("update connect_flows set locale = $2 where id = $1", [id, locale]);
}

/**
 * Takes from at most `limit` expired flows what they hold, and from whoever works on one its step. Returns how many they
 * were, and those among them that held a sign-in that became no connection. Uses connect_flows_to_empty.
 */
export async function emptyExpiredFlows(
  db: Queryable,
  limit: number,
): Promise<{ count: number; signedIn: StoredFlow[] }> {
  const { rows } = await db.query<FlowRow & { held: Buffer | null }>(
    `with expired as (
       select id as flow_id, sealed_sign_in as held from connect_flows
       where emptied_at is null and expires_at <= service_now()
       order by expires_at limit $1 for update skip locked)
     update connect_flows set emptied_at = service_now(), step = step + 1, due_at = null, lease_until = null,
       refusal = null, sealed_state = null, sealed_submission = null, sealed_prefill = null, sealed_challenge = null,
       sealed_sign_in = null, sealed_redirect = null, sealed_account = null, sealed_handover = null
     from expired where id = flow_id returning ${columns}, held`,
    [limit],
  );
  return {
    count: rows.length,
    signedIn: rows.flatMap(({ held, ...row }) =>
      held === null ? [] : [toStoredFlow({ ...row, signIn: held })],
    ),
  };
}

/** So long an expired flow leads back to the client. */
const shownSeconds = 3_600;

export async function deleteOldFlows(db: Queryable, signal?: AbortSignal): Promise<void> {
  const over = { since: "expires_at", keptSeconds: shownSeconds, where: "emptied_at is not null" };
  await deleteOld(db, { table: "connect_flows", key: "id", ...over }, signal);
}

function toStoredFlow({ keyId, key, ...row }: FlowRow): StoredFlow {
  return { ...nestSealed(row), wrappedKey: { keyId, bytes: key } };
}

function nestSealed<Row extends Flow["sealed"]>({
  state,
  submission,
  prefill,
  challenge,
  signIn,
  redirect,
  account,
  handover,
  ...row
}: Row) {
  const sealed = { state, submission, prefill, challenge, signIn, redirect, account, handover };
  return { ...row, sealed };
}

/** Returns how many they were. */
export async function deleteAllFlows(db: Queryable): Promise<number> {
  return (await db.query("delete from connect_flows")).rowCount ?? 0;
}
