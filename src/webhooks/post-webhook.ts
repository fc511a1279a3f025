import type { Dispatcher } from "undici";
import type { ClientId } from "../model/index.ts";
import {
  nameOutboundFailure,
  parseRetryAfter,
  type GuardedWays,
  type OutboundFailure,
} from "../platform/outbound/index.ts";
import { withSpan } from "../platform/tracing/index.ts";

/** The result of an attempt. `status` is null when there was no answer. */
export interface PostResult {
  status: number | null;
  reason: "ok" | "status" | "gone" | "timeout" | OutboundFailure;
  retryAfterSeconds: number | undefined;
  /** The beginning of the body of a reply that is no success. Undefined when there is none, or when it is encoded. */
  reply?: Buffer | undefined;
}

const totalTimeoutMs = 20_000;
const bodyTimeoutMs = 2_000;
const mostBytesRead = 65_536;
const mostBytesKept = 1_024;

export interface WebhookRequest {
  url: string;
  headers: Record<string, string>;
  body: Buffer;
  /** Ends the request. The function then throws the signal's reason. */
  signal?: AbortSignal;
}

/** What webhooks are sent through. It may be bound to a published address. */
export interface WebhookWays {
  /** Reaches public addresses alone. */
  outside: Dispatcher;
  /** Also reaches the ranges that the operator opened for webhooks. */
  inside: GuardedWays;
}

/**
 * One attempt at a receiver. The text of a reply from an address that is not public is dropped: the client may have
 * named a page that it cannot reach itself. Its address is the client's, and no span has it.
 */
export async function sendWebhook(
  { outside, inside }: WebhookWays,
  clientId: ClientId,
  request: WebhookRequest,
  now: () => Date,
): Promise<PostResult> {
  const attributes = { "http.request.method": "POST" };
  return await withSpan({ name: "POST", kind: "client", attributes }, async (span) => {
    let result = await postWebhook(outside, request, now);
    if (result.reason === "refused_target")
      result = { ...(await postWebhook(inside.agentOf(clientId), request, now)), reply: undefined };
    const { status, reason } = result;
    span.set({ "http.response.status_code": status, "rollcall.reason": reason });
    if (reason !== "ok") span.fail(reason);
    return result;
  });
}

/**
 * One POST, without following redirects. Only the status counts. The body is read for a moment, so that the socket can
 * be used again; only its beginning is kept.
 */
export async function postWebhook(
  agent: Dispatcher,
  { url, headers, body, signal: ended }: WebhookRequest,
  now: () => Date,
): Promise<PostResult> {
  const { origin, pathname, search } = new URL(url);
  const abort = new AbortController();
  const end = (): void => abort.abort();
  // A timer that can be cleared: that of `AbortSignal.timeout` fires later all the same, and costs a twentieth of a
  // delivery.
  const timer = setTimeout(end, totalTimeoutMs);
  ended?.addEventListener("abort", end, { once: true });
  try {
    ended?.throwIfAborted();
    const response = await agent.request({
      origin,
      path: pathname + search,
      method: "POST",
      headers,
      body,
      signal: abort.signal,
    });
    const beginning = await readBeginning(response.body);
    return describe(response, beginning, now());
  } catch (error) {
    ended?.throwIfAborted();
    return {
      status: null,
      reason: abort.signal.aborted ? "timeout" : nameOutboundFailure(error),
      retryAfterSeconds: undefined,
    };
  } finally {
    clearTimeout(timer);
    ended?.removeEventListener("abort", end);
  }
}

/** Never rejects. Of a body that never ends or breaks off, it returns the part that came. */
async function readBeginning(body: Dispatcher.ResponseData["body"]): Promise<Buffer> {
  const kept: Buffer[] = [];
  let size = 0;
  body.on("error", () => undefined);
  const timer = setTimeout(() => body.destroy(), bodyTimeoutMs);
  try {
    for await (const chunk of body as AsyncIterable<Buffer>) {
      if (size < mostBytesKept) kept.push(chunk);
      size += chunk.length;
      if (size > mostBytesRead) break;
    }
  } catch {
    // The status has come, and it alone counts.
  } finally {
    clearTimeout(timer);
  }
  return Buffer.concat(kept).subarray(0, mostBytesKept);
}

function describe(
  { statusCode: status, headers }: Dispatcher.ResponseData,
  beginning: Buffer,
  now: Date,
): PostResult {
  if (status >= 200 && status < 300) return { status, reason: "ok", retryAfterSeconds: undefined };
  const isAsked = status === 429 || status === 503;
  const encoding = String(headers["content-encoding"] ?? "identity");
  return {
    status,
    reason: status === 410 ? "gone" : "status",
    retryAfterSeconds: isAsked
      ? parseRetryAfter(String(headers["retry-after"] ?? ""), now)
      : undefined,
    reply: encoding === "identity" && beginning.length > 0 ? beginning : undefined,
  };
}
