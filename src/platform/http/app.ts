import { STATUS_CODES } from "node:http";
import type { Socket } from "node:net";
import { constants } from "node:zlib";
import compress from "@fastify/compress";
import { fastify, LogController, type FastifyInstance, type FastifyReply, type FastifyRequest } from "fastify";
import { serializerCompiler, validatorCompiler, type ZodTypeProvider } from "fastify-type-provider-zod";
import { v7 as uuidv7 } from "uuid";
import type { Log } from "../log.ts";
import { encodings, negotiateEncoding, type Encoding } from "./accept-encoding.ts";
import { registerJsonBody } from "./json-body.ts";
import { ProtocolRefusal, toParserRefusal } from "./protocol-refusal.ts";

export interface ErrorReply {
  status: number;
  headers: Record<string, string>;
  body: Record<string, unknown>;
}

export interface HttpAppOptions {
  log: Log;
  trustProxy: readonly string[];
  /** Turns whatever was thrown into the reply that the specification asks for. */
  toErrorReply: (error: unknown) => ErrorReply;
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

const maxUrlLength = 8_192;
const maxBodyBytes = 65_536;
const receiveTimeoutMs = 10_000;

/** A Fastify instance on which every reply, also to malformed HTTP, is JSON of our shapes with a request id, compressed as the caller asked. */
export async function createHttpApp({ log, trustProxy, toErrorReply }: HttpAppOptions): Promise<HttpApp> {
  const app = fastify({
    loggerInstance: log,
    logController: new LogController({ disableRequestLogging: true }),
    trustProxy: trustProxy.length > 0 ? [...trustProxy] : false,
    genReqId: () => uuidv7(),
    bodyLimit: maxBodyBytes,
    requestTimeout: receiveTimeoutMs,
    http: { headersTimeout: receiveTimeoutMs, connectionsCheckingInterval: 2_000 },
    return503OnClosing: false,
    routerOptions: { maxParamLength: maxUrlLength },
    clientErrorHandler: (error, socket) => answerParserError(error, socket as Socket, toErrorReply),
    frameworkErrors: (error, request, reply) => sendError(error, request, reply as FastifyReply, toErrorReply),
  }).withTypeProvider<ZodTypeProvider>() as unknown as HttpApp;

  app.setValidatorCompiler(validatorCompiler);
  app.setSerializerCompiler(serializerCompiler);
  app.setErrorHandler((error, request, reply) => sendError(error, request, reply, toErrorReply));
  registerJsonBody(app);
  app.decorateRequest("replyEncoding", "identity");
  app.decorateRequest("logIds");

  app.addHook("onRequest", async (request, reply) => {
    prepare(request, reply);
    if (request.raw.url && request.raw.url.length > maxUrlLength) throw new ProtocolRefusal(414, "The URL is too long.");
  });
  app.addHook("onResponse", async (request, reply) => logRequest(request, reply));

  await app.register(compress, {
    encodings: [...encodings],
    threshold: 0,
    globalDecompression: false,
    brotliOptions: { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } },
  });
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

function sendError(error: unknown, request: FastifyRequest, reply: FastifyReply, toErrorReply: (error: unknown) => ErrorReply): FastifyReply {
  const { status, headers, body } = toErrorReply(error);
  if (status === 500) request.log.error({ err: error }, "the request failed");
  if (!reply.hasHeader("x-request-id")) prepare(request, reply);
  for (const name of ["www-authenticate", "content-encoding", "etag", "last-modified", "age", "cache-control"]) reply.removeHeader(name);
  return reply.status(status).headers(headers).type("application/json; charset=utf-8").serializer(JSON.stringify).send(body);
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

function answerParserError(error: Error & { code?: string }, socket: Socket, toErrorReply: (error: unknown) => ErrorReply): void {
  if (error.code === "ECONNRESET" || !socket.writable) {
    socket.destroy();
    return;
  }
  const { status, headers, body } = toErrorReply(toParserRefusal(error));
  const payload = JSON.stringify(body);
  const lines = Object.entries({
    "content-type": "application/json; charset=utf-8",
    "content-length": String(Buffer.byteLength(payload)),
    "x-request-id": uuidv7(),
    vary: "Accept-Encoding",
    connection: "close",
    ...headers,
  }).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join("")}\r\n${payload}`);
}
