import type { FastifyRequest } from "fastify";
import { z } from "zod";
import { longestWaitSeconds, splitList } from "../platform/http/index.ts";

const noCacheSeconds = 60;

/** The headers that a data endpoint reads. A value that it does not understand counts as none. */
export const versionHeaders = z.object({
  "If-None-Match": z
    .string()
    .optional()
    .describe("The `ETag` of the copy that you have. The reply to unchanged data is 304.")
    .meta({ examples: ['W/"DV98hdZt-0hP3j9G"'] }),
  "If-Modified-Since": z
    .string()
    .optional()
    .describe(
      "The `Last-Modified` of the copy that you have. It counts for nothing beside `If-None-Match`, which also finds " +
        "data that was fetched again and is the same.",
    )
    .meta({ examples: ["Mon, 02 Mar 2026 10:00:00 GMT"] }),
});
export const dataRequestHeaders = versionHeaders.extend({
  Prefer: z
    .string()
    .optional()
    .describe(
      `\`wait=N\`: the reply waits up to N seconds, at most ${longestWaitSeconds}, for data that is being fetched.`,
    )
    .meta({ examples: ["wait=10"] }),
  "Cache-Control": z
    .string()
    .optional()
    .describe(`\`no-cache\` accepts only data of the last ${noCacheSeconds} seconds.`)
    .meta({ examples: ["no-cache"] }),
});

/** How old the data may be: one minute with `Cache-Control: no-cache`. Undefined means the usual limits. */
export function readMaxAge(request: FastifyRequest): number | undefined {
  const directives = splitList(request.headers["cache-control"]).map((directive) =>
    directive.toLowerCase(),
  );
  return directives.includes("no-cache") ? noCacheSeconds : undefined;
}
