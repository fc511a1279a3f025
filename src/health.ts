import { z } from "zod";
import { errorResponses } from "./model/index.ts";
import type { HttpApp } from "./platform/http/index.ts";
import { withTimeout } from "./platform/with-timeout.ts";
import type { Services } from "./services.ts";

const health = z
  .object({ status: z.literal("ok").describe("Always `ok`") })
  .meta({ id: "Health", description: "It is well.", examples: [{ status: "ok" }] });
const unavailable = z
  .object({
    status: z.literal("unavailable").describe("Always `unavailable`"),
    message: z.string().describe("What is missing, for an operator"),
  })
  .meta({
    id: "NotReady",
    description: "Requests cannot be served at the moment.",
    examples: [{ status: "unavailable", message: "The database is away." }],
  });

/** The limit of a readiness check. */
const readyTimeoutMs = 3_000;

/** `/healthz` says that the process runs; `/readyz` that it can serve, which needs the database. */
export function registerHealthRoutes(app: HttpApp, { pool }: Pick<Services, "pool">): void {
  app.route({
    method: "GET",
    url: "/healthz",
    config: { rateLimitClass: "wide" },
    schema: {
      operationId: "getHealth",
      summary: "Whether the process runs",
      description: "Answers 200 as long as the process can answer at all. It asks no database.",
      tags: ["Health"],
      security: [],
      response: { 200: health.describe("The process runs."), ...errorResponses(429) },
    },
    handler: async () => ({ status: "ok" as const }),
  });

  app.route({
    method: "GET",
    url: "/readyz",
    config: { rateLimitClass: "wide" },
    schema: {
      operationId: "getReadiness",
      summary: "Whether requests can be served",
      description: "Asks the database, for three seconds at most.",
      tags: ["Health"],
      security: [],
      response: {
        200: health.describe("Requests can be served."),
        ...errorResponses(429),
        503: unavailable,
      },
    },
    handler: async (request, reply) => {
      try {
        await withTimeout(readyTimeoutMs, () => pool.query("select 1"));
        return { status: "ok" as const };
      } catch (error) {
        request.log.debug({ err: error }, "the database is away");
        return reply
          .status(503)
          .header("retry-after", "2")
          .send({ status: "unavailable" as const, message: "The database is away." });
      }
    },
  });
}
