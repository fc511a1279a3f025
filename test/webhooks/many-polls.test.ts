import { afterAll, beforeAll, expect, test } from "vitest";
import { transaction } from "../../src/platform/db/index.ts";
import { createWebhookHarness, people, type WebhookHarness } from "../support/webhook-harness.ts";

const clientCount = 12;
const perClient = 20;
const due = clientCount * perClient;
/** The defaults of a worker: many more runs than database clients. */
const [places, databaseClients] = [64, 10];
const limitMs = 15 * 60_000;

let harness: WebhookHarness;
beforeAll(async () => {
  harness = await createWebhookHarness({
    concurrency: places,
    env: { DATABASE_POOL_MAX: String(databaseClients) },
  });
  harness.stub.pages = { employees: [people(3)] };
  const { clients, tokens, pool } = harness.services;
  const identity = { name: "A", email: "a@example.com", phone_number: null };
  for (let number = 0; number < clientCount; number += 1) {
    const { client } = await harness.createClient();
    await transaction(pool, async (tx) => {
      for (let index = 0; index < perClient; index += 1)
        await tokens.issueDirectly(tx, {
          clientId: client.clientId,
          provider: "stub",
          mode: "xhr",
          scopes: ["/2023-03-01/xhr/employees"],
          signIn: { session: {}, identity, unsupported: [], origin: null },
        });
    });
    await clients.update(client, { webhookUri: "https://receiver.example.com/hook" });
  }
}, limitMs);
afterAll(() => harness.close());

test(
  `of ${due} polls that are due at once no run fails because ${places} share ${databaseClients} database clients`,
  async () => {
    harness.logLines.length = 0;
    await harness.tick();
    await harness.work({ places });
    const polled = await harness.database.query(
      `select p.outcome, count(*)::integer as count from polls p join connections c on c.id = p.connection_id
       where c.provider = 'stub' group by 1`,
    );
    expect(polled).toEqual([{ outcome: "baseline", count: due }]);
    const failures = harness.logLines.filter((line) => Number(JSON.parse(line).level) >= 40);
    expect(failures).toEqual([]);
    const runs = await harness.database.query(
      `select run, tries, outcome, count(*)::integer as count from reads where provider = 'stub' group by 1, 2, 3`,
    );
    expect(runs).toEqual([{ run: 1, tries: 0, outcome: "stored", count: due }]);
  },
  limitMs,
);
