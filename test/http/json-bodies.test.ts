import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Client } from "../../src/clients/index.ts";
import { createHarness, exchangeBody, signIn, type Harness } from "../support/harness.ts";
import { rawRequest, sendRaw } from "../support/raw-http.ts";
import { expectRefusal, refusal, refusedWith } from "../support/refusals.ts";

const clientUrl = "/2023-03-01/management/client";
const tokenUrl = "/2023-03-01/management/token";
const disconnectUrl = "/2023-03-01/management/disconnect";
const json = { "content-type": "application/json" };

let harness: Harness;
let basic: [string, string];
let client: Client;

beforeAll(async () => {
  harness = await createHarness();
  const created = await harness.createClient();
  client = created.client;
  basic = [client.clientId, created.secret];
});
afterAll(() => harness.close());

const updateClient = (body: string | Buffer) =>
  harness.http.post(clientUrl, { basic, headers: json, body });
const createToken = (body: string | Buffer) => harness.http.post(tokenUrl, { headers: json, body });

const malformed: [name: string, text: string, position: number][] = [
  ["an object that is not closed", "{", 1],
  ["an object with a name and no more", '{"name"', 7],
  ["an object with no value", '{"name":', 8],
  ["an object that ends within a string", '{"name":"x', 8],
  ["two values", '{"name":"x"}{"name":"y"}', 12],
  ["a value and rubbish", '{"name":"x"}garbage', 12],
  ["a comma at the end of an object", '{"name":"x",}', 12],
  ["a comma at the end of an array", '{"redirect_uris":["https://a.example",]}', 38],
  ["two commas", '{"name":"x",,"webhook_uri":null}', 12],
  ["no comma", '{"name":"x" "webhook_uri":null}', 12],
  ["no colon", '{"name" "x"}', 8],
  ["a bracket of the other kind", '{"name":["x"}', 12],
  ["single quotes", "{'name':'x'}", 1],
  ["a name without quotes", '{name:"x"}', 1],
  ["a comment before", '// c\n{"name":"x"}', 0],
  ["a comment within", '{"name":/* c */"x"}', 8],
  ["a byte order mark", '\ufeff{"name":"x"}', 0],
  ["a space that JSON does not know", '\u00a0{"name":"x"}', 0],
  ["a word cut short", '{"name":nul}', 8],
  ["a word in capitals", '{"name":True}', 8],
  ["NaN", '{"name":NaN}', 8],
  ["Infinity", '{"name":-Infinity}', 8],
  ["undefined", '{"name":undefined}', 8],
  ["a number with a zero before", '{"name":01}', 9],
  ["a number with a plus", '{"name":+1}', 8],
  ["a number that ends in its point", '{"name":1.}', 8],
  ["a number that starts with its point", '{"name":.5}', 8],
  ["a number without its exponent", '{"name":1e}', 8],
  ["a hexadecimal number", '{"name":0x10}', 9],
  ["a raw line break in a string", '{"name":"a\nb"}', 8],
  ["a raw NUL in a string", '{"name":"a\u0000b"}', 8],
  ["a raw NUL outside", '{"name":"x"}\u0000', 12],
  ["an escape that is none", String.raw`{"name":"a\xb"}`, 8],
  ["a Unicode escape cut short", String.raw`{"name":"\u12"}`, 8],
  ["a property that is repeated", '{"name":"x","name":"y"}', 12],
  ["a property that is repeated in another spelling", String.raw`{"name":"x","\u006eame":"y"}`, 12],
  ["a property that is repeated further in", '{"custom":{"a":1,"a":2}}', 17],
  ["a form", "name=x&webhook_uri=y", 0],
  ["XML", "<client/>", 0],
];

describe("a body that is not JSON", () => {
  test.each(malformed)("%s is refused with its position", async (_name, text, position) => {
    const { validation_error: updating } = expectRefusal(await updateClient(text), 400);
    expect(updating).toMatch(new RegExp(`^body: position ${position}: `));
    const { validation_error: exchanging } = expectRefusal(await createToken(text), 400);
    expect(exchanging).toBe(`invalid_request: ${updating}`);
  });

  test("a cut anywhere in a valid body is refused", async () => {
    const whole = JSON.stringify({
      name: 'x"\u00e9\\',
      redirect_uris: ["https://a.example"],
      webhook_uri: null,
    });
    for (let length = 1; length < whole.length; length += 1)
      expect(refusal(await updateClient(whole.slice(0, length)))).toEqual(refusedWith(400));
  });

  test("bytes that are not UTF-8 are refused, not replaced", async () => {
    const bytes = Buffer.from('{"name":"\xff\xfe"}', "latin1");
    expect(refusal(await updateClient(bytes))).toEqual(refusedWith(400));
    const overlong = Buffer.from('{"name":"\xc0\xaf"}', "latin1");
    expect(refusal(await updateClient(overlong))).toEqual(refusedWith(400));
  });

  test("bytes that are not UTF-8 are refused in chunks too", async () => {
    const headers = [
      ["Authorization", `Basic ${Buffer.from(basic.join(":")).toString("base64")}`],
      ["Content-Type", "application/json"],
      ["Transfer-Encoding", "chunked"],
    ] as const;
    const { replies } = await sendRaw(
      harness.baseUrl,
      `${rawRequest("POST", clientUrl, { headers })}d\r\n{"name":"\xff\xfe"}\r\n0\r\n\r\n`,
    );
    expect(refusal(replies[0])).toEqual(refusedWith(400));
  });

  test("names nothing of the body in the refusal", async () => {
    const reply = await updateClient('{"name":"marker-a7f3" marker-a7f3');
    expect(JSON.stringify(expectRefusal(reply, 400))).not.toContain("marker-a7f3");
  });
});

describe("a body of JSON that is no object", () => {
  test.each(["null", "true", "1", '"x"', "[]", "[{}]", "", "  \r\n\t "])(
    "%j is a 400 that says so",
    async (text) => {
      expect(refusal(await updateClient(text))).toEqual(refusedWith(400));
      expect(expectRefusal(await createToken(text), 400)["validation_error"]).toMatch(
        /^invalid_request: /,
      );
    },
  );
});

describe("a body that is JSON all the same", () => {
  test.each([
    ["white space around", ' \t\r\n{"name":"x"}\r\n '],
    ["escapes", String.raw`{"\u006e\u0061me":"\u0078"}`],
    ["a solidus that is escaped", String.raw`{"webhook_uri":"https:\/\/hooks.example.com\/"}`],
  ])("%s is taken", async (_name, text) => {
    expect((await updateClient(text)).status).toBe(200);
  });

  test("the same name in two objects is not repeated", async () => {
    const signedIn = await signIn(harness.services);
    const body = { ...exchangeBody(signedIn), audience: [{ code: 1 }, { code: 1 }] };
    expect((await createToken(JSON.stringify(body))).status).toBe(201);
  });
});

describe("hostile JSON", () => {
  test.each([
    ["arrays", "[".repeat(60_000)],
    ["objects", '{"a":'.repeat(12_000)],
    ["closed arrays", "[".repeat(30_000) + "]".repeat(30_000)],
  ])("%s nested without end are refused where they become too deep", async (_name, text) => {
    expect(expectRefusal(await updateClient(text), 400)["validation_error"]).toMatch(
      /^body: position \d{1,3}: nested deeper than \d+ levels$/,
    );
    expect(refusal(await createToken(text))).toEqual(refusedWith(400));
  });

  test.each([
    ["beyond all numbers", "1e999"],
    ["below all numbers", "-1e999"],
    ["of 50,000 digits", "9".repeat(50_000)],
    ["of 50,000 decimals", `0.${"9".repeat(50_000)}`],
    ["next to nothing", "1e-99999"],
    ["below zero by nothing", "-0"],
    ["that is not exact", "9007199254740993"],
  ])("a number %s in the place of a text is a 400", async (_name, number) => {
    expect(
      expectRefusal(await updateClient(`{"name":${number}}`), 400)["validation_error"],
    ).toMatch(/^name: /);
    expect(expectRefusal(await createToken(`{"code":${number}}`), 400)["validation_error"]).toMatch(
      /^invalid_request: .*code: /,
    );
  });

  test("a prototype is an unknown field like any other, and reaches no object", async () => {
    for (const name of ["__proto__", "constructor", "prototype", "toString", "hasOwnProperty"]) {
      expect(
        refusal(
          await updateClient(
            `{"name":"x","${name}":{"polluted":"yes","webhook_uri":"https://evil.example"}}`,
          ),
        ),
      ).toEqual(refusedWith(400));
    }
    expect({}).not.toHaveProperty("polluted");
    expect((await harness.services.clients.find(client.clientId))?.webhookUri).not.toContain(
      "evil",
    );
  });

  test("a prototype cannot stand in for a field that is asked for", async () => {
    const signedIn = await signIn(harness.services);
    const { code, ...rest } = exchangeBody(signedIn);
    const text = JSON.stringify(rest).replace(
      /}$/,
      `,"__proto__":{"code":${JSON.stringify(code)}}}`,
    );
    expect(expectRefusal(await createToken(text), 400)["validation_error"]).toMatch(
      /^invalid_request: /,
    );
  });

  test("thousands of unknown properties are a 400", async () => {
    const body = `{${Array.from({ length: 6_000 }, (_, index) => `"k${index}":1`).join()}}`;
    expect(refusal(await updateClient(body))).toEqual(refusedWith(400));
  });
});

describe("disconnect, which takes no body and answers no 400", () => {
  test.each(["", "{}", "{", "[]", '{"a":1,"a":2}', "\xff"])(
    "does not care what %j says",
    async (text) => {
      const { token } = await harness.connect();
      expect(
        (
          await harness.http.post(disconnectUrl, {
            bearer: token,
            headers: json,
            body: Buffer.from(text, "latin1"),
          })
        ).status,
      ).toBe(200);
    },
  );
});
