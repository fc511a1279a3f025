import type { FastifyReply, FastifyRequest } from "fastify";
import { pageHeaders } from "../platform/http/index.ts";

const policy = [
  "default-src 'none'",
  "style-src 'self'",
  "script-src 'self'",
  "img-src 'self'",
  "form-action 'self'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
];

/** A page loads nothing from other hosts. Its one script is a file that copies code; everything works without it. */
export function setPageHeaders(reply: FastifyReply, { isSecure }: { isSecure: boolean }): void {
  reply.headers(pageHeaders({ policy, isSecure }));
}

/** Whether the caller is a program that reads JSON. A browser accepts HTML; so does a caller without a preference. */
export function wantsJson({ headers: { accept = "" } }: FastifyRequest): boolean {
  return /\/(?:[\w.-]+\+)?json\b/i.test(accept) && !/\btext\/html\b/i.test(accept);
}
