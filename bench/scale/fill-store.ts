import type { Stage } from "../../test/chaos/stage.ts";

const connectionsPerClient = 10;
const rowsAtOnce = 250_000;
/** Sealed bytes of a stored list and of a delivery: those of a small company, so that a million fit on a disk. */
const listBytes = 1_000;
const deliveryBytes = 300;

const id = "lpad(to_hex(n), 32, '0')::uuid";
const client = `'client-' || n / ${connectionsPerClient}`;
/** Spread over what is kept and an hour more: what the hourly clean-up finds. */
const spread = (days: number): string =>
  `now() - make_interval(secs => (n::bigint * 7919) % (${days} * 86400 + 3600))`;
const bytes = (length: number): string => `decode(repeat('5a', ${length}), 'hex')`;

/** Of each connection, between `$1` and `$2`. Nothing of it is due, so that no worker takes it. */
const perConnection = [
  `insert into connections (id, client_id, token_id, provider, mode, scopes, key_id, wrapped_key, sealed_session,
     sealed_identity, unsupported, created_at, signed_in_at, claimed_at, expires_at, origin_key, auth_failure)
   select ${id}, ${client}, ${id}, 'odoo', 'xhr', '{employees}', 'k', ${bytes(60)}, ${bytes(200)}, ${bytes(100)}, '{}',
     now(), now(), now(), now(), 'origin-' || n % 5000,
     case when n % 1000 = 0 then 'reauthentication_required' end from generate_series($1::integer, $2::integer) n`,
  `insert into tokens (id, client_id, digest, provider, mode, scopes, created_at, code_digest, grant_mac, digest_mac)
   select ${id}, ${client}, sha256(int4send(n)), 'odoo', 'xhr', '{employees}', ${spread(300)}, sha256(int4send(-n)),
     repeat('m', 50), repeat('m', 50) from generate_series($1::integer, $2::integer) n`,
  `insert into authorization_codes (digest, client_id, token_id, redirect_uri, expires_at, redeemed_at, grant_mac)
   select sha256(int4send(-n)), ${client}, ${id}, 'https://app.example.com/callback', ${spread(30)}, now(),
     repeat('m', 50) from generate_series($1::integer, $2::integer) n`,
  `insert into polls (connection_id, client_id, token_id, provider, slot, next_poll_at, state, polled_at)
   select ${id}, ${client}, ${id}, 'odoo', now(), now() + interval '20 hours' + make_interval(secs => n % 3600), 'idle',
     now() - make_interval(secs => n % 3600) from generate_series($1::integer, $2::integer) n`,
  `insert into reads (id, connection_id, client_id, provider, mode, origin_key, resource, parameters, state, priority,
     requested_at, settled_at, outcome, started_at)
   select ${id}, ${id}, ${client}, 'odoo', 'xhr', 'origin-' || n % 5000, 'employees', '', 'settled', 1, now(),
     ${spread(14)}, case when n % 1000 = 1 then 'unavailable' else 'stored' end, now() from generate_series($1::integer, $2::integer) n`,
  `insert into receiver_states (connection_id, client_id, token_id, version, current, acknowledged, suspected_missing,
     unconfirmed, tombstones, has_pending_changes, sealed_list, sealed_index, sealed_tombstones)
   select ${id}, ${client}, ${id}, 'v', ${bytes(160)}, ${bytes(160)}, '', '', '', false, ${bytes(listBytes)}, ${bytes(80)}, ''
   from generate_series($1::integer, $2::integer) n`,
  `insert into snapshots (connection_id, resource, parameters, version, fetched_at, sealed_body)
   select ${id}, 'employees', '', 'v', ${spread(14)}, ${bytes(listBytes)}
   from generate_series($1::integer, $2::integer) n`,
];

const perClient = [
  `insert into clients (client_id, name, redirect_uris, created_at, updated_at)
   select 'client-' || n, 'Client', '{}', now(), now() from generate_series($1::integer, $2::integer) n`,
  `insert into webhook_endpoints (client_id, status, has_changed)
   select 'client-' || n, 'active', false from generate_series($1::integer, $2::integer) n`,
];

/** Of the history of webhooks; `$3` is how many connections share them. The newest of a connection comes last. */
const perDelivery = `insert into deliveries (id, connection_id, client_id, token_id, status, sealed_body, added, removed, updated,
     created_at, settled_at, origin_key, last_status, run)
   select ${id}, lpad(to_hex(c), 32, '0')::uuid, 'client-' || c / ${connectionsPerClient}, lpad(to_hex(c), 32, '0')::uuid,
     'delivered', ${bytes(deliveryBytes)}, 1, 0, 0, ${spread(14)}, ${spread(14)}, 'origin-' || c % 5000, 204, 1
   from (select n, 1 + (n - 1) % $3::integer as c from generate_series($1::integer, $2::integer) n) d`;

/** Tables that grow with the connections or with time, and are never read whole. */
export const scaledTables = [
  "authorization_codes",
  "connections",
  "deliveries",
  "polls",
  "reads",
  "receiver_states",
  "snapshots",
  "tokens",
] as const;

/** Connections that nobody signed in to, each with all that a connection has, and the history of their webhooks. */
export async function fillStore(
  stage: Stage,
  { connections, deliveries }: { connections: number; deliveries: number },
): Promise<void> {
  await stage.query("set session_replication_role = replica");
  const clients = Math.floor(connections / connectionsPerClient);
  for (const text of perClient) await stage.query(text, [0, clients]);
  for (const text of perConnection) await inParts(stage, text, connections);
  if (connections > 0) await inParts(stage, perDelivery, deliveries, [connections]);
  await stage.query("set session_replication_role = origin");
  for (const table of ["clients", "webhook_endpoints", ...scaledTables])
    await stage.query(`vacuum analyze ${table}`);
  // What the rows left to be written is not written while it is measured.
  await stage.query("checkpoint");
}

async function inParts(
  stage: Stage,
  text: string,
  rows: number,
  more: readonly unknown[] = [],
): Promise<void> {
  for (let first = 1; first <= rows; first += rowsAtOnce)
    await stage.query(text, [first, Math.min(rows, first + rowsAtOnce - 1), ...more]);
}
