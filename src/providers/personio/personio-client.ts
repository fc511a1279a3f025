import type { ProviderHttp, ProviderResponse } from "../../platform/outbound/index.ts";
import type { ProviderContext, ReadContext, Session } from "../contract.ts";
import { AuthError, OperationNotSupported, ProviderBug } from "../errors.ts";
import { toObject, type JsonObject } from "./json-values.ts";
import { parseSession } from "./personio-session.ts";

export const origin = "https://api.personio.de";

/** Personio asks for both with every request. The name of the application is ours to choose. */
export const applicationHeaders = {
  "x-personio-partner-id": "ROLLCALL",
  "x-personio-app-id": "ROLLCALL",
};

export interface PersonioRequest {
  /** With the version, such as `/v1/company/employees`. */
  path: string;
  query?: NonNullable<Parameters<ProviderHttp["request"]>[0]["query"]>;
  /** Of a part of v2 that is not finished. */
  isBeta?: boolean;
}

/** Reads one page of something. */
export type Ask = (request: PersonioRequest) => Promise<JsonObject>;

/** Personio refuses the request as it is, such as one with a cursor that it has forgotten. */
export class RequestRefused extends ProviderBug {}

/** There is no such thing: an endpoint that the account does not have, or somebody who was deleted. */
export class NotFound extends OperationNotSupported {}

const employeesPath = "/v1/company/employees";

/** Asks with the newest session of the read. */
export function askInRead(context: ReadContext): Ask {
  return (request) => context.withSession((session) => sendRequest(context, session, request));
}

export async function sendRequest(
  context: Pick<ProviderContext, "http">,
  session: Session,
  { path, query, isBeta = false }: PersonioRequest,
): Promise<JsonObject> {
  const { clientId, v1, v2 } = parseSession(session);
  const isFirstVersion = path.startsWith("/v1/");
  const http = context.http(origin, { draws: listDraws(clientId, path) });
  const response = await http.request({
    url: origin + path,
    query,
    headers: {
      ...applicationHeaders,
      accept: "application/json",
      authorization: `Bearer ${isFirstVersion ? v1 : v2}`,
      ...(isBeta && { beta: "true" }),
    },
  });
  if (response.status !== 200) throw toFailure(response);
  return readObject(response);
}

/**
 * All of v1 has one limit for each of our addresses, whichever customer asks, and the list of employees another one.
 * v2 has one for each endpoint.
 */
function listDraws(clientId: string, path: string): Record<string, string> {
  if (!path.startsWith("/v1/")) return { endpoint: `${clientId} ${path}` };
  const isOfPeople = path === employeesPath;
  return { ...drawsOfFirst(clientId), ...(isOfPeople && { employees: clientId }) };
}

export function drawsOfFirst(clientId: string): Record<string, string> {
  return { address: "v1", customer: clientId };
}

export function readObject({ json }: Pick<ProviderResponse, "json">): JsonObject {
  const body = toObject(json());
  if (!body) throw new ProviderBug("Personio's answer is no object");
  return body;
}

function toFailure({ status }: ProviderResponse): Error {
  switch (status) {
    case 400:
      return new RequestRefused("Personio refuses the request with 400");
    case 401:
      return new AuthError("reauthentication_required");
    case 403:
      return new AuthError("insufficient_permission");
    case 404:
      return new NotFound("Personio answers 404");
    // An account without the feature.
    case 412:
      return new OperationNotSupported(`Personio answers ${status}`);
    default:
      return new ProviderBug(`Personio answers ${status}`);
  }
}
