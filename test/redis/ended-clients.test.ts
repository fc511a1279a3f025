import { afterAll, expect, test } from "vitest";
import { createHarness } from "../support/harness.ts";

const harness = await createHarness();
afterAll(() => harness.close());

const identity = "/2023-03-01/xhr/identity";

test("no process takes a token of a client that has ended by what was copied of it", async () => {
  const { client, token } = await harness.connect();
  const beside = await harness.connect();
  const statusOf = async (bearer: string): Promise<number> =>
    (await harness.http.get(identity, { bearer })).status;
  // The first request copies what it found, and the second one is served by the copy.
  for (const bearer of [token, token, beside.token]) expect(await statusOf(bearer)).toBe(200);
  await harness.services.clients.ends.begin(client.clientId);
  expect([await statusOf(token), await statusOf(beside.token)]).toEqual([403, 200]);
});
