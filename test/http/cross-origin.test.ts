import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createHarness, type Harness } from "../support/harness.ts";

const origin = "https://tools.example";
const allow = "access-control-allow-origin";

let harness: Harness;
beforeAll(async () => {
  harness = await createHarness({ env: { RATE_LIMIT_OPEN_1M: "3" } });
});
afterAll(() => harness.close());

describe("what is the same for everybody may be read from a page of another site", () => {
  test.each(["/openapi.json", "/providers"])("%s: GET, HEAD and a 304", async (path) => {
    const first = await harness.http.get(path, { headers: { origin } });
    const head = await harness.http.request("HEAD", path, { headers: { origin } });
    const headers = { origin, "if-none-match": String(first.headers["etag"]) };
    const same = await harness.http.get(path, { headers });
    expect([first.status, head.status, same.status]).toEqual([200, 200, 304]);
    for (const reply of [first, head, same]) {
      expect(reply.headers[allow]).toBe("*");
      // One reply is for every origin, with and without the header.
      expect(reply.headers["vary"]).toBe("Accept-Encoding");
    }
    expect(first.headers["access-control-allow-credentials"]).toBeUndefined();
  });

  test("the refusal of a limit too, so that the page knows it", async () => {
    const replies = [];
    for (let count = 0; count < 4; count += 1)
      replies.push(await harness.http.get("/providers", { headers: { origin } }));
    expect(replies.at(-1)?.status).toBe(429);
    expect(replies.at(-1)?.headers[allow]).toBe("*");
  });

  test.each(["/openapi.json", "/providers"])("%s knows no OPTIONS: 405 as before", async (path) => {
    const headers = { origin, "access-control-request-method": "GET" };
    const reply = await harness.http.request("OPTIONS", path, { headers });
    expect([reply.status, reply.headers["allow"]]).toEqual([405, "GET, HEAD"]);
    expect(reply.headers[allow]).toBeUndefined();
  });
});

test.each([
  "/healthz",
  "/2023-03-01/xhr/employees",
  "/2023-03-01/management/client",
  "/.well-known/oauth-authorization-server",
  "/docs",
  "/nothing",
])("%s may not", async (path) => {
  const reply = await harness.http.get(path, { headers: { origin } });
  expect(reply.headers[allow]).toBeUndefined();
});
