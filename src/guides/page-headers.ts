import type { FastifyReply, FastifyRequest } from "fastify";
import { pageHeaders } from "../platform/http/index.ts";

/** A page loads nothing from other hosts. Its scripts are files; without them it has everything to read and to find. */
export function setPageHeaders(reply: FastifyReply, { isSecure }: { isSecure: boolean }): void {
  reply.headers(pageHeaders({ isSecure }));
}

/** Whether the caller is a program that reads JSON. A browser accepts HTML; so does a caller without a preference. */
export function wantsJson({ headers: { accept = "" } }: FastifyRequest): boolean {
  return /\/(?:[\w.-]+\+)?json\b/i.test(accept) && !/\btext\/html\b/i.test(accept);
}
