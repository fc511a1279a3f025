import { METHODS, type Server } from "node:http";
import type { Socket } from "node:net";
import { constants } from "node:zlib";
import compress from "@fastify/compress";
import {
  fastify,
  LogController,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
} from "fastify";
import {
  serializerCompiler,
  validatorCompiler,
  type ZodTypeProvider,
} from "fastify-type-provider-zod";
import { v7 as uuidv7 } from "uuid";
import type { Log } from "../log.ts";
import { encodings, negotiateEncoding, type Encoding } from "./accept-encoding.ts";
import { drainOnClose } from "./draining.ts";
import type { ToErrorReply } from "./error-reply.ts";
import { registerJsonBody } from "./json-body.ts";
import { OpenRequests } from "./open-requests.ts";
import { ProtocolRefusal } from "./protocol-refusal.ts";
import { RawReplies } from "./raw-replies.ts";

export interface HttpAppOptions {
  log: Log;
  trustProxy: readonly string[];
  toErrorReply: ToErrorReply;
}

export type HttpApp = FastifyInstance<any, any, any, any, ZodTypeProvider>; // oxlint-disable-line typescript/no-explicit-any

declare module "fastify" {
  interface FastifyRequest {
    /** The encoding that this reply comes in. */
    replyEncoding: Encoding;
    /** Ids, and nothing else, that the request's log line names. */
    logIds: Record<string, string>;
  }
}

/** A `state` of 4,096 characters, each of them three percent-encoded bytes, has room beside the rest of a sign-in link. */
const maxUrlLength = 40_960;
const maxHeaderBytes = maxUrlLength + 8_192;
const maxBodyBytes = 65_536;
const receiveTimeoutMs = 10_000;
const compressible = /^text\/(?!event-stream)|(?:\+|\/)(?:json|xml|text|javascript)(?:;|$)/u;

/** A Fastify instance on which every reply, also to malformed HTTP, is JSON of our shapes with a request id, compressed as the caller asked. */
export async function createHttpApp({
  log,
  trustProxy,
  toErrorReply,
}: HttpAppOptions): Promise<HttpApp> {
  const openRequests = new OpenRequests();
  const rawReplies = new RawReplies({ log, openRequests, toErrorReply });
  const app = fastify({
    loggerInstance: log,
    logController: new LogController({ disableRequestLogging: true }),
    trustProxy: trustProxy.length > 0 ? [...trustProxy] : false,
    genReqId: () => uuidv7(),
    bodyLimit: maxBodyBytes,
    requestTimeout: receiveTimeoutMs,
    http: {
      maxHeaderSize: maxHeaderBytes,
      headersTimeout: receiveTimeoutMs,
      connectionsCheckingInterval: 2_000,
      requireHostHeader: false,
    },
    return503OnClosing: false,
    routerOptions: { maxParamLength: maxUrlLength },
    rewriteUrl: ({ url = "/" }) => (isDecodable(url) ? url : "/undecodable"),
    clientErrorHandler: (error, socket) => rawReplies.answerParserError(error, socket),
    frameworkErrors: (error, request, reply) =>
      void sendError(error, request, reply as FastifyReply, toErrorReply),
  }).withTypeProvider<ZodTypeProvider>() as unknown as HttpApp;

  app.setValidatorCompiler(validatorCompiler);
  app.setSerializerCompiler(serializerCompiler);
  app.setErrorHandler((error, request, reply) => sendError(error, request, reply, toErrorReply));
  registerJsonBody(app);
  app.decorateRequest("replyEncoding", "identity");
  app.decorateRequest("logIds");
  for (const method of METHODS.filter(
    (name) => name !== "CONNECT" && !app.supportedMethods.includes(name),
  ))
    app.addHttpMethod(method);
  const server = app.server as Server;
  server.on("checkExpectation", (request, response) => app.routing(request, response));
  server.on("connect", (request, socket) => rawReplies.answerConnect(request, socket as Socket));

  openRequests.watch(app);
  drainOnClose(app, openRequests);
  app.addHook("onRequest", async (request, reply) => {
    prepare(request, reply);
    checkRequestLine(request);
  });
  app.addHook("onResponse", async (request, reply) => logRequest(request, reply));
  await app.register(compress, {
    encodings: [...encodings],
    threshold: 0,
    globalDecompression: false,
    customTypes: compressible,
    brotliOptions: { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } },
  });
  dropLengthOfHead(app);
  return app;
}

/** The compression plugin sees the one encoding that was settled here, so that stored and fresh bodies follow the same rule. */
function prepare(request: FastifyRequest, reply: FastifyReply): void {
  request.logIds = {};
  request.replyEncoding = negotiateEncoding(request.headers["accept-encoding"]);
  request.headers["accept-encoding"] = request.replyEncoding;
  delete request.headers["x-no-compression"];
  reply.header("x-request-id", request.id);
  reply.header("vary", "Accept-Encoding");
}

function checkRequestLine({ raw, originalUrl }: FastifyRequest): void {
  if (originalUrl.length > maxUrlLength) throw new ProtocolRefusal(414, "The URL is too long.");
  if (!isDecodable(originalUrl))
    throw new ProtocolRefusal(400, "The request is not valid.", "path: is not a valid URL path");
  const hosts = raw.headersDistinct["host"] ?? [];
  if (hosts.length > 1 || (hosts.length === 0 && raw.httpVersion === "1.1"))
    throw new ProtocolRefusal(400, "The request is not valid.", "host: is required once");
}

function isDecodable(url: string): boolean {
  try {
    decodeURIComponent(url.split("?", 1)[0] ?? "");
    return true;
  } catch {
    return false;
  }
}

/** A HEAD whose GET would be compressed cannot tell the length. */
function dropLengthOfHead(app: HttpApp): void {
  app.addHook("onRoute", (route) => {
    if (route.method === "HEAD")
      route.onSend = [...[route.onSend ?? []].flat(), dropLength] as never;
  });
}

async function dropLength(
  request: FastifyRequest,
  reply: FastifyReply,
  payload: unknown,
): Promise<unknown> {
  if (request.replyEncoding !== "identity") reply.removeHeader("content-length");
  return payload;
}

function sendError(
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
  toErrorReply: ToErrorReply,
): FastifyReply {
  const { status, headers, body } = toErrorReply(error);
  if (status === 500) request.log.error({ err: error }, "the request failed");
  if (!reply.hasHeader("x-request-id")) prepare(request, reply);
  for (const name of [
    "www-authenticate",
    "content-encoding",
    "etag",
    "last-modified",
    "age",
    "cache-control",
  ])
    reply.removeHeader(name);
  return reply
    .status(status)
    .headers(headers)
    .type("application/json; charset=utf-8")
    .serializer(JSON.stringify)
    .send(body);
}

function logRequest(request: FastifyRequest, reply: FastifyReply): void {
  request.log.info({
    method: request.method,
    route: request.routeOptions.url ?? "(none)",
    status: reply.statusCode,
    ms: Math.round(reply.elapsedTime * 10) / 10,
    ...request.logIds,
  });
}
