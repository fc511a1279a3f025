import { NotFound } from "../model/index.ts";
import type { HttpApp } from "../platform/http/index.ts";
import { setPageHeaders, wantsJson } from "./page-headers.ts";
import type { Site } from "./pages/layout.ts";
import type { Demo } from "./pages/start-page.ts";

export interface StartDependencies {
  site: Site;
  baseUrl: string;
  isSecure: boolean;
  /** In local mode only: finds the demo client. */
  findDemo?: (() => Promise<Demo | undefined>) | undefined;
}

/** A page for people at `/`. A program that asks for JSON gets what every unknown path answers. */
export function registerStartRoute(
  app: HttpApp,
  { site, baseUrl, isSecure, findDemo }: StartDependencies,
): void {
  app.route({
    method: "GET",
    url: "/",
    config: { rateLimitClass: "wide" },
    schema: { hide: true },
    handler: async (request, reply) => {
      reply.header("vary", "Accept-Encoding, Accept");
      if (wantsJson(request)) throw new NotFound("/", "There is nothing at this path.");
      const { startPage } = await import("./pages/start-page.ts");
      const page = startPage(site, baseUrl, findDemo && { demo: await findDemo() });
      setPageHeaders(reply, { isSecure });
      return reply
        .header("cache-control", "no-store")
        .type("text/html; charset=utf-8")
        .send(page.toString());
    },
  });
}
