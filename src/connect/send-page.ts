import type { FastifyReply } from "fastify";
import type { Html } from "../platform/html/index.ts";

/** Nothing from elsewhere, nothing in a frame; forms go here, and on to the address that the flow leads back to. */
export function sendPage(reply: FastifyReply, page: Html, { status = 200, redirectUri, isSecure }: { status?: number; redirectUri?: string | undefined; isSecure: boolean }): FastifyReply {
  const policy = [
    "default-src 'none'",
    "style-src 'self'",
    "script-src 'self'",
    "img-src 'self'",
    "connect-src 'self'",
    `form-action 'self'${redirectUri === undefined ? "" : ` ${sourceOf(redirectUri)}`}`,
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ];
  return reply
    .status(status)
    .headers({
      "content-security-policy": policy.join("; "),
      "cache-control": "no-store",
      "cross-origin-opener-policy": "same-origin",
      "cross-origin-resource-policy": "same-origin",
      "referrer-policy": "no-referrer",
      "x-content-type-options": "nosniff",
      "x-frame-options": "DENY",
      ...(isSecure && { "strict-transport-security": "max-age=31536000" }),
    })
    .type("text/html; charset=utf-8")
    .send(page.toString());
}

/** Browsers hold a form's redirects to the policy too. An IPv6 literal cannot be written in one, so its scheme stands for it. */
function sourceOf(redirectUri: string): string {
  const { origin, protocol, hostname } = new URL(redirectUri);
  return hostname.startsWith("[") ? protocol : origin;
}
