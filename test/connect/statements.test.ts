import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";
import { createHarness, redirectUri, type Harness } from "../support/harness.ts";
import { ConnectVisitor, linkPath } from "../support/connect-visitor.ts";
import { statementsOf } from "../support/statements.ts";

let harness: Harness;
beforeAll(async () => {
  harness = await createHarness();
});
afterAll(() => harness.close());
afterEach(() => vi.restoreAllMocks());

test("the page of a link sends the database one prepared statement, and the page of its flow two", async () => {
  const { client } = await harness.createClient();
  const visitor = new ConnectVisitor(harness.baseUrl);
  const link = linkPath(client);
  expect(await statementsOf(() => visitor.open(link))).toEqual(["find-client"]);
  const { path } = await visitor.begin(link);
  expect(await statementsOf(() => visitor.open(path))).toEqual(["find-flow", "find-client"]);
});

test("the page of a one-time link sends two", async () => {
  const { client, secret } = await harness.createClient();
  const { body } = await harness.http.post("/2023-03-01/management/connect-session", {
    basic: [client.clientId, secret],
    json: { redirect_uri: redirectUri, scope: "/2023-03-01/xhr/employees" },
  });
  const { pathname, search } = new URL((body as { connect_url: string }).connect_url);
  expect(await statementsOf(() => harness.http.get(pathname + search))).toEqual([
    "find-link",
    "find-client",
  ]);
});
