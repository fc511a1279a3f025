import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createHarness, exchangeBody, signIn, type Harness } from "../support/harness.ts";

const base = "/2023-03-01/management";
const employees = "/2023-03-01/xhr/employees";

/** Two environments that share a database by mistake: only the credential's own prefix keeps them apart. */
let dev: Harness;
let prod: Harness;
beforeAll(async () => {
  dev = await createHarness();
  prod = await createHarness({
    database: dev.database,
    env: {
      ENVIRONMENT: "prod",
      MASTER_KEYS: dev.environment["MASTER_KEYS"] ?? "",
      SANDBOX_ACCESS_TOKEN: "",
    },
  });
});
afterAll(async () => {
  await prod.close();
  await dev.close();
});

const bothWays: [string, () => { own: Harness; foreign: Harness }][] = [
  ["dev on prod", () => ({ own: dev, foreign: prod })],
  ["prod on dev", () => ({ own: prod, foreign: dev })],
];

test.each([
  ["dev", () => dev],
  ["prod", () => prod],
])("every credential of %s says so", async (environment, harness) => {
  const { code, secret, token } = await harness().connect();
  expect(code).toMatch(new RegExp(`^rc_ac_${environment}_[0-9A-Za-z]{49}$`));
  expect(secret).toMatch(new RegExp(`^rc_cs_${environment}_[0-9A-Za-z]{49}$`));
  expect(token).toMatch(new RegExp(`^rc_at_${environment}_[0-9A-Za-z]{49}$`));
});

describe.each(bothWays)("a token of %s", (_name, sides) => {
  test("is 403 on data, introspect and disconnect, and not ended by it", async () => {
    const { own, foreign } = sides();
    const { token } = await own.connect();
    const replies = [
      await foreign.http.get(employees, { bearer: token }),
      await foreign.http.get(`${base}/introspect`, { bearer: token }),
      await foreign.http.post(`${base}/disconnect`, { bearer: token }),
    ];
    for (const reply of replies) {
      expect(reply.status).toBe(403);
      expect(reply.body).toEqual({ message: expect.any(String) });
      expect(reply.headers["www-authenticate"]).toBeUndefined();
    }
    expect((await own.http.get(`${base}/introspect`, { bearer: token })).body).toHaveProperty(
      "active",
      true,
    );
  });
});

describe.each(bothWays)("a code of %s", (_name, sides) => {
  test("is 404 as an unknown one, and not used up by it", async () => {
    const { own, foreign } = sides();
    const signedIn = await signIn(own.services);
    const refused = await foreign.http.post(`${base}/token`, { json: exchangeBody(signedIn) });
    expect([refused.status, refused.body]).toEqual([
      404,
      { message: expect.any(String), id: signedIn.code },
    ]);
    expect((await own.http.post(`${base}/token`, { json: exchangeBody(signedIn) })).status).toBe(
      201,
    );
  });
});

describe.each(bothWays)("a secret of %s", (_name, sides) => {
  test("is compared with the client's list and nothing else", async () => {
    const { own, foreign } = sides();
    const { client, secret } = await own.createClient();
    expect(
      (await foreign.http.get(`${base}/client`, { basic: [client.clientId, secret] })).status,
    ).toBe(200);
  });
});
