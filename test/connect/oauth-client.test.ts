import * as oauth from "oauth4webapi";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { apiVersion, scopes } from "../../src/model/index.ts";
import { ConnectVisitor, workSignIns, type Seen } from "../support/connect-visitor.ts";
import { createHarness, redirectUri, type Harness } from "../support/harness.ts";
import { freePort } from "../support/redis-server.ts";

/** The library asks for https unless it is told that this is a test. */
const onLoopback = { [oauth.allowInsecureRequests]: true };
const scope = "/2023-03-01/xhr/company /2023-03-01/xhr/employees";

let harness: Harness;
let registered: Awaited<ReturnType<Harness["createClient"]>>;
let server: oauth.AuthorizationServer;
let client: oauth.Client;
beforeAll(async () => {
  const port = await freePort();
  harness = await createHarness({ port, env: { PUBLIC_URL: `http://127.0.0.1:${port}` } });
  registered = await harness.createClient();
  workSignIns(harness);
  const issuer = new URL(harness.baseUrl);
  server = await oauth.processDiscoveryResponse(
    issuer,
    await oauth.discoveryRequest(issuer, { algorithm: "oauth2", ...onLoopback }),
  );
  client = { client_id: registered.client.clientId };
});
afterAll(() => harness.close());

const methods: [string, () => oauth.ClientAuth][] = [
  ["client_secret_basic", () => oauth.ClientSecretBasic(registered.secret)],
  ["client_secret_post", () => oauth.ClientSecretPost(registered.secret)],
];

interface Started {
  page: Seen;
  visitor: ConnectVisitor;
  state: string;
  verifier: string;
}

/** To the sign-in form, by the address that the metadata names. */
async function start(): Promise<Started> {
  const verifier = oauth.generateRandomCodeVerifier();
  const state = oauth.generateRandomState();
  const address = new URL(server.authorization_endpoint ?? "");
  const parameters = {
    client_id: client.client_id,
    redirect_uri: redirectUri,
    response_type: "code",
    scope,
    state,
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
    code_challenge_method: "S256",
    provider: "sandbox",
  };
  for (const [name, value] of Object.entries(parameters)) address.searchParams.set(name, value);
  const visitor = new ConnectVisitor(address.origin);
  return { page: await visitor.open(address.pathname + address.search), visitor, state, verifier };
}

async function signIn(): Promise<Started & { callback: URL }> {
  const started = await start();
  const { left = "" } = await started.visitor.submit(started.page, {
    username: "user_good",
    password: "anything",
  });
  return { ...started, callback: new URL(left) };
}

async function exchange(
  auth: oauth.ClientAuth,
  parameters: URLSearchParams,
  verifier: string,
): Promise<oauth.TokenEndpointResponse> {
  return await oauth.processAuthorizationCodeResponse(
    server,
    client,
    await oauth.authorizationCodeGrantRequest(
      server,
      client,
      auth,
      parameters,
      redirectUri,
      verifier,
      onLoopback,
    ),
  );
}

async function refusalOf(work: Promise<unknown>): Promise<Record<string, unknown>> {
  const error = await work.then(
    () => undefined,
    (refusal: unknown) => refusal,
  );
  if (error instanceof oauth.ResponseBodyError || error instanceof oauth.AuthorizationResponseError)
    return {
      type: error.constructor.name,
      error: error.error,
      status: "status" in error ? error.status : undefined,
    };
  if (error instanceof oauth.WWWAuthenticateChallengeError)
    return {
      type: error.constructor.name,
      status: error.status,
      challenges: error.cause.map((challenge) => challenge.scheme),
    };
  throw error;
}

describe("a standard OAuth library, unmodified", () => {
  test.each(methods)(
    "goes from discovery to an access token that reads data, with %s",
    async (_method, auth) => {
      const { callback, state, verifier } = await signIn();
      const parameters = oauth.validateAuthResponse(server, client, callback, state);
      const token = await exchange(auth(), parameters, verifier);
      expect(token).toMatchObject({ token_type: "bearer", scope });
      const reply = await oauth.protectedResourceRequest(
        token.access_token,
        "GET",
        new URL(`${harness.baseUrl}/2023-03-01/xhr/company`),
        undefined,
        undefined,
        onLoopback,
      );
      expect(reply.status).toBe(202);
    },
  );

  test("is told that the end user declined", async () => {
    const { visitor, page, state } = await start();
    const { left = "" } = await visitor.send(page, "decline");
    const refusal = refusalOf(
      (async () => oauth.validateAuthResponse(server, client, new URL(left), state))(),
    );
    expect(await refusal).toMatchObject({
      type: "AuthorizationResponseError",
      error: "access_denied",
    });
  });

  test.each([
    ["another issuer", (callback: URL) => callback.searchParams.set("iss", "https://evil.example")],
    ["no issuer", (callback: URL) => callback.searchParams.delete("iss")],
    ["another state", (callback: URL) => callback.searchParams.set("state", "x")],
  ])("refuses a redirect with %s, so what we send is what it checks", async (_what, change) => {
    const { callback, state } = await signIn();
    oauth.validateAuthResponse(server, client, callback, state);
    change(callback);
    expect(() => oauth.validateAuthResponse(server, client, callback, state)).toThrow(
      oauth.OperationProcessingError,
    );
  });

  test.each(methods)(
    "is told invalid_grant for a code that was used before and for one of nobody, with %s",
    async (_method, auth) => {
      const { callback, state, verifier } = await signIn();
      const parameters = oauth.validateAuthResponse(server, client, callback, state);
      await exchange(auth(), parameters, verifier);
      expect(await refusalOf(exchange(auth(), parameters, verifier))).toEqual({
        type: "ResponseBodyError",
        error: "invalid_grant",
        status: 400,
      });
    },
  );

  test("is told invalid_grant for a wrong verifier, and the code still works with the right one", async () => {
    const { callback, state, verifier } = await signIn();
    const parameters = oauth.validateAuthResponse(server, client, callback, state);
    const [, auth] = methods[0]!;
    expect(
      await refusalOf(exchange(auth(), parameters, oauth.generateRandomCodeVerifier())),
    ).toMatchObject({ error: "invalid_grant" });
    expect(await exchange(auth(), parameters, verifier)).toHaveProperty("access_token");
  });

  test("is challenged for a wrong secret in the header, and told invalid_client for one in the body", async () => {
    const { callback, state, verifier } = await signIn();
    const parameters = oauth.validateAuthResponse(server, client, callback, state);
    const wrong = "w".repeat(64);
    expect(await refusalOf(exchange(oauth.ClientSecretBasic(wrong), parameters, verifier))).toEqual(
      { type: "WWWAuthenticateChallengeError", status: 401, challenges: ["basic"] },
    );
    expect(await refusalOf(exchange(oauth.ClientSecretPost(wrong), parameters, verifier))).toEqual({
      type: "ResponseBodyError",
      error: "invalid_client",
      status: 400,
    });
  });
});

test("the metadata document says what there is, field by field (RFC 8414)", async () => {
  const issuer = harness.baseUrl;
  const reply = await harness.http.get("/.well-known/oauth-authorization-server");
  expect(reply.status).toBe(200);
  expect(reply.headers["content-type"]).toBe("application/json; charset=utf-8");
  expect(reply.body).toEqual({
    issuer,
    authorization_endpoint: `${issuer}/connect`,
    token_endpoint: `${issuer}/${apiVersion}/management/token`,
    service_documentation: `${issuer}/docs`,
    scopes_supported: scopes,
    response_types_supported: ["code"],
    response_modes_supported: ["query"],
    grant_types_supported: ["authorization_code"],
    token_endpoint_auth_methods_supported: ["client_secret_basic", "client_secret_post"],
    code_challenge_methods_supported: ["S256"],
    authorization_response_iss_parameter_supported: true,
    ui_locales_supported: ["en", "de", "fr", "es", "it", "nl", "pl", "pt"],
  });
  expect(
    (await harness.http.get(new URL(server.service_documentation ?? "").pathname)).status,
  ).toBeLessThan(400);
});
