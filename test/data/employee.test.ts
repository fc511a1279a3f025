import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Mode } from "../../src/model/index.ts";
import { countFetches, fetchList, version } from "../support/data-endpoints.ts";
import { createHarness, type Harness } from "../support/harness.ts";

const listUrl = (mode: Mode = "xhr"): string => `${version}/${mode}/employees`;
const url = (mode: Mode = "xhr"): string => `${version}/${mode}/employee`;

let harness: Harness;
beforeAll(async () => {
  harness = await createHarness();
});
afterAll(() => harness.close());

/** A connection whose list has just been fetched. */
let connection: Awaited<ReturnType<Harness["connect"]>>;
let everybody: Record<string, unknown>[];
async function connectAndFetch(): Promise<void> {
  connection = await harness.connect();
  everybody = await fetchList(harness, connection.token, listUrl());
}

const get = (id: string, headers: Record<string, string> = {}) =>
  harness.http.get(url(), { bearer: connection.token, query: { id }, headers });
const someId = (): string => everybody[3]?.["id"] as string;

describe("200", () => {
  beforeAll(connectAndFetch);

  test("an id of the list gives that one object, from the fetch of the list", async () => {
    for (const person of everybody) {
      const reply = await get(person["id"] as string);
      expect(reply.status).toBe(200);
      expect(reply.body).toEqual(person);
    }
    expect(await countFetches(harness, connection.tokenId)).toBe(1);
  });

  test.each<Mode>(["xhr", "official"])(
    "in mode %s it has the scope and the 202 of its own, and shares the fetch",
    async (mode) => {
      const { token, tokenId } = await harness.connect({ mode });
      const [person] = await fetchList(harness, token, listUrl(mode));
      harness.clock.advance(3_601);
      const query = { id: person?.["id"] as string };
      expect((await harness.http.get(url(mode), { bearer: token, query })).status).toBe(202);
      await harness.drain();
      expect((await harness.http.get(url(mode), { bearer: token, query })).body).toMatchObject({
        id: query.id,
        remote_id: person?.["remote_id"],
      });
      expect((await harness.http.get(listUrl(mode), { bearer: token })).status).toBe(200);
      expect(await countFetches(harness, tokenId)).toBe(2);
    },
  );

  test("the scope of the single employee is enough", async () => {
    const { token } = await harness.connect({ scopes: [`${version}/xhr/employee` as never] });
    expect((await harness.http.get(url(), { bearer: token, query: { id: "x" } })).status).toBe(202);
  });
});

describe("202", () => {
  test("while nobody has been fetched, any id is pending", async () => {
    const { token } = await harness.connect();
    const reply = await harness.http.get(url(), { bearer: token, query: { id: "unknown" } });
    expect(reply.status).toBe(202);
    expect(reply.body).toEqual({ message: expect.stringMatching(/./) });
  });
});

describe("404", () => {
  beforeAll(connectAndFetch);

  /** Other texts for the same sixteen bytes: a lenient decoder takes them for the id. */
  const aliases: [string, (id: string) => string][] = [
    ["with the padding that base64 has", (id) => `${id}==`],
    ["with a character that base64 does not have", (id) => `${id.slice(0, 5)}!${id.slice(5)}`],
    ["with a line end", (id) => `${id}\n`],
    ["with a space before it", (id) => ` ${id}`],
    [
      "with other unused bits at its end",
      (id) => `${id.slice(0, -1)}${String.fromCodePoint((id.codePointAt(id.length - 1) ?? 0) + 1)}`,
    ],
    [
      "in the other alphabet of base64",
      (id) => (/[-_]/.test(id) ? id.replaceAll("-", "+").replaceAll("_", "/") : `${id}=`),
    ],
  ];

  test.each<[string, (id: string) => string]>([
    ["never issued", () => "AAAAAAAAAAAAAAAAAAAAAA"],
    ["a word", () => "unknown"],
    ["the provider's", () => everybody[3]?.["remote_id"] as string],
    ["too short", (id) => id.slice(0, -1)],
    ["too long", (id) => `${id}A`],
    ["much too long", (id) => id.repeat(100)],
    ["in another case", (id) => (id.toUpperCase() === id ? id.toLowerCase() : id.toUpperCase())],
    ["a zero byte", () => "\0"],
    ["right behind a zero byte", (id) => `\0${id}`],
    ["of another script", () => "Ωמ😀"],
    ["a star", () => "*"],
    ["a name of every object", () => "__proto__"],
    ...aliases.map(([name, change]): [string, (id: string) => string] => [
      `right but for being written ${name}`,
      change,
    ]),
  ])("an id that is %s is not known, and is named as it was sent", async (_name, change) => {
    const id = change(someId());
    const reply = await get(id);
    expect(reply.status).toBe(404);
    expect(reply.body).toEqual({ message: expect.stringMatching(/./), id });
  });

  test("another connection's id is as unknown as any", async () => {
    const other = await harness.connect({
      client: { client: connection.client, secret: connection.secret },
    });
    const [person] = await fetchList(harness, other.token, listUrl());
    expect((await get(person?.["id"] as string)).status).toBe(404);
  });

  test.each(["*", "the list's"])(
    "what is not there has no version to compare: If-None-Match (%s) does not hide the 404",
    async (kind) => {
      const { headers } = await harness.http.get(listUrl(), { bearer: connection.token });
      const reply = await get("unknown", {
        "if-none-match": kind === "*" ? "*" : String(headers["etag"]),
      });
      expect(reply.status).toBe(404);
    },
  );
});

describe("400", () => {
  test.each([
    ["missing", ""],
    ["empty", "?id="],
    ["without a value", "?id"],
    ["repeated", "?id=a&id=b"],
    ["repeated with one value", "?id=a&id=a"],
  ])("an id that is %s is refused by name, and no job is made", async (_name, query) => {
    const { token, tokenId } = await harness.connect();
    const reply = await harness.http.get(`${url()}${query}`, { bearer: token });
    expect(reply.status).toBe(400);
    expect(reply.body).toEqual({
      message: expect.stringMatching(/./),
      validation_error: expect.stringMatching(/^id\b/),
    });
    expect(await countFetches(harness, tokenId)).toBe(0);
  });
});
