import { gunzipSync } from "node:zlib";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createHarness, type Harness } from "../support/harness.ts";

let harness: Harness;
beforeAll(async () => {
  harness = await createHarness();
});
afterAll(() => harness.close());

test.each([
  ["/connect/rollcall-connect.js", "text/javascript; charset=utf-8"],
  ["/connect/rollcall-connect.d.ts", "text/plain; charset=utf-8"],
])("%s may be loaded by every site, and is asked for again after an hour", async (path, type) => {
  const first = await harness.http.get(path);
  expect(first.status).toBe(200);
  expect(first.headers).toMatchObject({
    "content-type": type,
    "cache-control": "public, max-age=3600, must-revalidate",
    "access-control-allow-origin": "*",
    "cross-origin-resource-policy": "cross-origin",
    "x-content-type-options": "nosniff",
  });
  expect(first.headers["set-cookie"]).toBeUndefined();
  const etag = String(first.headers["etag"]);
  const again = await harness.http.get(path, { headers: { "if-none-match": etag } });
  expect([again.status, again.bytes.length, again.headers["etag"]]).toEqual([304, 0, etag]);
});

test("the script is a few kilobytes that evaluate nothing and name no other host", async () => {
  const { bytes } = await harness.http.get("/connect/rollcall-connect.js");
  const packed = await harness.http.get("/connect/rollcall-connect.js", {
    headers: { "accept-encoding": "gzip" },
  });
  expect(bytes.length).toBeLessThan(8_192);
  expect(packed.headers["content-encoding"]).toBe("gzip");
  expect(gunzipSync(packed.bytes)).toEqual(bytes);
  expect(packed.bytes.length).toBeLessThan(3_072);
  expect(bytes.toString()).not.toMatch(
    /\beval\b|\bFunction\(|\bimport\b|https?:\/\/[a-z]|innerHTML/,
  );
});
