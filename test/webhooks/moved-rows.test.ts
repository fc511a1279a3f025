import { beforeEach, describe, expect, test } from "vitest";
import { scopesOfMode } from "../../src/model/index.ts";
import { mintCredential } from "../../src/platform/crypto/index.ts";
import { people, whoIn, type Company } from "../support/webhook-harness.ts";
import { stageReceiver, stageWebhooks } from "../support/webhook-stage.ts";

const { harness, receiver, changedCompany } = await stageWebhooks();
const thief = await stageReceiver();

const change = async (statement: string, ...values: unknown[]): Promise<unknown> =>
  await harness.database.query(statement, values);

/** A client of their own, which listens at their own receiver, and may be told of its own people alone. */
let theirs: Company;
let victim: Company;
beforeEach(async () => {
  victim = await changedCompany();
  theirs = await harness.watchCompany(people(2), thief.url);
});

/** All that the thief's receiver and the thief's list of deliveries have after another hour. */
async function findStolen(): Promise<unknown[]> {
  await harness.pollNextHour();
  await harness.settle({ includeDelayed: true });
  const listed = await harness.http.get("/2023-03-01/management/deliveries", {
    basic: [theirs.client.clientId, theirs.secret],
  });
  return [...thief.received, ...(listed.body as unknown[])];
}

describe("whoever writes to the database leads no webhook to another client", () => {
  test.each([
    "update receiver_states set client_id = $2 where connection_id = $1",
    "update polls set client_id = $2 where connection_id = $1",
    "update connections set client_id = $2 where id = $1",
    "update tokens set client_id = $2 where id = (select token_id from connections where id = $1)",
  ])("%s", async (statement) => {
    await change(statement, victim.connectionId, theirs.client.clientId);
    expect(await findStolen()).toEqual([]);
  });

  test("update deliveries set client_id", async () => {
    receiver.answer = (response) => void response.writeHead(500).end("a reply of the victim");
    await harness.pollNextHour();
    await change(
      "update deliveries set client_id = $2 where connection_id = $1",
      victim.connectionId,
      theirs.client.clientId,
    );
    const [row] = await harness.database.query(
      "select id from deliveries where connection_id = $1",
      [victim.connectionId],
    );
    const one = await harness.http.get(`/2023-03-01/management/deliveries/${String(row?.["id"])}`, {
      basic: [theirs.client.clientId, theirs.secret],
    });
    expect(one.status).toBe(404);
    const again = await harness.http.post(
      `/2023-03-01/management/deliveries/${String(row?.["id"])}/replay`,
      {
        basic: [theirs.client.clientId, theirs.secret],
      },
    );
    expect(again.status).toBe(404);
    receiver.reset();
    expect(await findStolen()).toEqual([]);
  });

  test("a header names the token of the connection, whatever the rows say", async () => {
    await change(
      "update receiver_states set token_id = $2 where connection_id = $1",
      victim.connectionId,
      theirs.tokenId,
    );
    await harness.pollNextHour();
    expect(receiver.received.map(({ token }) => token)).toEqual([victim.tokenId]);
  });

  test("update clients set webhook_uri", async () => {
    await change(
      "update clients set webhook_uri = $2 where client_id = $1",
      victim.client.clientId,
      thief.url,
    );
    expect(await findStolen()).toEqual([]);
  });
});

/** Changes a client's row while its webhook is due. */
async function spoil(): Promise<void> {
  await change("update clients set name = 'Other' where client_id = $1", victim.client.clientId);
  await harness.pollNextHour();
  await harness.settle({ includeDelayed: true });
  expect(receiver.received).toEqual([]);
}

describe("webhooks of a client that somebody else changed", () => {
  test("go on at once when an operator has confirmed it, each once", async () => {
    await spoil();
    await harness.services.clients.confirm(victim.client.clientId);
    await harness.settle();
    expect(receiver.received.map(whoIn)).toEqual([{ added: ["r3"], removed: [], updated: [] }]);
    victim.people = people(4);
    await harness.pollNextHour();
    expect(receiver.received.slice(1).map(whoIn)).toEqual([
      { added: ["r4"], removed: [], updated: [] },
    ]);
  });

  test("go on within an hour when its row is as it was again", async () => {
    await spoil();
    await change(
      "update clients set name = $2 where client_id = $1",
      victim.client.clientId,
      victim.client.name,
    );
    harness.clock.advance(3_600);
    await harness.settle();
    expect(receiver.received.map(whoIn)).toEqual([{ added: ["r3"], removed: [], updated: [] }]);
  });

  test("wait, in one line of the log, while none of its secrets opens, and go on when it has new ones", async () => {
    await change(
      "update client_secrets set sealed = '\\x00' where client_id = $1",
      victim.client.clientId,
    );
    const linesBefore = harness.logLines.length;
    await harness.pollNextHour();
    for (let hour = 0; hour < 3; hour += 1) {
      harness.clock.advance(3_600);
      await harness.settle();
    }
    expect(receiver.received).toEqual([]);
    const errors = harness.logLines
      .slice(linesBefore)
      .filter((line) => line.includes('"level":50'));
    expect(errors).toEqual([expect.stringContaining("a secret of a client does not open")]);
    const [delivery] = await harness.deliveriesOf(victim.client.clientId);
    expect(delivery).toMatchObject({ status: "pending", attempts: 0 });
    expect(delivery?.nextAttemptAt?.getTime()).toBeGreaterThan(harness.clock.now().getTime());
    const client = await harness.services.clients.find(victim.client.clientId);
    await harness.services.clients.update(client!, { secrets: [mintCredential("cs", "dev")] });
    harness.clock.advance(3_600);
    await harness.settle();
    expect(receiver.received.map(whoIn)).toEqual([{ added: ["r3"], removed: [], updated: [] }]);
  });

  test("are not confirmed at an address that is none", async () => {
    await change(
      "update clients set webhook_uri = 'nowhere' where client_id = $1",
      victim.client.clientId,
    );
    await expect(harness.services.clients.confirm(victim.client.clientId)).rejects.toMatchObject({
      validationError: expect.stringContaining("webhook_uri: what the row says is no address"),
    });
  });
});

test("a connection whose token does not cover the employees tells nobody of them", async () => {
  const scopes = scopesOfMode("xhr").filter((scope) => !scope.includes("employee"));
  const narrow = await harness.connectCompany(people(2), { client: theirs, scopes });
  await change(
    "update polls set covers_employees = true, next_poll_at = now() - interval '10 years' where connection_id = $1",
    narrow.connectionId,
  );
  await harness.settle();
  narrow.people = people(3);
  expect(await findStolen()).toEqual([]);
});

test("the body of a real connection is shown to nobody when its row says that it is of the sandbox", async () => {
  await harness.pollNextHour();
  await change("update connections set provider = 'sandbox' where id = $1", victim.connectionId);
  const [{ id } = { id: "" }] = await harness.deliveriesOf(victim.client.clientId);
  const { body } = await harness.http.get(`/2023-03-01/management/deliveries/${id}`, {
    basic: [victim.client.clientId, victim.secret],
  });
  expect((body as { body?: unknown }).body ?? null).toBeNull();
});
