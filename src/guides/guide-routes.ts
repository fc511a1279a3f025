import type { FastifyReply, FastifyRequest } from "fastify";
import { NotFound } from "../model/index.ts";
import type { HttpApp } from "../platform/http/index.ts";
import type { Library } from "./library.ts";
import type { Site } from "./pages/layout.ts";
import type { Demo } from "./pages/start-page.ts";

interface PageDependencies {
  /** A page loads nothing from other hosts. Its scripts are files; without them it has everything to read and to find. */
  headers: Readonly<Record<string, string>>;
  /** In local mode only: finds the demo client. */
  findDemo?: (() => Promise<Demo | undefined>) | undefined;
}

interface GuideDependencies extends PageDependencies {
  loadLibrary: () => Promise<Library>;
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

/** A page for people at `/`. A program that asks for JSON gets what every unknown path answers. */
export function registerStartRoute(
  app: HttpApp,
  { site, baseUrl, headers, findDemo }: PageDependencies & { site: Site; baseUrl: string },
): void {
  app.route({
    ...route,
    url: "/",
    handler: async (request, reply) => {
      reply.header("vary", "Accept-Encoding, Accept");
      if (wantsJson(request)) throw new NotFound("/", "There is nothing at this path.");
      const { startPage } = await import("./pages/start-page.ts");
      const page = startPage(site, baseUrl, findDemo && { demo: await findDemo() });
      return reply
        .headers(headers)
        .header("cache-control", "no-store")
        .type("text/html; charset=utf-8")
        .send(page.toString());
    },
  });
}

/** The guides and the reference, and the search in both. No page needs a script to be read. */
export function registerGuideRoutes(
  app: HttpApp,
  { loadLibrary, headers, findDemo }: GuideDependencies,
): void {
  const sendPage = async (request: FastifyRequest, reply: FastifyReply) => {
    const path = request.url.split("?", 1)[0] ?? "";
    const library = await loadLibrary();
    const document = await library.find(path);
    if (!document && wantsJson(request)) throw new NotFound(path, "There is nothing at this path.");
    reply.headers(headers);
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

  registerSearchRoutes(app, { loadLibrary, headers });
  if (findDemo) registerDemoRoute(app, findDemo);
  for (const [url, target] of Object.entries(moved))
    app.route({
      ...route,
      url,
      handler: async (_request, reply) => reply.redirect(target, 308),
    });
}

function registerSearchRoutes(app: HttpApp, { loadLibrary, headers }: GuideDependencies): void {
  app.route({
    ...route,
    url: "/docs/search",
    handler: async (request, reply) => {
      const library = await loadLibrary();
      const page = await library.search(queryOf(request));
      return reply
        .headers(headers)
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

/** Whether the caller is a program that reads JSON. A browser accepts HTML; so does a caller without a preference. */
function wantsJson({ headers: { accept = "" } }: FastifyRequest): boolean {
  return /\/(?:[\w.-]+\+)?json\b/i.test(accept) && !/\btext\/html\b/i.test(accept);
}

function queryOf({ url }: FastifyRequest): string {
  const query = new URLSearchParams(url.split("?")[1]).get("q") ?? "";
  return query.trim().slice(0, mostCharacters);
}
