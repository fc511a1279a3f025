import { afterAll, beforeAll, expect, test } from "vitest";
import type { PoolClient, QueryResult } from "pg";
import { removeExpiredFlows } from "../src/connect/index.ts";
import { systemClock } from "../src/platform/clock.ts";
import { fillTables } from "./support/fill-tables.ts";
import { createHarness, type Harness } from "./support/harness.ts";

const mostAtOnce = 500;
const rows = 20_000;
const manyCodes = 100_000;

/** How many rows each statement deleted. */
const deleted: number[] = [];

let harness: Harness;
beforeAll(async () => {
  harness = await createHarness({ clock: systemClock });
  const { pool } = harness.services;
  const client = await pool.connect();
  try {
    await client.query("set session_replication_role = replica");
    await fillTables(client, rows);
    for (const text of makeOld) await client.query(text);
    await client.query(
      `insert into authorization_codes (digest, client_id, token_id, redirect_uri, expires_at, redeemed_at)
       select int8send(n), 'client-1', gen_random_uuid(), '', now() - interval '31 days',
         case when n % 2 = 0 then now() - interval '31 days' end from generate_series(1, $1::integer) n`,
      [manyCodes],
    );
  } finally {
    client.release(true);
  }
  noteDeleted(pool);
  const connect = pool.connect.bind(pool) as (...args: unknown[]) => unknown;
  const noted = new WeakSet<object>();
  pool.connect = ((...args: unknown[]) => {
    // The pool itself connects with a callback.
    if (args.length > 0) return connect(...args);
    return (async () => {
      const opened = (await connect()) as PoolClient;
      if (!noted.has(opened)) noteDeleted(opened);
      noted.add(opened);
      return opened;
    })();
  }) as typeof pool.connect;
});
afterAll(() => harness.close());

/** Of statements that are sent to it by themselves, and of those of its transactions. */
function noteDeleted(db: { query: unknown }): void {
  const query = (db.query as (...args: unknown[]) => Promise<QueryResult>).bind(db);
  db.query = (async (...args: unknown[]) => {
    const result = await query(...args);
    if (typeof args.at(-1) === "function") return result;
    if (/\bdelete from\b|\bset emptied_at\b/.test(args[0] as string)) deleted.push(countOf(result));
    return result;
  }) as unknown;
}

/** Half of the rows are old. */
const makeOld = [
  "update connect_flows set expires_at = now() - interval '61 minutes' where get_byte(uuid_send(id), 15) % 2 = 0",
  "update sign_in_throttle set forget_at = now() where get_byte(digest, 3) % 2 = 0",
  "update sign_in_hours set forget_at = now() where get_byte(digest, 3) % 2 = 0",
  "update known_sources set forget_at = now() where get_byte(digest, 3) % 2 = 0",
  `update connections set claimed_at = null, expires_at = now() - interval '1 minute'
   where client_id like 'client-%' and get_byte(uuid_send(id), 15) % 2 = 0`,
  "update deliveries set settled_at = now() - interval '15 days' where status <> 'pending'",
  "update snapshots set fetched_at = now() - interval '15 days'",
  "update reads set settled_at = now() - interval '15 days' where state = 'settled'",
  "update polls set polled_at = now() - interval '91 days'",
  "update quota_counts set slot = 0",
  "update quota_pauses set until = now() - interval '2 days'",
  "update quota_places set until = now() - interval '1 minute'",
  "update quota_waits set until = now() - interval '1 minute'",
];

/** A statement that counts what one of its parts deleted says the number in its only row. */
function countOf({ rows: [row], rowCount }: QueryResult): number {
  return (row as { count?: number } | undefined)?.count ?? rowCount ?? 0;
}

const cleanUps: [string, number, (signal?: AbortSignal) => Promise<void>][] = [
  ["codes", manyCodes, (signal) => harness.services.tokens.removeOldCodes(signal)],
  ["sign-ins", rows, (signal) => removeExpiredFlows(harness.services, signal)],
  [
    "attempts to sign in",
    (3 * rows) / 2,
    (signal) => harness.services.signInThrottle.removeOld(signal),
  ],
  ["webhooks", 2 * rows - rows / 1_000, (signal) => harness.services.webhooks.removeOld(signal)],
  ["data", 2 * rows - rows / 1_000, (signal) => harness.services.sync.removeOld(signal)],
  ["requests", 4 * rows, (signal) => harness.services.quotas.removeOld(signal)],
  [
    "unclaimed connections",
    rows / 2,
    (signal) => harness.services.connections.removeUnclaimed(signal),
  ],
];

test.each(cleanUps)(
  "however many old %s there are, no statement deletes more than a batch",
  async (_what, expected, cleanUp) => {
    deleted.length = 0;
    await cleanUp();
    const total = deleted.reduce((sum, count) => sum + count, 0);
    expect(total).toBe(expected);
    expect(Math.max(...deleted)).toBe(mostAtOnce);
  },
);

test("each connection that nobody claimed has its entry in the audit log", async () => {
  const [row] = await harness.database.query(
    `select count(*)::integer as count, count(distinct connection_id)::integer as connections
     from audit_entries where action = 'connection.expired' and client_id like 'client-%'`,
  );
  expect(row).toEqual({ count: rows / 2, connections: rows / 2 });
});

test("a process that stops ends its clean-up after the current batch", async () => {
  const stopping = new AbortController();
  await harness.database.query("update sign_in_throttle set forget_at = now()");
  deleted.length = 0;
  const cleaning = harness.services.signInThrottle.removeOld(stopping.signal);
  stopping.abort();
  await cleaning;
  expect(deleted).toEqual([mostAtOnce]);
});
