import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Client } from "../../src/clients/index.ts";
import { answers, Receiver } from "../support/receiver.ts";
import { createWebhookHarness, people, type WebhookHarness } from "../support/webhook-harness.ts";

/** Answers as an internal page does that is no receiver. */
let inside: Receiver;
let first: WebhookHarness;
beforeAll(async () => {
  inside = await Receiver.start();
  inside.answer = answers.status(500, {}, "internal: the key is 42");
  first = await createWebhookHarness();
});
afterAll(async () => {
  await first.close();
  await inside.close();
});

/** A service on the same database, with these ranges. */
async function openedFor(
  ranges: { providers?: string; webhooks?: string },
  work: (harness: WebhookHarness) => Promise<void>,
): Promise<void> {
  const { database, environment } = first;
  const harness = await createWebhookHarness({
    database,
    env: {
      ...environment,
      OUTBOUND_ALLOW_PROVIDERS: ranges.providers ?? "",
      OUTBOUND_ALLOW_WEBHOOKS: ranges.webhooks ?? "",
    },
  });
  inside.reset();
  inside.answer = answers.status(500, {}, "internal: the key is 42");
  try {
    await work(harness);
  } finally {
    await harness.disconnectCompanies();
    await harness.close();
  }
}

type Owner = { client: Client; secret: string };

/** Points a webhook at the internal page. Returns what its client is told of the delivery. */
async function attack(harness: WebhookHarness, owner: Owner): Promise<Record<string, unknown>> {
  const company = await harness.watchCompany(people(2), inside.url, { client: owner });
  company.people = people(3);
  await harness.pollNextHour();
  const [delivery] = await harness.deliveriesOf(owner.client.clientId);
  const reply = await harness.http.get(`/2023-03-01/management/deliveries/${delivery?.id}`, {
    basic: [owner.client.clientId, owner.secret],
  });
  return reply.body as Record<string, unknown>;
}

/** How many sockets a sign-in opens to the internal page, where the client says that its provider is. */
async function ask(harness: WebhookHarness, clientId: string | undefined): Promise<number> {
  const before = inside.connections;
  harness.stub.onLogin = async ({ http }) => {
    const { origin } = new URL(inside.url);
    await http(origin).request({ method: "POST", url: `${origin}/login`, json: {} });
  };
  const request = { provider: "stub", mode: "xhr", scopes: [], clientId } as const;
  await expect(
    harness.services.connect.start(request, { username: "a", password: "b" }),
  ).rejects.toBeInstanceOf(Error);
  harness.stub.onLogin = () => undefined;
  return inside.connections - before;
}

const refused = { last_status: null, last_error: "refused_target", last_reply: null };
const reached = { last_status: 500, last_error: "status", last_reply: null };

describe("a range that is opened", () => {
  test("for providers is closed to webhooks", async () => {
    await openedFor({ providers: "127.0.0.0/8:*" }, async (harness) => {
      expect(await attack(harness, await harness.createClient())).toMatchObject(refused);
      expect(inside.connections).toBe(0);
      expect(await ask(harness, undefined)).toBe(1);
    });
  });

  test("for webhooks is closed to providers", async () => {
    await openedFor({ webhooks: "127.0.0.0/8:*" }, async (harness) => {
      expect(await ask(harness, undefined)).toBe(0);
      expect(await attack(harness, await harness.createClient())).toMatchObject(reached);
    });
  });

  test("for one port is closed on every other", async () => {
    const other = await Receiver.start();
    await openedFor({ webhooks: `127.0.0.1:${other.port}` }, async (harness) => {
      const owner = await harness.createClient();
      expect(await attack(harness, owner)).toMatchObject(refused);
      expect(inside.connections).toBe(0);
      await harness.listen(owner.client.clientId, other.url);
      await harness.settle({ includeDelayed: true });
      expect(other.connections).toBe(1);
    });
    await other.close();
  });

  test("for the webhooks of one client is closed to another, also beside an open socket", async () => {
    const [one, two] = [await first.createClient(), await first.createClient()];
    const webhooks = `${one.client.clientId}=127.0.0.0/8:*`;
    await openedFor({ webhooks }, async (harness) => {
      const told = await attack(harness, one);
      expect(told).toMatchObject(reached);
      expect(await attack(harness, two)).toMatchObject(refused);
      expect(new Set(inside.received.map(({ token }) => token))).toEqual(new Set([told["token"]]));
    });
  });

  test("for the providers of one client is closed to another, and to no client", async () => {
    const [one, two] = [await first.createClient(), await first.createClient()];
    const providers = `${one.client.clientId}=127.0.0.0/8:*`;
    await openedFor({ providers }, async (harness) => {
      expect(await ask(harness, one.client.clientId)).toBe(1);
      expect(await ask(harness, two.client.clientId)).toBe(0);
      expect(await ask(harness, undefined)).toBe(0);
    });
  });
});

describe("what an address that is not public replies", () => {
  test("is neither kept nor shown, and what an older version has kept is not shown", async () => {
    await openedFor({ webhooks: "127.0.0.0/8:*" }, async (harness) => {
      const owner = await harness.createClient();
      const { id } = await attack(harness, owner);
      const stored = "select sealed_last_reply as old, sealed_public_reply as new from deliveries";
      expect(await harness.database.query(`${stored} where id = $1`, [id])).toEqual([
        { old: null, new: null },
      ]);
      await harness.database.query("update deliveries set sealed_last_reply = 'old'");
      const shown = await harness.http.get(`/2023-03-01/management/deliveries/${String(id)}`, {
        basic: [owner.client.clientId, owner.secret],
      });
      expect(shown.body).toMatchObject({ last_reply: null });
    });
  });
});
