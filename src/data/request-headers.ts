import type { FastifyRequest } from "fastify";

const longestWaitSeconds = 30;
const noCacheSeconds = 60;

/**
 * How long the caller is ready to wait for the data (`Prefer: wait`, RFC 7240). Undefined without a
 * preference.
 */
export function readWait(request: FastifyRequest): number | undefined {
  const preferences = splitList(request.headers["prefer"]);
  for (const preference of preferences) {
    const match = /^wait\s*=\s*"?(\d+)"?\s*(;|$)/i.exec(preference);
    if (match) return Math.min(longestWaitSeconds, Number(match[1]));
  }
  return undefined;
}

/** How old the data may be: one minute with `Cache-Control: no-cache`. Undefined means the usual limits. */
export function readMaxAge(request: FastifyRequest): number | undefined {
  const directives = splitList(request.headers["cache-control"]).map((directive) =>
    directive.toLowerCase(),
  );
  return directives.includes("no-cache") ? noCacheSeconds : undefined;
}

function splitList(header: string | string[] | undefined): string[] {
  const text = Array.isArray(header) ? header.join(",") : (header ?? "");
  return text.split(",").map((part) => part.trim());
}
