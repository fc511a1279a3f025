import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { mintCredential } from "../../src/platform/crypto/index.ts";
import {
  createHarness,
  exchangeBody,
  newestToken,
  redirectUri,
  signIn,
  type Harness,
} from "../support/harness.ts";

const url = "/2023-03-01/management/token";

let harness: Harness;
beforeAll(async () => {
  harness = await createHarness();
});
afterAll(() => harness.close());

const makeCode = () => signIn(harness.services);

describe("201", () => {
  test("a valid code and valid client credentials give a token", async () => {
    const signedIn = await makeCode();
    const reply = await harness.http.post(url, { json: exchangeBody(signedIn) });
    expect(reply.status).toBe(201);
    expect(reply.headers["cache-control"]).toBe("no-store");
    expect(reply.body).toMatchObject({ mode: "xhr", provider: "sandbox", token_type: "Bearer" });
    expect(reply.body).toHaveProperty(
      "access_token",
      expect.stringMatching(/^rc_at_dev_[0-9A-Za-z]{49}$/),
    );
    expect((reply.body as { scopes: string[] }).scopes).toContain(
      "/2023-03-01/xhr/payruns/:payrun_id",
    );
  });

  test("parameters that are not known are ignored", async () => {
    const reply = await harness.http.post(url, {
      json: { ...exchangeBody(await makeCode()), audience: "x" },
    });
    expect(reply.status).toBe(201);
  });

  test("a JSON body under curl's default content type is JSON too", async () => {
    const headers = { "content-type": "application/x-www-form-urlencoded" };
    const reply = await harness.http.post(url, {
      headers,
      body: JSON.stringify(exchangeBody(await makeCode())),
    });
    expect(reply.status).toBe(201);
  });

  test("any current secret is accepted", async () => {
    const signedIn = await makeCode();
    const other = mintCredential("cs", "dev");
    await harness.services.clients.update(signedIn.client, { secrets: [other, signedIn.secret] });
    const reply = await harness.http.post(url, {
      json: exchangeBody({ ...signedIn, secret: other }),
    });
    expect(reply.status).toBe(201);
  });
});

describe("409", () => {
  test("a code that was redeemed names itself and the token's id, also after it would have expired", async () => {
    const signedIn = await makeCode();
    await harness.http.post(url, { json: exchangeBody(signedIn) });
    const token = await newestToken(harness.services, signedIn.client);
    const replay = await harness.http.post(url, { json: exchangeBody(signedIn) });
    expect(replay.status).toBe(409);
    expect(replay.body).toEqual({
      error: "conflict",
      message: `The code was exchanged before, for the token ${token}.`,
      code: signedIn.code,
      token,
    });
    harness.clock.advance(301);
    expect((await harness.http.post(url, { json: exchangeBody(signedIn) })).status).toBe(409);
  });

  test("a redeemed code is known for thirty days after it would have expired", async () => {
    const signedIn = await makeCode();
    const exchange = async () =>
      (await harness.http.post(url, { json: exchangeBody(signedIn) })).status;
    expect(await exchange()).toBe(201);
    harness.clock.advance(300 + 30 * 24 * 3600);
    await harness.services.tokens.removeOldCodes();
    expect(await exchange()).toBe(409);
    harness.clock.advance(1);
    await harness.services.tokens.removeOldCodes();
    expect(await exchange()).toBe(404);
  });

  test("of 200 exchanges at once one gives a token and the others conflict", async () => {
    const signedIn = await makeCode();
    const replies = await Promise.all(
      Array.from({ length: 200 }, () => harness.http.post(url, { json: exchangeBody(signedIn) })),
    );
    const statuses = replies.map(({ status }) => status);
    expect(statuses.filter((status) => status === 201)).toHaveLength(1);
    expect(statuses.filter((status) => status === 409)).toHaveLength(199);
    const rows = await harness.database.query("select 1 from tokens where client_id = $1", [
      signedIn.client.clientId,
    ]);
    expect(rows).toHaveLength(1);
  });
});

describe("a refused exchange", () => {
  const other = { client_id: "00000000-00000000-00000000-00000000" };
  test.each<[string, (body: Record<string, string>) => Record<string, unknown>, number, string]>([
    ["an unknown client", (body) => ({ ...body, ...other }), 400, "invalid_client:"],
    [
      "a client id that is none",
      (body) => ({ ...body, client_id: "\u0000" }),
      400,
      "invalid_client:",
    ],
    [
      "a wrong secret",
      (body) => ({ ...body, client_secret: mintCredential("cs", "dev") }),
      400,
      "invalid_client:",
    ],
    [
      "another redirect address",
      (body) => ({ ...body, redirect_uri: `${redirectUri}/` }),
      400,
      "invalid_grant:",
    ],
    [
      "a redirect address that no database stores",
      (body) => ({ ...body, redirect_uri: `${redirectUri}\u0000` }),
      400,
      "invalid_request: redirect_uri",
    ],
    [
      "another grant type",
      (body) => ({ ...body, grant_type: "client_credentials" }),
      400,
      "unsupported_grant_type:",
    ],
    [
      "no grant type",
      (body) => ({ ...body, grant_type: undefined }),
      400,
      "invalid_request: grant_type",
    ],
    ["no code", (body) => ({ ...body, code: undefined }), 400, "invalid_request: code"],
    [
      "a code that is not a string",
      (body) => ({ ...body, code: ["x"] }),
      400,
      "invalid_request: code",
    ],
    [
      "a verifier that was not announced",
      (body) => ({ ...body, code_verifier: "v".repeat(43) }),
      400,
      "invalid_request: code_verifier",
    ],
  ])(
    "%s is answered as specified and does not use up the code",
    async (_name, change, status, validationError) => {
      const signedIn = await makeCode();
      const refused = await harness.http.post(url, { json: change(exchangeBody(signedIn)) });
      expect(refused.status).toBe(status);
      expect((refused.body as { validation_error: string }).validation_error).toMatch(
        new RegExp(`^${validationError}`),
      );
      expect((await harness.http.post(url, { json: exchangeBody(signedIn) })).status).toBe(201);
    },
  );

  test.each([
    ["never issued", () => mintCredential("ac", "dev")],
    ["of the other environment", () => mintCredential("ac", "prod")],
  ])("a code that is %s is 404 with the code as it was sent", async (_name, makeWrong) => {
    const signedIn = await makeCode();
    const code = makeWrong();
    const reply = await harness.http.post(url, { json: { ...exchangeBody(signedIn), code } });
    expect(reply.status).toBe(404);
    expect(reply.body).toMatchObject({ id: code });
  });

  test.each([
    ["an access token", () => mintCredential("at", "dev")],
    ["a client secret", () => mintCredential("cs", "dev")],
    ["a code that is cut off", () => mintCredential("ac", "dev").slice(0, -3)],
    ["a word", () => "hunter2"],
  ])("%s that is sent as the code is 404, and not repeated", async (_name, makeWrong) => {
    const code = makeWrong();
    const reply = await harness.http.post(url, {
      json: { ...exchangeBody(await makeCode()), code },
    });
    expect([reply.status, reply.body]).toEqual([404, expect.objectContaining({ id: "" })]);
    expect(reply.bytes.toString()).not.toContain(code);
  });

  test("another client's code is as unknown as any", async () => {
    const [owner, other] = [await makeCode(), await makeCode()];
    const reply = await harness.http.post(url, {
      json: exchangeBody({ ...other, code: owner.code }),
    });
    expect(reply.status).toBe(404);
    expect((await harness.http.post(url, { json: exchangeBody(owner) })).status).toBe(201);
  });

  test("an expired code is an invalid grant, and its connection is gone after the sweep", async () => {
    const signedIn = await makeCode();
    harness.clock.advance(300);
    const late = await harness.http.post(url, { json: exchangeBody(signedIn) });
    expect(late.status).toBe(400);
    expect(late.body).toMatchObject({ validation_error: "invalid_grant: the code has expired" });
    await harness.services.connections.removeUnclaimed();
    expect(
      await harness.database.query("select 1 from connections where client_id = $1", [
        signedIn.client.clientId,
      ]),
    ).toHaveLength(0);
    expect((await harness.http.post(url, { json: exchangeBody(signedIn) })).status).toBe(400);
  });

  test("a code whose connection is gone has expired, and stays as it was", async () => {
    const signedIn = await makeCode();
    await harness.database.query("delete from connections where client_id = $1", [
      signedIn.client.clientId,
    ]);
    for (let time = 0; time < 2; time += 1) {
      const reply = await harness.http.post(url, { json: exchangeBody(signedIn) });
      expect(reply.status).toBe(400);
      expect(reply.body).toMatchObject({ validation_error: "invalid_grant: the code has expired" });
    }
  });

  test.each([
    ["not JSON", "{", "invalid_request: body: position"],
    ["empty", "", "invalid_request:"],
    ["a repeated parameter", '{"code":"a","code":"b"}', "invalid_request: body: position 12"],
    ["an array", "[]", "invalid_request:"],
  ])("a body that is %s is an invalid request", async (_name, body, validationError) => {
    const reply = await harness.http.post(url, {
      headers: { "content-type": "application/json" },
      body,
    });
    expect(reply.status).toBe(400);
    expect((reply.body as { validation_error: string }).validation_error).toContain(
      validationError,
    );
  });
});
