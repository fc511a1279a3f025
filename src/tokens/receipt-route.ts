import { wrongClient, type Clients } from "../clients/index.ts";
import { apiVersion, errorResponse, errorResponses, serviceUnavailable } from "../model/index.ts";
import { gatedRoute, type HttpApp } from "../platform/http/index.ts";
import { receipt } from "./receipt.ts";
import { sendParts } from "./send-parts.ts";
import { tokenParameter } from "./token-parameter.ts";
import type { Tokens } from "./tokens.ts";

/** For a scope behind the Basic guard. */
export function registerReceiptRoute(app: HttpApp, clients: Clients, tokens: Tokens): void {
  app.route({
    method: "GET",
    url: `/${apiVersion}/management/tokens/:token_id/receipt`,
    config: {
      ...gatedRoute,
      description: {
        replyHeaders: {
          200: ["webhook-id", "webhook-timestamp", "webhook-signature", "Cache-Control"],
        },
      },
    },
    schema: {
      operationId: "getReceipt",
      summary: "The receipt of a disconnect",
      description:
        "What was deleted when the token ended, and when. It is signed as a webhook is, by Standard Webhooks, with " +
        "the headers `webhook-id`, `webhook-timestamp` and `webhook-signature`. The body is the same each time; the " +
        "timestamp is that of the reply.",
      tags: ["Management"],
      security: [{ basic: [] }],
      params: tokenParameter,
      response: {
        200: receipt.describe("The receipt."),
        ...errorResponses(400, 415, 429, 500),
        ...errorResponse(404, {
          description: "The client has no token of this id that was disconnected with a receipt.",
          example: {
            message: "The client has no token of this id that was disconnected with a receipt.",
            id: "unknown",
          },
        }),
        ...wrongClient,
        ...serviceUnavailable,
      },
    },
    handler: async ({ client, params }, reply) => {
      const signed = await tokens.signReceipt(params.token_id, client, clients);
      reply.headers({ ...signed.headers, "cache-control": "private, no-store" });
      reply.type("application/json; charset=utf-8");
      return sendParts(reply, [signed.body]);
    },
  });
}
