import { z } from "zod";
import { errorResponses } from "./model/index.ts";
import type { HttpApp } from "./platform/http/index.ts";
import type { Services } from "./services.ts";

const status = z.object({ status: z.enum(["ok", "unavailable"]) }).meta({ id: "Health", examples: [{ status: "ok" }] });

/** `/healthz` says that the process runs; `/readyz` that it can serve, which needs the database. */
export function registerHealthRoutes(app: HttpApp, { pool }: Pick<Services, "pool">): void {
  app.route({
    method: "GET",
    url: "/healthz",
    config: { rateLimitClass: "wide" },
    schema: { operationId: "getHealth", summary: "Whether the process runs", security: [], response: { 200: status, ...errorResponses(429) } },
    handler: async () => ({ status: "ok" as const }),
  });

  app.route({
    method: "GET",
    url: "/readyz",
    config: { rateLimitClass: "wide" },
    schema: { operationId: "getReadiness", summary: "Whether requests can be served", security: [], response: { 200: status, ...errorResponses(429), 503: status } },
    handler: async (request, reply) => {
      try {
        await pool.query("select 1");
        return { status: "ok" as const };
      } catch (error) {
        request.log.debug({ err: error }, "the database is away");
        return reply.status(503).header("retry-after", "2").send({ status: "unavailable" as const });
      }
    },
  });
}
