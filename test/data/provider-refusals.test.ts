import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { authErrorCodes, type AuthErrorCode } from "../../src/model/index.ts";
import { sandboxControls } from "../../src/providers/index.ts";
import {
  anyUrl,
  countFetches,
  dataEndpointCases,
  fetchData,
  signInAgain,
  version,
} from "../support/data-endpoints.ts";
import { createHarness, type Harness } from "../support/harness.ts";

let harness: Harness;
beforeAll(async () => {
  harness = await createHarness();
});
afterAll(() => harness.close());

const company = `${version}/xhr/company`;
const noCache = { "cache-control": "no-cache" };

test("the codes are those of the specification, but for the one that is reserved", () => {
  const specified = [
    "incorrect_username_or_password",
    "incorrect_mfa_or_otp",
    "reauthentication_required",
    "additional_account_setup_required",
    "captcha_challenge",
    "insufficient_permission",
  ];
  expect([...authErrorCodes].sort()).toEqual(specified.sort());
});

/** From now on the provider refuses this connection. */
async function letFail(tokenId: string, code: AuthErrorCode): Promise<void> {
  const { connections } = harness.services;
  const connection = await connections.loadByToken(tokenId);
  if (!connection) throw new Error("the connection is gone");
  await connections.saveSession(connection, sandboxControls.fail(connection.session, code));
}

/** A connection with fresh data whose next fetch was refused with the code. */
async function connectRefused(code: AuthErrorCode) {
  const connection = await harness.connect();
  await fetchData(harness, connection.token, company);
  await letFail(connection.tokenId, code);
  harness.clock.advance(61);
  expect(
    (await harness.http.get(company, { bearer: connection.token, headers: noCache })).status,
  ).toBe(202);
  await harness.drain();
  return connection;
}

const ofConnection = authErrorCodes.filter((code) => code !== "insufficient_permission");

describe.each(ofConnection)("401 %s", (code) => {
  const refusal = { error: "authentication_error", message: expect.stringMatching(/./), code };
  let refused: Awaited<ReturnType<typeof connectRefused>>;
  beforeAll(async () => {
    refused = await connectRefused(code);
  });

  test("is answered on every endpoint, the stored snapshot notwithstanding, and nothing is fetched", async () => {
    const { token, tokenId } = refused;
    const fetches = await countFetches(harness, tokenId);
    for (const endpoint of dataEndpointCases.filter(({ mode }) => mode === "xhr")) {
      const reply = await harness.http.get(anyUrl(endpoint), {
        bearer: token,
        query: endpoint.query,
      });
      expect([endpoint.path, reply.status, reply.body]).toEqual([endpoint.path, 401, refusal]);
      expect(reply.headers["etag"]).toBeUndefined();
    }
    for (const headers of [noCache, { prefer: "wait=5" }, { "if-none-match": "*" }])
      expect((await harness.http.get(company, { bearer: token, headers })).status).toBe(401);
    await harness.drain({ includeDelayed: true });
    expect(await countFetches(harness, tokenId)).toBe(fetches);
  });

  test("is kept for as long as nobody signs in again", async () => {
    const { token, tokenId } = refused;
    const fetches = await countFetches(harness, tokenId);
    for (const seconds of [61, 3_600, 24 * 3600, 90 * 24 * 3600]) {
      harness.clock.advance(seconds);
      expect((await harness.http.get(company, { bearer: token })).body).toEqual(refusal);
    }
    expect(await countFetches(harness, tokenId)).toBe(fetches);
  });

  test("ends with the next sign-in: the same token works and the stored data is served again", async () => {
    const { token, tokenId } = await connectRefused(code);
    await signInAgain(harness, tokenId);
    expect((await harness.http.get(company, { bearer: token })).status).toBe(200);
    await fetchData(harness, token, `${version}/xhr/groups`);
  });
});

describe("401 insufficient_permission", () => {
  const refusal = { error: "authentication_error", code: "insufficient_permission" };

  test("is of the resource and not of the connection, and what was stored of it is served no more", async () => {
    const { token, tokenId } = await connectRefused("insufficient_permission");
    const fetches = await countFetches(harness, tokenId);
    for (const headers of [{}, noCache, { prefer: "wait=5" }, { "if-none-match": "*" }])
      expect(await harness.http.get(company, { bearer: token, headers })).toMatchObject({
        status: 401,
        body: refusal,
      });
    expect(await countFetches(harness, tokenId)).toBe(fetches);
    const { rows } = await harness.services.pool.query(
      "select auth_failure from connections where token_id = $1 and auth_failure is null",
      [tokenId],
    );
    expect(rows).toHaveLength(1);
  });

  test("is kept for an hour, then the provider is asked again: a right that was given back heals", async () => {
    const { token, tokenId } = await connectRefused("insufficient_permission");
    const { connections } = harness.services;
    const connection = await connections.loadByToken(tokenId);
    await connections.saveSession(connection!, { ...connection!.session, failure: undefined });
    harness.clock.advance(3_590);
    expect((await harness.http.get(company, { bearer: token })).status).toBe(401);
    harness.clock.advance(11);
    expect((await fetchData(harness, token, company)).status).toBe(200);
  });
});

describe("a refusal found by a refresh in the background", () => {
  test("ends the serving of stored data at once", async () => {
    const { token, tokenId } = await harness.connect();
    await fetchData(harness, token, company);
    await letFail(tokenId, "reauthentication_required");
    harness.clock.advance(1_000);
    expect((await harness.http.get(company, { bearer: token })).status).toBe(200);
    await harness.drain();
    expect((await harness.http.get(company, { bearer: token })).status).toBe(401);
  });
});

describe("a refusal of one connection", () => {
  test("says nothing of another connection of the same account", async () => {
    const { client, secret } = await connectRefused("reauthentication_required");
    const other = await harness.connect({ client: { client, secret } });
    expect((await fetchData(harness, other.token, company)).status).toBe(200);
  });
});
