import type { FastifyRequest } from "fastify";
import { z } from "zod";
import { readLabel } from "../connections/index.ts";
import {
  CodeAlreadyRedeemed,
  ExchangeRefused,
  FormExchangeRefused,
  NotFound,
  apiVersion,
  badRequest,
  errorResponse,
  errorResponses,
  mode,
  oauthErrorWord,
  scope,
  serviceUnavailable,
} from "../model/index.ts";
import {
  decodeText,
  formType,
  isJsonText,
  parseJson,
  toProtocolRefusal,
  type HttpApp,
} from "../platform/http/index.ts";
import {
  parseExchange,
  readClientBeside,
  tokenRequest,
  withBasicClient,
  type ExchangeBody,
} from "./exchange-body.ts";
import { FormBody, readBasicClient, type BasicClient } from "./exchange-form.ts";
import type { IssuedToken } from "./redeem-code.ts";
import type { Tokens } from "./tokens.ts";

const exampleToken = {
  token: "01a1fd39-1dc3-72c9-9867-e2fd22989539",
  access_token: "rc_at_dev_UC47rYFziq48g9vf4I6FgRHMKOKhvSC4Ne3OtBBKKRj1koVvd",
  mode: "xhr",
  provider: "sandbox",
  scopes: ["/2023-03-01/xhr/employees"],
  token_type: "Bearer",
};

const issuedToken = z
  .object({
    token: z
      .string()
      .describe(
        "The id of the token, as in the tokens list and in the header of webhooks; no secret",
      ),
    access_token: z
      .string()
      .describe("The credential for the data endpoints. It is shown this once; keep it secret."),
    mode: mode.describe("The mode of the connection"),
    provider: z.string().describe("The name of the provider at which the end user signed in"),
    scopes: z.array(scope).describe("What the token may read"),
    token_type: z.literal("Bearer").describe("The scheme for the `Authorization` header"),
  })
  .meta({
    id: "Token",
    description: "An access token. It has no expiry; it works until it is disconnected.",
    examples: [exampleToken],
  });

const oauthToken = issuedToken
  .extend({ scope: z.string().describe("The same scopes, separated by spaces") })
  .meta({
    id: "OAuthToken",
    description: "The reply of RFC 6749 to a request with a form body.",
    examples: [{ ...exampleToken, scope: "/2023-03-01/xhr/employees" }],
  });

const oauthError = z
  .object({
    error: oauthErrorWord.describe("Why the exchange is refused"),
    error_description: z.string().describe("What is wrong, for a person who reads the log"),
    message: z.string().describe("The same as `error_description`"),
    validation_error: z.string().describe("`error` and `error_description`, in one text"),
  })
  .meta({
    id: "OAuthError",
    description: "The refusal of RFC 6749 to a request with a form body.",
    examples: [
      {
        error: "invalid_grant",
        error_description: "the code has expired",
        message: "the code has expired",
        validation_error: "invalid_grant: the code has expired",
      },
    ],
  });

const invalidClient = "the client is not known or its secret is wrong";

const refusedExchange = z
  .union([badRequest(`invalid_client: ${invalidClient}`)[400], oauthError])
  .describe(
    "The exchange is refused. `validation_error` begins with the word of OAuth 2.1, such as `invalid_grant:`.",
  )
  .meta({
    examples: [
      {
        message: "The request is not valid.",
        validation_error: `invalid_client: ${invalidClient}`,
      },
    ],
  });

const wrongBasicClient = oauthError
  .describe("To a form body: the credentials of the Basic header are wrong.")
  .meta({
    examples: [
      {
        error: "invalid_client",
        error_description: invalidClient,
        message: invalidClient,
        validation_error: `invalid_client: ${invalidClient}`,
      },
    ],
  });

const exchangeResponses = {
  200: oauthToken.describe("The token, to a request with a form body."),
  201: issuedToken.describe("The token, to a request with a JSON body."),
  ...errorResponses(413, 415, 429, 500),
  400: refusedExchange,
  401: wrongBasicClient,
  ...errorResponse(404, {
    description:
      "The code is not known, or is another client's. `id` is the code, and empty when what was sent is none.",
    example: {
      message: "What was sent as the code is none: an authorization code begins with rc_ac_.",
      id: "",
    },
  }),
  ...errorResponse(409, {
    description: "The code was exchanged before. The token that it gave is not revoked by this.",
    example: {
      error: "conflict",
      message: "The code was exchanged before, for the token 01a1fd39-1dc3-72c9-9867-e2fd22989539.",
      code: "rc_ac_dev_nsnijEYvClyGjGZilbGQhM3aNeWqGqvMBPeXeNKf6KQ336CkP",
      token: "01a1fd39-1dc3-72c9-9867-e2fd22989539",
    },
  }),
  ...serviceUnavailable,
};

/** Takes the JSON body of the specification and the form body of standard OAuth clients. */
export async function registerExchangeRoute(app: HttpApp, tokens: Tokens): Promise<void> {
  app.removeContentTypeParser(formType);
  app.addContentTypeParser(
    formType,
    { parseAs: "buffer" },
    async (_request: FastifyRequest, body: string | Buffer) =>
      isJsonText(body.toString()) ? parseJson(decodeText(body)) : new FormBody(body),
  );

  app.route({
    method: "POST",
    url: `/${apiVersion}/management/token`,
    config: {
      rateLimitClass: "open",
      description: { replyHeaders: { 200: ["Cache-Control"], 201: ["Cache-Control"] } },
    },
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
      body: tokenRequest,
      response: exchangeResponses,
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
      const basic = readClientBeside(request, body);
      const issued = await redeem(tokens, request, {
        body: parseExchange(withBasicClient(body, basic)),
        basic,
      });
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
    const issued = await redeem(tokens, request, {
      body: parseExchange(form.withClient(basic)),
      basic,
    });
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
    return new ExchangeRefused("invalid_grant", error.message);
  return error instanceof ExchangeRefused ? error : undefined;
}

async function redeem(
  tokens: Tokens,
  request: FastifyRequest,
  { body, basic }: { body: ExchangeBody; basic: BasicClient | undefined },
): Promise<IssuedToken> {
  const issued = await tokens.redeem({
    clientId: body.client_id,
    clientSecrets: basic
      ? [...new Set([basic.secretAsSent, basic.clientSecret])]
      : [body.client_secret],
    code: body.code,
    redirectUri: body.redirect_uri,
    codeVerifier: body.code_verifier,
    label: readLabel(body),
  });
  request.logIds["tokenId"] = issued.id;
  return issued;
}

function toBody({
  id,
  accessToken,
  mode: tokenMode,
  provider,
  scopes,
}: IssuedToken): z.output<typeof issuedToken> {
  return {
    token: id,
    access_token: accessToken,
    mode: tokenMode,
    provider,
    scopes,
    token_type: "Bearer",
  };
}
