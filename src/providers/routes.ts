import { z } from "zod";
import { errorResponses, mode, modes } from "../model/index.ts";
import type { HttpApp } from "../platform/http/index.ts";
import type { ProviderRegistry } from "./registry.ts";

const entry = z.object({ mode, providers: z.array(z.string()) }).meta({
  id: "ProviderListingEntry",
  examples: [{ mode: "xhr", providers: ["odoo", "sandbox"] }],
});

export function registerProviderRoutes(app: HttpApp, registry: ProviderRegistry): void {
  const listing = modes.map((value) => ({
    mode: value,
    providers: registry
      .list()
      .filter(({ modes: offered }) => offered[value])
      .map(({ name }) => name)
      .sort(),
  }));

  app.route({
    method: "GET",
    url: "/providers",
    config: { rateLimitClass: "open" },
    schema: {
      operationId: "listProviders",
      summary: "The providers of each mode",
      security: [],
      response: { 200: z.array(entry), ...errorResponses(429, 500) },
    },
    handler: async () => listing,
  });
}
