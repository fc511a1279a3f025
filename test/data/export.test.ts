import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createHarness, type Harness } from "../support/harness.ts";

const management = "/2023-03-01/management";
const query = { start_date: "2026-01-01", end_date: "2026-01-31" };

let harness: Harness;
beforeAll(async () => {
  harness = await createHarness();
});
afterAll(() => harness.close());

type Connected = Awaited<ReturnType<Harness["connect"]>>;
const get = (path: string, { token }: Connected) =>
  harness.http.get(`/2023-03-01/xhr/${path}`, {
    bearer: token,
    query: path === "payruns" ? query : {},
  });
const exportOf = (connected: Connected, { client, secret } = connected) =>
  harness.http.get(`${management}/tokens/${connected.tokenId}/export`, {
    basic: [client.clientId, secret],
  });

describe("the export of a connection", () => {
  test("has all that is stored, as the data endpoints have it, and no credential", async () => {
    const connected = await harness.connect();
    for (const path of ["employees", "payruns"]) await get(path, connected);
    await harness.drain();
    const reply = await exportOf(connected);
    expect(reply.status).toBe(200);
    const [employees, payruns, identity] = await Promise.all(
      ["employees", "payruns", "identity"].map(async (path) => (await get(path, connected)).body),
    );
    expect(reply.body).toEqual({
      token: connected.tokenId,
      client_id: connected.client.clientId,
      provider: "sandbox",
      mode: "xhr",
      scopes: expect.arrayContaining(["/2023-03-01/xhr/employees"]),
      reference: null,
      metadata: null,
      exported_at: harness.clock.now().toISOString(),
      identity,
      stored: [
        { resource: "employees", parameters: {}, read_at: expect.any(String), data: employees },
        { resource: "payruns", parameters: query, read_at: expect.any(String), data: payruns },
      ],
    });
    expect(reply.headers["cache-control"]).toBe("private, no-store");
    const { rows } = await harness.services.pool.query(
      "select token_id from audit_entries where action = 'connection.exported'",
    );
    expect(rows).toEqual([{ token_id: connected.tokenId }]);
  });

  test("of a connection that has read nothing is empty", async () => {
    expect((await exportOf(await harness.connect())).body).toMatchObject({ stored: [] });
  });

  test("is no other client's, and ends with the token", async () => {
    const connected = await harness.connect();
    expect((await exportOf(connected, await harness.connect())).status).toBe(404);
    await harness.http.post(`${management}/disconnect`, { bearer: connected.token });
    expect((await exportOf(connected)).status).toBe(404);
    expect((await exportOf({ ...connected, tokenId: "unknown" })).status).toBe(404);
  });
});
