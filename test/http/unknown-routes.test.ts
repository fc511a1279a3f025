import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { describedOperations } from "../support/described-operations.ts";
import { createHarness, type Harness } from "../support/harness.ts";
import { rawRequest, sendRaw, type RawReply, type RawRequest } from "../support/raw-http.ts";
import { expectRefusal, refusal, refusedWith } from "../support/refusals.ts";

const methods = [
  "GET",
  "HEAD",
  "POST",
  "PUT",
  "PATCH",
  "DELETE",
  "OPTIONS",
  "TRACE",
  "PROPFIND",
  "QUERY",
];
const notDescribed = [
  "/",
  "/openapi.json",
  "/docs",
  "/docs/quickstart",
  "/docs/reference",
  "/docs/search",
  "/docs/search/hits",
  "/docs/try",
];

let harness: Harness;
let allowedByPath: Map<string, string[]>;

beforeAll(async () => {
  harness = await createHarness();
  allowedByPath = new Map(notDescribed.map((path) => [path, ["GET", "HEAD"]]));
  for (const { method, path } of await describedOperations(harness.http)) {
    const allowed = allowedByPath.get(path) ?? [];
    allowedByPath.set(
      path,
      [...allowed, ...(method === "GET" ? ["GET", "HEAD"] : [method])].sort(),
    );
  }
});
afterAll(() => harness.close());

async function send(
  method: string,
  target: string,
  request?: RawRequest,
): Promise<RawReply | undefined> {
  const { replies } = await sendRaw(harness.baseUrl, rawRequest(method, target, request), {
    methods: [method],
  });
  return replies[0];
}

describe("404", () => {
  test.each([
    ["a path that is none of ours", "/nope", "/nope"],
    ["a path with a query, which the id leaves out", "/nope?code=rc_ac_dev_secret&x=%zz", "/nope"],
    ["a path with an empty query", "/nope?", "/nope"],
    ["a path with two question marks", "/nope?a?b", "/nope"],
    ["a known path with a slash behind it", "/providers/", "/providers/"],
    ["a known path in capitals", "/Providers", "/Providers"],
    ["a known path with two slashes", "//providers", "//providers"],
    ["a known path with a semicolon", "/providers;a=b", "/providers;a=b"],
    ["a known path behind dots", "/2023-03-01/../providers", "/2023-03-01/../providers"],
    ["another version", "/2024-01-01/xhr/company", "/2024-01-01/xhr/company"],
    ["no version", "/xhr/company", "/xhr/company"],
    ["a mode that is none", "/2023-03-01/hris/company", "/2023-03-01/hris/company"],
    [
      "an operation that the mode does not have",
      "/2023-03-01/official/payruns",
      "/2023-03-01/official/payruns",
    ],
    ["the version alone", "/2023-03-01", "/2023-03-01"],
    ["a segment too many", "/2023-03-01/xhr/payruns/a/b", "/2023-03-01/xhr/payruns/a/b"],
    ["an encoded NUL", "/%00", "/%00"],
    ["encoded dots", "/%2e%2e%2fetc%2fpasswd", "/%2e%2e%2fetc%2fpasswd"],
    ["encoded UTF-8", "/n%C3%B6pe", "/n%C3%B6pe"],
    [
      "a file that the documentation does not have",
      "/docs/assets/x/nope.js",
      "/docs/assets/x/nope.js",
    ],
    [
      "a file outside the documentation",
      "/docs/assets/x/..%2f..%2fpackage.json",
      "/docs/assets/x/..%2f..%2fpackage.json",
    ],
    ["the absolute form of an unknown address", "http://localhost/nope?secret=1", "/nope"],
  ])("%s is answered with the path without its query", async (_name, target, id) => {
    expect(expectRefusal(await send("GET", target), 404)["id"]).toBe(id);
  });

  test("the root is a page for people, and unknown to a program that asks for JSON", async () => {
    const headers = [["Accept", "application/json"]] as const;
    expect(expectRefusal(await send("GET", "/", { headers }), 404)["id"]).toBe("/");
    expect((await send("GET", "/"))?.headers["content-type"]).toMatch(/^text\/html/);
  });

  test.each([
    ["text/html,application/xhtml+xml,*/*;q=0.8", "/nope", "text/html"],
    ["text/html", "/connect/a/b/c", "text/html"],
    ["text/html", "/2023-03-01/nope", "application/json"],
    ["text/html", "/2023-03-01", "application/json"],
    ["*/*", "/nope", "application/json"],
    ["application/json", "/nope", "application/json"],
  ])(
    "a browser, which names text/html (%s), gets a page outside of the API: %s",
    async (accept, path, type) => {
      const reply = await send("GET", path, {
        headers: [
          ["Accept", accept],
          ["Accept-Language", "de"],
        ],
      });
      expect(reply?.status).toBe(404);
      expect(reply?.headers["content-type"]).toContain(type);
      const isOfApi = path.startsWith("/2023-03-01");
      expect(reply?.headers["vary"]).toBe(isOfApi ? "Accept-Encoding" : "Accept-Encoding, Accept");
      const isPage = String(reply?.body).includes("<h1>Hier ist nichts</h1>");
      expect(isPage).toBe(type === "text/html");
    },
  );

  test("what browsers and search engines look for at fixed addresses is there", async () => {
    const icon = await send("GET", "/favicon.ico");
    expect([icon?.status, icon?.headers["content-type"]]).toEqual([200, "image/x-icon"]);
    const robots = String((await send("GET", "/robots.txt"))?.body).split("\n");
    expect(robots).toEqual(["User-agent: *", "Disallow: /connect", "Disallow: /2023-03-01/", ""]);
  });

  test("the contact for reports of weaknesses is there for less than a year, and only if there is one", async () => {
    const path = "/.well-known/security.txt";
    expect(expectRefusal(await send("GET", path), 404)["id"]).toBe(path);
    const contact = { OPERATOR_SECURITY_CONTACT: "mailto:security@example.com" };
    const env = { ...harness.environment, ...contact };
    const named = await createHarness({ database: harness.database, env });
    const { bytes } = await named.http.get(path);
    const lines = bytes.toString().split("\n");
    expect(lines).toContain("Contact: mailto:security@example.com");
    expect(lines).toContain("Canonical: https://api.example.com/.well-known/security.txt");
    const [, expires = ""] = /^Expires: (\S+)$/m.exec(bytes.toString()) ?? [];
    const days = (Date.parse(expires) - named.clock.now().getTime()) / 86_400_000;
    expect(days).toBe(180);
    await named.close();
  });

  test("holds for every method, without a look at the body", async () => {
    const headers = [["Content-Type", "text/nonsense"]] as const;
    for (const method of methods.filter((name) => name !== "HEAD")) {
      const reply = await send(method, "/nope", { headers, body: "{" });
      expect(`${method} ${expectRefusal(reply, 404)["id"]}`).toBe(`${method} /nope`);
    }
  });

  test("HEAD has the status and the headers, and no body", async () => {
    const reply = await send("HEAD", "/nope");
    expect(reply?.status).toBe(404);
    expect(reply?.body).toHaveLength(0);
    expect(reply?.headers["content-type"]).toMatch(/^application\/json/);
  });
});

describe("405", () => {
  test("every described path refuses every other method, and Allow names those it has", async () => {
    const flaws: string[] = [];
    for (const [path, allowed] of allowedByPath) {
      for (const method of methods.filter((name) => !allowed.includes(name))) {
        const reply = await send(method, path);
        const found = `${reply?.status}, Allow: ${reply?.headers["allow"]}; ${method === "HEAD" ? "" : refusal(reply).flaws.join()}`;
        if (found !== `405, Allow: ${allowed.join(", ")}; `)
          flaws.push(`${method} ${path}: ${found}`);
      }
    }
    expect(flaws).toEqual([]);
    expect(allowedByPath.size).toBeGreaterThan(25);
  });

  test("no method that a path allows is refused as such, HEAD included", async () => {
    const flaws: string[] = [];
    for (const [path, allowed] of allowedByPath) {
      for (const method of allowed) {
        const status = (await send(method, path))?.status;
        if (
          status === undefined ||
          status === 405 ||
          status >= 500 ||
          (status === 404 && !path.includes("unknown"))
        )
          flaws.push(`${method} ${path}: ${status}`);
      }
    }
    expect(flaws).toEqual([]);
  });

  test("comes before the body and its type are looked at, and before credentials", async () => {
    const headers = [
      ["Content-Type", "text/nonsense"],
      ["Authorization", "Basic !"],
    ] as const;
    expect(
      refusal(await send("PUT", "/2023-03-01/management/client", { headers, body: "{" })),
    ).toEqual(refusedWith(405));
  });

  test.each([
    ["with a query", "/providers?x=1"],
    ["percent-encoded", "/%70roviders"],
    ["in the absolute form", "http://localhost/providers"],
    ["with a path parameter", "/2023-03-01/xhr/payruns/a%20b"],
  ])("a known path %s is as known as any other", async (_name, target) => {
    expect(refusal(await send("DELETE", target))).toEqual(refusedWith(405));
  });

  test("CONNECT is refused like any other method, not by silence", async () => {
    const reply = await send("CONNECT", "/providers");
    expect([404, 405]).toContain(reply?.status);
    expect(refusal(reply)).toEqual(refusedWith(reply?.status ?? 0));
  });
});

describe("HEAD", () => {
  test.each([
    "/providers",
    "/healthz",
    "/openapi.json",
    "/docs",
    "/docs/webhooks",
    "/docs/reference",
  ])("of %s is the answer to GET without its body", async (path) => {
    const [get, head] = [await send("GET", path), await send("HEAD", path)];
    expect(head?.status).toBe(200);
    expect(head?.body).toHaveLength(0);
    for (const name of ["content-type", "content-length", "vary"])
      expect(head?.headers[name]).toBe(get?.headers[name]);
  });

  test("of an endpoint with a credential asks for the credential", async () => {
    expect((await send("HEAD", "/2023-03-01/xhr/company"))?.status).toBe(401);
    expect((await send("HEAD", "/2023-03-01/management/client"))?.status).toBe(401);
  });
});

test("a path parameter of any length is a parameter: the method is not what is wrong", async () => {
  const target = `/2023-03-01/xhr/payruns/${"a".repeat(2_000)}`;
  const headers = [["Authorization", `Bearer ${harness.sandboxToken}`]] as const;
  expect(refusal(await send("GET", target))).toEqual(refusedWith(401));
  expect(refusal(await send("GET", target, { headers }))).toEqual(refusedWith(404));
});
