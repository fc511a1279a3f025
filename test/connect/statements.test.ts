import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";
import { createHarness, redirectUri, type Harness } from "../support/harness.ts";
import { statementsOf } from "../support/statements.ts";

let harness: Harness;
beforeAll(async () => {
  harness = await createHarness();
});
afterAll(() => harness.close());
afterEach(() => vi.restoreAllMocks());

test("the start of a sign-in and its page send the database two prepared statements each", async () => {
  const { client } = await harness.createClient();
  const visit = { cookie: "", page: "" };
  const started = await statementsOf(async () => {
    const reply = await harness.http.get("/connect", {
      query: {
        client_id: client.clientId,
        redirect_uri: redirectUri,
        scope: "/2023-03-01/xhr/employees",
        provider: "sandbox",
      },
    });
    visit.cookie = String(reply.headers["set-cookie"]).split(";", 1)[0] ?? "";
    visit.page = String(reply.headers["location"]);
    return reply;
  });
  expect(started).toEqual(["find-client", "insert-flow"]);
  expect(
    await statementsOf(() => harness.http.get(visit.page, { headers: { cookie: visit.cookie } })),
  ).toEqual(["find-flow", "find-client"]);
});

test("so does a one-time link", async () => {
  const { client, secret } = await harness.createClient();
  const { body } = await harness.http.post("/2023-03-01/management/connect-session", {
    basic: [client.clientId, secret],
    json: { redirect_uri: redirectUri, scope: "/2023-03-01/xhr/employees" },
  });
  const { pathname, search } = new URL((body as { connect_url: string }).connect_url);
  expect(await statementsOf(() => harness.http.get(pathname + search))).toEqual([
    "claim-link",
    "find-client",
  ]);
});
