// Receives webhooks, checks their Standard Webhooks signature and prints what changed.
// Run it with Node 22.18 or newer: CLIENT_SECRET=rc_cs_… node receiver.ts
import { createHmac, timingSafeEqual } from "node:crypto";
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type ServerResponse,
} from "node:http";
import { env, stderr, stdout } from "node:process";
import { buffer } from "node:stream/consumers";

const toleranceSeconds = 300;
const maxBodyBytes = 64 * 2 ** 20;
const keptIds = 10_000;
/** Your application keeps the ids in its database, for 14 days. */
const knownIds = new Set<string>();
const secret = env["CLIENT_SECRET"] ?? "";
if (secret === "") throw new Error("Set CLIENT_SECRET to the secret of your client.");

/** Works on the bytes as they arrived. Parsed and printed again, they would be other bytes. */
function isSigned(headers: IncomingHttpHeaders, body: Buffer): boolean {
  const read = (name: string): string => String(headers[name] ?? "");
  const [id, timestamp] = [read("webhook-id"), read("webhook-timestamp")];
  if (id === "" || !/^\d+$/.test(timestamp)) return false;
  if (Math.abs(Date.now() / 1000 - Number(timestamp)) > toleranceSeconds) return false;
  const hmac = createHmac("sha256", secret).update(`${id}.${timestamp}.`).update(body);
  const expected = Buffer.from(`v1,${hmac.digest("base64")}`);
  const entries = read("webhook-signature").split(" ");
  return entries.some((entry) => isSame(Buffer.from(entry), expected));
}

function isSame(a: Buffer, b: Buffer): boolean {
  return a.length === b.length && timingSafeEqual(a, b);
}

/** Who sent it is known after the last byte, and a stranger sends as many as are read. */
async function* upTo(maxBytes: number, body: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let left = maxBytes;
  for await (const chunk of body) {
    left -= chunk.length;
    if (left < 0) throw new Error("the body is too large");
    yield chunk;
  }
}

/** Remembers the webhook, and forgets the oldest one when there are too many. */
function remember(id: string): void {
  knownIds.add(id);
  for (const oldest of knownIds) {
    if (knownIds.size <= keptIds) break;
    knownIds.delete(oldest);
  }
}

type Change = Record<"added" | "removed" | "updated", unknown[]>;

/** Where `event_uri` is the same address, events come here too. Those have a type. */
function work(id: string, said: Change | { type: string }): void {
  if ("type" in said) return;
  const counts = [said.added, said.removed, said.updated].map((employees) => employees.length);
  stdout.write(`${id} ${counts.join(" ")}\n`);
}

async function receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const body = await buffer(upTo(maxBodyBytes, request)).catch(() => undefined);
  if (!body || !isSigned(request.headers, body)) {
    response.writeHead(401).end();
    return;
  }
  const id = String(request.headers["webhook-id"]);
  if (!knownIds.has(id)) {
    work(id, JSON.parse(body.toString()) as Change);
    // Not before the work: a webhook whose work fails has to come again.
    remember(id);
  }
  response.writeHead(204).end();
}

createServer((request, response) => {
  receive(request, response).catch(() => {
    stderr.write("The work on a webhook failed. It comes again.\n");
    response.writeHead(500).end();
  });
}).listen(Number(env["PORT"] ?? 4000), "127.0.0.1");
