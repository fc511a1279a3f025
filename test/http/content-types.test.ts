import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  createHarness,
  exchangeBody,
  redirectUri,
  signIn,
  type Harness,
} from "../support/harness.ts";
import { expectRefusal, refusal, refusedWith } from "../support/refusals.ts";

const clientUrl = "/2023-03-01/management/client";
const scope = "/2023-03-01/xhr/company";
const tokenUrl = "/2023-03-01/management/token";

let harness: Harness;
let basic: [string, string];

beforeAll(async () => {
  harness = await createHarness();
  const { client, secret } = await harness.createClient();
  basic = [client.clientId, secret];
});
afterAll(() => harness.close());

/** With a Buffer as the body, so that no client adds a type of its own. */
const withType = (type: string | undefined, text: string) => ({
  headers: type === undefined ? {} : { "content-type": type },
  body: Buffer.from(text),
});

describe("JSON under another spelling of its type", () => {
  test.each([
    "application/json",
    "application/json; charset=utf-8",
    "application/json;charset=UTF-8",
    'application/json; charset="utf-8"',
    "APPLICATION/JSON",
    "Application/Json ; charset=utf-8",
  ])("%s is JSON", async (type) => {
    expect(
      (await harness.http.post(clientUrl, { basic, ...withType(type, '{"name":"x"}') })).status,
    ).toBe(200);
    expect(
      (
        await harness.http.post(
          tokenUrl,
          withType(type, JSON.stringify(exchangeBody(await signIn(harness.services)))),
        )
      ).status,
    ).toBe(201);
  });
});

describe("JSON under the type that simple clients send by default", () => {
  test.each([
    "application/x-www-form-urlencoded",
    "application/x-www-form-urlencoded; charset=utf-8",
    "text/plain",
    "text/plain;charset=UTF-8",
  ])("%s is JSON on every endpoint that takes JSON", async (type) => {
    const replies = [
      await harness.http.post(clientUrl, { basic, ...withType(type, ' {"name":"x"}') }),
      await harness.http.post(clientUrl.replace(/client$/, "connect-session"), {
        basic,
        ...withType(type, JSON.stringify({ redirect_uri: redirectUri, scope, mode: "xhr" })),
      }),
      await harness.http.post(
        tokenUrl,
        withType(type, JSON.stringify(exchangeBody(await signIn(harness.services)))),
      ),
    ];
    expect(replies.map(({ status }) => status)).toEqual([200, 201, 201]);
  });

  test.each(["text/plain", "application/x-www-form-urlencoded"])(
    "%s that is not JSON is refused: broken JSON as such, and anything else for its type",
    async (type) => {
      const send = (text: string) =>
        harness.http.post(clientUrl, { basic, ...withType(type, text) });
      expect(expectRefusal(await send('{"name":'), 400)["validation_error"]).toMatch(/^body: /);
      expect(refusal(await send("name=x"))).toEqual(refusedWith(415));
      expect(refusal(await send('["name"]'))).toEqual(refusedWith(415));
    },
  );
});

const foreignTypes = [
  undefined,
  "text/json",
  "text/html; charset=utf-8",
  "application/xml",
  "application/jsonx",
  "application/json-patch+json",
  "application/vnd.api+json",
  "application/jsonp",
  "application/json, text/plain",
  "multipart/form-data",
  "multipart/form-data; boundary=x",
  "application/octet-stream",
  "image/png",
  "*/*",
  "application/*",
  "json",
  "application/",
  "/json",
  " ",
  "\xff",
  "__proto__",
  "constructor",
];

describe("415", () => {
  test.each(foreignTypes)("a body of the type %j is not looked at", async (type) => {
    expect(
      refusal(await harness.http.post(clientUrl, { basic, ...withType(type, '{"name":"x"}') })),
    ).toEqual(refusedWith(415));
    expect(
      refusal(
        await harness.http.post(
          tokenUrl,
          withType(type, JSON.stringify(exchangeBody(await signIn(harness.services)))),
        ),
      ),
    ).toEqual(refusedWith(415));
  });

  test("a form is none of the client endpoint's types", async () => {
    expect(
      refusal(
        await harness.http.post(clientUrl, {
          basic,
          ...withType("application/x-www-form-urlencoded", "name=x"),
        }),
      ),
    ).toEqual(refusedWith(415));
  });

  test("comes after the credentials where they are asked for in the header", async () => {
    expect(refusal(await harness.http.post(clientUrl, withType("text/plain", "x")))).toEqual(
      refusedWith(401),
    );
  });
});

describe("an empty body", () => {
  test.each([undefined, "application/json", "application/json; charset=utf-8"])(
    "of the type %j is a 400 where a body is required",
    async (type) => {
      expect(refusal(await harness.http.post(clientUrl, { basic, ...withType(type, "") }))).toEqual(
        refusedWith(400),
      );
      expect(
        expectRefusal(await harness.http.post(tokenUrl, withType(type, "")), 400)[
          "validation_error"
        ],
      ).toMatch(/^invalid_request: /);
    },
  );

  test.each(["text/plain", "application/xml", "multipart/form-data"])(
    "of the type %s is refused, for its type or for its lack",
    async (type) => {
      const reply = await harness.http.post(clientUrl, { basic, ...withType(type, "") });
      expect([400, 415]).toContain(reply.status);
      expect(refusal(reply)).toEqual(refusedWith(reply.status));
    },
  );

  test.each([undefined, "application/json", "application/x-www-form-urlencoded", "text/plain"])(
    "of the type %j is fine where none is asked for",
    async (type) => {
      const { token } = await harness.connect();
      expect(
        (
          await harness.http.post("/2023-03-01/management/disconnect", {
            bearer: token,
            ...withType(type, ""),
          })
        ).status,
      ).toBe(200);
    },
  );
});

test.each(["a", "text/json", "/", "\xff", "application/json"])(
  "a body of the type %j is dropped where none is asked for",
  async (type) => {
    const { token } = await harness.connect();
    const url = "/2023-03-01/management/disconnect";
    const reply = await harness.http.post(url, { bearer: token, ...withType(type, "x") });
    expect(reply.status).toBe(200);
  },
);

describe("a type that JSON does not come in", () => {
  test.each(["utf-16", "iso-8859-1", "us-ascii", "nonsense"])(
    "the charset %s changes nothing: JSON is UTF-8, or it is refused",
    async (charset) => {
      const reply = await harness.http.post(clientUrl, {
        basic,
        ...withType(`application/json; charset=${charset}`, '{"name":"J\u00fcrgen"}'),
      });
      const outcome = reply.status === 200 ? (reply.body as { name: string }).name : refusal(reply);
      expect(["J\u00fcrgen", refusedWith(415)]).toContainEqual(outcome);
    },
  );

  test.each(["gzip", "br", "deflate"])(
    "a body that is compressed with %s is refused, not taken for something else",
    async (encoding) => {
      const headers = { "content-type": "application/json", "content-encoding": encoding };
      const body = Buffer.from("1f8b0800000000000003", "hex");
      for (const reply of [
        await harness.http.post(clientUrl, { basic, headers, body }),
        await harness.http.post(tokenUrl, { headers, body }),
      ]) {
        expect(refusal(reply)).toEqual(refusedWith(415));
        expect((reply.body as { message: string }).message).toContain("Content-Encoding");
      }
    },
  );

  test("so it is on every endpoint, also where no body is read, and on the pages", async () => {
    const { token: bearer, tokenId } = await harness.connect();
    const management = "/2023-03-01/management";
    const requests: [string, string, { basic?: [string, string]; bearer?: string }][] = [
      ["GET", "/providers", {}],
      ["GET", "/nothing", {}],
      ["GET", `${management}/tokens`, { basic }],
      ["POST", `${management}/connect-session`, { basic }],
      ["POST", `${management}/sandbox/connections`, { basic }],
      ["POST", `${management}/sandbox/connections/${tokenId}/poll`, { basic }],
      ["POST", `${management}/deliveries/${tokenId}/replay`, { basic }],
      ["POST", `${management}/disconnect`, { bearer }],
      ["POST", "/connect", {}],
      ["POST", `/connect/${tokenId}/sign-in`, {}],
    ];
    const headers = { "content-encoding": "gzip", "content-type": "text/plain" };
    for (const [method, path, credentials] of requests) {
      const reply = await harness.http.request(method, path, {
        ...credentials,
        headers,
        body: "x",
      });
      expect([path, reply.status]).toEqual([path, path === "/nothing" ? 404 : 415]);
    }
  });

  test("a body that is called identity, and no body, are not compressed", async () => {
    const headers = { "content-type": "application/json", "content-encoding": "identity" };
    const body = Buffer.from('{"name":"x"}');
    expect((await harness.http.post(clientUrl, { basic, headers, body })).status).toBe(200);
    const bare = { basic, headers: { "content-encoding": "gzip" } };
    expect((await harness.http.get(clientUrl, bare)).status).toBe(200);
  });
});

test("a GET with a body and any type is answered as one without", async () => {
  for (const type of ["application/json", "text/plain", "\xff"]) {
    const reply = await harness.http.request("GET", "/providers", {
      headers: { "content-type": type },
      body: "{",
    });
    expect(reply.status).toBe(200);
  }
});
