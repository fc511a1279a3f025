import type { FastifyRequest } from "fastify";
import { z } from "zod";
import { CodeAlreadyRedeemed, ExchangeRefused, FormExchangeRefused, NotFound } from "../errors.ts";
import { apiVersion, errorResponses, mode, oauthErrorWords, scope } from "../model/index.ts";
import { decodeText, parseJson, toProtocolRefusal, type HttpApp } from "../platform/http/index.ts";
import {
  exchangeBody,
  parseExchange,
  withBasicClient,
  type ExchangeBody,
} from "./exchange-body.ts";
import { FormBody, parseForm, readBasicClient } from "./exchange-form.ts";
import type { IssuedToken } from "./redeem-code.ts";
import type { Tokens } from "./tokens.ts";

const issuedToken = z
  .object({
    access_token: z.string(),
    mode,
    provider: z.string(),
    scopes: z.array(scope),
    token_type: z.literal("Bearer"),
  })
  .meta({
    id: "Token",
    examples: [
      {
        access_token: "rc_at_dev_…",
        mode: "xhr",
        provider: "sandbox",
        scopes: ["/2023-03-01/xhr/employees"],
        token_type: "Bearer",
      },
    ],
  });

const oauthToken = issuedToken
  .extend({ scope: z.string().describe("The same scopes, separated by spaces") })
  .meta({
    id: "OAuthToken",
    description: "The reply of RFC 6749 to a request with a form body.",
    examples: [
      {
        access_token: "rc_at_dev_…",
        mode: "xhr",
        provider: "sandbox",
        scopes: ["/2023-03-01/xhr/employees"],
        token_type: "Bearer",
        scope: "/2023-03-01/xhr/employees",
      },
    ],
  });

const oauthError = z
  .object({
    error: z.enum(oauthErrorWords),
    error_description: z.string(),
    message: z.string(),
    validation_error: z.string(),
  })
  .meta({
    id: "OAuthError",
    description: "The reply of RFC 6749 to a request with a form body.",
    examples: [
      {
        error: "invalid_grant",
        error_description: "the code has expired",
        message: "the code has expired",
        validation_error: "invalid_grant: the code has expired",
      },
    ],
  });

const { 400: badRequest } = errorResponses(400);

/** Takes the JSON body of the specification and the form body of standard OAuth clients. */
export async function registerExchangeRoute(app: HttpApp, tokens: Tokens): Promise<void> {
  app.addContentTypeParser(
    "application/x-www-form-urlencoded",
    { parseAs: "buffer" },
    async (_request: FastifyRequest, body: string | Buffer) => {
      const text = decodeText(body);
      return text.trimStart().startsWith("{") ? parseJson(text) : parseForm(text);
    },
  );

  app.route({
    method: "POST",
    url: `/${apiVersion}/management/token`,
    config: { rateLimitClass: "open" },
    schema: {
      operationId: "createToken",
      summary: "Exchange an authorization code for an access token",
      description:
        "A code gives one token and is valid for five minutes. A refused request does not use it up. " +
        "The credentials may also come in a Basic header. A standard OAuth client may send a form body and " +
        "is answered as RFC 6749 says.",
      tags: ["Management"],
      security: [{}, { basic: [] }],
      consumes: ["application/json", "application/x-www-form-urlencoded"],
      body: exchangeBody,
      response: {
        200: oauthToken,
        201: issuedToken,
        ...errorResponses(404, 409, 429, 500, 503),
        400: z.union([badRequest, oauthError]),
        401: oauthError,
      },
    },
    validatorCompiler: () => (body) => ({ value: body }),
    errorHandler: (error) => {
      const refusal = toProtocolRefusal(error);
      throw refusal?.validationError === undefined
        ? error
        : new ExchangeRefused("invalid_request", refusal.validationError);
    },
    handler: async (request, reply) => {
      reply.header("cache-control", "no-store");
      const body: unknown = request.body;
      if (body instanceof FormBody) return await exchangeForm(tokens, request, body);
      const issued = await redeem(tokens, request, parseExchange(withBasicClient(request, body)));
      reply.status(201);
      return toBody(issued);
    },
  });
}

async function exchangeForm(
  tokens: Tokens,
  request: FastifyRequest,
  form: FormBody,
): Promise<z.output<typeof oauthToken>> {
  const isBasic = request.headers.authorization !== undefined;
  try {
    const basic = readBasicClient(request);
    const issued = await redeem(tokens, request, parseExchange(form.withClient(basic)));
    return { ...toBody(issued), scope: issued.scopes.join(" ") };
  } catch (error) {
    const refusal = toExchangeRefused(error);
    if (!refusal) throw error;
    throw new FormExchangeRefused(refusal, {
      isChallenged: isBasic && refusal.word === "invalid_client",
    });
  }
}

/** RFC 6749 has one error word for an unknown code and for one that was used before. */
function toExchangeRefused(error: unknown): ExchangeRefused | undefined {
  if (error instanceof NotFound || error instanceof CodeAlreadyRedeemed)
    return new ExchangeRefused("invalid_grant", "the code is not known or was used before");
  return error instanceof ExchangeRefused ? error : undefined;
}

async function redeem(
  tokens: Tokens,
  request: FastifyRequest,
  body: ExchangeBody,
): Promise<IssuedToken> {
  const issued = await tokens.redeem({
    clientId: body.client_id,
    clientSecret: body.client_secret,
    code: body.code,
    redirectUri: body.redirect_uri,
    codeVerifier: body.code_verifier,
  });
  request.logIds["tokenId"] = issued.id;
  return issued;
}

function toBody({
  accessToken,
  mode: tokenMode,
  provider,
  scopes,
}: IssuedToken): z.output<typeof issuedToken> {
  return { access_token: accessToken, mode: tokenMode, provider, scopes, token_type: "Bearer" };
}
