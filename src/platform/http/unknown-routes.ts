import type { FastifyRequest } from "fastify";
import type { HttpApp } from "./app.ts";

interface Refusals {
  notFound: (path: string) => Error;
  methodNotAllowed: (allowed: readonly string[]) => Error;
}

/**
 * Call it before the first route, and `answerUnknown` after the last. A known path with another method gets
 * methodNotAllowed, an unknown path notFound. Both come from a route, so compression and limits apply.
 */
export function collectRoutes(app: HttpApp): { answerUnknown: (refusals: Refusals) => void } {
  const routes = new Map<string, { expression: RegExp; methods: Set<string> }>();
  app.addHook("onRoute", ({ url, method }) => {
    if (url === "*") return;
    const route = routes.get(url) ?? { expression: toExpression(url), methods: new Set() };
    for (const name of [method].flat()) route.methods.add(name);
    routes.set(url, route);
  });

  const allowedOn = (path: string): string[] => {
    const matching = routes.values().filter(({ expression }) => expression.test(path));
    return [...new Set(matching.flatMap(({ methods }) => methods))].sort();
  };

  return {
    answerUnknown: ({ notFound, methodNotAllowed }) => {
      const refuse = async (request: FastifyRequest): Promise<never> => {
        const path = pathOf(request.originalUrl);
        const allowed = allowedOn(decodeURIComponent(path));
        throw allowed.length > 0 && !allowed.includes(request.method)
          ? methodNotAllowed(allowed)
          : notFound(path);
      };
      app.route({
        method: app.supportedMethods,
        url: "*",
        exposeHeadRoute: false,
        config: { rateLimitClass: "wide" },
        schema: { hide: true },
        onRequest: refuse,
        handler: refuse,
      });
      app.setNotFoundHandler(refuse);
    },
  };
}

/** The path as it was sent, without the query and without the origin of an absolute URL. */
function pathOf(url: string): string {
  return url.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i, "").split(/[?#]/, 1)[0] || "/";
}

function toExpression(pattern: string): RegExp {
  const escaped = pattern.replaceAll(/[.+?^${}()|[\]\\]/g, String.raw`\$&`);
  return new RegExp(`^${escaped.replaceAll(/:[A-Za-z_]+/g, "[^/]+").replaceAll("*", ".*")}$`);
}
