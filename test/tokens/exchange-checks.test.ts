import { createHash } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { scopesOfMode } from "../../src/model/index.ts";
import { mintCredential } from "../../src/platform/crypto/index.ts";
import { transaction } from "../../src/platform/db/index.ts";
import {
  createHarness,
  exchangeBody,
  redirectUri,
  signIn,
  type Harness,
} from "../support/harness.ts";
import type { Reply } from "../support/http-client.ts";

const url = "/2023-03-01/management/token";
const verifier = "v".repeat(43);
const loopback = "http://127.0.0.1:51234/callback";
const unknownClient = "00000000-00000000-00000000-00000000";

let harness: Harness;
beforeAll(async () => {
  harness = await createHarness();
});
afterAll(() => harness.close());

type Fields = Record<string, string>;

const makeCode = () => signIn(harness.services);
const exchange = (json: unknown): Promise<Reply> => harness.http.post(url, { json });

/** A code of a link that named this address, and perhaps a challenge. */
async function makeCodeOf({
  redirect = redirectUri,
  codeChallenge = null,
}: {
  redirect?: string;
  codeChallenge?: string | null;
}): Promise<Fields> {
  const { clients, connect, pool } = harness.services;
  const owner = await clients.create({
    name: "Test",
    redirectUris: [redirectUri, "http://127.0.0.1/callback"],
  });
  const request = { provider: "sandbox", mode: "xhr", scopes: scopesOfMode("xhr") } as const;
  const step = await connect.start(request, { username: "user_good", password: "anything" });
  if (step.kind !== "signed-in") throw new Error("the sandbox asked for a second factor");
  const { code } = await transaction(pool, (tx) =>
    connect.complete(tx, owner.client, request, {
      redirectUri: redirect,
      codeChallenge,
      signIn: step.signIn,
    }),
  );
  return { ...exchangeBody({ ...owner, code }), redirect_uri: redirect };
}

/** The status and what tells one refusal from another. */
function answerOf({ status, body }: Reply): string {
  const { validation_error: error, id, code } = body as Partial<Fields>;
  return `${status} ${error ?? (id === undefined ? "" : "unknown") + (code === undefined ? "" : "redeemed")}`;
}

describe("a client secret that was rotated", () => {
  test("the new one and the old one both exchange, and one that was dropped does not", async () => {
    const { clients } = harness.services;
    const [first, second] = [await makeCode(), await makeCode()];
    const [added, other] = [mintCredential("cs", "dev"), mintCredential("cs", "dev")];
    const rotated = await clients.update(first.client, { secrets: [added, first.secret] });
    expect((await exchange(exchangeBody({ ...first, secret: added }))).status).toBe(201);
    const next = await signIn(harness.services, {
      client: { client: rotated, secret: first.secret },
    });
    expect((await exchange(exchangeBody(next))).status).toBe(201);
    await clients.update(second.client, { secrets: [other] });
    expect(answerOf(await exchange(exchangeBody(second)))).toMatch(/^400 invalid_client: /);
    expect((await exchange(exchangeBody({ ...second, secret: other }))).status).toBe(201);
  });
});

const wrongSecret = () => ({ client_secret: mintCredential("cs", "dev") });
const wrongCode = () => ({ code: mintCredential("ac", "dev") });
const wrongRedirect = () => ({ redirect_uri: `${redirectUri}/` });
const wrongVerifier = () => ({ code_verifier: "w".repeat(43) });
const expire = () => harness.clock.advance(301);
const redeem = async (body: Fields): Promise<void> => void (await exchange(body));
const toOther = async () => {
  const { client, secret } = await harness.createClient();
  return { client_id: client.clientId, client_secret: secret };
};
const nothing = (): void => undefined;

type Case = [
  string,
  RegExp,
  (body: Fields) => Promise<void> | void,
  (() => object | Promise<object>)[],
];

describe("when two refusals apply, the earlier check of the order answers", () => {
  test.each<Case>([
    [
      "another grant type before an unknown client",
      /^400 unsupported_grant_type: /,
      nothing,
      [() => ({ grant_type: "password" }), () => ({ client_id: unknownClient })],
    ],
    [
      "a missing field before a wrong secret",
      /^400 invalid_request: code/,
      nothing,
      [() => ({ code: undefined }), wrongSecret],
    ],
    [
      "a wrong secret before an unknown code",
      /^400 invalid_client: /,
      nothing,
      [wrongSecret, wrongCode],
    ],
    ["a wrong secret before an expired code", /^400 invalid_client: /, expire, [wrongSecret]],
    ["a wrong secret before a redeemed code", /^400 invalid_client: /, redeem, [wrongSecret]],
    [
      "an unknown code before another address",
      /^404 unknown$/,
      nothing,
      [wrongCode, wrongRedirect],
    ],
    ["another client's before an expired code", /^404 unknown$/, expire, [toOther]],
    ["another client's before a redeemed code", /^404 unknown$/, redeem, [toOther]],
    [
      "an expired code before another address",
      /^400 invalid_grant: the code has expired$/,
      expire,
      [wrongRedirect],
    ],
    [
      "an expired code before a wrong verifier",
      /^400 invalid_grant: the code has expired$/,
      expire,
      [wrongVerifier],
    ],
    [
      "another address before a wrong verifier",
      /^400 invalid_grant: redirect_uri /,
      nothing,
      [wrongRedirect, wrongVerifier],
    ],
    [
      "another address before a redeemed code",
      /^400 invalid_grant: redirect_uri /,
      redeem,
      [wrongRedirect],
    ],
    [
      "a wrong verifier before a redeemed code",
      /^400 invalid_grant: code_verifier /,
      redeem,
      [wrongVerifier],
    ],
  ])("%s", async (_order, expected, prepare, changes) => {
    const body = await makeCodeOf({
      codeChallenge: createHash("sha256").update(verifier).digest("base64url"),
    });
    const right: Fields = { ...body, code_verifier: verifier };
    await prepare(right);
    const made = await Promise.all(changes.map(async (change) => await change()));
    const changed = Object.assign({}, right, ...made) as object;
    expect(answerOf(await exchange(changed))).toMatch(expected);
  });

  test("the rate limit before a body that cannot be read", async () => {
    const limited = await createHarness({ env: { RATE_LIMIT_OPEN_1M: "1" } });
    try {
      const malformed = { headers: { "content-type": "application/json" }, body: "{" };
      expect([
        (await limited.http.post(url, malformed)).status,
        (await limited.http.post(url, malformed)).status,
      ]).toEqual([400, 429]);
    } finally {
      await limited.close();
    }
  });
});

describe("the five minutes of a code", () => {
  test.each([
    [0, "201 "],
    [299, "201 "],
    [300, "400 invalid_grant: the code has expired"],
    [301, "400 invalid_grant: the code has expired"],
  ])("after %i seconds", async (seconds, expected) => {
    const signedIn = await makeCode();
    harness.clock.advance(seconds);
    expect(answerOf(await exchange(exchangeBody(signedIn)))).toBe(expected);
  });
});

describe("redirect_uri is the one of the sign-in link, byte for byte", () => {
  test.each([
    `${redirectUri}/`,
    `${redirectUri}?`,
    `${redirectUri}#`,
    `${redirectUri}?a=b`,
    ` ${redirectUri}`,
    `${redirectUri} `,
    redirectUri.replace("https", "HTTPS"),
    redirectUri.replace("https", "http"),
    redirectUri.replace("app.example.com", "APP.example.com"),
    redirectUri.replace("app.example.com", "app.example.com."),
    redirectUri.replace("app.example.com", "app.example.com:443"),
    redirectUri.replace("/callback", "/./callback"),
    redirectUri.replace("/callback", "/%63allback"),
    "http://127.0.0.1/callback",
  ])("%j is refused, and the right one still works", async (redirect) => {
    const body = await makeCodeOf({});
    expect(answerOf(await exchange({ ...body, redirect_uri: redirect }))).toMatch(
      /^400 invalid_grant: redirect_uri /,
    );
    expect((await exchange(body)).status).toBe(201);
  });

  test.each([
    "http://127.0.0.1/callback",
    loopback.replace("51234", "51235"),
    loopback.replace("127.0.0.1", "localhost"),
    `${loopback}/`,
  ])("a link with a port of loopback is bound to it: %s is refused", async (redirect) => {
    const body = await makeCodeOf({ redirect: loopback });
    expect(answerOf(await exchange({ ...body, redirect_uri: redirect }))).toMatch(
      /^400 invalid_grant: redirect_uri /,
    );
    expect((await exchange(body)).status).toBe(201);
  });
});

describe.each(["client_id", "client_secret", "grant_type", "code", "redirect_uri"])(
  "the field %s",
  (name) => {
    const refusal = new RegExp(`^400 invalid_request: .*${name}`);

    test("is required, a string, and not empty", async () => {
      const body = exchangeBody(await makeCode());
      const wrong = [undefined, null, "", 1, true, [body[name]], { value: body[name] }];
      const replies = await Promise.all(wrong.map((value) => exchange({ ...body, [name]: value })));
      const expected =
        name === "grant_type"
          ? /^400 (invalid_request: .*grant_type|unsupported_grant_type: )/
          : refusal;
      for (const reply of replies) expect(answerOf(reply)).toMatch(expected);
      expect((await exchange(body)).status).toBe(201);
    });

    test("stands once, even with the same value twice", async () => {
      const body = exchangeBody(await makeCode());
      const twice = `{${JSON.stringify(name)}:${JSON.stringify(body[name])},${JSON.stringify(body).slice(1)}`;
      const reply = await harness.http.post(url, {
        headers: { "content-type": "application/json" },
        body: twice,
      });
      expect(answerOf(reply)).toMatch(
        /^400 invalid_request: body: position \d+: the property is repeated$/,
      );
      expect((await exchange(body)).status).toBe(201);
    });
  },
);

test("a code of an official sign-in gives an official token", async () => {
  const reply = await exchange(exchangeBody(await signIn(harness.services, { mode: "official" })));
  expect(reply.status).toBe(201);
  expect(reply.body).toEqual({
    token: expect.stringMatching(/^[0-9a-f-]{36}$/),
    access_token: expect.any(String),
    mode: "official",
    provider: "sandbox",
    scopes: scopesOfMode("official"),
    token_type: "Bearer",
  });
});

test("no reply may be stored, be it a token or a refusal", async () => {
  const body = exchangeBody(await makeCode());
  const replies = [
    await exchange({ ...body, client_secret: mintCredential("cs", "dev") }),
    await exchange({ ...body, code: mintCredential("ac", "dev") }),
    await harness.http.post(url, { headers: { "content-type": "application/json" }, body: "{" }),
    await harness.http.post(url, { headers: { "content-type": "text/plain" }, body: "x" }),
    await harness.http.get(url),
    await exchange(body),
    await exchange(body),
  ];
  expect(
    replies.map(({ status, headers }) => `${status} ${String(headers["cache-control"])}`),
  ).toEqual([400, 404, 400, 415, 405, 201, 409].map((status) => `${status} no-store`));
});
