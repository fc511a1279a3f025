import type { FastifyInstance, FastifyRequest } from "fastify";
import { enterSpan, type Span, type Tracing } from "../tracing/index.ts";
import { onRequestEnd } from "./request-end.ts";

/** They are asked for every few seconds, and tell nothing. */
const untraced = new Set(["/healthz", "/readyz"]);

/**
 * A span for each request: its route as a pattern, and ids. A trace of the caller goes on here only where the operator
 * trusts callers: its id joins what strangers choose, and its flag has every request of theirs kept.
 */
export function traceRequests(
  app: FastifyInstance,
  { tracing, trustsTraceparent }: { tracing: Tracing; trustsTraceparent: boolean },
): void {
  const spans = new WeakMap<FastifyRequest, Span>();
  app.addHook("onRequest", (request, _reply, done) => {
    const { url: route } = request.routeOptions;
    if (route !== undefined && untraced.has(route)) return done();
    const given = trustsTraceparent ? request.headers["traceparent"] : undefined;
    const span = tracing.begin(
      {
        name: route === undefined ? request.method : `${request.method} ${route}`,
        kind: "server",
        attributes: {
          "http.request.method": request.method,
          "http.route": route,
          "rollcall.request_id": request.id,
        },
      },
      typeof given === "string" ? given : null,
    );
    spans.set(request, span);
    enterSpan(span, done);
  });
  onRequestEnd(app, (request, _reply, status) => {
    const span = spans.get(request);
    if (!span) return;
    const { clientId, tokenId } = request.logIds;
    span.set({
      "http.response.status_code": status,
      "rollcall.client_id": clientId,
      "rollcall.token_id": tokenId,
    });
    if (status >= 500) span.fail(String(status));
    span.end();
  });
}
