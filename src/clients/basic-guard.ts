import basicAuth from "@fastify/basic-auth";
import { errorResponse } from "../model/index.ts";
import { type HttpApp, readAuthorization } from "../platform/http/index.ts";
import type { Client } from "./client.ts";
import type { Clients } from "./clients.ts";
import { refusalCode, refusalMessage, refuseClient } from "./refuse-client.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** The authenticated client. Set on every route behind the Basic guard. */
    client: Client;
  }
}

/** The 401 of every route behind the Basic guard. */
export const wrongClient = errorResponse(401, {
  description: "`client_id` and `client_secret` are missing or wrong.",
  example: { error: "authentication_error", message: refusalMessage, code: refusalCode },
});

/** Every route of this scope requires a client's Basic credentials and counts in that client's window. */
export async function guardWithBasic(scope: HttpApp, clients: Clients): Promise<void> {
  await scope.register(basicAuth, {
    strictCredentials: false,
    validate: async (clientId, secret, request) => {
      const client = await clients.authenticate(clientId, secret);
      if (!client) throw refuseClient();
      request.client = client;
    },
  });
  scope.addHook("onRequest", async (request) => {
    const { kind } = readAuthorization(request);
    if (kind === "several") throw refuseClient();
  });
  scope.addHook("onRequest", (request, reply, done) => {
    scope.basicAuth(request, reply, (error?: Error) =>
      done(isMissingCredential(error) ? refuseClient() : error),
    );
  });
  scope.addHook("onRequest", async (request, reply) => {
    request.logIds["clientId"] = request.client.clientId;
    const { clientId, requestsPer5Minutes } = request.client;
    await scope.limitClient(request, reply, { key: clientId, max: requestsPer5Minutes });
  });
}

function isMissingCredential(error: Error | undefined): boolean {
  return (
    (error as { code?: unknown } | undefined)?.code ===
    "FST_BASIC_AUTH_MISSING_OR_BAD_AUTHORIZATION_HEADER"
  );
}
