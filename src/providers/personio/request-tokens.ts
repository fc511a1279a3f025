import { addSeconds } from "../../platform/clock.ts";
import type { ProviderResponse } from "../../platform/outbound/index.ts";
import type { AuthErrorCode } from "../../model/index.ts";
import type { ProviderContext } from "../contract.ts";
import { AuthError, ProviderBug } from "../errors.ts";
import { toNumber, toObject, toText, type JsonObject } from "./json-values.ts";
import { applicationHeaders, drawsOfFirst, origin, readObject } from "./personio-client.ts";
import type { PersonioSession } from "./personio-session.ts";

type Tokens = Pick<PersonioSession, "v1" | "v2" | "expiresAt">;

const usualSeconds = 86_400;
/**
 * Personio gives the same token until it ends. One that is about to end would be asked for anew before each request.
 * One that has ended is told by 401, and then asked for anew.
 */
const leastSeconds = 300;

/**
 * Asks for a token of each version with the customer's secret. A pair that v1 refuses is not sent again. A refusal is
 * told with `refusedAs`.
 */
export async function requestTokens(
  { clock, http }: Pick<ProviderContext, "clock" | "http">,
  { clientId, clientSecret }: { clientId: string; clientSecret: string },
  refusedAs: AuthErrorCode,
): Promise<Tokens> {
  const askedAt = clock.now();
  const pair = { client_id: clientId, client_secret: clientSecret };
  const send = async (
    path: string,
    draws: Record<string, string>,
    form: Record<string, string>,
  ) => {
    const client = http(origin, { draws });
    const headers = { ...applicationHeaders, accept: "application/json" };
    const response = await client.request({ method: "POST", url: origin + path, headers, form });
    if (refusals.has(response.status)) throw new AuthError(refusedAs);
    return readTokenReply(response);
  };
  const first = toObject((await send("/v1/auth", drawsOfFirst(clientId), pair))["data"]);
  const tokenPath = "/v2/auth/token";
  const second = await send(
    tokenPath,
    { endpoint: `${clientId} ${tokenPath}` },
    { grant_type: "client_credentials", ...pair },
  );
  const [v1, v2] = [toText(first?.["token"]), toText(second["access_token"])];
  if (v1 === null || v2 === null) throw new ProviderBug("Personio gives no token");
  const seconds = [first, second].map((reply) => toNumber(reply?.["expires_in"]) ?? usualSeconds);
  const usable = Math.max(leastSeconds, Math.min(...seconds, usualSeconds));
  return { v1, v2, expiresAt: addSeconds(askedAt, usable).toISOString() };
}

/** v1 answers a wrong pair with 401 or 403, v2 with 400. */
const refusals: ReadonlySet<number> = new Set([400, 401, 403]);

function readTokenReply(response: ProviderResponse): JsonObject {
  if (response.status !== 200)
    throw new ProviderBug(`Personio answers the request for a token with ${response.status}`);
  return readObject(response);
}
