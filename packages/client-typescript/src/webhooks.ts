import type { EmployeesWebhook } from "./api.ts";
import type { RollcallEvent, Webhook } from "./events.ts";

type Headers = { get(name: string): string | null } | Record<string, string | string[] | undefined>;

/** A webhook as it arrived. Take the bytes before anything parses them: printed again, they are other bytes. */
export interface Message {
  /** With lower-case names, or those of a `Request`. */
  headers: Headers;
  body: Uint8Array | ArrayBuffer | string;
}

/** Remembers which webhooks were worked on, for all processes that receive them. */
export interface SeenStore {
  has(id: string): Promise<boolean> | boolean;
  /** Adds an id after the work, maybe one that is there already. It may be forgotten after 14 days. */
  add(id: string): unknown;
}

export interface VerifyOptions {
  /** The secret of your client, or all that may sign while you change it. */
  secret: string | readonly string[];
  /** How far the time of a webhook may be from yours: 300. */
  toleranceSeconds?: number | undefined;
}

const defaultToleranceSeconds = 300;
const encoder = new TextEncoder();

/** Why a webhook is not what it says it is. Answer 401. */
export class WebhookError extends Error {
  readonly code: "missing_header" | "wrong_time" | "wrong_signature" | "wrong_body";

  constructor(code: WebhookError["code"]) {
    super(`the webhook is refused: ${code}`);
    this.name = "WebhookError";
    this.code = code;
  }
}

/**
 * The webhook, when Rollcall sent these bytes just now. It is told by the signature of Standard Webhooks alone, which
 * covers id and time. Throws a WebhookError. Whether it came before, only `receiveWebhook` tells.
 */
export async function verifyWebhook(message: Message, options: VerifyOptions): Promise<Webhook> {
  const [id, timestamp, signatures] = ["webhook-id", "webhook-timestamp", "webhook-signature"].map(
    (name) => readHeader(message.headers, name),
  );
  if (!id || !timestamp || !signatures) throw new WebhookError("missing_header");
  const { secret, toleranceSeconds = defaultToleranceSeconds } = options;
  const isInTime = Math.abs(Date.now() / 1_000 - Number(timestamp)) <= toleranceSeconds;
  if (!/^\d+$/.test(timestamp) || !isInTime) throw new WebhookError("wrong_time");
  const body = bytesOf(message.body);
  const signed = join(encoder.encode(`${id}.${timestamp}.`), body);
  const given = signatures
    .split(" ")
    .filter((entry) => entry.startsWith("v1,"))
    .map((entry) => fromBase64(entry.slice("v1,".length)));
  if (!(await isSignedByOne(signed, given, secret))) throw new WebhookError("wrong_signature");
  const token = readHeader(message.headers, "x-service-api-token");
  return read(body, { id, timestamp: new Date(Number(timestamp) * 1_000).toISOString(), token });
}

/**
 * Receives a webhook, and gives the status to answer: 401 when Rollcall did not send it, 204 when you have it. Answer
 * within 20 seconds: hand the work to a queue. When `take` throws, so does this, and the webhook comes again. What was
 * taken is not taken again, but by attempts that overlap and after a process ended within one: `take` has to bear it.
 */
export async function receiveWebhook(
  message: Message,
  { seen, ...options }: VerifyOptions & { seen: SeenStore },
  take: (webhook: Webhook) => unknown,
): Promise<401 | 204> {
  const webhook = await verifyWebhook(message, options).catch((error: unknown) => {
    if (error instanceof WebhookError) return undefined;
    throw error;
  });
  if (!webhook) return 401;
  if (await seen.has(webhook.id)) return 204;
  await take(webhook);
  // Not before: an attempt that is killed or too slow would have the next one answered as if its work were done.
  await seen.add(webhook.id);
  return 204;
}

/**
 * Whether the body has the signature of `x-service-api-signature`, by one of the secrets. It covers neither id nor
 * time: what somebody recorded and sends again is signed, too. So let it not replace `verifyWebhook`.
 */
export async function isBodySigned(
  { headers, body }: Message,
  { secret }: Pick<VerifyOptions, "secret">,
): Promise<boolean> {
  const given = fromHex(readHeader(headers, "x-service-api-signature") ?? "");
  return await isSignedByOne(bytesOf(body), [given], secret);
}

/** Headers with which a body is signed as Rollcall signs it: to test a receiver of yours. */
export async function signWebhook(
  {
    id,
    body,
    token,
    reference,
  }: {
    id: string;
    body: Uint8Array | string;
    token?: string | undefined;
    reference?: string | null | undefined;
  },
  { secret, at = new Date() }: { secret: string; at?: Date },
): Promise<Record<string, string>> {
  const bytes = bytesOf(body);
  const timestamp = String(Math.floor(at.getTime() / 1_000));
  const standard = await sign(join(encoder.encode(`${id}.${timestamp}.`), bytes), secret);
  const isEvent = "type" in (JSON.parse(new TextDecoder().decode(bytes)) as object);
  return {
    "content-type": "application/json",
    "webhook-id": id,
    "webhook-timestamp": timestamp,
    "webhook-signature": `v1,${btoa(String.fromCharCode(...standard))}`,
    "x-service-api-origin": isEvent ? "events" : "webhooks-employees-webhook",
    ...(!isEvent && { "x-service-api-signature": toHex(await sign(bytes, secret)) }),
    ...(token !== undefined && { "x-service-api-token": token }),
    ...(reference && { "x-service-api-reference": reference }),
  };
}

/** What the signed bytes say. Headers that say which kind it is are not signed. */
function read(
  body: Uint8Array,
  { id, timestamp, token }: { id: string; timestamp: string; token: string | undefined },
): Webhook {
  const said = parseObject(body);
  if ("type" in said) return { ...(said as unknown as RollcallEvent), id, token };
  if (!["added", "removed", "updated"].every((name) => Array.isArray(said[name])))
    throw new WebhookError("wrong_body");
  const data = said as unknown as EmployeesWebhook;
  return { id, type: "employees.changed", timestamp, data, token };
}

function parseObject(body: Uint8Array): Record<string, unknown> {
  try {
    return Object(JSON.parse(new TextDecoder().decode(body))) as Record<string, unknown>;
  } catch {
    throw new WebhookError("wrong_body");
  }
}

/** The comparison takes as long wherever the two differ: it is that of Web Crypto. */
async function isSignedByOne(
  bytes: Bytes,
  signatures: readonly Bytes[],
  secrets: string | readonly string[],
): Promise<boolean> {
  for (const secret of [secrets].flat()) {
    const key = await keyOf(secret);
    for (const signature of signatures)
      if (await crypto.subtle.verify("HMAC", key, signature, bytes)) return true;
  }
  return false;
}

async function sign(bytes: Bytes, secret: string): Promise<Bytes> {
  return new Uint8Array(await crypto.subtle.sign("HMAC", await keyOf(secret), bytes));
}

async function keyOf(secret: string): Promise<CryptoKey> {
  // Anybody can sign with an empty secret.
  if (secret === "") throw new Error("the secret of the client is empty");
  const algorithm = { name: "HMAC", hash: "SHA-256" };
  const usages: KeyUsage[] = ["sign", "verify"];
  return await crypto.subtle.importKey("raw", encoder.encode(secret), algorithm, false, usages);
}

type Bytes = Uint8Array<ArrayBuffer>;

function bytesOf(body: Message["body"]): Bytes {
  return typeof body === "string" ? encoder.encode(body) : new Uint8Array(body);
}

function join(first: Uint8Array, second: Uint8Array): Bytes {
  const joined = new Uint8Array(first.length + second.length);
  joined.set(first);
  joined.set(second, first.length);
  return joined;
}

function readHeader(headers: Headers, name: string): string | undefined {
  const value =
    typeof headers["get"] === "function"
      ? headers.get(name)
      : (headers as Record<string, string | string[] | undefined>)[name];
  return typeof value === "string" ? value : undefined;
}

/** Empty when it is none, which no signature equals. */
function fromBase64(text: string): Bytes {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  } catch {
    return new Uint8Array();
  }
}

function fromHex(text: string): Bytes {
  const pairs = text.match(/../g) ?? [];
  return Uint8Array.from(pairs, (pair) => Number.parseInt(pair, 16));
}

function toHex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
