import type { FastifyRequest } from "fastify";
import { z } from "zod";
import { labelFields } from "../connections/index.ts";
import { ExchangeRefused } from "../model/index.ts";
import { readBasicClient, type BasicClient } from "./exchange-form.ts";

const maxLength = 4_096;
const parameter = z.string().min(1).max(maxLength);

/** The parameters of an exchange. Unknown ones are ignored. */
const exchangeBody = z.object({
  client_id: parameter.describe("The client's id"),
  client_secret: parameter.describe("Any current secret of the client"),
  grant_type: z.literal("authorization_code").describe("Always `authorization_code`"),
  code: parameter.describe("The `code` with which the sign-in led back; valid for five minutes"),
  redirect_uri: parameter
    .refine((address) => !address.includes("\0"), "an address has no NUL")
    .describe("Identical to the one of the sign-in link"),
  code_verifier: z
    .string()
    .regex(/^[A-Za-z0-9._~-]{43,128}$/)
    .optional()
    .describe("The PKCE verifier. Required when the sign-in link carried a `code_challenge`"),
  ...labelFields,
});

const besideBasic = "Left out when it comes in a Basic header.";

/** What a request carries: the client may come in a Basic header instead. */
export const tokenRequest = exchangeBody
  .extend({
    client_id: parameter.optional().describe(`The client's id. ${besideBasic}`),
    client_secret: parameter
      .optional()
      .describe(`Any current secret of the client. ${besideBasic}`),
  })
  .meta({
    id: "TokenRequest",
    description: "The authorization code, and the client that exchanges it.",
    examples: [
      {
        client_id: "3FDAEDF9-1DCA4F54-87949F6A-41027643",
        client_secret: "rc_cs_dev_f05W6hYtdLgd5bIMnW0ylCcDR02zEgmm6Ib6sYIClYI35ul0p",
        grant_type: "authorization_code",
        code: "rc_ac_dev_nsnijEYvClyGjGZilbGQhM3aNeWqGqvMBPeXeNKf6KQ336CkP",
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

/** The client of a Basic header beside a JSON body. A secret in the body takes precedence over the header. */
export function readClientBeside(request: FastifyRequest, body: unknown): BasicClient | undefined {
  if (typeof body !== "object" || body === null || "client_secret" in body) return undefined;
  return readBasicClient(request);
}

export function withBasicClient(body: unknown, basic: BasicClient | undefined): unknown {
  return basic
    ? { client_id: basic.clientId, ...(body as object), client_secret: basic.clientSecret }
    : body;
}
