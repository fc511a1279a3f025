import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { scopesOfMode } from "../../src/model/index.ts";
import { mintCredential } from "../../src/platform/crypto/index.ts";
import {
  createHarness,
  exchangeBody,
  redirectUri,
  signIn,
  type Harness,
} from "../support/harness.ts";
import type { Reply } from "../support/http-client.ts";

const url = "/2023-03-01/management/token";
const formType = "application/x-www-form-urlencoded";
type Fields = Record<string, string>;

let harness: Harness;
beforeAll(async () => {
  harness = await createHarness();
});
afterAll(() => harness.close());

const makeBody = async (): Promise<Fields> => exchangeBody(await signIn(harness.services));

async function post(
  fields: Fields | string,
  { basic, headers = {} }: { basic?: [string, string]; headers?: Record<string, string> } = {},
): Promise<Reply> {
  const body = typeof fields === "string" ? fields : new URLSearchParams(fields).toString();
  return await harness.http.post(url, {
    headers: { "content-type": formType, ...headers },
    body,
    ...(basic && { basic }),
  });
}

/** Of the form's type, with an end that is not UTF-8. */
async function postBrokenText(begin: string): Promise<Reply> {
  const body = Buffer.concat([Buffer.from(begin), Buffer.of(0xff)]);
  return await harness.http.post(url, { headers: { "content-type": formType }, body });
}

/** As RFC 6749 (2.3.1) asks: each part is form-url-encoded before the two are joined. */
function basicOf({ client_id: id = "", client_secret: secret = "" }: Fields): [string, string] {
  return [formEncode(id), formEncode(secret)];
}

function formEncode(part: string): string {
  return new URLSearchParams({ part }).toString().slice("part=".length);
}

function without(body: Fields, ...names: string[]): Fields {
  return Object.fromEntries(Object.entries(body).filter(([name]) => !names.includes(name)));
}

describe("a secret whose characters mean something in a form", () => {
  const secret = `${mintCredential("cs", "dev")}+%2B%zz&=`;

  test.each([
    ["as it is", (part: string) => part],
    ["form-encoded", formEncode],
  ])("is taken from a Basic header that has it %s", async (_how, encode) => {
    const owner = await harness.createClient();
    const client = await harness.services.clients.update(owner.client, { secrets: [secret] });
    const basic: [string, string] = [client.clientId, encode(secret)];
    for (const send of [
      (body: Fields) => post(without(body, "client_secret"), { basic }),
      (body: Fields) => harness.http.post(url, { json: without(body, "client_secret"), basic }),
    ]) {
      const body = exchangeBody(await signIn(harness.services, { client: { client, secret } }));
      expect((await send({ ...body, code: mintCredential("ac", "dev") })).status).not.toBe(401);
      expect([200, 201]).toContain((await send(body)).status);
    }
  });

  test("is not decoded in a body", async () => {
    const owner = await harness.createClient();
    const client = await harness.services.clients.update(owner.client, { secrets: [secret] });
    const body = exchangeBody(await signIn(harness.services, { client: { client, secret } }));
    const encoded = { ...body, client_secret: formEncode(secret) };
    expect((await harness.http.post(url, { json: encoded })).status).toBe(400);
    expect((await harness.http.post(url, { json: body })).status).toBe(201);
  });
});

describe("a JSON body", () => {
  test("takes the client of a Basic header when it names none", async () => {
    const { client_id: id = "", client_secret: secret = "", ...json } = await makeBody();
    expect(
      await harness.http.post(url, { json, basic: [id, mintCredential("cs", "dev")] }),
    ).toMatchObject({
      status: 400,
      body: { validation_error: expect.stringMatching(/^invalid_client: /) },
    });
    expect((await harness.http.post(url, { json, basic: [id, secret] })).status).toBe(201);
  });

  test("may name the same client as the header, and no other; a secret in it is the one that counts", async () => {
    const body = await makeBody();
    const other = await harness.createClient();
    const json = without(body, "client_secret");
    expect(
      (
        await harness.http.post(url, {
          json: { ...json, client_id: other.client.clientId },
          basic: basicOf(body),
        })
      ).status,
    ).toBe(400);
    expect((await harness.http.post(url, { json, basic: basicOf(body) })).status).toBe(201);
    expect(
      (await harness.http.post(url, { json: await makeBody(), basic: ["nobody", "nothing"] }))
        .status,
    ).toBe(201);
  });
});

describe("200", () => {
  test("a form with the five fields gives the token as OAuth libraries read it", async () => {
    const reply = await post(await makeBody());
    expect(reply.status).toBe(200);
    expect(reply.headers["cache-control"]).toBe("no-store");
    const scopes = scopesOfMode("xhr");
    expect(reply.body).toEqual({
      token: expect.stringMatching(/^[0-9a-f-]{36}$/),
      access_token: expect.stringMatching(/^rc_at_dev_[0-9A-Za-z]{49}$/),
      mode: "xhr",
      provider: "sandbox",
      scopes,
      scope: scopes.join(" "),
      token_type: "Bearer",
    });
  });

  test.each([
    `${formType};charset=UTF-8`,
    "Application/X-WWW-Form-Urlencoded",
    `${formType}; charset=utf-8; x=y`,
  ])("content type %s", async (type) => {
    expect((await post(await makeBody(), { headers: { "content-type": type } })).status).toBe(200);
  });

  test("a parameter without a value is as good as left out", async () => {
    expect(
      (await post({ ...(await makeBody()), code_verifier: "", client_assertion: "" })).status,
    ).toBe(200);
  });

  test("the client may stand in a Basic header alone", async () => {
    const body = await makeBody();
    expect(
      (await post(without(body, "client_id", "client_secret"), { basic: basicOf(body) })).status,
    ).toBe(200);
  });

  test("the id may stand in the body too, when it is the same", async () => {
    const body = await makeBody();
    expect((await post(without(body, "client_secret"), { basic: basicOf(body) })).status).toBe(200);
  });

  test("a chosen secret of every printable character works, in the header and in the body", async () => {
    const secret = Array.from({ length: 94 }, (_, index) => String.fromCodePoint(33 + index)).join(
      "",
    );
    const signedIn = await signIn(harness.services);
    const client = await harness.services.clients.update(signedIn.client, { secrets: [secret] });
    const [inHeader, inBody] = [
      exchangeBody({ ...signedIn, secret }),
      exchangeBody(await signIn(harness.services, { client: { client, secret } })),
    ];
    expect(
      (await post(without(inHeader, "client_id", "client_secret"), { basic: basicOf(inHeader) }))
        .status,
    ).toBe(200);
    expect((await post(inBody)).status).toBe(200);
  });

  test("a code gives one token, in whichever form it is asked for", async () => {
    const body = await makeBody();
    const replies = await Promise.all([
      post(body),
      harness.http.post(url, { json: body }),
      post(body),
      harness.http.post(url, { json: body }),
    ]);
    expect(replies.filter(({ status }) => status === 200 || status === 201)).toHaveLength(1);
  });
});

/** What RFC 6749 (5.2) asks for, beside the fields of every 400 of this service. */
function refusal(error: string, description: unknown = expect.stringMatching(/./)) {
  return {
    error,
    error_description: description,
    message: expect.any(String),
    validation_error: expect.stringMatching(new RegExp(`^${error}: `)),
  };
}

describe("400", () => {
  test.each<[string, (body: Fields) => Fields | string, string]>([
    ["no field", () => "", "invalid_request"],
    ["no code", (body) => without(body, "code"), "invalid_request"],
    ["an empty code", (body) => ({ ...body, code: "" }), "invalid_request"],
    ["no client", (body) => without(body, "client_id", "client_secret"), "invalid_request"],
    ["no grant type", (body) => without(body, "grant_type"), "invalid_request"],
    [
      "another grant type",
      (body) => ({ ...body, grant_type: "client_credentials" }),
      "unsupported_grant_type",
    ],
    [
      "a repeated field",
      (body) => `${new URLSearchParams(body).toString()}&code=x`,
      "invalid_request",
    ],
    [
      "a repeated field that is not known",
      (body) => `${new URLSearchParams(body).toString()}&x=1&x=1`,
      "invalid_request",
    ],
    [
      "a wrong secret",
      (body) => ({ ...body, client_secret: mintCredential("cs", "dev") }),
      "invalid_client",
    ],
    [
      "an unknown client",
      (body) => ({ ...body, client_id: "00000000-00000000-00000000-00000000" }),
      "invalid_client",
    ],
    [
      "an unknown code",
      (body) => ({ ...body, code: mintCredential("ac", "dev") }),
      "invalid_grant",
    ],
    ["a code that is none", (body) => ({ ...body, code: "nonsense" }), "invalid_grant"],
    [
      "another redirect address",
      (body) => ({ ...body, redirect_uri: `${redirectUri}/` }),
      "invalid_grant",
    ],
    [
      "a verifier that was not announced",
      (body) => ({ ...body, code_verifier: "v".repeat(43) }),
      "invalid_request",
    ],
  ])("%s, and the code is not used up", async (_what, change, error) => {
    const body = await makeBody();
    const reply = await post(change(body));
    expect(reply.status).toBe(400);
    expect(reply.body).toEqual(refusal(error));
    expect(reply.headers["cache-control"]).toBe("no-store");
    expect(reply.headers["www-authenticate"]).toBeUndefined();
    expect((await post(body)).status).toBe(200);
  });

  test("a form that is not UTF-8, and JSON that is not, which is refused as JSON is", async () => {
    const reply = await postBrokenText("grant_type=authorization_code&code=");
    expect(reply.status).toBe(400);
    expect(reply.body).toEqual(refusal("invalid_request", "body: encoding: the body is not UTF-8"));
    const json = await postBrokenText(' {"code":"');
    expect(json.status).toBe(400);
    expect(Object.keys(json.body as object)).toEqual(["message", "validation_error"]);
  });

  test("a code that was redeemed is an invalid grant, and no credential is repeated", async () => {
    const body = await makeBody();
    await post(body);
    const reply = await post(body);
    expect(reply.status).toBe(400);
    expect(reply.body).toEqual(refusal("invalid_grant"));
    for (const secret of [body["code"], body["client_secret"]])
      expect(reply.bytes.toString()).not.toContain(secret);
  });

  test("an expired code is an invalid grant", async () => {
    const body = await makeBody();
    harness.clock.advance(300);
    const reply = await post(body);
    expect(reply.status).toBe(400);
    expect(reply.body).toEqual(refusal("invalid_grant", "the code has expired"));
  });

  test.each<[string, (body: Fields) => Fields]>([
    ["the secret also in the body", (body) => body],
    [
      "another id in the body",
      (body) => ({
        ...without(body, "client_secret"),
        client_id: "00000000-00000000-00000000-00000000",
      }),
    ],
  ])("a client that authenticates twice: %s", async (_what, change) => {
    const body = await makeBody();
    const reply = await post(change(body), { basic: basicOf(body) });
    expect(reply.status).toBe(400);
    expect(reply.body).toEqual(refusal("invalid_request"));
    expect((await post(body)).status).toBe(200);
  });

  test.each(["Bearer x", "Basic", "Basic !!!!", "Basic bm9jb2xvbg=="])(
    "the header %j is not one Basic credential",
    async (authorization) => {
      const body = await makeBody();
      const reply = await post(without(body, "client_id", "client_secret"), {
        headers: { authorization },
      });
      expect(reply.status).toBe(400);
      expect(reply.body).toEqual(refusal("invalid_request"));
    },
  );
});

describe("401", () => {
  test.each<[string, (body: Fields) => Fields]>([
    ["a wrong secret", (body) => ({ ...body, client_secret: mintCredential("cs", "dev") })],
    [
      "an unknown client",
      (body) => ({ ...body, client_id: "00000000-00000000-00000000-00000000" }),
    ],
  ])("%s in a Basic header is challenged, and the code is not used up", async (_what, change) => {
    const body = await makeBody();
    const reply = await post(without(body, "client_id", "client_secret"), {
      basic: basicOf(change(body)),
    });
    expect(reply.status).toBe(401);
    expect(reply.headers["www-authenticate"]).toBe('Basic realm="rollcall", charset="UTF-8"');
    expect(reply.body).toEqual(refusal("invalid_client"));
    expect((await post(body)).status).toBe(200);
  });
});
