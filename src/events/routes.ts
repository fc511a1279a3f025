import { z } from "zod";
import { guardWithBasic, wrongClient, type Clients } from "../clients/index.ts";
import { apiVersion, badRequest, errorResponses, serviceUnavailable } from "../model/index.ts";
import {
  gatedRoute,
  ignoreBodies,
  longestWaitSeconds,
  readWait,
  type HttpApp,
} from "../platform/http/index.ts";
import { exampleEvent, listedEvent } from "./event-schemas.ts";
import type { Events } from "./events.ts";

const page = z
  .object({
    events: z.array(listedEvent).describe("The events, oldest first"),
    after: z.string().describe("What to ask with next"),
    more: z.boolean().describe("Whether there are more events now"),
  })
  .meta({
    id: "EventPage",
    description: "A part of the client's events.",
    examples: [{ events: [exampleEvent], after: "17", more: false }],
  });

/** Positions count the events of all clients. */
const cursor = z
  .string()
  .regex(/^\d{1,15}$/, { error: "is none that a list of events gave" })
  .default("0");

const listQuery = z.object({
  after: cursor.describe("The `after` of the page before. Without it, from the oldest event").meta({
    examples: ["17"],
  }),
  limit: z.coerce
    .number()
    .int()
    .min(1)
    .max(1_000)
    .default(100)
    .describe("How many events at most")
    .meta({ examples: [100] }),
});

const requestHeaders = z.object({
  Prefer: z
    .string()
    .optional()
    .describe(
      `\`wait=N\`: a page that would be empty waits up to N seconds, at most ${longestWaitSeconds}, for an event.`,
    )
    .meta({ examples: ["wait=30"] }),
});

export async function registerEventRoutes(
  app: HttpApp,
  dependencies: { clients: Clients; events: Events },
): Promise<void> {
  const closing = new AbortController();
  app.addHook("preClose", async () => closing.abort());
  await app.register(async (inner) => {
    const scope = inner as HttpApp;
    await guardWithBasic(scope, dependencies.clients);
    ignoreBodies(scope);
    registerList(scope, dependencies.events, closing.signal);
  });
}

function registerList(app: HttpApp, events: Events, closing: AbortSignal): void {
  app.route({
    method: "GET",
    url: `/${apiVersion}/management/events`,
    config: {
      ...gatedRoute,
      description: {
        requestHeaders,
        replyHeaders: { 200: ["Cache-Control", "Preference-Applied"] },
      },
    },
    schema: {
      tags: ["Management"],
      security: [{ basic: [] }],
      operationId: "listEvents",
      summary: "What happened, oldest first",
      description:
        "The events of the client's connections in the last 30 days, with or without an `event_uri`. Ask again with the " +
        "`after` of the reply: nothing is missed and nothing comes twice.",
      querystring: listQuery,
      response: {
        200: page.describe("The events after the cursor."),
        ...errorResponses(415, 429, 500),
        ...badRequest("after: is none that a list of events gave"),
        ...wrongClient,
        ...serviceUnavailable,
      },
    },
    handler: async (request, reply) => {
      const { after, limit } = request.query;
      const waitSeconds = readWait(request);
      if (waitSeconds !== undefined) reply.header("preference-applied", `wait=${waitSeconds}`);
      reply.header("cache-control", "private, no-store");
      const gone = new AbortController();
      reply.raw.once("close", () => gone.abort());
      const found = await events.list(
        request.client.clientId,
        { after: Number(after), limit },
        { waitMs: (waitSeconds ?? 0) * 1_000, signal: AbortSignal.any([gone.signal, closing]) },
      );
      return {
        events: found.events as z.output<typeof listedEvent>[],
        after: String(found.after),
        more: found.hasMore,
      };
    },
  });
}
