import type { FastifyReply, FastifyRequest } from "fastify";
import { NotFound } from "../model/index.ts";
import type { HttpApp } from "../platform/http/index.ts";
import type { Library } from "./library.ts";
import { setPageHeaders, wantsJson } from "./page-headers.ts";

interface GuideDependencies {
  loadLibrary: () => Promise<Library>;
  isSecure: boolean;
}

/** Where the page of Swagger UI and its files were before. */
const moved: Record<string, string> = {
  "/docs/": "/docs",
  "/docs/json": "/docs/try/json",
  "/docs/yaml": "/docs/try/yaml",
  "/docs/static/*": "/docs/try/static/",
};
const mostCharacters = 200;

/** The guides and the reference, and the search in both. No page needs a script. */
export function registerGuideRoutes(
  app: HttpApp,
  { loadLibrary, isSecure }: GuideDependencies,
): void {
  const route = {
    method: "GET" as const,
    config: { rateLimitClass: "wide" as const },
    schema: { hide: true },
  };
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
    "/docs/providers/:page",
    "/docs/reference/:operation",
    "/llms.txt",
  ])
    app.route({ ...route, url, handler: sendPage });

  app.route({
    ...route,
    url: "/docs/search",
    handler: async (request, reply) => {
      const query = new URLSearchParams(request.url.split("?")[1]).get("q") ?? "";
      const library = await loadLibrary();
      const page = await library.search(query.trim().slice(0, mostCharacters));
      setPageHeaders(reply, { isSecure });
      return reply
        .header("cache-control", "no-cache")
        .type("text/html; charset=utf-8")
        .send(page.toString());
    },
  });

  for (const [url, target] of Object.entries(moved))
    app.route({
      ...route,
      url,
      handler: async (request, reply) => {
        const { "*": file = "" } = (request.params ?? {}) as { "*"?: string };
        return reply.redirect(target + encodeURI(file), 308);
      },
    });
}
