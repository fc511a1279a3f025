import { request } from "undici";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createHarness, type Harness } from "../support/harness.ts";
import { readRoutes } from "../support/read-routes.ts";

const origin = "https://tools.example";
const allow = "access-control-allow-origin";
const expose = "access-control-expose-headers";
const forEverySite = ["/openapi.json", "/providers"];
/** Any site may load it, with a check of its integrity. */
const scripts = ["/connect/rollcall-connect.d.ts", "/connect/rollcall-connect.js"];

let harness: Harness;
beforeAll(async () => {
  harness = await createHarness({ env: { RATE_LIMIT_OPEN_1M: "8" } });
});
afterAll(() => harness.close());

describe.each(forEverySite)("a page of another site may read %s", (path) => {
  test("by GET and HEAD, a 304 too, with all headers", async () => {
    const first = await harness.http.get(path, { headers: { origin } });
    const head = await harness.http.request("HEAD", path, { headers: { origin } });
    const headers = { origin, "if-none-match": String(first.headers["etag"]) };
    const same = await harness.http.get(path, { headers });
    expect([first.status, head.status, same.status]).toEqual([200, 200, 304]);
    for (const reply of [first, head, same]) {
      expect([reply.headers[allow], reply.headers[expose]]).toEqual(["*", "*"]);
      // One reply is for every origin, with and without the header.
      expect(reply.headers["vary"]).toBe("Accept-Encoding");
    }
    expect(first.headers["access-control-allow-credentials"]).toBeUndefined();
  });

  test.each([
    ["a 415", 415, "GET", { "content-encoding": "gzip", "content-type": "application/json" }],
    ["a 405", 405, "POST", {}],
    ["a 405 of a preflight", 405, "OPTIONS", { "access-control-request-method": "GET" }],
  ])("%s is readable, too", async (_name, status, method, headers) => {
    const reply = await harness.http.request(method, path, {
      headers: { origin, ...headers },
      ...("content-encoding" in headers && { body: "{}" }),
    });
    expect([reply.status, reply.headers[allow], reply.headers[expose]]).toEqual([status, "*", "*"]);
    expect(reply.headers["allow"]).toBe(status === 405 ? "GET, HEAD" : undefined);
  });

  test("so is the 400 of any query that is too long", async () => {
    const url = `${harness.baseUrl}${path}?${"a&".repeat(2_000)}`;
    const { statusCode, headers } = await request(url, { headers: { origin } });
    expect([statusCode, headers[allow], headers[expose]]).toEqual([400, "*", "*"]);
  });
});

test("the refusal of a limit says to the page when to come again", async () => {
  let reply;
  do reply = await harness.http.get("/providers", { headers: { origin } });
  while (reply.status !== 429);
  expect([reply.headers[allow], reply.headers[expose]]).toEqual(["*", "*"]);
  expect(Number(reply.headers["retry-after"])).toBeGreaterThan(0);
  expect(reply.headers["ratelimit"]).toContain("r=0");
});

test("nothing else of the service may be read from a page of another site", async () => {
  const routes = await readRoutes(harness.services);
  const readable = new Set<string>();
  for (const route of [...routes, "GET /nothing"]) {
    const [method = "", pattern = ""] = route.split(" ");
    const path = pattern.replaceAll(/\{[^}]+\}|\*/g, "x");
    const url = path.startsWith("/") ? path : `/${path}`;
    const reply = await harness.http.request(method, url, { headers: { origin } });
    if (reply.headers[allow] !== undefined || reply.headers[expose] !== undefined)
      readable.add(url);
  }
  expect([...readable].toSorted()).toEqual([...scripts, ...forEverySite].toSorted());
  expect(routes.length).toBeGreaterThan(100);
});
