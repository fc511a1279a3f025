import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { createHarness, exchangeBody, signIn, type Harness } from "../support/harness.ts";
import { statementsOf } from "../support/statements.ts";

const base = "/2023-03-01/management";
const employees = "/2023-03-01/xhr/employees";

let harness: Harness;
let known: Awaited<ReturnType<Harness["connect"]>>;
beforeAll(async () => {
  harness = await createHarness();
  known = await harness.connect();
  await harness.http.get(employees, { bearer: known.token });
  await harness.drain();
  await harness.http.get(employees, { bearer: known.token });
});
afterAll(() => harness.close());
afterEach(() => vi.restoreAllMocks());

const get = (path: string, options: object) => () => harness.http.get(`${base}/${path}`, options);

describe("a request sends the database no more statements than it needs", () => {
  test("an exchange: the client twice, as it may end meanwhile, the code, and one for each change", async () => {
    const signedIn = await signIn(harness.services);
    expect(
      await statementsOf(() =>
        harness.http.post(`${base}/token`, { json: exchangeBody(signedIn) }),
      ),
    ).toEqual([
      "find-client-or-decoy",
      "begin",
      "lock-client-against-end",
      "claim-code",
      "claim-connection",
      "insert-poll",
      "insert-token",
      "insert-audit-entries",
      "commit",
    ]);
  });

  test("a disconnect: the token, and one for each change", async () => {
    const { token } = await harness.connect();
    expect(
      await statementsOf(() => harness.http.post(`${base}/disconnect`, { bearer: token })),
    ).toEqual([
      "admissions",
      "begin",
      "end-token",
      'select lists, pay_run_ids as "payRunIds", webhooks from count_stored($1)',
      "delete-connection",
      "insert-audit-entries",
      "update tokens set ended_entry = $2 where id = $1",
      "commit",
    ]);
  });

  test("introspect, the client and the list of tokens", async () => {
    const basic: [string, string] = [known.client.clientId, known.secret];
    expect(await statementsOf(get("introspect", { bearer: known.token }))).toEqual(["admissions"]);
    expect(await statementsOf(get("client", { basic }))).toEqual([
      "find-client-or-decoy",
      "find-endpoint",
    ]);
    expect(await statementsOf(get("tokens", { basic }))).toEqual([
      "find-client-or-decoy",
      "find-restrictions",
      "find-labels-of-client",
      "all-tokens",
    ]);
  });
});
describe("HEAD", () => {
  test.each<[string, () => object]>([
    [employees, () => ({ bearer: known.token })],
    [`${base}/introspect`, () => ({ bearer: known.token })],
    [`${base}/client`, () => ({ basic: [known.client.clientId, known.secret] })],
    [`${base}/tokens`, () => ({ basic: [known.client.clientId, known.secret] })],
    ["/openapi.json", () => ({})],
  ])("of %s does not more than GET, and tells the same", async (path, options) => {
    const replies: Record<string, Awaited<ReturnType<Harness["http"]["get"]>>> = {};
    const statements: Record<string, string[]> = {};
    for (const method of ["GET", "HEAD"])
      statements[method] = await statementsOf(
        async () => (replies[method] = await harness.http.request(method, path, options())),
      );
    expect(statements["HEAD"]).toEqual(statements["GET"]);
    expect(replies["HEAD"]?.bytes).toHaveLength(0);
    for (const name of ["content-type", "content-length", "etag", "cache-control", "vary"])
      expect([name, replies["HEAD"]?.headers[name]]).toEqual([name, replies["GET"]?.headers[name]]);
  });
});
