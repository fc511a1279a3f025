import { wrongClient } from "../clients/index.ts";
import { apiVersion, errorResponse, errorResponses, serviceUnavailable } from "../model/index.ts";
import { gatedRoute, type HttpApp } from "../platform/http/index.ts";
import { exampleToken, requireTokenId, tokenParameter } from "./token-parameter.ts";
import { tokenState } from "./token-state.ts";
import type { Tokens } from "./tokens.ts";

/** For a scope behind the Basic guard. */
export function registerStateRoute(app: HttpApp, tokens: Tokens): void {
  app.route({
    method: "GET",
    url: `/${apiVersion}/management/tokens/:token_id`,
    config: gatedRoute,
    schema: {
      operationId: "getToken",
      summary: "One token, and how the data of its connection stands",
      description:
        "Since when it has its status and why, what the account may not read, and for each resource of its scopes " +
        "when it was read, and whether a read runs or waits and for what. It begins no read.",
      tags: ["Management"],
      security: [{ basic: [] }],
      params: tokenParameter,
      response: {
        200: tokenState.describe("The token."),
        ...errorResponses(415, 429, 500),
        ...errorResponse(404, {
          description: "The client has no token with this id.",
          example: { message: "The token is not known.", id: exampleToken },
        }),
        ...wrongClient,
        ...serviceUnavailable,
      },
    },
    handler: async (request, reply) => {
      reply.header("cache-control", "private, no-store");
      const id = requireTokenId(request.params.token_id);
      return await tokens.describe(request.client.clientId, id);
    },
  });
}
