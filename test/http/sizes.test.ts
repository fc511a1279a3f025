import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createHarness, type Harness } from "../support/harness.ts";
import { rawRequest, sendRaw, type RawReply } from "../support/raw-http.ts";
import { expectRefusal, refusal, refusedWith } from "../support/refusals.ts";

const tokenUrl = "/2023-03-01/management/token";
const json = ["Content-Type", "application/json"] as const;
const chunked = ["Transfer-Encoding", "chunked"] as const;

let harness: Harness;
let authorization: Record<string, readonly [string, string]>;

beforeAll(async () => {
  harness = await createHarness();
  const { client, secret } = await harness.createClient();
  authorization = {
    "/2023-03-01/management/client": [
      "Authorization",
      `Basic ${Buffer.from(`${client.clientId}:${secret}`).toString("base64")}`,
    ],
    [tokenUrl]: ["X-None", "none"],
  };
});
afterAll(() => harness.close());

async function send(bytes: string): Promise<RawReply | undefined> {
  const { replies } = await sendRaw(harness.baseUrl, bytes);
  return replies[0];
}

const chunksOf = (text: string): string => `${text.length.toString(16)}\r\n${text}\r\n0\r\n\r\n`;

describe("413", () => {
  test.each([tokenUrl, "/2023-03-01/management/client"])(
    "a body of a megabyte to %s is too large, with its length and in chunks",
    async (path) => {
      const headers = [json, authorization[path] ?? json];
      const text = JSON.stringify({ code: "x".repeat(1_000_000) });
      expect(refusal(await send(rawRequest("POST", path, { headers, body: text })))).toEqual(
        refusedWith(413),
      );
      expect(
        refusal(
          await send(rawRequest("POST", path, { headers: [...headers, chunked] }) + chunksOf(text)),
        ),
      ).toEqual(refusedWith(413));
    },
  );

  test("a length that is too large is refused before the body comes, and the connection is ended", async () => {
    const announced = rawRequest("POST", tokenUrl, {
      headers: [json, ["Content-Length", "1000000000"]],
    });
    const { replies, isClosed } = await sendRaw(harness.baseUrl, announced);
    expect(refusal(replies[0])).toEqual(refusedWith(413));
    expect(isClosed).toBe(true);
  });

  test("a body of 20,000 bytes is read", async () => {
    const body = JSON.stringify({ code: "x", audience: "y".repeat(20_000) });
    expect(
      expectRefusal(await send(rawRequest("POST", tokenUrl, { headers: [json], body })), 400)[
        "validation_error"
      ],
    ).toMatch(/^invalid_request: client_id/);
  });

  test.each([
    ["GET", "/providers", 200],
    ["POST", "/2023-03-01/management/disconnect", 403],
    ["POST", "/nope", 404],
    ["DELETE", "/providers", 405],
  ])(
    "%s %s, which takes no body, is answered whatever the size of one",
    async (method, path, status) => {
      const { replies } = await sendRaw(
        harness.baseUrl,
        rawRequest(method, path, { headers: [json], body: "x".repeat(1_000_000) }),
        { replies: 1 },
      );
      expect(replies[0]?.status).toBe(status);
    },
  );
});

describe("414", () => {
  test.each([
    ["an unknown path", `/${"a".repeat(45_000)}`],
    ["a known path with a long query", `/providers?a=${"b".repeat(45_000)}`],
    ["a path parameter", `/2023-03-01/xhr/payruns/${"a".repeat(45_000)}`],
    ["a path of escapes", `/${"%41".repeat(14_000)}`],
    ["another method", `/providers?a=${"b".repeat(45_000)}`],
  ])("%s of more than 40,960 characters is too long", async (name, target) => {
    expect(
      refusal(await send(rawRequest(name === "another method" ? "DELETE" : "GET", target))),
    ).toEqual(refusedWith(414));
  });

  test("an address that fills all the room for headers is too long, by one name or the other", async () => {
    const reply = await send(rawRequest("GET", `/${"a".repeat(60_000)}`));
    expect([414, 431]).toContain(reply?.status);
    expect(refusal(reply)).toEqual(refusedWith(reply?.status ?? 0));
  });

  test("an address of 40,000 characters is not", async () => {
    expect((await send(rawRequest("GET", `/providers?a=${"b".repeat(40_000)}`)))?.status).toBe(200);
  });
});

describe("431", () => {
  test.each<[string, [string, string][]]>([
    ["one header", [["X-Long", "a".repeat(60_000)]]],
    ["a name", [["X".repeat(60_000), "a"]]],
    ["5,000 headers", Array.from({ length: 5_000 }, (_, index) => [`X-${index}`, "abcdefgh"])],
    [
      "the same header 5,000 times",
      Array.from({ length: 5_000 }, () => ["Accept-Encoding", "gzip"]),
    ],
    ["a credential", [["Authorization", `Bearer ${"a".repeat(60_000)}`]]],
  ])("%s too large", async (_name, headers) => {
    expect(refusal(await send(rawRequest("GET", "/providers", { headers })))).toEqual(
      refusedWith(431),
    );
  });

  test("headers of 40,000 characters are not", async () => {
    expect(
      (await send(rawRequest("GET", "/providers", { headers: [["X-Long", "a".repeat(40_000)]] })))
        ?.status,
    ).toBe(200);
  });
});
