import type { FastifyReply } from "fastify";
import type { Html } from "../../platform/html/index.ts";

/**
 * Nothing from elsewhere, nothing in a frame. A page whose forms lead away in the end names no `form-action`: browsers hold every
 * redirect after a form to it, those of the client's own application included, which nobody can list.
 */
export function sendPage(
  reply: FastifyReply,
  page: Html,
  {
    status = 200,
    leadsAway = false,
    isSecure,
  }: { status?: number; leadsAway?: boolean; isSecure: boolean },
): FastifyReply {
  const policy = [
    "default-src 'none'",
    "style-src 'self'",
    "script-src 'self'",
    "img-src 'self'",
    "connect-src 'self'",
    ...(leadsAway ? [] : ["form-action 'self'"]),
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
