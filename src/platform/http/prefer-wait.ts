import type { FastifyRequest } from "fastify";

export const longestWaitSeconds = 30;

/** How long the caller is ready to wait (`Prefer: wait`, RFC 7240), in seconds. Undefined without a preference. */
export function readWait(request: FastifyRequest): number | undefined {
  const preferences = splitList(request.headers["prefer"]);
  for (const preference of preferences) {
    const match = /^wait\s*=\s*"?(\d+)"?\s*(;|$)/i.exec(preference);
    if (match) return Math.min(longestWaitSeconds, Number(match[1]));
  }
  return undefined;
}

/** The parts of a header that is a list with commas. */
export function splitList(header: string | string[] | undefined): string[] {
  const text = Array.isArray(header) ? header.join(",") : (header ?? "");
  return text.split(",").map((part) => part.trim());
}
