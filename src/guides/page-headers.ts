import type { FastifyReply, FastifyRequest } from "fastify";

const policy = [
  "default-src 'none'",
  "style-src 'self'",
  "img-src 'self'",
  "form-action 'self'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
].join("; ");

/** A page runs no script, loads nothing from other hosts and shows in no frame. */
export function setPageHeaders(reply: FastifyReply, { isSecure }: { isSecure: boolean }): void {
  reply.headers({
    "content-security-policy": policy,
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    ...(isSecure && { "strict-transport-security": "max-age=31536000" }),
  });
}

/** Whether the caller is a program that reads JSON. A browser accepts HTML; so does a caller without a preference. */
export function wantsJson({ headers: { accept = "" } }: FastifyRequest): boolean {
  return /\/(?:[\w.-]+\+)?json\b/i.test(accept) && !/\btext\/html\b/i.test(accept);
}
