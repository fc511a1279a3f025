import type { FastifyReply, FastifyRequest } from "fastify";
import type { HttpApp } from "./app.ts";
import { allowEverySite } from "./security-headers.ts";

interface Refusals {
  notFound: (path: string) => Error;
  methodNotAllowed: (allowed: readonly string[]) => Error;
  /** For a browser at an unknown path outside of the API, whose paths begin with `apiPath`. */
  page: { apiPath: string; send: (request: FastifyRequest, reply: FastifyReply) => FastifyReply };
}

interface KnownRoute {
  expression: RegExp;
  methods: Set<string>;
  isForEverySite: boolean;
}

/**
 * Call it before the first route, and `answerUnknown` after the last. A known path with another method gets
 * methodNotAllowed, an unknown path notFound. Both come from a route, so compression and limits apply.
 */
export function collectRoutes(app: HttpApp): { answerUnknown: (refusals: Refusals) => void } {
  const routes = new Map<string, KnownRoute>();
  app.addHook("onRoute", ({ url, method, config: { isForEverySite = false } = {} }) => {
    if (url === "*") return;
    const expression = toExpression(url);
    const route = routes.get(url) ?? { expression, methods: new Set(), isForEverySite };
    for (const name of [method].flat()) route.methods.add(name);
    routes.set(url, route);
  });

  const matching = (path: string): KnownRoute[] =>
    [...routes.values()].filter(({ expression }) => expression.test(path));

  return {
    answerUnknown: ({ notFound, methodNotAllowed, page }) => {
      const refuse = async (
        request: FastifyRequest,
        reply: FastifyReply,
      ): Promise<FastifyReply> => {
        const path = pathOf(request.originalUrl);
        const known = matching(decodeURIComponent(path));
        const allowed = [...new Set(known.flatMap(({ methods }) => [...methods]))].sort();
        if (known.some(({ isForEverySite }) => isForEverySite)) allowEverySite(reply);
        if (allowed.length > 0 && !allowed.includes(request.method))
          throw methodNotAllowed(allowed);
        if (isBelow(path, page.apiPath)) throw notFound(path);
        reply.header("vary", "Accept-Encoding, Accept");
        if (!namesHtml(request)) throw notFound(path);
        return page.send(request, reply);
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

function isBelow(path: string, parent: string): boolean {
  return path === parent || path.startsWith(`${parent}/`);
}

/** Browsers name it. A program that takes anything does not. */
function namesHtml({ headers: { accept = "" } }: FastifyRequest): boolean {
  return /\btext\/html\b/i.test(accept);
}

/** The path as it was sent, without the query and without the origin of an absolute URL. */
function pathOf(url: string): string {
  return url.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i, "").split(/[?#]/, 1)[0] || "/";
}

function toExpression(pattern: string): RegExp {
  const escaped = pattern.replaceAll(/[.+?^${}()|[\]\\]/g, String.raw`\$&`);
  return new RegExp(`^${escaped.replaceAll(/:[A-Za-z_]+/g, "[^/]+").replaceAll("*", ".*")}$`);
}
