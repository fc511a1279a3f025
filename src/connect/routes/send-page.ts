import type { FastifyReply } from "fastify";
import type { Html } from "../../platform/html/index.ts";
import { pageHeaders } from "../../platform/http/index.ts";

/**
 * A page loads nothing from other hosts and shows in no frame. A page whose forms lead to the client in the
 * end has no `form-action`: browsers apply it to every redirect after a form, and nobody knows the redirects
 * of the client's application.
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
  return reply
    .status(status)
    .headers({ ...pageHeaders({ isSecure, leadsAway }), "cache-control": "no-store" })
    .type("text/html; charset=utf-8")
    .send(page.toString());
}
