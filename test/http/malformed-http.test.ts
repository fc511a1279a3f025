import { setTimeout as delay } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { createHarness, exchangeBody, signIn, type Harness } from "../support/harness.ts";
import { openSocket, rawRequest, sendRaw } from "../support/raw-http.ts";
import { flawsOfRefusal, refusal, refusedWith, requestIdPattern } from "../support/refusals.ts";

const host = "Host: localhost\r\n";
const json = "Content-Type: application/json\r\n";
const post = `POST /2023-03-01/management/token HTTP/1.1\r\n${host}${json}`;
const inChunks = `${post}Transfer-Encoding: chunked\r\n`;
const smuggled = `GET /smuggled HTTP/1.1\r\n${host}\r\n`;

let harness: Harness;

beforeAll(async () => {
  harness = await createHarness();
});
afterAll(() => harness.close());

/** Whatever a test did to it, the service goes on. */
afterEach(async () => {
  const { status } = await harness.http.get("/providers");
  if (status !== 200) throw new Error(`the service answers ${status} from now on`);
});

const notHttp: [name: string, bytes: string | Buffer][] = [
  ["a word", "HELLO\r\n\r\n"],
  ["a request line of one letter", "G\r\n\r\n"],
  ["a method that is none", `FOO /providers HTTP/1.1\r\n${host}\r\n`],
  ["a method in small letters", `get /providers HTTP/1.1\r\n${host}\r\n`],
  ["a method of 10,000 letters", `${"G".repeat(10_000)} /providers HTTP/1.1\r\n${host}\r\n`],
  ["no target", `GET HTTP/1.1\r\n${host}\r\n`],
  ["a target with a space", `GET /prov iders HTTP/1.1\r\n${host}\r\n`],
  ["a target with a NUL", `GET /prov\0iders HTTP/1.1\r\n${host}\r\n`],
  ["a target with a tab", `GET /prov\tiders HTTP/1.1\r\n${host}\r\n`],
  ["a target of raw UTF-8", Buffer.from(`GET /prov\u00efders HTTP/1.1\r\n${host}\r\n`)],
  ["a target of raw Latin-1", `GET /prov\xefders HTTP/1.1\r\n${host}\r\n`],
  ["a version that is none", `GET /providers HTTP/9.9\r\n${host}\r\n`],
  ["a version in small letters", `GET /providers http/1.1\r\n${host}\r\n`],
  ["another protocol", `GET /providers ICAP/1.0\r\n${host}\r\n`],
  ["a request of RTSP", `GET /providers RTSP/1.0\r\n${host}\r\n`],
  ["a request of RTSP with the version of HTTP", `GET /providers RTSP/1.1\r\n${host}\r\n`],
  ["a request of RTSP with a method of its own", `DESCRIBE /providers RTSP/1.0\r\n${host}\r\n`],
  ["a request of RTSP for everything", "OPTIONS * RTSP/1.0\r\nCSeq: 1\r\n\r\n"],
  ["a request of RTSP behind empty lines", `\r\n\r\nGET /providers RTSP/1.0\r\n${host}\r\n`],
  ["a request of ICE", `SOURCE /providers ICE/1.0\r\n${host}\r\n`],
  ["HTTP/2 without a preface", `GET /providers HTTP/2.0\r\n${host}Connection: close\r\n\r\n`],
  ["HTTP/0.9 with headers", `GET /providers HTTP/0.9\r\n${host}\r\n`],
  ["the preface of HTTP/2", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\x04\0\0\0\0\0"],
  ["a TLS hello", Buffer.from("16030100c8010000c403035f8a", "hex")],
  ["every byte there is", Buffer.from(Array.from({ length: 512 }, (_, index) => index % 256))],
  ["a header without a colon", `GET /providers HTTP/1.1\r\n${host}no colon here\r\n\r\n`],
  ["a header without a name", `GET /providers HTTP/1.1\r\n${host}: value\r\n\r\n`],
  ["a header with a space in its name", `GET /providers HTTP/1.1\r\n${host}a b: c\r\n\r\n`],
  [
    "a header with a space before its colon",
    `GET /providers HTTP/1.1\r\n${host}Accept : c\r\n\r\n`,
  ],
  ["a header with a NUL", `GET /providers HTTP/1.1\r\n${host}X-A: a\0b\r\n\r\n`],
  ["a header with a bare CR", `GET /providers HTTP/1.1\r\n${host}X-A: a\rb\r\n\r\n`],
  [
    "a header with another control character",
    `GET /providers HTTP/1.1\r\n${host}X-A: a\x01b\r\n\r\n`,
  ],
  ["a folded header", `GET /providers HTTP/1.1\r\n${host}X-A: a\r\n b\r\n\r\n`],
  ["a folded first header", `GET /providers HTTP/1.1\r\n ${host}\r\n`],
  ["lines that end in LF alone", "GET /providers HTTP/1.1\nHost: localhost\n\n"],
  ["no Host", "GET /providers HTTP/1.1\r\nConnection: close\r\n\r\n"],
];

const wrongFraming: [name: string, bytes: string][] = [
  ["two lengths", `${post}Content-Length: 2\r\nContent-Length: 40\r\n\r\n{}${smuggled}`],
  ["two lengths that agree", `${post}Content-Length: 2\r\nContent-Length: 2\r\n\r\n{}${smuggled}`],
  ["a list of lengths", `${post}Content-Length: 2, 40\r\n\r\n{}${smuggled}`],
  ["a length below zero", `${post}Content-Length: -2\r\n\r\n{}${smuggled}`],
  ["a length with a plus", `${post}Content-Length: +2\r\n\r\n{}${smuggled}`],
  ["a hexadecimal length", `${post}Content-Length: 0x2\r\n\r\n{}${smuggled}`],
  ["a length with a point", `${post}Content-Length: 2.0\r\n\r\n{}${smuggled}`],
  ["a length that is a word", `${post}Content-Length: two\r\n\r\n{}${smuggled}`],
  [
    "a length beyond all numbers",
    `${post}Content-Length: 99999999999999999999\r\n\r\n{}${smuggled}`,
  ],
  ["a length within a space", `${post}Content-Length: 1 2\r\n\r\n{}${smuggled}`],
  ["a length and chunks", `${inChunks}Content-Length: 5\r\n\r\n0\r\n\r\n${smuggled}`],
  [
    "chunks and a length",
    `${post}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n${smuggled}`,
  ],
  ["chunks twice", `${post}Transfer-Encoding: chunked, chunked\r\n\r\n0\r\n\r\n${smuggled}`],
  ["chunks in two headers", `${inChunks}Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n${smuggled}`],
  [
    "chunks that are not last",
    `${post}Transfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n${smuggled}`,
  ],
  [
    "chunks in another header's disguise",
    `${post}Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n${smuggled}`,
  ],
  [
    "chunks behind a vertical tab",
    `${post}Transfer-Encoding: \x0bchunked\r\n\r\n0\r\n\r\n${smuggled}`,
  ],
  [
    "chunks with a space before the colon",
    `${post}Transfer-Encoding : chunked\r\n\r\n0\r\n\r\n${smuggled}`,
  ],
  [
    "a transfer coding that is not known",
    `${post}Transfer-Encoding: gzip\r\n\r\n0\r\n\r\n${smuggled}`,
  ],
  ["a chunk size that is none", `${inChunks}\r\nzz\r\n{}\r\n0\r\n\r\n${smuggled}`],
  ["a chunk size below zero", `${inChunks}\r\n-2\r\n{}\r\n0\r\n\r\n${smuggled}`],
  ["a chunk size with a prefix", `${inChunks}\r\n0x2\r\n{}\r\n0\r\n\r\n${smuggled}`],
  [
    "a chunk size beyond all numbers",
    `${inChunks}\r\nffffffffffffffffff\r\n{}\r\n0\r\n\r\n${smuggled}`,
  ],
  ["a chunk longer than its size", `${inChunks}\r\n2\r\n{}xx\r\n0\r\n\r\n${smuggled}`],
  ["a chunk that ends in LF alone", `${inChunks}\r\n2\r\n{}\n0\r\n\r\n${smuggled}`],
  [
    "a chunk extension without end",
    `${inChunks}\r\n2;a=${"b".repeat(40_000)}\r\n{}\r\n0\r\n\r\n${smuggled}`,
  ],
];

describe("what is not HTTP", () => {
  test.each(notHttp)("%s is a 400 of ours, and the connection is ended", async (_name, bytes) => {
    const { replies, rest, isClosed } = await sendRaw(harness.baseUrl, bytes);
    expect(refusal(replies[0])).toEqual(refusedWith(400));
    expect({ count: replies.length, rest, isClosed }).toEqual({
      count: 1,
      rest: "",
      isClosed: true,
    });
  });
});

describe("a request of RTSP", () => {
  const rtsp = `GET /providers RTSP/1.0\r\n${host}\r\n`;
  const http = `GET /providers HTTP/1.1\r\n${host}\r\n`;

  test.each([1, 7, 19])("in pieces of %i bytes is refused all the same", async (length) => {
    const socket = await openSocket(harness.baseUrl);
    const parts: string[] = [];
    socket.on("data", (part: Buffer) => parts.push(part.toString()));
    for (let at = 0; at < rtsp.length; at += length) {
      await new Promise((resolve) => socket.write(rtsp.slice(at, at + length), resolve));
      await delay(2);
    }
    await expect.poll(() => parts.join("")).toMatch(/^HTTP\/1\.1 400 /);
    socket.destroy();
  });

  test("behind good requests is refused alone", async () => {
    const { replies, isClosed } = await sendRaw(harness.baseUrl, http + http + rtsp);
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 400]);
    expect(isClosed).toBe(true);
  });

  test("is not seen in a header, a query or a body", async () => {
    const body = JSON.stringify({ name: "GET /providers RTSP/1.0" });
    const { replies } = await sendRaw(
      harness.baseUrl,
      `GET /providers?a=%20RTSP/1.0 HTTP/1.1\r\n${host}User-Agent: GET / RTSP/1.0\r\n\r\n` +
        `${post}Content-Length: ${body.length}\r\n\r\n${body}`,
      { replies: 2 },
    );
    expect(replies.map(({ status }) => status)).toEqual([200, 400]);
    expect(String(replies[1]?.body)).toContain("client_id");
  });
});

describe("a body whose end is in doubt", () => {
  test.each(wrongFraming)(
    "%s is a 400 of ours, and what follows is not taken for a request",
    async (_name, bytes) => {
      const { replies, isClosed } = await sendRaw(harness.baseUrl, bytes);
      expect(replies.map(({ status }) => status)).toEqual([400]);
      expect(refusal(replies[0])).toEqual(refusedWith(400));
      expect(isClosed).toBe(true);
    },
  );

  test("was never handed on: no request behind it was logged", () => {
    expect(harness.logLines.filter((line) => line.includes("smuggled"))).toEqual([]);
  });
});

describe("an expectation", () => {
  test("100-continue is met", async () => {
    const bytes = rawRequest("POST", "/2023-03-01/management/token", {
      headers: [
        ["Content-Type", "application/json"],
        ["Expect", "100-continue"],
      ],
      body: JSON.stringify(exchangeBody(await signIn(harness.services))),
    });
    const { replies } = await sendRaw(harness.baseUrl, bytes);
    expect(replies[0]?.status).toBe(201);
  });

  test("any other is ignored or refused, with our JSON", async () => {
    const { replies } = await sendRaw(
      harness.baseUrl,
      rawRequest("POST", "/2023-03-01/management/token", {
        headers: [
          ["Content-Type", "application/json"],
          ["Expect", "the-unexpected"],
        ],
        body: "{}",
      }),
    );
    expect(replies[0]?.status).toBeOneOf([400, 417]);
    expect(refusal(replies[0])).toEqual(refusedWith(replies[0]?.status ?? 0));
  });
});

describe("an older or newer HTTP", () => {
  test("a request of HTTP/1.0 is answered, and the connection is ended", async () => {
    const { replies, isClosed } = await sendRaw(harness.baseUrl, "GET /providers HTTP/1.0\r\n\r\n");
    expect([replies[0]?.status, isClosed]).toEqual([200, true]);
  });

  test("a request without a version is answered or refused, in JSON with a request id", async () => {
    const { replies, isClosed } = await sendRaw(harness.baseUrl, "GET /providers\r\n\r\n");
    expect(replies[0]?.status).toBeOneOf([200, 400]);
    expect(JSON.parse(String(replies[0]?.body))).toBeTypeOf("object");
    expect(replies[0]?.headers["x-request-id"]).toMatch(requestIdPattern);
    expect(isClosed).toBe(true);
  });

  test.each(["h2c", "websocket", "TLS/1.0", "nonsense"])(
    "the offer to go on in %s is not taken up",
    async (protocol) => {
      const { replies } = await sendRaw(
        harness.baseUrl,
        `GET /providers HTTP/1.1\r\n${host}Connection: Upgrade\r\nUpgrade: ${protocol}\r\n\r\n`,
        { replies: 1 },
      );
      expect(replies[0]?.status).toBe(200);
    },
  );
});

describe("pipelining", () => {
  test("requests in one piece are answered each, in their order", async () => {
    const paths = ["/providers", "/one", "/healthz", "/two", "/2023-03-01/xhr/company"];
    const requests = paths.map((path) => `GET ${path} HTTP/1.1\r\n${host}\r\n`).join("");
    const { replies } = await sendRaw(harness.baseUrl, requests, { replies: paths.length });
    expect(replies.map(({ status }) => status)).toEqual([200, 404, 200, 404, 401]);
    expect([replies[1], replies[3]].map((reply) => JSON.parse(String(reply?.body)).id)).toEqual([
      "/one",
      "/two",
    ]);
    expect(new Set(replies.map(({ headers }) => headers["x-request-id"])).size).toBe(paths.length);
  });

  test("the answer to a good request is not taken by the malformed one behind it", async () => {
    const { replies, isClosed } = await sendRaw(
      harness.baseUrl,
      `GET /providers HTTP/1.1\r\n${host}\r\nNONSENSE\r\n\r\n`,
    );
    expect(replies[0]?.status).toBe(200);
    expect(replies.slice(1).map(refusal)).toEqual(replies.slice(1).map(() => refusedWith(400)));
    expect(isClosed).toBe(true);
  });

  test("a body is not the next request", async () => {
    const body = JSON.stringify(`\r\n\r\n${smuggled}`);
    const { replies } = await sendRaw(
      harness.baseUrl,
      `${post}Content-Length: ${body.length}\r\n\r\n${body}GET /providers HTTP/1.1\r\n${host}\r\n`,
      { replies: 2 },
    );
    expect(replies.map(({ status }) => status)).toEqual([400, 200]);
  });

  test("empty lines before a request are overlooked", async () => {
    const { replies } = await sendRaw(
      harness.baseUrl,
      `\r\n\r\n${rawRequest("GET", "/providers")}`,
    );
    expect(replies[0]?.status).toBe(200);
  });
});

describe("a request that stops half-way", () => {
  test.each([
    ["its first line", "GET /prov"],
    ["its headers", `GET /providers HTTP/1.1\r\nHost: loc`],
    ["a body with a length", `${post}Content-Length: 100\r\n\r\n{"code":`],
    ["a body in chunks", `${inChunks}\r\n8\r\n{"co`],
    ["the end of its chunks", `${inChunks}\r\n2\r\n{}\r\n`],
  ])("within %s is answered with a 400 of ours or with nothing", async (_name, bytes) => {
    const { replies, rest } = await sendRaw(harness.baseUrl, bytes, { half: true });
    expect(rest).toBe("");
    expect(replies.flatMap((reply) => flawsOfRefusal(reply))).toEqual([]);
    expect(replies.map(({ status }) => status)).toEqual(replies.map(() => 400));
  });

  test("and breaks off, a hundred times, leaves nothing behind", async () => {
    const { token } = await harness.connect();
    for (let round = 0; round < 100; round += 1) {
      const socket = await openSocket(harness.baseUrl);
      const half = [
        `GET /2023-03-01/xhr/company HTTP/1.1\r\n${host}Authorization: Bearer ${token}\r\n\r\n`,
        `${post}Content-Length: 100\r\n\r\n{`,
        "GET /",
      ][round % 3];
      await new Promise((resolve) => socket.write(half ?? "", resolve));
      if (round % 2) await delay(1);
      socket.resetAndDestroy();
    }
    expect(harness.logLines.filter((line) => /"status":5\d\d/.test(line))).toEqual([]);
  });
});

test("nothing of all this was a fault of ours: no error was logged", () => {
  const errors = harness.logLines
    .map((line) => JSON.parse(line) as { level: number; err?: { type: string; at: string[] } })
    .filter(({ level }) => level >= 50);
  expect(new Set(errors.map(({ err }) => `${err?.type} ${err?.at[0]}`))).toEqual(new Set());
});
