import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createHarness, type Harness } from "../support/harness.ts";

let harness: Harness;
beforeAll(async () => {
  harness = await createHarness();
});
afterAll(() => harness.close());

const get = (path: string, headers: Record<string, string> = {}) =>
  harness.http.get(path, { headers });

/** The address of the style sheet holds a digest of it. */
async function styleOfPages(): Promise<string> {
  const page = (await get("/connect")).bytes.toString();
  return /href="([^"]+\.css)"/.exec(page)?.[1] ?? "";
}

describe.each([
  "/openapi.json",
  "/providers",
  "/.well-known/oauth-authorization-server",
  "/docs",
  "/docs/webhooks",
  "/docs/reference",
  "/docs/reference/list-employees",
  "a style sheet of the sign-in",
])("%s", (name) => {
  const find = async () => (name.startsWith("/") ? name : await styleOfPages());

  test("has a strong tag for each encoding, and the same bytes in all of them", async () => {
    const path = await find();
    const plain = await get(path);
    const br = await get(path, { "accept-encoding": "br" });
    const gzip = await get(path, { "accept-encoding": "gzip" });
    const tags = [plain, br, gzip].map(({ headers }) => String(headers["etag"]));
    expect(tags).toEqual(tags.map(() => expect.stringMatching(/^"[^"]+"$/)));
    expect(new Set(tags).size).toBe(3);
    expect(brotliDecompressSync(br.bytes)).toEqual(plain.bytes);
    expect(gunzipSync(gzip.bytes)).toEqual(plain.bytes);
    expect(plain.bytes.length).toBeGreaterThan(0);
  });

  test("is the same whenever it is asked for, and by HEAD", async () => {
    const path = await find();
    const [first, second] = [await get(path), await get(path)];
    const { date: _, "x-request-id": __, ratelimit: ___, ...headers } = first.headers;
    expect(second).toMatchObject({ status: 200, headers, bytes: first.bytes });
    const head = await harness.http.request("HEAD", path);
    expect(head).toMatchObject({ status: 200, headers: { etag: headers["etag"] } });
    expect(head.headers["content-length"]).toBe(String(first.bytes.length));
  });

  test("is 304 for who has it in that encoding", async () => {
    const path = await find();
    const { headers } = await get(path, { "accept-encoding": "br" });
    const etag = String(headers["etag"]);
    const same = await get(path, { "accept-encoding": "br", "if-none-match": `"x", W/${etag}` });
    expect([same.status, same.bytes.length, same.headers["etag"]]).toEqual([304, 0, etag]);
    expect((await get(path, { "if-none-match": etag })).status).toBe(200);
  });
});

/** A document that was made anew would have no tag of its own. */
test.each(["/openapi.json", "/docs/reference/list-employees", "/providers"])(
  "%s is made once, also when HEAD comes first and each request has another query",
  async (path) => {
    const fresh = await createHarness({ database: harness.database, env: harness.environment });
    const replies = [
      await fresh.http.request("HEAD", path, { headers: { "accept-encoding": "br" } }),
      await fresh.http.request("HEAD", `${path}?a=1`, { headers: { "accept-encoding": "br" } }),
      await fresh.http.get(`${path}?a=2`, { headers: { "accept-encoding": "br" } }),
      await fresh.http.get(path, { headers: { "accept-encoding": "br" } }),
    ];
    const tags = replies.map(({ headers }) => headers["etag"]);
    await fresh.close();
    expect(tags[0]).toMatch(/^"[^"]+"$/);
    expect(new Set(tags).size).toBe(1);
  },
);

test("the first reply has the headers of the later ones, whatever part was asked for", async () => {
  const first = await get("/providers", { range: "bytes=0-9", "accept-encoding": "gzip" });
  const second = await get("/providers", { "accept-encoding": "gzip" });
  expect([first.status, first.headers["etag"], first.bytes]).toEqual([
    200,
    second.headers["etag"],
    second.bytes,
  ]);
  expect(Object.keys(second.headers).toSorted()).toEqual(Object.keys(first.headers).toSorted());
});
