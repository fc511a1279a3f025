import type { FastifyReply, FastifyRequest } from "fastify";
import { NotFound } from "../model/index.ts";
import type { HttpApp } from "../platform/http/index.ts";
import type { Library } from "./library.ts";
import type { Demo } from "./pages/start-page.ts";
import { setPageHeaders, wantsJson } from "./page-headers.ts";

interface GuideDependencies {
  loadLibrary: () => Promise<Library>;
  isSecure: boolean;
  /** In local mode only: finds the token of the sandbox. */
  findDemo?: (() => Promise<Pick<Demo, "sandboxToken"> | undefined>) | undefined;
}

/** Where pages and the description were before. */
const moved: Record<string, string> = {
  "/docs/": "/docs",
  "/docs/json": "/openapi.json",
  "/docs/try": "/docs/reference",
  "/docs/try/": "/docs/reference",
  "/docs/try/json": "/openapi.json",
};
const mostCharacters = 200;
const route = {
  method: "GET" as const,
  config: { rateLimitClass: "wide" as const },
  schema: { hide: true },
};

/** The guides and the reference, and the search in both. No page needs a script to be read. */
export function registerGuideRoutes(
  app: HttpApp,
  { loadLibrary, isSecure, findDemo }: GuideDependencies,
): void {
  const sendPage = async (request: FastifyRequest, reply: FastifyReply) => {
    const path = request.url.split("?", 1)[0] ?? "";
    const library = await loadLibrary();
    const document = await library.find(path);
    if (!document && wantsJson(request)) throw new NotFound(path, "There is nothing at this path.");
    setPageHeaders(reply, { isSecure });
    if (document) return await document.send(request, reply);
    const markup = library.renderMissing().toString();
    return reply.status(404).type("text/html; charset=utf-8").send(markup);
  };

  for (const url of [
    "/docs",
    "/docs/:page",
    "/docs/pictures/:page",
    "/docs/providers/:page",
    "/docs/runbooks/:page",
    "/docs/reference/:operation",
    "/llms.txt",
  ])
    app.route({ ...route, url, handler: sendPage });

  registerSearchRoutes(app, { loadLibrary, isSecure });
  if (findDemo) registerDemoRoute(app, findDemo);
  for (const [url, target] of Object.entries(moved))
    app.route({
      ...route,
      url,
      handler: async (_request, reply) => reply.redirect(target, 308),
    });
}

function registerSearchRoutes(
  app: HttpApp,
  { loadLibrary, isSecure }: Pick<GuideDependencies, "loadLibrary" | "isSecure">,
): void {
  app.route({
    ...route,
    url: "/docs/search",
    handler: async (request, reply) => {
      const library = await loadLibrary();
      const page = await library.search(queryOf(request));
      setPageHeaders(reply, { isSecure });
      return reply
        .header("cache-control", "no-cache")
        .type("text/html; charset=utf-8")
        .send(page.toString());
    },
  });

  app.route({
    ...route,
    url: "/docs/search/hits",
    handler: async (request, reply) => {
      const library = await loadLibrary();
      reply.header("cache-control", "no-cache");
      return await library.findHits(queryOf(request));
    },
  });
}

/** For the forms of the reference. */
function registerDemoRoute(
  app: HttpApp,
  findDemo: NonNullable<GuideDependencies["findDemo"]>,
): void {
  app.route({
    ...route,
    url: "/docs/demo",
    handler: async (_request, reply) => {
      const demo = await findDemo();
      reply.header("cache-control", "no-store");
      return { token: demo?.sandboxToken ?? "" };
    },
  });
}

function queryOf({ url }: FastifyRequest): string {
  const query = new URLSearchParams(url.split("?")[1]).get("q") ?? "";
  return query.trim().slice(0, mostCharacters);
}
