// Receives webhooks, checks their Standard Webhooks signature and prints what changed.
// Run it with Node 22.18 or newer: CLIENT_SECRET=rc_cs_… node receiver.ts
import { createHmac, timingSafeEqual } from "node:crypto";
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type ServerResponse,
} from "node:http";
import { env, stdout } from "node:process";
import { buffer } from "node:stream/consumers";

const toleranceSeconds = 300;
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

/** Whether the webhook came before. Remembers it, and forgets the oldest one when there are too many. */
function isKnown(id: string): boolean {
  if (knownIds.has(id)) return true;
  knownIds.add(id);
  for (const oldest of knownIds) {
    if (knownIds.size <= keptIds) break;
    knownIds.delete(oldest);
  }
  return false;
}

async function receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const body = await buffer(request).catch(() => undefined);
  if (!body || !isSigned(request.headers, body)) {
    response.writeHead(401).end();
    return;
  }
  if (isKnown(String(request.headers["webhook-id"]))) {
    response.writeHead(204).end();
    return;
  }
  const change = JSON.parse(body.toString()) as Record<"added" | "removed" | "updated", unknown[]>;
  const { added, removed, updated } = change;
  const counts = [added, removed, updated].map((employees) => employees.length);
  stdout.write(`${String(request.headers["webhook-id"])} ${counts.join(" ")}\n`);
  response.writeHead(204).end();
}

createServer((request, response) => void receive(request, response)).listen(
  Number(env["PORT"] ?? 4000),
  "127.0.0.1",
);
