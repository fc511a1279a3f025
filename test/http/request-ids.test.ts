import { setTimeout as delay } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { mintCredential } from "../../src/platform/crypto/index.ts";
import { describedOperations } from "../support/described-operations.ts";
import { createHarness, exchangeBody, signIn, type Harness } from "../support/harness.ts";
import { rawRequest, sendRaw, type RawReply } from "../support/raw-http.ts";
import { requestIdPattern } from "../support/refusals.ts";
import { untilTrue } from "../support/until-true.ts";

interface LogLine {
  reqId?: string;
  method?: string;
  route?: string;
  status?: number;
}

let harness: Harness;

beforeAll(async () => {
  harness = await createHarness({ env: { RATE_LIMIT_OPEN_1M: "40", RATE_LIMIT_OPEN_5M: "" } });
});
afterAll(() => harness.close());

const readLog = (): LogLine[] => harness.logLines.map((line) => JSON.parse(line) as LogLine);

async function send(bytes: string): Promise<RawReply> {
  const { replies } = await sendRaw(harness.baseUrl, bytes, {
    methods: [bytes.split(" ")[0] ?? "GET"],
  });
  if (!replies[0]) throw new Error("there was no reply");
  return replies[0];
}

/** The line that the request left in the log, found by the id of its reply. */
async function lineOf({ headers }: RawReply): Promise<LogLine | undefined> {
  const id = String(headers["x-request-id"]);
  expect(id).toMatch(requestIdPattern);
  const find = (): LogLine | undefined =>
    readLog().find(({ reqId, status }) => reqId === id && status !== undefined);
  for (let attempt = 0; attempt < 20 && !find(); attempt += 1) await delay(5);
  return find();
}

describe("x-request-id", () => {
  const form = [["Content-Type", "application/json"]] as const;
  const token = "/2023-03-01/management/token";
  test.each<[number, string, string]>([
    [200, "a 200", rawRequest("GET", "/providers")],
    [200, "HEAD", rawRequest("HEAD", "/providers")],
    [200, "the documentation", rawRequest("GET", "/docs")],
    [400, "a 400", rawRequest("POST", token, { headers: form, body: "{" })],
    [400, "a wrong percent-encoding", rawRequest("GET", "/%zz")],
    [401, "a 401", rawRequest("GET", "/2023-03-01/xhr/company")],
    [403, "a 403", rawRequest("POST", "/2023-03-01/management/disconnect")],
    [404, "a 404", rawRequest("GET", "/nope")],
    [405, "a 405", rawRequest("DELETE", "/providers")],
    [405, "a method that is rare", rawRequest("PROPFIND", "/providers")],
    [413, "a 413", rawRequest("POST", token, { headers: form, body: "x".repeat(1_000_000) })],
    [414, "a 414", rawRequest("GET", `/${"a".repeat(45_000)}`)],
    [
      415,
      "a 415",
      rawRequest("POST", token, { headers: [["Content-Type", "text/plain"]], body: "x" }),
    ],
    [400, "a request that is not HTTP", "NONSENSE\r\n\r\n"],
    [400, "a request without a Host", "GET / HTTP/1.1\r\nConnection: close\r\n\r\n"],
    [431, "a 431", rawRequest("GET", "/", { headers: [["X-Long", "a".repeat(60_000)]] })],
  ])("%i: %s has one, and the log has a line with it", async (status, _name, bytes) => {
    const reply = await send(bytes);
    expect(reply.status).toBe(status);
    expect(await lineOf(reply)).toMatchObject({ status });
  });

  test("a 304 and a 202 have one", async () => {
    const { token } = await harness.connect();
    const url = "/2023-03-01/xhr/company";
    const pending = await harness.http.get(url, { bearer: token });
    await harness.drain();
    const ready = await harness.http.get(url, { bearer: token });
    const same = await harness.http.get(url, {
      bearer: token,
      headers: { "if-none-match": String(ready.headers["etag"]) },
    });
    expect([pending.status, ready.status, same.status]).toEqual([202, 200, 304]);
    for (const { headers } of [pending, ready, same])
      expect(headers["x-request-id"]).toMatch(requestIdPattern);
  });

  test("a 429 has one, and the log has a line with it", async () => {
    const replies = await Promise.all(
      Array.from({ length: 60 }, () => send(rawRequest("GET", "/providers"))),
    );
    const refused = replies.filter(({ status }) => status === 429);
    expect(refused.length).toBeGreaterThan(0);
    for (const reply of refused)
      expect(await lineOf(reply)).toMatchObject({ status: 429, route: "/providers" });
  });

  test("is ours, whatever the caller sends, and another one each time", async () => {
    const names = ["X-Request-Id", "Request-Id", "X-Correlation-Id", "traceparent"];
    const headers = names.map((name) => [name, "00000000-0000-4000-8000-000000000000"] as const);
    const ids = await Promise.all(
      Array.from(
        { length: 20 },
        async () => (await send(rawRequest("GET", "/nope", { headers }))).headers["x-request-id"],
      ),
    );
    expect(new Set(ids).size).toBe(20);
    expect(ids).not.toContain("00000000-0000-4000-8000-000000000000");
  });
});

describe("the log line of a request", () => {
  test("names the method, the route pattern and the status, not the address", async () => {
    const reply = await send(
      rawRequest("GET", "/2023-03-01/xhr/payruns/marker-in-path?x=marker-in-query"),
    );
    expect(await lineOf(reply)).toMatchObject({
      method: "GET",
      route: "/2023-03-01/xhr/payruns/:payrun_id",
      status: 401,
    });
    expect(harness.logLines.join("")).not.toContain("marker-in");
  });

  test("is one for each request", async () => {
    const reply = await send(rawRequest("GET", "/nope"));
    await untilTrue("the line is there", async () => (await lineOf(reply)) !== undefined);
    expect(
      readLog().filter(
        ({ reqId, status }) => reqId === reply.headers["x-request-id"] && status !== undefined,
      ),
    ).toHaveLength(1);
  });
});

const spellings = (text: string): string[] => [
  text,
  Buffer.from(text).toString("base64").replace(/=+$/, ""),
  Buffer.from(text).toString("hex"),
  [...text].map((char) => `%${char.charCodeAt(0).toString(16)}`).join(""),
];
const found = (texts: readonly string[]): string[] =>
  harness.logLines.filter((line) => texts.some((text) => line.includes(text)));

describe("the log", () => {
  const marker = "mrk7Qz9";

  test("holds no query, header or body of a request, whatever the endpoint and its answer", async () => {
    const { token } = await harness.connect();
    const { client, secret } = await harness.createClient();
    const basic = Buffer.from(`${client.clientId}:${secret}`).toString("base64");
    const credentials = [
      `Bearer ${token}`,
      `Basic ${basic}`,
      `Bearer ${marker}`,
      `Basic ${Buffer.from(`${marker}:${marker}`).toString("base64")}`,
      marker,
    ];
    const bodies = [
      JSON.stringify({ name: marker, code: marker, client_secret: marker, [marker]: marker }),
      `{"${marker}": ${marker}`,
      marker,
    ];
    for (const { method, path } of await describedOperations(harness.http)) {
      for (const [index, credential] of credentials.entries()) {
        const headers = [
          ["Authorization", credential],
          ["Cookie", marker],
          ["User-Agent", marker],
          ["Referer", `https://a.example/?${marker}`],
          ["Content-Type", "application/json"],
          ["If-None-Match", marker],
          ["X-Forwarded-For", marker],
        ] as const;
        const target = `${path.replace("unknown", marker)}?start_date=${marker}&end_date=${marker}&id=${marker}&employment_status=${marker}&${marker}=1`;
        await send(
          rawRequest(method, target, {
            headers,
            ...(method === "POST" && { body: bodies[index % bodies.length] ?? "" }),
          }),
        );
      }
    }
    for (const target of [
      `/${marker}?${marker}`,
      `/%zz${marker}?${marker}`,
      `/docs/static/${marker}`,
    ])
      await send(rawRequest("GET", target, { headers: [["Authorization", marker]] }));
    await send(rawRequest(marker.toUpperCase(), `/${marker}`));
    await send(`GET /${marker} HTTP/1.1\r\n${marker}\r\n\r\n`);
    await send(`POST /${marker} HTTP/1.1\r\nHost: x\r\nContent-Length: ${marker}\r\n\r\n`);
    expect(found(spellings(marker))).toEqual([]);
    expect(found([token, secret, basic])).toEqual([]);
  });

  test("holds no credential of the journey from sign-in to disconnect", async () => {
    const signedIn = await signIn(harness.services);
    harness.clock.advance(60);
    const { body } = await harness.http.post("/2023-03-01/management/token", {
      json: exchangeBody(signedIn),
    });
    const { access_token: token } = body as { access_token: string };
    const refused = mintCredential("ac", "dev");
    await harness.http.post("/2023-03-01/management/token", {
      json: { ...exchangeBody(signedIn), code: refused },
    });
    await harness.http.post("/2023-03-01/management/token", { json: exchangeBody(signedIn) });
    await harness.http.post("/2023-03-01/management/disconnect", { bearer: token });
    await harness.http.get("/2023-03-01/xhr/company", { bearer: token });
    for (const credential of [token, signedIn.code, signedIn.secret, refused])
      expect(found(spellings(credential))).toEqual([]);
  });

  test("holds no field that is named for a request's own content", () => {
    const names = new Set(
      harness.logLines.flatMap((line) => Object.keys(JSON.parse(line) as object)),
    );
    expect(
      [...names].filter((name) =>
        /^(req|res|url|query|headers|body|params|authorization|remoteAddress|ip)$/i.test(name),
      ),
    ).toEqual([]);
  });
});
