import type { FastifyRequest } from "fastify";

/** What the request's `Authorization` header says. More than one header is more than one credential, which Node would hide. */
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
