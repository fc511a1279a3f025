import {
  parseRetryAfter,
  TargetRefused,
  type createGuardedAgent,
} from "../platform/outbound/index.ts";

/** The result of an attempt. `status` is null when there was no answer. */
export interface PostResult {
  status: number | null;
  reason: "ok" | "status" | "gone" | "timeout" | "unreachable" | "refused_target";
  retryAfterSeconds: number | undefined;
}

type Agent = ReturnType<typeof createGuardedAgent>;

const totalTimeoutMs = 20_000;
const bodyTimeoutMs = 2_000;
const mostBytesRead = 65_536;

export interface WebhookRequest {
  url: string;
  headers: Record<string, string>;
  body: Buffer;
  /** Ends the request. The function then throws the signal's reason. */
  signal?: AbortSignal;
}

/**
 * One POST, without following redirects. Only the status counts. The body is read for a moment and dropped, so
 * that the socket can be used again.
 */
export async function postWebhook(
  agent: Agent,
  { url, headers, body, signal: ended }: WebhookRequest,
  now: () => Date,
): Promise<PostResult> {
  const { origin, pathname, search } = new URL(url);
  const timeout = AbortSignal.timeout(totalTimeoutMs);
  const signal = ended ? AbortSignal.any([ended, timeout]) : timeout;
  try {
    const response = await agent.request({
      origin,
      path: pathname + search,
      method: "POST",
      headers,
      body,
      signal,
    });
    await response.body
      .dump({ limit: mostBytesRead, signal: AbortSignal.timeout(bodyTimeoutMs) })
      .catch(() => response.body.destroy());
    return describe(response.statusCode, String(response.headers["retry-after"] ?? ""), now());
  } catch (error) {
    ended?.throwIfAborted();
    if (error instanceof TargetRefused)
      return { status: null, reason: "refused_target", retryAfterSeconds: undefined };
    return {
      status: null,
      reason: timeout.aborted ? "timeout" : "unreachable",
      retryAfterSeconds: undefined,
    };
  }
}

function describe(status: number, retryAfter: string, now: Date): PostResult {
  if (status >= 200 && status < 300) return { status, reason: "ok", retryAfterSeconds: undefined };
  const isAsked = status === 429 || status === 503;
  return {
    status,
    reason: status === 410 ? "gone" : "status",
    retryAfterSeconds: isAsked ? parseRetryAfter(retryAfter, now) : undefined,
  };
}
