import { createHmac } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createHarness, type Harness } from "../support/harness.ts";

const management = "/2023-03-01/management";

let harness: Harness;
beforeAll(async () => {
  harness = await createHarness();
});
afterAll(() => harness.close());

type Connected = Awaited<ReturnType<Harness["connect"]>>;
const basicOf = ({ client, secret }: Pick<Connected, "client" | "secret">): [string, string] => [
  client.clientId,
  secret,
];
const receiptOf = (connected: Connected, of = connected) =>
  harness.http.get(`${management}/tokens/${connected.tokenId}/receipt`, { basic: basicOf(of) });
const disconnect = ({ token }: Connected) =>
  harness.http.post(`${management}/disconnect`, { bearer: token });

async function connectAndRead(): Promise<Connected> {
  const connected = await harness.connect();
  const query = { start_date: "2026-01-01", end_date: "2026-01-31" };
  for (const path of ["employees", "payruns"])
    await harness.http.get(`/2023-03-01/xhr/${path}`, { bearer: connected.token, query });
  await harness.drain();
  return connected;
}

describe("the receipt of a disconnect", () => {
  test("says what was deleted and when, signed by Standard Webhooks with each secret", async () => {
    const connected = await connectAndRead();
    const disconnected = await disconnect(connected);
    expect(disconnected.body).toEqual({ disconnected: true });
    harness.clock.advance(3_600);
    const reply = await receiptOf(connected);
    expect(reply.status).toBe(200);
    expect(reply.body).toEqual({
      token: connected.tokenId,
      client_id: connected.client.clientId,
      connection: expect.stringMatching(/^[0-9a-f-]{36}$/),
      disconnected_at: expect.stringMatching(/^\d{4}-.*Z$/),
      by: "client",
      deleted: {
        credentials: true,
        lists: 2,
        pay_run_ids: expect.any(Number),
        webhooks: 0,
      },
    });
    const { deleted, disconnected_at: at } = reply.body as {
      deleted: { pay_run_ids: number };
      disconnected_at: string;
    };
    expect(deleted.pay_run_ids).toBeGreaterThan(0);
    expect(Date.parse(at)).toBeLessThanOrEqual(harness.clock.now().getTime() - 3_600_000);
    const id = `receipt_${connected.tokenId}`;
    const timestamp = String(reply.headers["webhook-timestamp"]);
    const signature = createHmac("sha256", connected.secret)
      .update(`${id}.${timestamp}.`)
      .update(reply.bytes)
      .digest("base64");
    expect(reply.headers).toMatchObject({
      "webhook-id": id,
      "webhook-signature": `v1,${signature}`,
    });
  });

  test("is no other client's, and not there as long as the token works", async () => {
    const connected = await connectAndRead();
    expect((await receiptOf(connected)).status).toBe(404);
    await disconnect(connected);
    expect((await receiptOf(connected, await harness.connect())).status).toBe(404);
    expect((await receiptOf({ ...connected, tokenId: "x" })).status).toBe(404);
  });

  test("is not made of the entry of another token", async () => {
    const [one, other] = [await connectAndRead(), await connectAndRead()];
    await disconnect(one);
    await disconnect(other);
    await harness.database.query(
      `update tokens set ended_entry = (select ended_entry from tokens where id = '${other.tokenId}')
       where id = '${one.tokenId}'`,
    );
    expect((await receiptOf(one)).status).toBe(404);
  });
});
