import { Readable } from "node:stream";
import { z } from "zod";
import { guardWithBasic, wrongClient } from "../clients/index.ts";
import { shownLabelFields } from "../connections/index.ts";
import {
  apiVersion,
  errorResponse,
  errorResponses,
  identity,
  mode,
  resource,
  scope,
  serviceUnavailable,
} from "../model/index.ts";
import { gatedRoute, type HttpApp } from "../platform/http/index.ts";
import { requireTokenId, tokenParameter } from "../tokens/index.ts";
import type { DataDependencies } from "./dependencies.ts";

const exampleToken = "01a1fd39-1dc3-72c9-9867-e2fd22989539";

const storedList = z
  .object({
    resource: resource.describe("The resource, by the last part of its path"),
    parameters: z
      .record(z.string(), z.string())
      .describe("The parameters of its request, as in the query or the path of the data endpoint"),
    read_at: z.iso.datetime().describe("When the provider was asked, RFC 3339 in UTC"),
    data: z.unknown().describe("As the data endpoint has it"),
  })
  .meta({ id: "StoredList", description: "What is stored of one request for data." });

const exported = z
  .object({
    token: z.string().describe("The id of the token"),
    client_id: z.string().describe("The client to which it belongs"),
    provider: z.string().describe("The name of the provider"),
    mode: mode.describe("The mode of the connection"),
    scopes: z.array(scope).describe("What the token may read"),
    ...shownLabelFields,
    exported_at: z.iso.datetime().describe("When this was written, RFC 3339 in UTC"),
    identity: identity
      .nullable()
      .describe("Who signed in, as the provider named them then; null when it named nobody"),
    stored: z.array(storedList).describe("All that is stored of the provider's data"),
  })
  .meta({
    id: "Export",
    description: "All that is stored of a connection but its credentials.",
    examples: [
      {
        token: exampleToken,
        client_id: "3FDAEDF9-1DCA4F54-87949F6A-41027643",
        provider: "sandbox",
        mode: "xhr",
        scopes: ["/2023-03-01/xhr/employees"],
        reference: "customer-4711",
        metadata: null,
        exported_at: "2026-03-02T10:00:00.000Z",
        identity: { name: "Ada Lovelace", email: "ada@example.com", phone_number: null },
        stored: [
          { resource: "groups", parameters: {}, read_at: "2026-03-02T09:30:00.000Z", data: [] },
        ],
      },
    ],
  });

/** Beyond the specification: for whoever has to answer a person who asks what is stored of them. */
export async function registerExportRoute(
  app: HttpApp,
  { clients, sync }: Pick<DataDependencies, "clients" | "sync">,
): Promise<void> {
  await guardWithBasic(app, clients);
  app.route({
    method: "GET",
    url: `/${apiVersion}/management/tokens/:token_id/export`,
    config: gatedRoute,
    schema: {
      operationId: "exportToken",
      summary: "All that is stored of a connection",
      description:
        "The stored lists of the connection, who signed in, and what the client calls it; no credentials. It reads " +
        "nothing anew. The audit record says that it was asked for.",
      tags: ["Management"],
      security: [{ basic: [] }],
      params: tokenParameter,
      response: {
        200: exported.describe("The export."),
        ...errorResponses(415, 429, 500),
        ...errorResponse(404, {
          description: "The client has no token with this id, or it has ended.",
          example: { message: "The token is not known.", id: exampleToken },
        }),
        ...wrongClient,
        ...serviceUnavailable,
      },
    },
    handler: async ({ client, params }, reply) => {
      const pieces = await sync.export(client.clientId, requireTokenId(params.token_id));
      reply.header("cache-control", "private, no-store");
      reply.type("application/json; charset=utf-8");
      return await reply.send(Readable.from(pieces) as never);
    },
  });
}
