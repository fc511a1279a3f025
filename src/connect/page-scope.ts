import cookie from "@fastify/cookie";
import formbody from "@fastify/formbody";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { Clients } from "../clients/index.ts";
import { isDomainError } from "../errors.ts";
import type { Environment } from "../platform/crypto/index.ts";
import { isDatabaseUnavailable } from "../platform/db/index.ts";
import { toProtocolRefusal, type HttpApp } from "../platform/http/index.ts";
import type { ProviderRegistry } from "../providers/index.ts";
import { findAsset } from "./assets.ts";
import { BrowserSession } from "./browser-session.ts";
import { registerExampleRoutes, type DemoClient } from "./example-routes.ts";
import { registerFlowRoutes } from "./flow-routes.ts";
import type { Flows } from "./flows.ts";
import {
  errorPage,
  errorStatuses,
  type ErrorPageKind,
  type LinkFault,
} from "./pages/error-pages.ts";
import type { PageContext } from "./pages/layout.ts";
import { sendPage } from "./send-page.ts";
import { registerStartRoute } from "./start-route.ts";
import { chooseLocale, textsOf } from "./texts/index.ts";

export interface PageDependencies {
  flows: Flows;
  clients: Clients;
  registry: ProviderRegistry;
  environment: Environment;
  issuer: string;
  /** In local mode alone: the demo client, for the example application. */
  findDemo?: () => Promise<DemoClient | undefined>;
}

/** What the routes of the pages share. */
export interface Pages extends PageDependencies {
  browserSession: BrowserSession;
  isSecure: boolean;
  /** The language is the flow's when it has one, else the one that the address asks for, else the browser's. */
  context(request: FastifyRequest, locale?: string | null): PageContext;
  sendError(
    request: FastifyRequest,
    reply: FastifyReply,
    kind: ErrorPageKind,
    more?: { status?: number | undefined; fault?: LinkFault; locale?: string | null },
  ): FastifyReply;
}

/** The hosted sign-in: pages for people, which also say in a page what went wrong. */
export async function registerConnectPages(
  app: HttpApp,
  dependencies: PageDependencies,
): Promise<void> {
  const pages = createPages(dependencies);
  await app.register(async (inner) => {
    const scope = inner as HttpApp;
    await scope.register(cookie);
    await scope.register(formbody);
    // A redirect carries codes and states: nobody keeps it, and nobody is told where it came from.
    scope.addHook(
      "onRequest",
      async (_request, reply) =>
        void reply.headers({ "cache-control": "no-store", "referrer-policy": "no-referrer" }),
    );
    scope.setErrorHandler((error, request, reply) => {
      const kind = kindOf(error);
      if (kind === "server") request.log.error({ err: error }, "a connect page failed");
      if (kind === "tooMany" || kind === "unavailable")
        reply.header("retry-after", String(secondsToWait(error)));
      return pages.sendError(request, reply, kind, { status: toProtocolRefusal(error)?.status });
    });
    registerStartRoute(scope, pages);
    registerFlowRoutes(scope, pages);
    if (dependencies.findDemo) registerExampleRoutes(scope, pages, dependencies.findDemo);
    scope.route({
      method: "GET",
      url: "/connect/assets/:digest/:name",
      config: { rateLimitClass: "wide" },
      schema: { hide: true },
      handler: async (request, reply) => {
        const asset = findAsset(request.url.split("?", 1)[0] ?? "");
        if (!asset) return pages.sendError(request, reply, "unknown");
        return reply
          .headers({
            "cache-control": "public, max-age=31536000, immutable",
            "x-content-type-options": "nosniff",
          })
          .type(asset.type)
          .send(asset.content);
      },
    });
  });
}

function createPages(dependencies: PageDependencies): Pages {
  const { environment, issuer } = dependencies;
  const isSecure = issuer.startsWith("https:");
  return {
    ...dependencies,
    browserSession: new BrowserSession({ environment, issuer }),
    isSecure,
    context: pageContext,
    sendError: (request, reply, kind, { status = errorStatuses[kind], fault, locale } = {}) =>
      sendPage(reply, errorPage(pageContext(request, locale), kind, fault), { status, isSecure }),
  };
}

function pageContext(request: FastifyRequest, ofFlow?: string | null): PageContext {
  const query = request.query as Record<string, unknown>;
  const asked = [query["lang"], ofFlow, query["locale"]].find((value) => typeof value === "string");
  const locale = chooseLocale(asked, request.headers["accept-language"]);
  return { locale, texts: textsOf[locale], here: hereOf(request) };
}

/** The answer to a form has no address of its own; the form's flow has one. */
function hereOf({ method, raw: { url = "" } }: FastifyRequest): string {
  if (!url.startsWith("/connect")) return "/connect";
  return method === "GET" ? url : (url.split("?", 1)[0] ?? "").split("/", 3).join("/");
}

const databaseRetrySeconds = 2;

function secondsToWait(error: unknown): number {
  const seconds =
    isDomainError(error) && "retryAfterSeconds" in error
      ? error.retryAfterSeconds
      : databaseRetrySeconds;
  return Math.max(1, Math.ceil(seconds));
}

function kindOf(error: unknown): ErrorPageKind {
  if (isDatabaseUnavailable(error)) return "unavailable";
  if (isDomainError(error))
    return error.kind === "rate-limited"
      ? "tooMany"
      : error.kind === "unavailable"
        ? "unavailable"
        : "link";
  return toProtocolRefusal(error) ? "link" : "server";
}
