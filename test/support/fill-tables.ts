interface Database {
  query(text: string, values?: unknown[]): Promise<unknown>;
}

/** The tables that grow with the connections or with time. */
export const largeTables = [
  "authorization_codes",
  "connect_flows",
  "connections",
  "console_problems",
  "deliveries",
  "known_sources",
  "polls",
  "quota_counts",
  "quota_pauses",
  "quota_places",
  "quota_waits",
  "read_parts",
  "reads",
  "receiver_states",
  "sign_in_hours",
  "sign_in_throttle",
  "snapshots",
  "webhook_endpoints",
] as const;

type LargeTable = (typeof largeTables)[number];

const id = "lpad(to_hex(n), 32, '0')::uuid";
/** Ten connections have one client. */
const client = "'client-' || n / 10";
const origin = "'origin-' || n % 5000";

/**
 * A row of each kind for each connection, as they are in an hour of a service at work: one in a thousand is due,
 * pending or leased, and the others wait for their time. `$1` is how many connections there are.
 */
const fills = [
  `insert into clients (client_id, name, redirect_uris, created_at, updated_at)
   select 'client-' || n, 'Client', '{}', now(), now() from generate_series(0, $1::integer / 10) n`,
  `insert into webhook_endpoints (client_id, status, has_changed)
   select 'client-' || n, 'active', false from generate_series(0, $1::integer / 10) n`,
  `insert into connections (id, client_id, token_id, provider, mode, scopes, key_id, wrapped_key, sealed_session,
     sealed_identity, unsupported, created_at, signed_in_at, claimed_at, expires_at, origin_key)
   select ${id}, ${client}, ${id}, 'odoo', 'xhr', '{employees}', 'k', '', '', '', '{}', now(), now(),
     case when n % 1000 > 0 then now() end, now() + interval '5 minutes', ${origin} from generate_series(1, $1::integer) n`,
  `insert into console_problems (key, seen_by, kind, client_id, token_id, provider, times, since, found_at, ended_at)
   select n::text, case n % 3 when 0 then 'all' when 1 then 'client' else 'operator' end, 'sign_in_ended', ${client}, ${id},
     'odoo', 1, now(), now() - make_interval(secs => n % 120), case when n % 1000 > 0 then now() - make_interval(secs => n % 2500000) end
   from generate_series(1, $1::integer) n`,
  `insert into polls (connection_id, client_id, token_id, provider, slot, next_poll_at, state, enqueued_at, polled_at)
   select ${id}, ${client}, ${id}, 'odoo', now() - interval '1 hour', now() + make_interval(secs => n % 3600 + 60),
     case when n % 1000 = 0 then 'pending' else 'idle' end, now() - make_interval(secs => n % 120),
     now() - make_interval(secs => n % 3600) from generate_series(1, $1::integer) n`,
  `insert into reads (id, connection_id, client_id, provider, mode, origin_key, resource, parameters, state, priority,
     requested_at, due_at, settled_at, outcome, started_at)
   select ${id}, ${id}, ${client}, 'odoo', 'xhr', ${origin}, 'employees', '',
     case when n % 1000 = 0 then 'pending' else 'settled' end, 1, now() - make_interval(secs => n % 3600),
     case when n % 1000 = 0 then now() + interval '1 minute' end, case when n % 1000 > 0 then now() - make_interval(secs => n % 3600) end,
     case when n % 1000 > 0 then 'stored' end, now() from generate_series(1, $1::integer) n`,
  `insert into receiver_states (connection_id, client_id, token_id, version, current, acknowledged, suspected_missing,
     unconfirmed, tombstones, has_pending_changes, sealed_list, sealed_index, sealed_tombstones)
   select ${id}, ${client}, ${id}, 'v', '', '', '', '', '', n % 1000 = 0, '', '', '' from generate_series(1, $1::integer) n`,
  `insert into deliveries (id, connection_id, client_id, token_id, status, sealed_body, added, removed, updated,
     due_at, created_at, settled_at, origin_key)
   select ${id}, ${id}, ${client}, ${id}, case when n % 1000 = 0 then 'pending' else 'delivered' end, '', 1, 0, 0,
     case when n % 1000 = 0 then now() + interval '1 minute' end, now() - make_interval(secs => n % 1200000),
     case when n % 1000 > 0 then now() - make_interval(secs => n % 1200000) end, ${origin}
   from generate_series(1, $1::integer) n`,
  `insert into snapshots (connection_id, resource, parameters, version, fetched_at, sealed_body)
   select ${id}, 'employees', '', 'v', now() - make_interval(secs => n % 1200000), '' from generate_series(1, $1::integer) n`,
  `insert into authorization_codes (digest, client_id, token_id, redirect_uri, expires_at, redeemed_at)
   select int4send(n), ${client}, ${id}, '', now(), case when n % 1000 > 0 then now() end from generate_series(1, $1::integer) n`,
  `insert into connect_flows (id, client_id, mode, scopes, redirect_uri, tags, is_sandbox, is_provider_fixed, key_id,
     wrapped_key, phase, created_at, expires_at)
   select ${id}, ${client}, 'xhr', '{}', '', '{}', false, false, 'k', '', 'form', now(), now() + interval '1 hour'
   from generate_series(1, $1::integer) n`,
  `insert into sign_in_throttle (digest, refusals, next_attempt_at, forget_at)
   select int4send(n), 1, now(), now() + interval '1 hour' from generate_series(1, $1::integer) n`,
  `insert into sign_in_hours (digest, attempts, forget_at)
   select int4send(n), array[now()], now() + interval '1 hour' from generate_series(1, $1::integer) n`,
  `insert into known_sources (digest, forget_at)
   select int4send(n), now() + interval '90 days' from generate_series(1, $1::integer) n`,
  `insert into quota_counts (key, window_seconds, slot, requests)
   select 'key-' || n, 60, extract(epoch from now())::bigint, 1 from generate_series(1, $1::integer) n`,
  `insert into quota_pauses (key, until, refusals)
   select 'key-' || n, now() + interval '1 hour', 1 from generate_series(1, $1::integer) n`,
  `insert into quota_places (id, key, until)
   select ${id}, 'key-' || n, now() + interval '1 minute' from generate_series(1, $1::integer) n`,
  `insert into quota_waits (id, key, is_small, until)
   select ${id}, 'key-' || n, false, now() + interval '1 minute' from generate_series(1, $1::integer) n`,
];

/** Fills large tables, with what they hang on, as if there were so many connections. */
export async function fillTables(
  database: Database,
  connections: number,
  tables: readonly LargeTable[] = largeTables,
): Promise<void> {
  const wanted = ["clients", "connections", "webhook_endpoints", ...tables];
  for (const text of fills)
    if (wanted.some((table) => text.startsWith(`insert into ${table} (`)))
      await database.query(text, [connections]);
  for (const table of tables) await database.query(`vacuum analyze ${table}`);
}
