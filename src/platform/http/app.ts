import { METHODS, type Server } from "node:http";
import type { Socket } from "node:net";
import { constants } from "node:zlib";
import compress from "@fastify/compress";
import { fastify, type FastifyInstance, type FastifyReply, type FastifyRequest } from "fastify";
import {
  serializerCompiler,
  validatorCompiler,
  type ZodTypeProvider,
} from "fastify-type-provider-zod";
import type { Log } from "../log.ts";
import { encodings, negotiateEncoding, type Encoding } from "./accept-encoding.ts";
import { drainOnClose, OpenRequests } from "./open-requests.ts";
import { type ToErrorReply, ProtocolRefusal } from "./protocol-refusal.ts";
import { allowEverySite, securityHeaders } from "./security-headers.ts";
import { registerJsonBody, hasTooManyParameters, tooManyParameters } from "./body-parsers.ts";
import { breakOtherProtocols, maxUrlLength, serverLimits, createRequestIds } from "./server.ts";
import { RawReplies } from "./raw-replies.ts";
import { onRequestEnd, RequestLogController } from "./request-end.ts";
import type { Tracing } from "../tracing/index.ts";
import { traceRequests } from "./trace-requests.ts";

export interface HttpAppOptions {
  log: Log;
  trustProxy: readonly string[];
  /** The service is reached over https. */
  isSecure: boolean;
  toErrorReply: ToErrorReply;
  /**
   * Called at the end of each request, with the pattern of its route and the client that has proved who it is. The
   * status is as `onRequestEnd` tells it.
   */
  onReply: (
    request: { method: string; route: string; status: number },
    seconds: number,
    clientId: string | undefined,
  ) => void;
  /** One that listens already. It is closed with the app. */
  server?: Server | undefined;
  tracing: Tracing;
  trustsTraceparent: boolean;
}

// oxlint-disable-next-line typescript/no-explicit-any
export type HttpApp = FastifyInstance<any, any, any, any, ZodTypeProvider>;

declare module "fastify" {
  interface FastifyContextConfig {
    /** Pages of other sites may read the replies, which are the same for everybody. */
    isForEverySite?: boolean;
  }
  interface FastifyRequest {
    /** The encoding of the reply. */
    replyEncoding: Encoding;
    /** For the log line of the request. Ids and nothing else. */
    logIds: Record<string, string>;
  }
}

const maxBodyBytes = 65_536;
const compressible = /^text\/(?!event-stream)|(?:\+|\/)(?:json|xml|text|javascript)(?:;|$)/u;

/**
 * A Fastify instance with our defaults. Every error is JSON in the shape of the specification, even the
 * reply to malformed HTTP. Every reply has a request id and the compression that the caller asked for.
 */
export async function createHttpApp({
  log,
  trustProxy,
  isSecure,
  toErrorReply,
  onReply,
  server,
  ...traced
}: HttpAppOptions): Promise<HttpApp> {
  const openRequests = new OpenRequests();
  const everyReply = { vary: "Accept-Encoding", ...securityHeaders({ isSecure }) };
  const rawReplies = new RawReplies({ log, openRequests, everyReply, toErrorReply });
  const app = fastify({
    loggerInstance: log,
    logController: new RequestLogController(),
    trustProxy: trustProxy.length > 0 ? [...trustProxy] : false,
    genReqId: createRequestIds(),
    bodyLimit: maxBodyBytes,
    ...serverLimits,
    ...(server && { serverFactory: () => server }),
    return503OnClosing: false,
    routerOptions: { maxParamLength: maxUrlLength },
    rewriteUrl: ({ url = "/" }) => (isDecodable(url) ? url : "/undecodable"),
    clientErrorHandler: (error, socket) => rawReplies.answerParserError(error, socket),
    frameworkErrors: (error, request, reply) =>
      void sendError(
        error,
        request,
        prepare(request, reply as FastifyReply, everyReply),
        toErrorReply,
      ),
  }).withTypeProvider<ZodTypeProvider>() as unknown as HttpApp;

  app.setValidatorCompiler(validatorCompiler);
  app.setSerializerCompiler(serializerCompiler);
  app.setErrorHandler((error, request, reply) => sendError(error, request, reply, toErrorReply));
  registerJsonBody(app);
  app.decorateRequest("replyEncoding", "identity");
  app.decorateRequest("logIds");
  takeEveryMethod(app, rawReplies);

  openRequests.watch(app);
  if (traced.tracing.isOn) traceRequests(app, traced);
  drainOnClose(app, { openRequests, isProxied: trustProxy.length > 0 });
  if (server)
    app.addHook("preClose", (done) => {
      server.close(() => done());
    });
  logRequests(app, log, onReply);
  prepareReplies(app, everyReply);
  if (trustProxy.length === 0) warnOfUnnamedProxy(app, log);
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

/** Every request of HTTP is answered by the app, and no other protocol. */
function takeEveryMethod(app: HttpApp, rawReplies: RawReplies): void {
  for (const method of METHODS.filter(
    (name) => name !== "CONNECT" && !app.supportedMethods.includes(name),
  ))
    app.addHttpMethod(method);
  const server = app.server as Server;
  breakOtherProtocols(server);
  server.on("checkExpectation", (request, response) => app.routing(request, response));
  server.on("connect", (request, socket) => rawReplies.answerConnect(request, socket as Socket));
}

function prepareReplies(app: HttpApp, everyReply: Record<string, string>): void {
  app.addHook("onRequest", (request, reply, done) => {
    prepare(request, reply, everyReply);
    if (request.routeOptions.config.isForEverySite) allowEverySite(reply);
    done(findFault(request));
  });
}

/** The compression plugin sees only the encoding chosen here, so stored and fresh bodies follow one rule. */
function prepare(
  request: FastifyRequest,
  reply: FastifyReply,
  everyReply: Record<string, string>,
): FastifyReply {
  request.logIds = {};
  request.replyEncoding = negotiateEncoding(request.headers["accept-encoding"]);
  request.headers["accept-encoding"] = request.replyEncoding;
  delete request.headers["x-no-compression"];
  return reply.header("x-request-id", request.id).headers(everyReply);
}

/** What is wrong with the request line and the host, if anything. An & in the path counts as one in the query. */
function findFault({ raw, originalUrl }: FastifyRequest): ProtocolRefusal | undefined {
  if (originalUrl.length > maxUrlLength) return new ProtocolRefusal(414, "The URL is too long.");
  if (!isDecodable(originalUrl))
    return new ProtocolRefusal(400, "The request is not valid.", "path: is not a valid URL path");
  if (hasTooManyParameters(originalUrl))
    return new ProtocolRefusal(400, "The request is not valid.", `query: ${tooManyParameters}`);
  if (raw.httpVersion !== "1.1" && raw.httpVersion !== "1.0")
    return new ProtocolRefusal(
      400,
      "The request is not valid.",
      "request: is HTTP/1.1 or HTTP/1.0",
    );
  const hosts = countHosts(raw.rawHeaders);
  if (hosts > 1 || (hosts === 0 && raw.httpVersion === "1.1"))
    return new ProtocolRefusal(400, "The request is not valid.", "host: is required once");
  return undefined;
}

/** Names and values take turns. */
function countHosts(rawHeaders: readonly string[]): number {
  let hosts = 0;
  for (let name = 0; name < rawHeaders.length; name += 2)
    if (rawHeaders[name]?.length === 4 && rawHeaders[name]?.toLowerCase() === "host") hosts += 1;
  return hosts;
}

function isDecodable(url: string): boolean {
  if (!url.includes("%")) return true;
  try {
    decodeURIComponent(url.split("?", 1)[0] ?? "");
    return true;
  } catch {
    return false;
  }
}

/** The length is unknown for a HEAD whose GET would be compressed. */
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
  if (status === 500)
    request.log.error(
      { err: error },
      "the request failed with an unknown error; the reply is a 500",
    );
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

/** Behind a proxy that is not named all callers have one address, and the rate limits stop them together. */
function warnOfUnnamedProxy(app: HttpApp, log: Log): void {
  let isTold = false;
  app.addHook("onRequest", (request, _reply, done) => {
    if (!isTold && request.headers["x-forwarded-for"] !== undefined) {
      isTold = true;
      log.warn(
        "a request brings X-Forwarded-For, and TRUST_PROXY names no proxy: the header is not believed. Behind a " +
          "proxy all callers count as one; set TRUST_PROXY to the addresses of the proxy",
      );
    }
    done();
  });
}

/** A line for each request. It holds ids and counts, so nothing in it can need redaction. */
function logRequests(app: HttpApp, log: Log, onReply: HttpAppOptions["onReply"]): void {
  const requestLog = log.child({}, { redact: [] });
  onRequestEnd(app, (request, reply, status) => {
    const answered = {
      method: request.method,
      route: request.routeOptions.url ?? "(none)",
      status,
    };
    requestLog.info({
      reqId: request.id,
      ...answered,
      ms: Math.round(reply.elapsedTime * 10) / 10,
      ...request.logIds,
    });
    onReply(answered, reply.elapsedTime / 1_000, request.logIds["clientId"]);
  });
}
