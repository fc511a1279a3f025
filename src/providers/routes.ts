import { z } from "zod";
import { errorResponses, mode, modes, notModified } from "../model/index.ts";
import type { FixedDocument, HttpApp } from "../platform/http/index.ts";
import type { ProviderRegistry } from "./registry.ts";

const entry = z
  .object({
    mode: mode.describe("The mode"),
    providers: z.array(z.string()).describe("The names of its providers, in order of the alphabet"),
  })
  .meta({
    id: "ProviderListingEntry",
    description: "The providers of one mode.",
    examples: [{ mode: "xhr", providers: ["odoo", "sandbox"] }],
  });

/** `makeDocument` is given: a child process loads this room, and nothing that serves. */
export function registerProviderRoutes(
  app: HttpApp,
  registry: ProviderRegistry,
  makeDocument: (content: { type: string; bytes: string }) => FixedDocument,
): void {
  const listing: z.output<typeof entry>[] = modes.map((value) => ({
    mode: value,
    providers: registry
      .list()
      .filter(({ modes: offered }) => offered[value])
      .map(({ name }) => name)
      .sort(),
  }));
  const document = makeDocument({
    type: "application/json; charset=utf-8",
    bytes: JSON.stringify(listing),
  });

  app.route({
    method: "GET",
    url: "/providers",
    config: {
      rateLimitClass: "open",
      isForEverySite: true,
      description: {
        replyHeaders: { 200: ["ETag", "Cache-Control"], 304: ["ETag", "Cache-Control"] },
      },
    },
    schema: {
      operationId: "listProviders",
      summary: "The providers of each mode",
      description:
        "The names that a sign-in link may carry as `provider`, by mode. `sandbox` is the simulated one. " +
        "No credential is needed.",
      tags: ["Providers"],
      security: [],
      response: {
        200: z.array(entry).describe("One entry for each mode."),
        304: notModified,
        ...errorResponses(415, 429, 500),
      },
    },
    handler: async (request, reply) => await document.send(request, reply),
  });
}
