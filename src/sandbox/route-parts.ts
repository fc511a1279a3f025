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
import { toBody, type connectionState } from "./bodies.ts";
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
