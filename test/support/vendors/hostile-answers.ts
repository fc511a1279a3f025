import { once } from "node:events";
import type { ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { createGzip, gzipSync } from "node:zlib";
import { sendResult, untilDrained, type Call } from "./odoo-desk.ts";

type HostileAnswer = (response: ServerResponse, call: Call) => Promise<void> | void;

const json = { "content-type": "application/json; charset=utf-8" };
const html = { "content-type": "text/html; charset=utf-8" };
const megabyte = 1_000_000;
const beginning = '{"jsonrpc":"2.0","id":null,"result":[';

/** Each is one way to answer that no honest server has. Nothing large is held: it is made while it is sent. */
export const hostileAnswers = {
  /** 300 kB on which a backtracking pattern works for a time that grows with the square. */
  "backtracking-html": (response) =>
    void response.writeHead(200, html).end("<input ".repeat(300_000 / 7)),
  /** The same in 200 kB, which are a few hundred bytes on the wire. */
  "compressible-html": (response) =>
    void response
      .writeHead(200, { ...html, "content-encoding": "gzip" })
      .end(gzipSync("<input ".repeat(200_000 / 7), { level: 9 })),
  "empty-objects-20mb": (response) => sendEmptyObjects(response, 20 * megabyte, 1),
  "empty-objects-50mb": (response) => sendEmptyObjects(response, 50 * megabyte, 1),
  "gzip-of-gzip": (response) => sendEmptyObjects(response, 50 * megabyte, 2),
  /** 10 GB of zeros. */
  "gzip-bomb": async (response) => {
    response.writeHead(200, { ...json, "content-encoding": "gzip" });
    const member = gzipSync(Buffer.alloc(100 * megabyte), { level: 9 });
    for (let sent = 0; sent < 100; sent += 1) await write(response, member);
    response.end();
  },
  /** Every page is full, so there is always another one. */
  "endless-records": (response, { search: { after } }) =>
    sendResult(
      response,
      Array.from({ length: 200 }, (_, index) => ({
        id: after + index + 1,
        name: "Somebody Else ".repeat(70),
      })),
    ),
  "endless-reply": async (response) => {
    response.writeHead(200, json).write(beginning);
    const chunk = '{"id":1},'.repeat(10_000);
    while (!response.destroyed) await write(response, chunk);
  },
  /** Accepts the request and never answers. */
  silence: () => undefined,
  "endless-headers": async ({ socket }) => {
    if (socket) await drip(socket, "HTTP/1.1 200 OK\r\n", `x-more: ${"a".repeat(100)}\r\n`, 0);
  },
  "dripping-headers": async ({ socket }) => {
    if (socket) await drip(socket, "HTTP/1.1 200 OK\r\n", "x-more: a\r\n", 1_000);
  },
  "dripping-reply": async (response) => {
    response.writeHead(200, json).write(beginning);
    while (!response.destroyed) {
      await delay(1_000);
      response.write(" ");
    }
  },
  "deep-nesting": (response) => {
    const depth = 200_000;
    response.writeHead(200, json);
    response.end(`${beginning}${"[".repeat(depth)}${"]".repeat(depth)}]}`);
  },
  "redirect-circle": (response, { path }) =>
    void response.writeHead(302, { location: path, ...html }).end(),
  /** Ends before its content-length. */
  "short-body": ({ socket }) => void socket?.end(rawReply(5_000, `${beginning}{"id":1}`)),
  /** Goes on after its content-length, and then with what looks like other replies. */
  "long-body": ({ socket }) => {
    const body = `${beginning}{"id":1}]}`;
    socket?.write(rawReply(body.length - 3, body) + rawReply(2, "{}").repeat(1_000));
  },
  reset: ({ socket }) => {
    socket?.write(rawReply(5_000, `${beginning}{"id":1},`), () => socket.resetAndDestroy());
  },
} satisfies Record<string, HostileAnswer>;

export type HostileCase = keyof typeof hostileAnswers;

export const hostileCases = Object.keys(hostileAnswers) as HostileCase[];

function rawReply(contentLength: number, body: string): string {
  return (
    `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${contentLength}\r\n` +
    `\r\n${body}`
  );
}

async function write(response: ServerResponse, chunk: string | Buffer): Promise<void> {
  if (!response.write(chunk) && !response.destroyed) await untilDrained(response);
}

/** Sends the piece again and again for as long as the other side listens. */
async function drip(socket: Socket, first: string, piece: string, pauseMs: number): Promise<void> {
  socket.write(first);
  while (!socket.destroyed) {
    if (!socket.write(piece)) await untilDrained(socket).catch(() => undefined);
    await delay(pauseMs);
  }
}

const packed = new Map<string, Promise<Buffer>>();

async function sendEmptyObjects(
  response: ServerResponse,
  bytes: number,
  rounds: 1 | 2,
): Promise<void> {
  const key = `${bytes}/${rounds}`;
  const body = packed.get(key) ?? packEmptyObjects(bytes, rounds);
  packed.set(key, body);
  const encoding = rounds === 1 ? "gzip" : "gzip, gzip";
  response.writeHead(200, { ...json, "content-encoding": encoding }).end(await body);
}

async function packEmptyObjects(bytes: number, rounds: 1 | 2): Promise<Buffer> {
  const gzip = createGzip({ level: 9 });
  const chunks: Buffer[] = [];
  gzip.on("data", (chunk: Buffer) => chunks.push(chunk));
  const chunk = "{},".repeat(100_000);
  gzip.write(beginning);
  for (let written = 0; written < bytes; written += chunk.length)
    if (!gzip.write(chunk)) await once(gzip, "drain");
  gzip.end("{}]}");
  await once(gzip, "end");
  const onceEncoded = Buffer.concat(chunks);
  return rounds === 1 ? onceEncoded : gzipSync(onceEncoded, { level: 9 });
}
