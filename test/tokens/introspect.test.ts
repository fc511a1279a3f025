import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { scopesOfMode } from "../../src/model/index.ts";
import { mintCredential } from "../../src/platform/crypto/index.ts";
import { createHarness, type Harness } from "../support/harness.ts";

const base = "/2023-03-01/management";
const url = `${base}/introspect`;
const employees = "/2023-03-01/xhr/employees";

let harness: Harness;
let known: Awaited<ReturnType<Harness["connect"]>>;
beforeAll(async () => {
  harness = await createHarness();
  known = await harness.connect();
});
afterAll(() => harness.close());

const spoil = (credential: string): string =>
  credential.slice(0, -1) + (credential.endsWith("0") ? "1" : "0");

describe("200", () => {
  test("an active token is described, and its id is named, and the token is not repeated", async () => {
    const reply = await harness.http.get(url, { bearer: known.token });
    expect(reply.status).toBe(200);
    expect(reply.body).toEqual({
      token: known.tokenId,
      client_id: known.client.clientId,
      mode: "xhr",
      provider: "sandbox",
      scopes: scopesOfMode("xhr"),
      active: true,
    });
    expect(reply.headers["cache-control"]).toBe("private, no-store");
  });

  test("scopes and mode are those that were granted", async () => {
    const narrow = await harness.connect({ scopes: [employees] });
    const official = await harness.connect({ mode: "official" });
    expect((await harness.http.get(url, { bearer: narrow.token })).body).toMatchObject({
      mode: "xhr",
      scopes: [employees],
    });
    expect((await harness.http.get(url, { bearer: official.token })).body).toMatchObject({
      mode: "official",
      scopes: scopesOfMode("official"),
    });
  });

  test("a disconnected token is not active, and the rest is as it was", async () => {
    const { token, tokenId, client } = await harness.connect();
    await harness.http.post(`${base}/disconnect`, { bearer: token });
    const reply = await harness.http.get(url, { bearer: token });
    expect(reply.status).toBe(200);
    expect(reply.body).toEqual({
      token: tokenId,
      client_id: client.clientId,
      mode: "xhr",
      provider: "sandbox",
      scopes: scopesOfMode("xhr"),
      active: false,
    });
  });

  test("a token whose end user has to sign in again is active", async () => {
    const { token } = await harness.connect({ user: "user_expired" });
    await harness.http.get(employees, { bearer: token });
    await harness.drain();
    expect((await harness.http.get(employees, { bearer: token })).status).toBe(401);
    expect((await harness.http.get(url, { bearer: token })).body).toHaveProperty("active", true);
  });

  test("the shared sandbox token has every xhr scope and a client of its own", async () => {
    const reply = await harness.http.get(url, { bearer: harness.sandboxToken });
    expect(reply.status).toBe(200);
    expect(reply.body).toEqual({
      token: expect.stringMatching(/^[0-9a-f-]{36}$/),
      client_id: expect.stringMatching(/^[0-9A-F]{8}(-[0-9A-F]{8}){3}$/),
      mode: "xhr",
      provider: "sandbox",
      scopes: scopesOfMode("xhr"),
      active: true,
    });
  });

  test.each(["Bearer", "bearer", "BEARER", "bEaReR"])(
    "the scheme is matched in any case: %s",
    async (scheme) => {
      const reply = await harness.http.get(url, {
        headers: { authorization: `${scheme} ${known.token}` },
      });
      expect(reply.status).toBe(200);
    },
  );
});

describe("400", () => {
  test.each<[string, () => Record<string, string | string[]>]>([
    ["is missing", () => ({})],
    ["has no credential", () => ({ authorization: "Bearer" })],
    ["has no scheme", () => ({ authorization: known.token })],
    [
      "has another scheme",
      () => ({
        authorization: `Basic ${Buffer.from(`${known.client.clientId}:${known.secret}`).toString("base64")}`,
      }),
    ],
    ["has a scheme that starts alike", () => ({ authorization: `Bearertoken ${known.token}` })],
    ["has two words", () => ({ authorization: `Bearer ${known.token} ${known.token}` })],
    [
      "has two credentials",
      () => ({ authorization: `Bearer ${known.token}, Bearer ${known.token}` }),
    ],
    ["has a quoted credential", () => ({ authorization: `Bearer "${known.token}"` })],
    ["has a parameter", () => ({ authorization: `Bearer token=${known.token}` })],
    ["has letters that no credential has", () => ({ authorization: "Bearer t\u00f6ken" })],
    [
      "comes twice, both right",
      () => ({ authorization: [`Bearer ${known.token}`, `Bearer ${known.token}`] }),
    ],
    [
      "comes twice, the first one right",
      () => ({ authorization: [`Bearer ${known.token}`, "Bearer x"] }),
    ],
    [
      "comes twice, the second one Basic",
      () => ({ authorization: [`Bearer ${known.token}`, "Basic eDp5"] }),
    ],
  ])("a header that %s is malformed, and the header is named", async (_name, headers) => {
    const reply = await harness.http.get(url, { headers: headers() });
    expect(reply.status).toBe(400);
    expect(reply.body).toEqual({
      message: expect.any(String),
      validation_error: expect.stringMatching(/^authorization: ./),
    });
    expect(reply.bytes.toString()).not.toContain(known.token);
  });

  test("a token in the query is never read", async () => {
    for (const name of ["access_token", "token", "authorization", "bearer"]) {
      expect((await harness.http.get(url, { query: { [name]: known.token } })).status).toBe(400);
    }
  });

  test("a token in the query does not count as a second credential either", async () => {
    const reply = await harness.http.get(url, {
      bearer: known.token,
      query: { access_token: mintCredential("at", "dev") },
    });
    expect(reply.status).toBe(200);
  });
});

describe("403", () => {
  test("a token of the other environment", async () => {
    const reply = await harness.http.get(url, { bearer: mintCredential("at", "prod") });
    expect(reply.status).toBe(403);
    expect(reply.body).toEqual({ message: expect.any(String) });
  });
});

describe("404", () => {
  test.each<[string, () => string]>([
    ["never issued", () => mintCredential("at", "dev")],
    ["not of the form", () => "nonsense"],
    ["one character away from a token", () => spoil(known.token)],
    ["cut off", () => known.token.slice(0, -1)],
    ["longer than a token", () => `${known.token}0`],
    ["a code", () => known.code],
    ["a client secret", () => known.secret],
    ["a client id", () => known.client.clientId],
    ["the id of a token", () => known.tokenId],
    ["of the other environment, but for the checksum", () => spoil(mintCredential("at", "prod"))],
    ["a code of the other environment", () => mintCredential("ac", "prod")],
    ["very long", () => "x".repeat(8_000)],
  ])("a credential that is %s is not known, and is not repeated", async (_name, makeCredential) => {
    const credential = makeCredential();
    const reply = await harness.http.get(url, { bearer: credential });
    expect(reply.status).toBe(404);
    expect(reply.body).toEqual({ message: expect.any(String), id: "" });
    expect(reply.bytes.toString()).not.toContain(credential);
  });
});

describe("429", () => {
  test("the window is that of the token's client, shared by its tokens and by nobody else", async () => {
    const limited = await createHarness({ env: { RATE_LIMIT_GATED_CLIENT_5M: "2" } });
    try {
      const owner = await limited.createClient();
      const [one, two, other] = [
        await limited.connect({ client: owner }),
        await limited.connect({ client: owner }),
        await limited.connect(),
      ];
      const statusOf = async (bearer: string) => (await limited.http.get(url, { bearer })).status;
      expect([
        await statusOf(one.token),
        await statusOf(two.token),
        await statusOf(one.token),
        await statusOf(two.token),
        await statusOf(other.token),
      ]).toEqual([200, 200, 429, 429, 200]);
    } finally {
      await limited.close();
    }
  });
});
