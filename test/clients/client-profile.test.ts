import { randomBytes } from "node:crypto";
import { deflateSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createHarness, type Harness } from "../support/harness.ts";
import { makePng, pngChunk } from "../support/png.ts";

const url = "/2023-03-01/management/client";

let harness: Harness;
let basic: [string, string];
beforeAll(async () => {
  harness = await createHarness();
  const { client, secret } = await harness.createClient();
  basic = [client.clientId, secret];
});
afterAll(() => harness.close());

type Body = Record<string, string | null>;

async function update(json: object): Promise<{ status: number; body: Body }> {
  const { status, body } = await harness.http.post(url, { basic, json });
  return { status, body: body as Body };
}
const read = async (): Promise<Body> => (await harness.http.get(url, { basic })).body as Body;
const base64 = (bytes: Buffer): string => bytes.toString("base64");
const pathOf = (body: Body): string => new URL(body["logo_url"] ?? "").pathname;

describe("purpose, privacy_url and support_url", () => {
  test.each([
    ["purpose", "To plan your team’s holidays."],
    ["purpose", "名".repeat(200)],
    ["privacy_url", "https://www.acme.example/privacy?lang=de"],
    ["support_url", "https://help.acme.example/"],
    ["support_url", "mailto:hr.help+eu@acme-group.example"],
  ])("%s takes %s, shows it, and null takes it away", async (field, value) => {
    expect(await update({ [field]: value })).toMatchObject({
      status: 200,
      body: { [field]: value },
    });
    expect(await read()).toMatchObject({ [field]: value });
    expect(await update({ [field]: null })).toMatchObject({ status: 200, body: { [field]: null } });
  });

  test.each([
    ["purpose", "two\nlines"],
    ["purpose", "turned \u202e around"],
    ["purpose", "hidden\u200bspace"],
    ["purpose", "\u3164"],
    ["purpose", " "],
    ["purpose", "x".repeat(201)],
    ["privacy_url", "http://www.acme.example/privacy"],
    ["privacy_url", "mailto:privacy@acme.example"],
    ["privacy_url", "javascript:alert(1)"],
    ["privacy_url", "https://user@acme.example/"],
    ["support_url", "http://help.acme.example/"],
    ["support_url", "mailto:"],
    ["support_url", "mailto:a@acme.example?body=hello"],
    ["support_url", "mailto:a@acme.example,b@acme.example"],
    ["support_url", 'mailto:a"onclick=x@acme.example'],
    ["support_url", "tel:+4930123"],
    ["name", "Acme\u202epuorG"],
    ["name", "Ac\u200bme"],
    ["name", "\u2067Acme"],
    ["name", "Acme\ufeff"],
    ["name", "Acme\u2028Ltd"],
    ["name", "\u115f"],
  ])("%s refuses %j and changes nothing", async (field, value) => {
    const before = await read();
    const reply = await update({ [field]: value });
    expect(reply).toMatchObject({
      status: 400,
      body: { validation_error: expect.stringMatching(new RegExp(`^${field}: `)) },
    });
    expect(await read()).toEqual(before);
  });

  test("a name with a picture sign is taken", async () => {
    expect((await update({ name: "Acme ❤️" })).status).toBe(200);
  });
});

describe("brand_color", () => {
  test("is kept in small letters, sent back as it was read, and taken away by null", async () => {
    const { status, body } = await update({ brand_color: "#1F5AA6" });
    expect({ status, color: body["brand_color"] }).toEqual({ status: 200, color: "#1f5aa6" });
    expect((await update(await read())).body).toEqual(body);
    expect((await update({ brand_color: null })).body["brand_color"]).toBeNull();
  });

  test.each([
    ["#ffcc00", "has a contrast of 1.4 on the pages; 4.5 is needed"],
    ["navy", "is a colour such as #1f5aa6"],
    ["#123456;}*{display:none", "is a colour such as #1f5aa6"],
  ])("%s is refused: %s", async (color, why) => {
    expect(await update({ brand_color: color })).toMatchObject({
      status: 400,
      body: { validation_error: expect.stringContaining(`brand_color: ${why}`) },
    });
  });
});

describe("logo", () => {
  test("is served under its digest, for ever, as a picture and nothing else", async () => {
    const png = makePng();
    const { status, body } = await update({ logo: base64(png) });
    expect(status).toBe(200);
    expect(body["logo_url"]).toMatch(
      /^https:\/\/api\.example\.com\/connect\/logos\/[\w-]{43}\/logo\.png$/,
    );
    expect(await read()).toEqual(body);
    const reply = await harness.http.get(pathOf(body));
    expect(reply.status).toBe(200);
    expect(reply.bytes.equals(png)).toBe(true);
    expect(reply.headers).toMatchObject({
      "content-type": "image/png",
      "x-content-type-options": "nosniff",
      "cache-control": "public, max-age=31536000, immutable",
      "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'; sandbox",
      "cross-origin-resource-policy": "same-origin",
    });
    expect(reply.headers).not.toHaveProperty("set-cookie");
  });

  test("another one has another address; without one, and at the old address, there is nothing", async () => {
    const first = await update({ logo: base64(makePng({ width: 32, height: 32 })) });
    const second = await update({ logo: base64(makePng({ width: 48, height: 32 })) });
    expect(pathOf(second.body)).not.toBe(pathOf(first.body));
    expect((await harness.http.get(pathOf(first.body))).status).toBe(404);
    const removed = await update({ logo: null });
    expect(removed.body["logo_url"]).toBeNull();
    expect((await harness.http.get(pathOf(second.body))).status).toBe(404);
  });

  test("the same picture of another client stays when one of them takes it away", async () => {
    const logo = base64(makePng({ width: 40, height: 40 }));
    const { client, secret } = await harness.createClient();
    await harness.http.post(url, { basic: [client.clientId, secret], json: { logo } });
    const { body } = await update({ logo });
    await update({ logo: null });
    expect((await harness.http.get(pathOf(body))).status).toBe(200);
  });

  test("what is no picture in it is left out", async () => {
    const more = [
      pngChunk("tEXt", "Author\0Ann of Acme"),
      pngChunk("eXIf", "GPS 52.5, 13.4"),
      pngChunk("acTL", Buffer.alloc(8)),
    ];
    const { body } = await update({ logo: base64(makePng({ more })) });
    const reply = await harness.http.get(pathOf(body));
    expect(reply.bytes.equals(makePng())).toBe(true);
  });

  const palette = pngChunk("PLTE", Buffer.alloc(6));
  test.each<[string, Buffer]>([
    ["the smallest", makePng({ width: 16, height: 16 })],
    ["the largest", makePng({ width: 1_024, height: 1_024 })],
    [
      "one bit a pixel, of a palette",
      makePng({ depth: 1, colourType: 3, pixels: Buffer.alloc(64 * 9), more: [palette] }),
    ],
    ["16 bits a sample", makePng({ depth: 16, colourType: 6, pixels: Buffer.alloc(64 * 513) })],
    [
      "an interlaced one",
      makePng({
        width: 17,
        height: 19,
        interlace: 1,
        pixels: Buffer.alloc(
          3 * (1 + 9) +
            3 * (1 + 6) +
            2 * (1 + 15) +
            5 * (1 + 12) +
            5 * (1 + 27) +
            10 * (1 + 24) +
            9 * (1 + 51),
        ),
      }),
    ],
  ])("%s is taken", async (_name, png) => {
    expect((await update({ logo: base64(png) })).status).toBe(200);
  });

  const good = makePng();
  const at = (place: number, bytes: Buffer): Buffer => {
    const changed = Buffer.from(good);
    bytes.copy(changed, place);
    return changed;
  };
  test.each<[string, Buffer | string]>([
    ["nothing", ""],
    ["what is no base64", "https://www.acme.example/logo.png"],
    ["a data address", `data:image/png;base64,${base64(good)}`],
    ["an SVG", Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>')],
    ["a page with the first bytes of a PNG", Buffer.from("\x89PNG\r\n\x1a\n<html>", "latin1")],
    ["a JPEG", Buffer.from("ffd8ffe000104a464946", "hex")],
    ["a GIF", Buffer.from("GIF89a")],
    ["one that is cut off", good.subarray(0, good.length - 4)],
    ["one with a page behind it", Buffer.concat([good, Buffer.from("<script>alert(1)</script>")])],
    ["one whose checksum is wrong", at(good.length - 20, Buffer.from([0]))],
    ["a header that is not the first", at(12, Buffer.from("IDAT"))],
    ["15 pixels", makePng({ width: 15 })],
    ["1,025 pixels", makePng({ height: 1_025 })],
    [
      "a bomb: a large picture that says it is small",
      makePng({ pixels: Buffer.alloc(90_000_000) }),
    ],
    ["fewer pixels than it says", makePng({ pixels: Buffer.alloc(100) })],
    [
      "pixels that cannot be unpacked",
      Buffer.concat([good.subarray(0, 33), pngChunk("IDAT", "x"), pngChunk("IEND")]),
    ],
    ["no pixels", Buffer.concat([good.subarray(0, 33), pngChunk("IEND")])],
    [
      "a palette that is missing",
      makePng({ depth: 1, colourType: 3, pixels: Buffer.alloc(64 * 9) }),
    ],
    ["a colour type that is none", makePng({ colourType: 5 })],
    ["a depth that is none", makePng({ depth: 7 })],
    ["what every reader would have to understand", makePng({ more: [pngChunk("EVIL", "x")] })],
    ["two headers", makePng({ more: [good.subarray(8, 33)] })],
    ["more than 100 kB", makePng({ more: [pngChunk("tEXt", randomBytes(100_000))] })],
    [
      "a chunk longer than the file",
      Buffer.concat([
        good.subarray(0, 33),
        Buffer.from("7fffffff49444154", "hex"),
        deflateSync("x"),
      ]),
    ],
  ])("%s is refused, and the one before stays", async (_name, logo) => {
    await update({ logo: base64(good) });
    const before = await read();
    const reply = await update({ logo: typeof logo === "string" ? logo : base64(logo) });
    expect(reply).toMatchObject({
      status: 400,
      body: { validation_error: expect.stringMatching(/^logo: is a PNG in base64/) },
    });
    expect(await read()).toEqual(before);
  });

  test("an address that names no picture is a page that says so", async () => {
    for (const digest of ["x", "A".repeat(43), "%00", "..%2f..%2fetc"])
      expect((await harness.http.get(`/connect/logos/${digest}/logo.png`)).status).toBe(404);
  });
});
