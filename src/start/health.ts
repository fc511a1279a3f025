import { z } from "zod";
import { errorResponses } from "../model/index.ts";
import { findTrouble, queryRow } from "../platform/db/index.ts";
import type { HttpApp } from "../platform/http/index.ts";
import type { Log } from "../platform/log.ts";
import { withTimeout } from "../platform/with-timeout.ts";
import { databaseTroubles } from "./explain-start.ts";
import type { Services } from "./services.ts";
import type { StartSteps } from "./start-steps.ts";

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

/** What keeps the database from being used. Undefined when it can be read and written. */
export async function findDatabaseProblem(
  { pool }: Pick<Services, "pool">,
  log: Log,
): Promise<string | undefined> {
  try {
    const row = await withTimeout(readyTimeoutMs, () =>
      queryRow<{ isReadOnly: boolean }>(
        pool,
        `select pg_is_in_recovery() or current_setting('transaction_read_only')::boolean as "isReadOnly"`,
      ),
    );
    return row?.isReadOnly ? databaseTroubles["read-only"] : undefined;
  } catch (error) {
    log.debug({ err: error }, "the database cannot be used");
    return databaseTroubles[findTrouble(error) ?? "silent"];
  }
}

/**
 * `/healthz` says that the process runs; `/readyz` that it can serve: its start is complete, and the database takes
 * writes.
 */
export function registerHealthRoutes(
  app: HttpApp,
  { pool }: Pick<Services, "pool">,
  steps: StartSteps | undefined,
): void {
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
      response: { 200: health.describe("The process runs."), ...errorResponses(415, 429) },
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
      description:
        "Says whether the start is complete, and asks whether the database takes writes, for three seconds at most.",
      tags: ["Health"],
      security: [],
      response: {
        200: health.describe("Requests can be served."),
        ...errorResponses(415, 429),
        503: unavailable,
      },
    },
    handler: async (request, reply) => {
      const message =
        steps?.describe() ?? (await findDatabaseProblem({ pool }, request.log as Log));
      if (message === undefined) return { status: "ok" as const };
      return reply
        .status(503)
        .header("retry-after", "2")
        .send({ status: "unavailable" as const, message });
    },
  });
}
