import type { FastifyRequest } from "fastify";
import { z } from "zod";
import { ExchangeRefused } from "../errors.ts";
import { readBasicClient } from "./exchange-form.ts";

const maxLength = 4_096;
const parameter = z.string().min(1).max(maxLength);

/** The parameters of an exchange. Unknown ones are ignored. */
export const exchangeBody = z
  .object({
    client_id: parameter,
    client_secret: parameter.describe("Any current secret"),
    grant_type: z.literal("authorization_code"),
    code: parameter.describe("The authorization code of the redirect"),
    redirect_uri: parameter.describe("Identical to the one of the sign-in link"),
    code_verifier: z
      .string()
      .regex(/^[A-Za-z0-9._~-]{43,128}$/)
      .optional()
      .describe("Required when the sign-in link carried a code_challenge"),
  })
  .meta({
    id: "TokenRequest",
    examples: [
      {
        client_id: "3FDAEDF9-1DCA4F54-87949F6A-41027643",
        client_secret: "rc_cs_dev_…",
        grant_type: "authorization_code",
        code: "rc_ac_dev_…",
        redirect_uri: "https://app.example.com/callback",
      },
    ],
  });

export type ExchangeBody = z.output<typeof exchangeBody>;

/** Throws ExchangeRefused for a body that is not valid. */
export function parseExchange(body: unknown): ExchangeBody {
  const grantType = (body as { grant_type?: unknown } | null | undefined)?.grant_type;
  if (typeof grantType === "string" && grantType !== "authorization_code")
    throw new ExchangeRefused("unsupported_grant_type", "grant_type is authorization_code");
  const parsed = exchangeBody.safeParse(body ?? {});
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues.map(
    ({ path, message }) => `${path.join(".") || "body"}: ${message}`,
  );
  throw new ExchangeRefused("invalid_request", problems.join("; "));
}

/**
 * Adds the client of a Basic header to a JSON body. A secret in the body takes precedence over the header.
 */
export function withBasicClient(request: FastifyRequest, body: unknown): unknown {
  if (typeof body !== "object" || body === null || "client_secret" in body) return body;
  const basic = readBasicClient(request);
  return basic ? { client_id: basic.clientId, ...body, client_secret: basic.clientSecret } : body;
}
