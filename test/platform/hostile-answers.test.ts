import { once } from "node:events";
import { createServer, type AddressInfo, type Socket } from "node:net";
import { gzipSync } from "node:zlib";
import { afterEach, describe, expect, it } from "vitest";
import { systemClock } from "../../src/platform/clock.ts";
import { systemRandom } from "../../src/platform/random.ts";
import type { ProviderHttpOptions } from "../../src/platform/outbound/create-provider-http.ts";
import {
  AddressPolicy,
  createGuardedAgent,
  createProviderHttp,
  HttpServerError,
  HttpTimeout,
  HttpTooLarge,
  HttpUnreachable,
  type ProviderHttp,
} from "../../src/platform/outbound/index.ts";
import { findExceededLimit } from "../../src/platform/outbound/scan-json.ts";

const opened: (() => unknown)[] = [];
afterEach(async () => {
  await Promise.all(opened.splice(0).map((close) => close()));
});

/** A server that has each request answered by raw bytes. Returns how many requests came. */
async function serveRaw(answer: (socket: Socket) => void) {
  const sockets = new Set<Socket>();
  let requests = 0;
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => undefined);
    socket.on("data", () => {
      requests += 1;
      answer(socket);
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  opened.push(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { origin, requests: () => requests };
}

function answerOf(headers: Record<string, string | number>, body: Buffer | string = ""): Buffer {
  const lines = Object.entries({ "content-length": Buffer.byteLength(body), ...headers });
  const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join("");
  return Buffer.concat([Buffer.from(`HTTP/1.1 200 OK\r\n${head}\r\n`), Buffer.from(body)]);
}

/** Writes again and again, as long as somebody reads. */
function repeat(socket: Socket, bytes: string | Buffer, everyMs = 0): void {
  if (socket.destroyed) return;
  socket.write(bytes, () => setTimeout(() => repeat(socket, bytes, everyMs), everyMs));
}

interface LogLine {
  limit?: string;
}

function clientFor(origin: string, options: Partial<ProviderHttpOptions> = {}) {
  const agent = createGuardedAgent({ policy: new AddressPolicy(["127.0.0.0/8"]) });
  opened.push(() => agent.destroy());
  const warned: [LogLine, string][] = [];
  const log = {
    debug: () => undefined,
    warn: (fields: LogLine, message: string) => void warned.push([fields, message]),
  };
  const http: ProviderHttp = createProviderHttp({
    agent,
    clock: { ...systemClock, sleep: async () => undefined },
    random: systemRandom,
    origins: [origin],
    log,
    ...options,
  });
  return { http, warned, limits: () => warned.map(([{ limit }]) => limit) };
}

const json = { "content-type": "application/json" };
const zipped = { "content-encoding": "gzip" };

describe("the limit of an answer", () => {
  const [signIn, page, reply] = [1_048_576, 262_144, 20_971_520];

  it.each([
    ["sign-in", "application/json", signIn, "sign-in"],
    ["reply", "application/json", reply, "reply"],
    ["reply", "application/vnd.api+json", reply, "reply"],
    ["reply", "text/json; charset=utf-8", reply, "reply"],
    ["reply", "application/octet-stream", reply, "reply"],
    ["reply", "text/csv; charset=utf-8", reply, "reply"],
    ["sign-in", "text/html; charset=utf-8", page, "page"],
    ["reply", "text/html", page, "page"],
    ["reply", "TEXT/HTML", page, "page"],
    ["reply", "application/xhtml+xml", page, "page"],
    ["reply", "text/plain", page, "page"],
  ] as const)("of the purpose %s with the type %s is %i", async (purpose, type, bytes, limit) => {
    let size = bytes;
    const { origin, requests } = await serveRaw((socket) =>
      socket.write(answerOf({ "content-type": type, ...zipped }, gzipSync(Buffer.alloc(size)))),
    );
    const client = clientFor(origin, { purpose });
    expect((await client.http.request({ url: origin })).bytes.length).toBe(bytes);
    size += 1;
    await expect(client.http.request({ url: origin })).rejects.toMatchObject({
      name: "HttpTooLarge",
      limit,
    });
    expect([client.limits(), requests()]).toEqual([[limit], 2]);
    expect(client.warned[0]?.[1]).toBe("outbound request failed");
  });

  it("is configured", async () => {
    const limits = { signInBytes: 30, pageBytes: 20, replyBytes: 10 };
    const { origin } = await serveRaw((socket) => socket.write(answerOf({}, "x".repeat(25))));
    const asReply = clientFor(origin, { limits });
    await expect(asReply.http.request({ url: origin })).rejects.toMatchObject({ limit: "reply" });
    const inSignIn = clientFor(origin, { limits, purpose: "sign-in" });
    expect((await inSignIn.http.request({ url: origin })).bytes.length).toBe(25);
  });

  it("holds while a compressed body arrives, before its end", async () => {
    const bomb = gzipSync(Buffer.alloc(4 * 1024 * 1024));
    const { origin } = await serveRaw((socket) =>
      socket.write(answerOf({ ...json, ...zipped, "content-length": 1_000_000 }, bomb)),
    );
    const { http } = clientFor(origin, { purpose: "sign-in" });
    await expect(http.request({ url: origin })).rejects.toMatchObject({ limit: "sign-in" });
  });

  it.each([
    ["exceeds the limit", "identity", HttpTooLarge],
    ["has an unknown encoding", "zstd", HttpServerError],
    ["is damaged", "gzip", HttpServerError],
  ])("closes the socket of a body without end that %s", async (_case, encoding, error) => {
    const sockets: Socket[] = [];
    const { origin } = await serveRaw((socket) => {
      sockets.push(socket);
      socket.write(
        `HTTP/1.1 200 OK\r\ncontent-encoding: ${encoding}\r\ntransfer-encoding: chunked\r\n\r\n`,
      );
      repeat(socket, `10000\r\n${"x".repeat(65_536)}\r\n`);
    });
    const { http } = clientFor(origin, { purpose: "sign-in" });
    await expect(http.request({ url: origin })).rejects.toThrow(error);
    const [socket] = sockets;
    await expect.poll(() => socket?.destroyed).toBe(true);
  });
});

describe("an encoded body", () => {
  it("is decoded once, also when there is another encoding inside", async () => {
    const inner = gzipSync("{}");
    const { origin } = await serveRaw((socket) =>
      socket.write(answerOf({ ...json, ...zipped }, gzipSync(inner))),
    );
    const response = await clientFor(origin).http.request({ url: origin });
    expect(Buffer.from(response.bytes).equals(inner)).toBe(true);
    expect(() => response.json()).toThrow(HttpServerError);
  });

  it.each(["gzip, gzip", "gzip,br", "identity, gzip"])(
    "has one coding, not %s",
    async (codings) => {
      const body = gzipSync(gzipSync("{}"));
      const { origin } = await serveRaw((socket) =>
        socket.write(answerOf({ ...json, "content-encoding": codings }, body)),
      );
      const request = clientFor(origin).http.request({ url: origin });
      await expect(request).rejects.toThrow("an unknown content encoding");
    },
  );
});

describe("an answer that does not end well", () => {
  const head = "HTTP/1.1 200 OK\r\n";
  /** The begin of a gzip header whose name of the file follows. */
  const gzipName = "\u001f\u008b\u0008\u0008\0\0\0\0\0\u0003";
  const chunked = `${head}transfer-encoding: chunked\r\n\r\n`;

  it.each([
    ["a body that drips", `${head}content-length: 1000000\r\n\r\n`, "x"],
    ["a compressed body that drips", `${head}content-encoding: gzip\r\n\r\n${gzipName}`, "a"],
    ["headers that drip", `${head}x-a: `, "a"],
    ["informational answers that drip", "HTTP/1.1 103 Early Hints\r\nx-a: ", "a"],
    ["chunks that drip", chunked, "1\r\nx\r\n"],
    ["a size of a chunk that drips", chunked, "0"],
  ])("ends by the total time: %s", async (_case, start, drop) => {
    const { origin, requests } = await serveRaw((socket) => {
      socket.write(start, "latin1");
      repeat(socket, drop, 20);
    });
    const request = clientFor(origin).http.request({ url: origin, timeoutMs: 300 });
    await expect(request).rejects.toThrow(HttpTimeout);
    expect(requests()).toBe(1);
  });

  it.each([
    ["one header without end", `${head}x-a: `, "a".repeat(1_000)],
    ["headers without end", head, `x-a: ${"a".repeat(1_000)}\r\n`],
    ["informational answers without end", "", "HTTP/1.1 103 Early Hints\r\nx-a: a\r\n\r\n"],
    ["trailers without end", `${chunked}1\r\nx\r\n0\r\n`, `x-a: ${"a".repeat(1_000)}\r\n`],
  ])("exceeds the limit of headers: %s", async (_case, start, more) => {
    const { origin } = await serveRaw((socket) => {
      if (start !== "") socket.write(start);
      repeat(socket, more);
    });
    const client = clientFor(origin);
    await expect(client.http.request({ url: origin })).rejects.toThrow(HttpTooLarge);
    expect(client.limits()).toEqual(["headers"]);
  });

  it("exceeds the limit of headers when each answer adds a cookie", async () => {
    let answers = 0;
    const { origin, requests } = await serveRaw((socket) =>
      socket.write(answerOf({ "set-cookie": `c${(answers += 1)}=${"x".repeat(8_000)}` })),
    );
    const client = clientFor(origin);
    const readForEver = async (): Promise<never> => {
      for (;;) await client.http.request({ url: origin });
    };
    await expect(readForEver()).rejects.toThrow(HttpTooLarge);
    expect([requests() < 10, client.limits()]).toEqual([true, ["headers"]]);
  });

  it.each([
    ["a body shorter than announced", answerOf({ "content-length": 10 }, "{}")],
    ["a chunk that breaks off", Buffer.from(`${chunked}a\r\n{}`)],
    ["headers that break off", Buffer.from(head)],
    ["nothing", Buffer.alloc(0)],
    ["two lengths", answerOf({ "content-length": "2\r\ncontent-length: 3" }, "{}")],
    [
      "a length beside chunks",
      Buffer.from(chunked.replace("\r\n\r\n", "\r\ncontent-length: 2\r\n\r\n{}")),
    ],
    ["no HTTP", Buffer.from("+OK ready\r\n")],
  ])("counts as unreachable, and is tried again: %s", async (_case, bytes) => {
    const { origin, requests } = await serveRaw((socket) => socket.end(bytes));
    await expect(clientFor(origin).http.request({ url: origin })).rejects.toThrow(HttpUnreachable);
    expect(requests()).toBe(3);
  });

  it("is cut where its length says, when more follows", async () => {
    const { origin, requests } = await serveRaw((socket) =>
      socket.end(answerOf({ ...json, "content-length": 2 }, "{}{}HTTP/1.1 200 OK\r\n\r\n")),
    );
    const { http } = clientFor(origin);
    expect((await http.request({ url: origin })).json()).toEqual({});
    expect((await http.request({ url: origin })).json()).toEqual({});
    expect(requests()).toBe(2);
  });

  it("is returned when it redirects to itself", async () => {
    const { origin, requests } = await serveRaw((socket) =>
      socket.write("HTTP/1.1 302 Found\r\nlocation: /\r\ncontent-length: 0\r\n\r\n"),
    );
    expect((await clientFor(origin).http.request({ url: origin })).status).toBe(302);
    expect(requests()).toBe(1);
  });

  it("is told as the status that it has, whatever its body", async () => {
    const { origin } = await serveRaw((socket) => {
      socket.write("HTTP/1.1 500 Oh\r\ntransfer-encoding: chunked\r\n\r\n");
      repeat(socket, `10000\r\n${"x".repeat(65_536)}\r\n`);
    });
    const request = clientFor(origin).http.request({ url: origin });
    await expect(request).rejects.toMatchObject({ name: "HttpServerError", status: 500 });
  });
});

async function readJson(body: Buffer | string) {
  const { origin } = await serveRaw((socket) =>
    socket.write(answerOf({ ...json, ...zipped }, gzipSync(body))),
  );
  const client = clientFor(origin);
  const response = await client.http.request({ url: origin });
  return { response, client };
}

describe("JSON", () => {
  it.each([
    ["values", `[${"{},".repeat(6_900_000)}{}]`],
    ["values", `[${"1,".repeat(2_000_000)}1]`],
    ["depth", "[".repeat(101) + "]".repeat(101)],
    ["depth", '{"a":'.repeat(101)],
    ["depth", "[".repeat(20_000_000)],
  ])("is refused before it is parsed when it exceeds the limit of %s", async (limit, body) => {
    const { response, client } = await readJson(body);
    const memory = process.memoryUsage().heapUsed;
    expect(() => response.json()).toThrow(expect.objectContaining({ name: "HttpTooLarge", limit }));
    expect(process.memoryUsage().heapUsed - memory).toBeLessThan(20_000_000);
    expect(client.limits()).toEqual([limit]);
  });

  it("is parsed up to the limits", async () => {
    const values = await readJson(`[${"1,".repeat(1_999_999)}1]`.replace("[1,1,1,1", "[1,1,[],1"));
    expect(() => values.response.json()).toThrow(HttpTooLarge);
    expect((await readJson(`[${"1,".repeat(1_999_999)}1]`)).response.json()).toHaveLength(
      2_000_000,
    );
    const depth = "[".repeat(100) + "]".repeat(100);
    expect(JSON.stringify((await readJson(depth)).response.json())).toBe(depth);
  });

  it("counts no punctuation in strings, whatever is escaped there", () => {
    const texts = [
      "[[[[{{{{,,,,",
      '"',
      String.raw`\\`,
      String.raw`\",[`,
      "é[大,😀",
      "",
      "\\",
      "a".repeat(200),
    ];
    const samples = texts.flatMap((a) =>
      texts.map((b) => [a, { [b]: `${b}${a}${"x".repeat(70)}${b}[` }]),
    );
    for (const sample of samples) {
      const text = JSON.stringify(sample);
      const bytes = Buffer.from(text);
      const { values, depth } = countIn(sample);
      expect([text, findExceededLimit(bytes, values, depth)]).toEqual([text, null]);
      expect([text, findExceededLimit(bytes, values - 1, depth)]).toEqual([text, "values"]);
      expect([text, findExceededLimit(bytes, values, depth - 1)]).toEqual([text, "depth"]);
    }
  });

  it.each([
    '"',
    '["abc',
    String.raw`"\\`,
    '"\\',
    `"${"x".repeat(100)}`,
    `"${"x".repeat(63)}\\`,
    "]]]]",
    "",
  ])("ends the count of what is not JSON: %j", (text) => {
    expect(findExceededLimit(Buffer.from(text), 5, 5)).toBeNull();
  });
});

/** Commas and opening brackets, and how deep they are. */
function countIn(value: unknown): { values: number; depth: number } {
  if (typeof value !== "object" || value === null) return { values: 0, depth: 0 };
  const inner = Object.values(value).map(countIn);
  return {
    values: inner.reduce((sum, { values }) => sum + values, Math.max(inner.length, 1)),
    depth: 1 + Math.max(0, ...inner.map(({ depth }) => depth)),
  };
}

describe("who counts", () => {
  it("gets the bytes of every answer that is returned, and every request that is sent", async () => {
    const statuses = ["503 Later", "200 OK", "404 No", "500 Oh"];
    const { origin } = await serveRaw((socket) => {
      const body = gzipSync("body");
      socket.write(
        `HTTP/1.1 ${statuses.shift()}\r\ncontent-encoding: gzip\r\ncontent-length: ${body.length}\r\n\r\n`,
      );
      socket.write(body);
    });
    const bytes: string[] = [];
    let requests = 0;
    const { http } = clientFor(origin, {
      onBytes: (body) => void bytes.push(Buffer.from(body).toString()),
      onRequest: () => void (requests += 1),
    });
    await http.request({ url: origin });
    expect([bytes, requests]).toEqual([["body"], 2]);
    await http.request({ url: origin });
    await expect(http.request({ url: origin })).rejects.toThrow(HttpServerError);
    expect([bytes, requests]).toEqual([["body", "body"], 4]);
  });

  it("does not count a request for which there was no socket", async () => {
    const { origin } = await serveRaw(() => undefined);
    let requests = 0;
    const agent = createGuardedAgent({ policy: new AddressPolicy() });
    opened.push(() => agent.destroy());
    const { http } = clientFor(origin, { agent, onRequest: () => void (requests += 1) });
    await expect(http.request({ url: origin })).rejects.toThrow("not a permitted target");
    expect(requests).toBe(0);
  });
});
