import type { FastifyRequest } from "fastify";

/** Weak comparison (RFC 9110, section 13.1.2). */
export function matchesEtag(request: FastifyRequest, etag: string): boolean {
  const header = request.headers["if-none-match"];
  if (header === undefined) return false;
  const opaque = withoutWeakness(etag);
  return header
    .split(",")
    .map((part) => part.trim())
    .some((candidate) => candidate === "*" || withoutWeakness(candidate) === opaque);
}

function withoutWeakness(etag: string): string {
  return etag.replace(/^W\//, "");
}
