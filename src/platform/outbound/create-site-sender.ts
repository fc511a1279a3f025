import type { Dispatcher } from "undici";
import { AddressPolicy } from "./address-policy.ts";
import { createGuardedAgent } from "./create-guarded-agent.ts";
import { HttpTimeout, toOutboundError, type RequestLabel } from "./outbound-error.ts";
import { acceptedEncodings, readBody } from "./read-body.ts";

/** A request of a library that takes a function in place of `fetch`. */
interface SiteRequest {
  method: string;
  headers: Readonly<Record<string, string>>;
  /** A form, or nothing. */
  body?: unknown;
  signal?: AbortSignal | undefined;
}

export interface SiteSender {
  send(url: string, request: SiteRequest): Promise<Response>;
  close(): Promise<void>;
}

const everywhere = ["0.0.0.0/0", "::/0"];

/**
 * Sends to a site that the operator named by its origin, wherever that is. What the site names in its turn has to be
 * public, as every other target. No redirect is followed, and a longer answer is an error.
 */
export function createSiteSender(origin: string, { maxBytes }: { maxBytes: number }): SiteSender {
  const own = createGuardedAgent({ policy: new AddressPolicy(everywhere) });
  const others = createGuardedAgent({ policy: new AddressPolicy() });
  return {
    send: async (address, request) => {
      const url = new URL(address);
      return await send(url.origin === origin ? own : others, url, request, maxBytes);
    },
    close: async () => void (await Promise.all([own.destroy(), others.destroy()])),
  };
}

async function send(
  agent: Dispatcher,
  url: URL,
  { method, headers, body, signal }: SiteRequest,
  maxBytes: number,
): Promise<Response> {
  const label: RequestLabel = { method, host: url.host };
  try {
    const answer = await agent.request({
      origin: url.origin,
      path: url.pathname + url.search,
      method,
      headers: { ...headers, "accept-encoding": acceptedEncodings },
      body: encodeForm(body),
      signal: signal ?? null,
    });
    const { statusCode: status } = answer;
    const encoding = [answer.headers["content-encoding"] ?? []].flat().join(", ");
    const limit = { bytes: maxBytes, limit: "reply" } as const;
    const bytes = await readBody(answer.body, { label, status, encoding }, limit);
    return toResponse(answer, bytes);
  } catch (error) {
    if (signal?.aborted === true) throw new HttpTimeout(label);
    throw toOutboundError(error, label);
  }
}

function encodeForm(body: unknown): string | null {
  if (body === undefined || body === null) return null;
  if (body instanceof URLSearchParams) return body.toString();
  throw new TypeError("a site is sent forms alone");
}

function toResponse(
  { statusCode: status, headers: received }: Dispatcher.ResponseData,
  bytes: Uint8Array,
): Response {
  const headers = new Headers();
  for (const [name, value] of Object.entries(received))
    if (name !== "content-encoding" && name !== "content-length")
      for (const line of [value ?? []].flat()) headers.append(name, line);
  const isEmpty = [204, 205, 304].includes(status);
  return new Response(isEmpty ? null : Buffer.from(bytes), { status, headers });
}
