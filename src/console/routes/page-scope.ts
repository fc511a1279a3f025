import type { FastifyReply, FastifyRequest } from "fastify";
import { isDomainError } from "../../model/index.ts";
import { isDatabaseUnavailable } from "../../platform/db/index.ts";
import type { Html } from "../../platform/html/index.ts";
import { pageHeaders, toProtocolRefusal, type HttpApp } from "../../platform/http/index.ts";
import { errorPage, type ErrorKind } from "../pages/error-page.ts";
import { ForeignForm } from "./check-form.ts";

const statuses: Readonly<Record<ErrorKind, number>> = {
  missing: 404,
  form: 403,
  invalid: 400,
  forbidden: 403,
  tooMany: 429,
  unavailable: 503,
  server: 500,
};

/**
 * Nobody keeps a page, and no other site is told of its address. The origin of the page is told to the service itself:
 * that is how it knows its own forms.
 */
export function prepareReplies(app: HttpApp, { isSecure }: { isSecure: boolean }): void {
  const headers = { ...pageHeaders({ isSecure }), "referrer-policy": "same-origin" };
  app.addHook(
    "onRequest",
    async (_request, reply) => void reply.headers({ ...headers, "cache-control": "no-store" }),
  );
  app.setErrorHandler((error, request, reply) => {
    const kind = kindOf(error);
    if (kind === "server")
      request.log.error({ err: error }, "a page of the console failed; an error page was sent");
    if (kind === "tooMany" || kind === "unavailable")
      reply.header("retry-after", String(secondsToWait(error)));
    return sendError(request, reply, kind, detailOf(error));
  });
}

export function sendPage(reply: FastifyReply, page: Html, status = 200): FastifyReply {
  return reply.status(status).type("text/html; charset=utf-8").send(page.toString());
}

export function sendError(
  request: FastifyRequest,
  reply: FastifyReply,
  kind: ErrorKind,
  detail?: string,
): FastifyReply {
  const { viewer, id: reference } = request;
  return sendPage(reply, errorPage(kind, { reference, viewer, detail }), statuses[kind]);
}

function kindOf(error: unknown): ErrorKind {
  if (isDatabaseUnavailable(error)) return "unavailable";
  if (!isDomainError(error)) return toProtocolRefusal(error) ? "invalid" : "server";
  switch (error.kind) {
    case "not-found":
      return "missing";
    case "forbidden":
      return error instanceof ForeignForm ? "form" : "forbidden";
    case "rate-limited":
      return "tooMany";
    case "unavailable":
      return "unavailable";
    default:
      return "invalid";
  }
}

/** What the person can do about it. */
function detailOf(error: unknown): string | undefined {
  if (!isDomainError(error)) return toProtocolRefusal(error)?.message;
  if (error.kind === "invalid-request") return error.validationError;
  const isSaid = error.kind === "conflicting-update" || kindOf(error) === "forbidden";
  return isSaid ? error.message : undefined;
}

function secondsToWait(error: unknown): number {
  const seconds =
    isDomainError(error) && "retryAfterSeconds" in error ? error.retryAfterSeconds : 2;
  return Math.max(1, Math.ceil(seconds));
}
