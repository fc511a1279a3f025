import { z } from "zod";
import { wrongClient } from "../clients/index.ts";
import type { Connection } from "../connections/index.ts";
import {
  NotFound,
  apiVersion,
  errorResponse,
  errorResponses,
  serviceUnavailable,
  type ClientId,
} from "../model/index.ts";
import { gatedRoute, type HttpApp } from "../platform/http/index.ts";
import { connectionState, toBody, tokenParameter } from "./bodies.ts";
import type { Sandbox } from "./sandbox.ts";

export const url = `/${apiVersion}/management/sandbox/connections`;

export const shared = { tags: ["Sandbox"], security: [{ basic: [] }] };
export const changeErrors = {
  ...errorResponses(400, 415, 429, 500),
  ...wrongClient,
  ...errorResponse(404, {
    description: "The client has no such connection of the sandbox.",
    example: { message: "There is no sandbox connection with this token.", id: "unknown" },
  }),
  ...serviceUnavailable,
};
/** The connection as it is now. */
export async function describe(
  sandbox: Sandbox,
  token: string,
  clientId: ClientId,
): Promise<z.output<typeof connectionState>> {
  return toBody(await sandbox.describe(await find(sandbox, token, clientId)));
}

export async function find(
  sandbox: Sandbox,
  token: string,
  clientId: ClientId,
): Promise<Connection> {
  if (!z.uuid().safeParse(token).success)
    throw new NotFound(token, "There is no sandbox connection with this token.");
  return await sandbox.find(token, clientId);
}

interface Change<Body extends z.ZodType> {
  /** The last part of the path. */
  name: string;
  operationId: string;
  summary: string;
  description: string;
  body?: Body;
  errors?: Partial<ReturnType<typeof errorResponses<400 | 413>>>;
  maxBytes?: number;
  change: (connection: Connection, body: z.output<Body>) => Promise<void>;
}

/** A route that changes a connection, and answers how it stands then. */
export function registerChange<Body extends z.ZodType>(
  app: HttpApp,
  sandbox: Sandbox,
  { name, body: schema, errors, maxBytes, change, ...described }: Change<Body>,
): void {
  app.route({
    method: "POST",
    url: `${url}/:token_id/${name}`,
    ...(maxBytes !== undefined && { bodyLimit: maxBytes }),
    config: gatedRoute,
    schema: {
      ...shared,
      ...described,
      params: tokenParameter,
      ...(schema && { body: schema }),
      response: { 200: connectionState, ...changeErrors, ...errors },
    },
    handler: async ({ params, client, body }) => {
      const connection = await find(sandbox, params.token_id, client.clientId);
      await change(connection, body as z.output<Body>);
      return await describe(sandbox, params.token_id, client.clientId);
    },
  });
}
