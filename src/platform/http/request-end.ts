import { AsyncResource } from "node:async_hooks";
import {
  LogController,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
} from "fastify";

/** The caller closed the connection before it had the whole reply. No caller sees this status. */
const callerLeft = 499;

const failedReplies = new WeakSet<FastifyRequest>();

/**
 * Fastify's lines of requests are ours instead, but for one: the service failed after the head of the reply was sent,
 * so that no error reply can tell.
 */
export class RequestLogController extends LogController {
  constructor() {
    super({ disableRequestLogging: true });
  }

  override streamError(error: Error, request: FastifyRequest): void {
    if ("code" in error && error.code === "ERR_STREAM_PREMATURE_CLOSE") return;
    failedReplies.add(request);
    request.log.error({ err: error }, "the reply broke off after a part of it was sent");
  }
}

/**
 * Calls once for each request, also when its reply breaks off, where Fastify's `onResponse` does not run. The status is
 * that of the reply; 499 when the caller left before its end, and 500 when the service failed after its head.
 */
export function onRequestEnd(
  app: FastifyInstance,
  listener: (request: FastifyRequest, reply: FastifyReply, status: number) => void,
): void {
  app.addHook("onRequest", (request, reply, done) => {
    const end = (): void => listener(request, reply, endStatus(request, reply));
    reply.raw.once("close", AsyncResource.bind(end));
    done();
  });
}

function endStatus(request: FastifyRequest, reply: FastifyReply): number {
  if (reply.raw.writableFinished) return reply.statusCode;
  return failedReplies.has(request) ? 500 : callerLeft;
}
