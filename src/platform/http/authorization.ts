import type { FastifyRequest } from "fastify";

/** The credential of the `Authorization` header. Node alone would hide that there are several headers. */
export type Authorization =
  | { kind: "none" }
  | { kind: "several" }
  | { kind: "bearer"; credential: string }
  | { kind: "other" };

export function readAuthorization(request: FastifyRequest): Authorization {
  const headers = request.raw.headersDistinct["authorization"] ?? [];
  const [header] = headers;
  if (header === undefined) return { kind: "none" };
  if (headers.length > 1) return { kind: "several" };
  const match = /^bearer(?: +(.*))?$/i.exec(header.trim());
  return match ? { kind: "bearer", credential: match[1] ?? "" } : { kind: "other" };
}
