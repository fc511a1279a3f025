import type { FastifyReply } from "fastify";

/** A page of any site may read the reply, and all its headers. */
export function allowEverySite(reply: FastifyReply): void {
  reply.headers({ "access-control-allow-origin": "*", "access-control-expose-headers": "*" });
}
