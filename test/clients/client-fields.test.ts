import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { buildApi } from "../../src/start/api.ts";
import type { Client } from "../../src/clients/index.ts";
import { readConfig } from "../../src/config/index.ts";
import { createLog } from "../../src/platform/log.ts";
import { buildServices } from "../../src/start/services.ts";
import { createHarness, redirectUri, type Harness } from "../support/harness.ts";
import { HttpClient } from "../support/http-client.ts";

const url = "/2023-03-01/management/client";

let harness: Harness;
let owner: { client: Client; secret: string };
beforeAll(async () => {
  harness = await createHarness();
  owner = await harness.createClient();
});
afterAll(() => harness.close());

const update = (json: unknown) =>
  harness.http.post(url, { basic: [owner.client.clientId, owner.secret], json });
const read = async () =>
  (await harness.http.get(url, { basic: [owner.client.clientId, owner.secret] })).body;

/** What an update and a read after it show of the fields. */
async function take(json: object) {
  const reply = await update(json);
  const pick = (body: unknown) =>
    Object.fromEntries(
      Object.keys(json).map((field) => [field, (body as Record<string, unknown>)[field]]),
    );
  return { status: reply.status, shown: pick(reply.body), read: pick(await read()) };
}

const taken = (json: object) => ({ status: 200, shown: json, read: json });

/** How an update was refused, what it changed, and what of it was sent back. */
async function refuse(field: string, value: unknown) {
  const before = await read();
  const reply = await update({ [field]: value });
  const after = await read();
  const sent = [value]
    .flat()
    .filter((item) => typeof item === "string" && item.length >= 12) as string[];
  const text = JSON.stringify(reply.body);
  return {
    status: reply.status,
    body: reply.body,
    sentBack: sent.filter((item) => text.includes(item)),
    isUnchanged: JSON.stringify(after) === JSON.stringify(before),
  };
}

const refused = (field: string) => ({
  status: 400,
  body: {
    message: expect.any(String),
    validation_error: expect.stringMatching(new RegExp(`^${field}(\\.\\d+)?: .`)),
  },
  sentBack: [],
  isUnchanged: true,
});

const otherTypes: [string, unknown][] = [
  ["a number", 1],
  ["a boolean", true],
  ["an object", { value: "x" }],
];

describe("name has 1 to 100 characters", () => {
  test.each([
    ["one letter", "A"],
    ["100 letters", "a".repeat(100)],
    [
      "100 letters outside the basic plane, which are 200 code units and 400 bytes",
      "😀".repeat(100),
    ],
    ["100 CJK characters, which are 300 bytes", "名".repeat(100)],
    ["German", "Müller & Söhne GmbH"],
    ["Arabic", "شركة الأمل"],
    ["combining marks, kept as they were sent", "A\u0308nd E\u0301"],
    ["what looks like markup", `<script>alert("1")</script>`],
    ["what looks like SQL", "'; drop table clients; --"],
    ["what looks like a number", "0"],
    ["what looks like null", "null"],
    ["a no-break space inside", "Acme\u00a0Ltd"],
    ["the largest code point", "\u{10ffff}"],
    ["Persian with a non-joiner between letters", "می\u200cخواهم"],
    ["Sinhala with a joiner behind its mark", "ශ\u0dca\u200dරී ලංකා"],
    ["Devanagari with a joiner", "क\u094d\u200dष"],
    ["Bengali with a non-joiner", "উদ\u09cd\u200cযোগ"],
    ["Malayalam with a joiner", "ക\u0d4d\u200dഷ"],
    [
      "Malayalam with a joiner at the end, as a final consonant was written before",
      "അവന\u0d4d\u200d",
    ],
    ["Sinhala with a joiner before a space", "ශ\u0dca\u200d රී"],
    ["Bengali with a joiner before its mark", "র\u200d\u09cdযাংগস"],
    ["Kannada with a joiner before its mark", "ರ\u200d\u0ccdಕ"],
    ["Urdu with a non-joiner between a letter of both sides and one of the right", "خانه\u200cای"],
    ["Arabic with a non-joiner beside vowel marks", "مِ\u200cيَ"],
    ["Syriac with a non-joiner", "\u0712\u200c\u0710"],
    ["Mongolian with a non-joiner", "\u1820\u200c\u1821"],
    ["N'Ko with a non-joiner", "\u07ca\u200c\u07cb"],
    ["Adlam, which is outside of the basic plane, with a non-joiner", "\u{1e900}\u200c\u{1e901}"],
    [
      "Manichaean with a non-joiner behind a letter that joins the next one alone",
      "\u{10acd}\u200c\u{10ac5}",
    ],
  ])("%s is taken and shown as it was sent", async (_name, name) => {
    expect(await take({ name })).toEqual(taken({ name }));
  });

  test.each<[string, unknown]>([
    ["nothing", ""],
    ["101 letters", "a".repeat(101)],
    ["101 letters outside the basic plane", "😀".repeat(101)],
    ["a space", " "],
    ["white space of several kinds", " \u00a0\u2003\u3000"],
    ["a zero character", "Acme\u0000"],
    ["a line feed", "Acme\nLtd"],
    ["a carriage return at the end", "Acme\r"],
    ["a tab", "Acme\tLtd"],
    ["an escape sequence", "\u001b[31mAcme"],
    ["delete", "Acme\u007f"],
    ["a C1 control character", "Acme\u0085Ltd"],
    ["a joiner between Latin letters", "Ac\u200dme"],
    ["a non-joiner between Latin letters", "Ac\u200cme"],
    ["a joiner at the beginning", "\u200dक"],
    ["a non-joiner at the end", "می\u200c"],
    ["a non-joiner before a space", "می\u200c خواهم"],
    ["a non-joiner behind a letter that does not join the next one", "ا\u200cب"],
    ["a non-joiner before a letter that does not join the one before", "ب\u200cء"],
    ["a joiner between letters that join anyway", "م\u200dم"],
    ["a non-joiner before a letter that joins the next one alone", "\u{10ac0}\u200c\u{10acd}"],
    ["a joiner between letters without a virama", "क\u200dष"],
    ["a non-joiner between letters without a virama", "क\u200cष"],
    ["a joiner before a virama of a script that does not need it", "क\u200d\u094dष"],
    ["a joiner before another mark of Bengali", "র\u200dা"],
    ["a joiner behind a vowel mark", "का\u200dष"],
    ["a joiner of Arabic behind a mark of vowels", "مِ\u200dم"],
    ["a joiner before a virama of another script", "র\u200d\u0ccdক"],
    ["two joiners", "क\u094d\u200d\u200dष"],
    ["a joiner between letters of two scripts", "می\u200dक"],
    ["a non-joiner between an Arabic and a Latin letter", "می\u200ca"],
    ["a joiner between digits of a script that needs it", "१\u200d२"],
    ["a joiner between pictures", "👩\u200d💻"],
    ["another zero-width character between letters that may have a joiner", "می\u200bخواهم"],
    ["a mark of direction between letters that may have a joiner", "می\u200fخواهم"],
    ["a lone high surrogate", "Acme \ud83d"],
    ["a lone low surrogate", "\ude00 Acme"],
    ["surrogates the wrong way round", "\ude00\ud83d"],
    ["null", null],
    ["a list", ["Acme"]],
    ...otherTypes,
  ])("%s is refused", async (_name, name) => {
    expect(await refuse("name", name)).toEqual(refused("name"));
  });
});

describe("client_secret has 32 to 255 printable ASCII characters without spaces, and 128 bits", () => {
  const everyPrintable = Array.from({ length: 0x7e - 0x21 + 1 }, (_none, index) =>
    String.fromCharCode(0x21 + index),
  ).join("");

  test.each([
    ["32 hexadecimal digits, which are 128 bits", "9f86d081884c7d659a2feaa0c55ad015"],
    ["40 digits", "3141592653589793238462643383279502884197"],
    ["255 characters", everyPrintable.repeat(3).slice(0, 255)],
    ["every printable character", everyPrintable],
    ["colons", `:${everyPrintable}::`],
    ["quotes and backslashes", `'"\\${everyPrintable}'"\\`],
    ["asterisks", `********${everyPrintable}`],
    ["many of two characters", "0110100110010110".repeat(7) + "1001011010010110101"],
    ["the form of an own secret of the other environment", `rc_cs_prod_${"0".repeat(49)}`],
  ])("%s are taken and let the client in", async (_name, secret) => {
    const { client, secret: old } = await harness.createClient();
    const reply = await harness.http.post(url, {
      basic: [client.clientId, old],
      json: { client_secret: secret },
    });
    expect(reply.status).toBe(200);
    expect((await harness.http.get(url, { basic: [client.clientId, secret] })).status).toBe(200);
  });

  const good = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b";
  test.each<[string, unknown]>([
    ["31 characters", everyPrintable.slice(0, 31)],
    ["256 characters", everyPrintable.repeat(3).slice(0, 256)],
    ["one character 32 times", "a".repeat(32)],
    ["a word four times", "password".repeat(4)],
    ["ten characters four times", "s3cr3tK#y!".repeat(4)],
    ["a short word that was made longer", "hunter2".padEnd(40, "1")],
    ["32 digits, which are 106 bits", "31415926535897932384626433832795"],
    ["a space inside", `${good} ${good}`],
    ["a space in front", ` ${good}`],
    ["a line feed at the end", `${good}\n`],
    ["a tab", `${good}\t`],
    ["a zero character", `${good}\u0000`],
    ["delete", `${good}\u007f`],
    ["a letter outside ASCII", `${good}é`],
    ["letters outside the basic plane", "😀".repeat(40)],
    ["a lone surrogate", `${good}\ud800`],
    ["a masked secret of none", `********${good.slice(-4)}`],
    ["nothing", ""],
    ["null", null],
    ["no secret at all", []],
    ["four secrets", ["a", "b", "c", "d"].map((letter) => good + letter)],
    ["the same secret twice", [good, good]],
    ["a good one beside a short one", [good, "short"]],
    ["a good one beside a masked one", [good, `********${good.slice(-4)}`]],
    ["a good one beside null", [good, null]],
    ["a list in a list", [[good]]],
    ...otherTypes,
  ])("%s: refused", async (_name, secret) => {
    expect(await refuse("client_secret", secret)).toEqual(refused("client_secret"));
  });
});

/** What is an address neither for webhooks nor for redirects. */
const noAddress: [string, unknown][] = [
  ["an international name that is not in punycode", "https://müller.example/callback"],
  ["a path outside ASCII", "https://xn--r8jz45g.jp/コールバック"],
  ["nothing", ""],
  ["a path", "/callback"],
  ["no scheme", "app.example.com/callback"],
  ["no scheme but slashes", "//app.example.com/callback"],
  ["no slashes", "https:app.example.com/callback"],
  ["one slash", "https:/app.example.com/callback"],
  ["no host", "https://"],
  ["an empty host", "https:///callback"],
  ["an empty host before another one", "https:////app.example.com/callback"],
  ["no host but a port", "https://:443/"],
  ["no host but a query", "https://?x=1"],
  ["a port that is none", "https://app.example.com:99999/"],
  ["half an IPv6 address", "https://[::1/"],
  ["an IPv4 address that is none", "https://256.1.1.1/"],
  ["an encoded zero character in the host", "https://app%00.example.com/"],
  ["a javascript address", "javascript:alert(1)//https://app.example.com"],
  ["a data address", "data:text/html,https://app.example.com"],
  ["a file", "file:///etc/passwd"],
  ["an ftp address", "ftp://app.example.com/"],
  ["a websocket address", "wss://app.example.com/"],
  ["the scheme of a native application", "com.example.app://callback"],
  ["http", "http://app.example.com/callback"],
  ["a user name", "https://user@app.example.com/"],
  ["a user name and a password", "https://user:password@app.example.com/"],
  ["an empty user name", "https://@app.example.com/"],
  ["an empty user name and password", "https://:@app.example.com/"],
  ["user information after an empty host", "https:///@app.example.com/"],
  ["another host as user information", "https://app.example.com@evil.example/"],
  ["a backslash as a slash", "https:\\\\app.example.com\\callback"],
  ["a backslash before another host", "https://app.example.com\\@evil.example/"],
  ["a backslash in the path", "https://app.example.com/call\\back"],
  ["a space", "https://app.example.com/call back"],
  ["a space in front", " https://app.example.com/callback"],
  ["a line feed at the end", "https://app.example.com/callback\n"],
  ["a tab in the scheme", "ht\ttps://app.example.com/callback"],
  ["a header of its own", "https://app.example.com/\r\nSet-Cookie: a=b"],
  ["a zero character", "https://app.example.com/\u0000"],
  ["a C1 control character", "https://app.example.com/\u0085"],
  ["a lone surrogate", "https://app.example.com/\ud800"],
  ["more than 2,048 characters", `https://app.example.com/${"x".repeat(2_048 - 23)}`],
  ...otherTypes,
];

/** Addresses that are unusual and all the same right. */
const oddAddresses: [string, string][] = [
  ["a port", "https://app.example.com:8443/callback"],
  ["a query", "https://app.example.com/callback?tenant=1&to=a@b"],
  ["no path", "https://app.example.com"],
  ["an at sign in the path", "https://app.example.com/@me"],
  ["an encoded fragment sign", "https://app.example.com/a%23b"],
  ["an encoded backslash", "https://app.example.com/a%5Cb"],
  ["upper-case letters in host and path", "https://App.Example.com/CallBack"],
  ["dots in the path", "https://app.example.com/a/../b"],
  ["an IPv4 address", "https://192.0.2.1/callback"],
  ["an IPv6 address", "https://[2001:db8::1]/callback"],
  ["an international name in punycode", "https://xn--r8jz45g.jp/callback"],
  ["2,048 characters", `https://app.example.com/${"x".repeat(2_048 - 24)}`],
];

describe("webhook_uri is an https URL", () => {
  test.each([
    ...oddAddresses,
    ["a loopback address, which is refused only when it is called", "https://127.0.0.1/hooks"],
  ])("%s is taken and shown as it was sent", async (_name, address) => {
    expect(await take({ webhook_uri: address })).toEqual(taken({ webhook_uri: address }));
  });

  test.each([
    ...noAddress,
    ["http on loopback", "http://127.0.0.1:3000/hooks"],
    ["http on localhost", "http://localhost:3000/hooks"],
    ["a list", ["https://app.example.com/"]],
  ])("%s: refused", async (_name, address) => {
    expect(await refuse("webhook_uri", address)).toEqual(refused("webhook_uri"));
  });
});

describe("redirect_uris are 1 to 10 https addresses, or http on loopback, without fragment and user information", () => {
  test.each([
    ...oddAddresses,
    ["http on 127.0.0.1", "http://127.0.0.1/callback"],
    ["http on another address of the loopback network", "http://127.8.9.10:3000/callback"],
    ["http on ::1", "http://[::1]:3000/callback"],
    ["http on localhost", "http://localhost:3000/callback"],
  ])("%s is taken and shown as it was sent", async (_name, address) => {
    expect(await take({ redirect_uris: [address] })).toEqual(taken({ redirect_uris: [address] }));
  });

  test("ten are taken in their order", async () => {
    const redirect_uris = Array.from(
      { length: 10 },
      (_none, index) => `https://app.example.com/${9 - index}`,
    );
    expect(await take({ redirect_uris })).toEqual(taken({ redirect_uris }));
  });

  test("two that differ in one letter's case are two", async () => {
    const redirect_uris = ["https://app.example.com/callback", "https://app.example.com/Callback"];
    expect(await take({ redirect_uris })).toEqual(taken({ redirect_uris }));
  });

  test.each<[string, unknown]>([
    ...noAddress.map(([name, address]): [string, unknown] => [name, [address]]),
    ["a good one beside a bad one", [redirectUri, "http://app.example.com/"]],
    ["a fragment", ["https://app.example.com/#top"]],
    ["an empty fragment", ["https://app.example.com/#"]],
    ["http on a name that starts like loopback", ["http://127.0.0.1.evil.example/"]],
    ["http on a name that starts like localhost", ["http://localhost.evil.example/"]],
    ["http on a name that ends like localhost", ["http://evil-localhost/"]],
    ["http on loopback as user information", ["http://127.0.0.1@evil.example/"]],
    ["http with a fragment on loopback", ["http://127.0.0.1/#top"]],
    ["http on a private address", ["http://192.168.0.1/"]],
    ["http on every address", ["http://0.0.0.0/"]],
    ["none", []],
    ["eleven", Array.from({ length: 11 }, (_none, index) => `https://app.example.com/${index}`)],
    ["the same one twice", [redirectUri, redirectUri]],
    ["a string", redirectUri],
    ["null", null],
    ["a list that holds null", [null]],
    ["a list in a list", [[redirectUri]]],
    ...otherTypes,
  ])("%s: refused", async (_name, redirect_uris) => {
    expect(await refuse("redirect_uris", redirect_uris)).toEqual(refused("redirect_uris"));
  });
});

/** As without DATABASE_URL, but on the tests' database. */
async function withLocalMode(
  work: (http: HttpClient, basic: [string, string]) => Promise<void>,
): Promise<void> {
  const stateDir = await mkdtemp(join(tmpdir(), "rollcall-local-"));
  const { config, secrets } = readConfig({
    STATE_DIR: stateDir,
    MASTER_KEYS: harness.environment["MASTER_KEYS"],
    RATE_LIMIT_GATED_IP_1M: "1000",
    RATE_LIMIT_GATED_CLIENT_5M: "1000",
  });
  if (!config.isLocal) throw new Error("this is not local mode");
  const services = await buildServices(
    { config, secrets: { ...secrets, databaseUrl: harness.database.url } },
    { clock: harness.clock, log: createLog({ level: "silent" }) },
  );
  const app = await buildApi(services);
  try {
    const { client, secret } = await services.clients.create({
      name: "Local",
      redirectUris: [redirectUri],
    });
    await work(new HttpClient(await app.listen({ host: "127.0.0.1", port: 0 }), app), [
      client.clientId,
      secret,
    ]);
  } finally {
    await app.close();
    await services.dispose();
    await rm(stateDir, { recursive: true, force: true });
  }
}

describe("local mode", () => {
  test("also takes http for webhooks, and nothing else more", async () => {
    const taken: string[] = [];
    await withLocalMode(async (http, basic) => {
      const send = async (field: string, address: string): Promise<void> => {
        const { status } = await http.post(url, {
          basic,
          json: { [field]: field === "redirect_uris" ? [address] : address },
        });
        if (status === 200) taken.push(`${field} ${address}`);
      };
      for (const address of [
        "http://127.0.0.1:3000/hooks",
        "http://app.example.com/hooks",
        "https://app.example.com/hooks",
        "ftp://127.0.0.1/",
        "http://user@127.0.0.1/",
        "http://",
        "http:\\\\127.0.0.1\\",
      ]) {
        await send("webhook_uri", address);
      }
      await send("redirect_uris", "http://app.example.com/callback");
    });
    expect(taken).toEqual([
      "webhook_uri http://127.0.0.1:3000/hooks",
      "webhook_uri http://app.example.com/hooks",
      "webhook_uri https://app.example.com/hooks",
    ]);
  });
});
