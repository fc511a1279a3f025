import { once } from "node:events";
import { connect, type Socket } from "node:net";

export interface RawReply {
  version: string;
  status: number;
  /** By lower-case name. The values of a repeated header are joined. */
  headers: Record<string, string>;
  body: Buffer;
}

export interface RawExchange {
  replies: RawReply[];
  /** The bytes after the last complete reply. */
  rest: string;
  isClosed: boolean;
}

interface RawOptions {
  /** Stops after so many complete replies. By default it reads until the server closes. */
  replies?: number;
  /** Closes our side after the bytes are written. */
  half?: boolean;
  /** The methods of the requests. A reply to HEAD has no body. */
  methods?: readonly string[];
}

const timeoutMs = 60_000;

export async function openSocket(baseUrl: string): Promise<Socket> {
  const { hostname, port } = new URL(baseUrl);
  const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true });
  socket.on("error", () => undefined);
  await once(socket, "connect");
  return socket;
}

/** Writes bytes that no HTTP client would send, and reads the replies. */
export async function sendRaw(
  baseUrl: string,
  bytes: string | Buffer,
  { replies: wanted = Number.POSITIVE_INFINITY, half = false, methods = [] }: RawOptions = {},
): Promise<RawExchange> {
  const socket = await openSocket(baseUrl);
  let received = Buffer.alloc(0);
  const read = (): RawExchange => ({ ...parseReplies(received, methods), isClosed });
  let isClosed = false;
  try {
    return await new Promise<RawExchange>((resolve, reject) => {
      const timer = setTimeout(() => {
        const start = JSON.stringify(received.toString("latin1").slice(0, 400));
        reject(new Error(`the exchange did not end in ${timeoutMs} ms; received ${start}`));
      }, timeoutMs);
      const settle = (): void => {
        clearTimeout(timer);
        resolve(read());
      };
      socket.on("data", (chunk: Buffer) => {
        received = Buffer.concat([received, chunk]);
        if (Number.isFinite(wanted) && parseReplies(received, methods).replies.length >= wanted)
          settle();
      });
      for (const event of ["end", "close"] as const) {
        socket.on(event, () => {
          isClosed = true;
          settle();
        });
      }
      socket.write(typeof bytes === "string" ? Buffer.from(bytes, "latin1") : bytes);
      if (half) socket.end();
    });
  } finally {
    socket.destroy();
  }
}

function parseReplies(
  bytes: Buffer,
  methods: readonly string[],
): { replies: RawReply[]; rest: string } {
  const replies: RawReply[] = [];
  let rest = bytes;
  for (;;) {
    const parsed = parseReply(rest, methods[replies.length] ?? "GET");
    if (!parsed) return { replies, rest: rest.toString("latin1") };
    if (parsed.reply.status >= 200) replies.push(parsed.reply);
    rest = rest.subarray(parsed.length);
  }
}

function parseReply(
  bytes: Buffer,
  method: string,
): { reply: RawReply; length: number } | undefined {
  const headEnd = bytes.indexOf("\r\n\r\n");
  if (headEnd < 0) return undefined;
  const [statusLine = "", ...lines] = bytes.subarray(0, headEnd).toString("latin1").split("\r\n");
  const match = /^(HTTP\/\d\.\d) (\d{3}) /.exec(`${statusLine} `);
  if (!match) return undefined;
  const headers: Record<string, string> = {};
  for (const line of lines) {
    const colon = line.indexOf(":");
    const name = line.slice(0, colon).toLowerCase();
    const value = line.slice(colon + 1).trim();
    headers[name] = headers[name] === undefined ? value : `${headers[name]}, ${value}`;
  }
  const status = Number(match[2]);
  const start = headEnd + 4;
  const hasNoBody = method === "HEAD" || status < 200 || status === 204 || status === 304;
  const body = hasNoBody ? { bytes: Buffer.alloc(0), end: start } : readBody(bytes, start, headers);
  return (
    body && {
      reply: { version: match[1] ?? "", status, headers, body: body.bytes },
      length: body.end,
    }
  );
}

function readBody(
  bytes: Buffer,
  start: number,
  headers: Record<string, string>,
): { bytes: Buffer; end: number } | undefined {
  if (headers["transfer-encoding"] === "chunked") return readChunks(bytes, start);
  const end = start + Number(headers["content-length"] ?? 0);
  return bytes.length < end ? undefined : { bytes: bytes.subarray(start, end), end };
}

function readChunks(bytes: Buffer, start: number): { bytes: Buffer; end: number } | undefined {
  const parts: Buffer[] = [];
  let position = start;
  for (;;) {
    const lineEnd = bytes.indexOf("\r\n", position);
    if (lineEnd < 0) return undefined;
    const size = Number.parseInt(bytes.subarray(position, lineEnd).toString("latin1"), 16);
    const end = lineEnd + 2 + size + 2;
    if (bytes.length < end) return undefined;
    parts.push(bytes.subarray(lineEnd + 2, end - 2));
    position = end;
    if (size === 0) return { bytes: Buffer.concat(parts), end };
  }
}

export interface RawRequest {
  headers?: readonly (readonly [string, string])[];
  body?: string;
}

/** The bytes of a well-formed request with `Connection: close`. */
export function rawRequest(
  method: string,
  target: string,
  { headers = [], body }: RawRequest = {},
): string {
  const length =
    body === undefined
      ? []
      : [["Content-Length", String(Buffer.byteLength(body, "latin1"))] as const];
  const lines = [
    ["Host", "localhost"] as const,
    ["Connection", "close"] as const,
    ...length,
    ...headers,
  ].map(([name, value]) => `${name}: ${value}\r\n`);
  return `${method} ${target} HTTP/1.1\r\n${lines.join("")}\r\n${body ?? ""}`;
}
