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
  const methodsByPattern = new Map<string, Set<string>>();
  app.addHook("onRoute", ({ url, method }) => {
    if (url === "*") return;
    const methods = methodsByPattern.get(url) ?? new Set();
    for (const name of [method].flat()) methods.add(name);
    methodsByPattern.set(url, methods);
  });

  const allowedOn = (path: string): string[] => {
    const matching = [...methodsByPattern].filter(([pattern]) => toExpression(pattern).test(path));
    return [...new Set(matching.flatMap(([, methods]) => [...methods]))].sort();
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
