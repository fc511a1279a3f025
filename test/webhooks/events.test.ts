import { createHmac } from "node:crypto";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { ClientChange } from "../../src/clients/index.ts";
import { transaction } from "../../src/platform/db/index.ts";
import { answers } from "../support/receiver.ts";
import { people, type Company } from "../support/webhook-harness.ts";
import { stageWebhooks } from "../support/webhook-stage.ts";

const { harness, receiver } = await stageWebhooks();
const deliveriesUrl = "/2023-03-01/management/deliveries";

interface Sent {
  type: string;
  timestamp: string;
  data: Record<string, unknown>;
}

let company: Company;
const sent = (): Sent[] => receiver.received.map(({ bytes }) => JSON.parse(bytes.toString()));
const typesSent = (): string[] => sent().map(({ type }) => type);

async function change(fields: ClientChange): Promise<void> {
  const { clients } = harness.services;
  const client = await clients.find(company.client.clientId);
  await clients.update(client!, fields);
  await harness.tick();
}

async function deliver(seconds = 0): Promise<void> {
  harness.clock.advance(seconds);
  await harness.services.events.place();
  await harness.work();
}

async function happen(type: string, data: object = {}): Promise<void> {
  await harness.database.query("select record_event_of($1, $2, $3::jsonb)", [
    company.connectionId,
    type,
    JSON.stringify(data),
  ]);
  await harness.services.events.place();
}

const rights = (gained: string[], lost: string[]): Promise<void> =>
  happen("connection.rights_changed", { gained, lost });
const entries = async () =>
  (
    await harness.http.get(deliveriesUrl, {
      basic: [company.client.clientId, company.secret],
    })
  ).body as Record<string, unknown>[];
const statusOfEvents = async () =>
  (await harness.services.webhooks.statusesOf(company.client.clientId)).events;

beforeEach(async () => {
  company = await harness.connectCompany(people(2));
  // What happened before the address was set is in the list alone.
  await harness.services.events.place();
  await change({ eventUri: receiver.url });
});

// The next test ends the company's connection, of which nobody is told.
afterEach(() => change({ eventUri: null }));

describe("an event", () => {
  test("is posted as the list has it, with the id and the signatures of Standard Webhooks", async () => {
    await happen("connection.healed");
    await deliver();
    const { headers, bytes, id } = receiver.last;
    const listed = await harness.http.get("/2023-03-01/management/events", {
      basic: [company.client.clientId, company.secret],
    });
    const { events } = listed.body as { events: (Sent & { id: string })[] };
    expect({ id, ...sent().at(-1) }).toEqual(events.at(-1));
    const signed = `${id}.${String(headers["webhook-timestamp"])}.${bytes.toString()}`;
    const mac = createHmac("sha256", company.secret).update(signed).digest("base64");
    expect(headers).toMatchObject({
      "webhook-signature": `v1,${mac}`,
      "x-service-api-origin": "events",
      "x-service-api-token": company.tokenId,
      "content-type": "application/json",
      "user-agent": "rollcall",
    });
    expect(headers).not.toHaveProperty("x-service-api-signature");
    expect(headers).not.toHaveProperty("x-service-api-reference");
  });

  test("of a type that the client has not chosen is not posted, and is listed", async () => {
    await change({ eventTypes: ["connection.ended"] });
    await happen("connection.healed");
    await harness.services.tokens.disconnectById(company.tokenId);
    await deliver();
    expect(typesSent()).toEqual(["connection.ended"]);
  });

  test("that the client does not want any more makes room for the next", async () => {
    receiver.answerNext(answers.status(500));
    await happen("connection.healed");
    await deliver();
    await happen("data.ready", { resource: "company", parameters: "", version: "v" });
    await change({ eventTypes: ["data.ready"] });
    await deliver(10);
    expect(typesSent()).toEqual(["connection.healed", "data.ready"]);
  });

  test("of a connection comes after the one before it, however often that was refused", async () => {
    receiver.answerNext(answers.status(500), answers.status(500));
    await happen("connection.healed");
    await deliver();
    await happen("data.failed", { resource: "company", parameters: "", error: "broken" });
    await harness.services.tokens.disconnectById(company.tokenId);
    await deliver();
    expect(typesSent()).toEqual(["connection.healed"]);
    for (let tries = 0; tries < 3; tries += 1) await deliver(6 * 60);
    expect(typesSent()).toEqual([
      "connection.healed",
      "connection.healed",
      "connection.healed",
      "data.failed",
      "connection.ended",
    ]);
    expect(new Set(receiver.ids).size).toBe(3);
  });

  test("of another connection does not wait", async () => {
    receiver.answer = answers.status(500);
    await happen("connection.healed");
    await deliver();
    receiver.reset();
    await harness.connectCompany(people(1), { client: company });
    await deliver();
    expect(typesSent()).toEqual(["connection.created"]);
  });

  test("is given up after all attempts, and the next one comes", async () => {
    receiver.answer = answers.status(500);
    await happen("connection.healed");
    await happen("connection.healed");
    await deliver();
    for (let attempt = 0; attempt < 9; attempt += 1) await deliver(27 * 3_600);
    expect(new Set(receiver.ids).size).toBe(1);
    await change({ eventUri: receiver.url });
    await deliver();
    receiver.answer = answers.status(204);
    await deliver(27 * 3_600);
    expect(new Set(receiver.ids).size).toBeGreaterThan(1);
    expect((await entries()).every(({ status }) => status !== "pending")).toBe(true);
  });
});

describe("a state that nobody has acknowledged", () => {
  test("is named by the newer one that stands for it, and what each says last of a resource counts", async () => {
    receiver.answer = answers.status(500);
    await rights([], ["payslips", "groups"]);
    await deliver();
    await happen("data.ready", { resource: "company", parameters: "", version: "v" });
    await rights(["payslips"], []);
    await rights([], ["timesheets"]);
    const [first] = receiver.ids;
    receiver.reset();
    for (let tries = 0; tries < 3; tries += 1) await deliver(6 * 60);
    expect(typesSent()).toEqual(["data.ready", "connection.rights_changed"]);
    expect(sent()[1]?.data).toMatchObject({
      gained: ["payslips"],
      lost: ["groups", "timesheets"],
      replaces: [first, expect.any(String)],
    });
  });

  test("stays when it was acknowledged", async () => {
    await rights([], ["payslips"]);
    await deliver();
    await rights(["payslips"], []);
    await deliver();
    expect(sent().map(({ data }) => data["replaces"])).toEqual([[], []]);
  });

  test("that is replaced while it is on its way settles nothing, and the newer one comes", async () => {
    receiver.answerNext(async (response) => {
      await rights(["payslips"], []);
      response.writeHead(204).end();
    });
    await rights([], ["payslips"]);
    await deliver();
    await deliver();
    expect(sent()[1]?.data).toMatchObject({ replaces: [receiver.ids[0]], gained: ["payslips"] });
    expect((await entries()).map(({ status }) => status)).toEqual(["delivered"]);
  });
});

describe("the address of events", () => {
  test("that is gone stops them and not the webhooks, and goes on in order when it is set again", async () => {
    await harness.listen(company.client.clientId, receiver.url);
    receiver.answerNext(answers.status(410));
    await happen("connection.healed");
    await deliver();
    await rights([], ["payslips"]);
    await deliver(3_600);
    expect(typesSent()).toEqual(["connection.healed"]);
    expect([await statusOfEvents(), await harness.statusOf(company.client.clientId)]).toEqual([
      "gone",
      "active",
    ]);
    await change({ eventUri: receiver.url });
    await deliver();
    expect(typesSent().slice(1)).toEqual(["connection.healed", "connection.rights_changed"]);
  });

  test("that is taken away drops what is pending, and later events alone are sent to the next", async () => {
    receiver.answer = answers.status(500);
    await happen("connection.healed");
    await deliver();
    await change({ eventUri: null });
    await happen("connection.healed");
    receiver.reset();
    await change({ eventUri: receiver.url });
    await rights([], ["payslips"]);
    await deliver(3_600);
    expect(typesSent()).toEqual(["connection.rights_changed"]);
  });

  test("that is taken away and set again before anybody looked is sent what happened since, and nothing of before", async () => {
    receiver.answer = answers.status(500);
    await happen("connection.healed");
    await deliver();
    const { clients } = harness.services;
    for (const eventUri of [null, receiver.url]) {
      harness.clock.advance(1);
      await clients.update((await clients.find(company.client.clientId))!, { eventUri });
    }
    harness.clock.advance(1);
    await rights([], ["payslips"]);
    receiver.reset();
    await harness.tick();
    await deliver(3_600);
    expect(typesSent()).toEqual(["connection.rights_changed"]);
  });

  test("is found again by a sweep when a program of before left its event alone", async () => {
    receiver.answerNext(answers.status(500));
    await happen("connection.healed");
    await deliver();
    await harness.database.query("update deliveries set due_at = null where subject is not null");
    await deliver(3_600);
    expect(receiver.received).toHaveLength(1);
    await harness.sweep();
    await harness.work();
    expect(receiver.received).toHaveLength(2);
  });

  test("of another client gets none when somebody writes its id into the rows", async () => {
    const thief = await harness.createClient();
    await harness.services.clients.update(thief.client, { eventUri: `${receiver.url}/thief` });
    receiver.answerNext(answers.status(500));
    await happen("connection.healed");
    await deliver();
    receiver.reset();
    for (const table of ["events", "deliveries"])
      await harness.database.query(`update ${table} set client_id = $2 where client_id = $1`, [
        company.client.clientId,
        thief.client.clientId,
      ]);
    await deliver(3_600);
    expect(receiver.received).toEqual([]);
  });
});

describe("GET deliveries", () => {
  test("lists events beside webhooks, shows their bodies for the sandbox alone, and sends them again", async () => {
    await happen("connection.healed");
    await deliver();
    const [entry] = await entries();
    const { id } = receiver.last;
    expect(entry).toMatchObject({
      id,
      token: company.tokenId,
      event: "connection.healed",
      status: "delivered",
      attempts: 1,
    });
    const basic: [string, string] = [company.client.clientId, company.secret];
    const one = await harness.http.get(`${deliveriesUrl}/${id}`, { basic });
    expect(one.body).toMatchObject({ body: null, last_reply: null });
    const again = await harness.http.post(`${deliveriesUrl}/${id}/replay`, { basic });
    expect([again.status, again.body]).toEqual([200, expect.objectContaining({ id })]);
    await harness.work();
    expect(receiver.ids).toEqual([id, id]);
    const other = await harness.createClient();
    const foreign: [string, string] = [other.client.clientId, other.secret];
    expect((await harness.http.get(`${deliveriesUrl}/${id}`, { basic: foreign })).status).toBe(404);
  });
});

test("a rolled-back transaction sends nothing", async () => {
  const { connections, pool } = harness.services;
  const connection = await connections.load(company.connectionId);
  const failing = transaction(pool, async (tx) => {
    await connections.refuse(tx, connection!, "captcha_challenge");
    throw new Error("the end");
  });
  await expect(failing).rejects.toThrow("the end");
  await deliver();
  expect(receiver.received).toEqual([]);
});
