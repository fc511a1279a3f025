import { Readable } from "node:stream";
import type { FastifyReply } from "fastify";

/** The parts are the text of the body, which no schema checks. Other requests go on between them. */
export function sendParts(reply: FastifyReply, parts: readonly string[]): never {
  const [only, ...others] = parts;
  return reply.send(others.length === 0 ? only : Readable.from(parts)) as never;
}
