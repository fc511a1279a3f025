import cookie from "@fastify/cookie";
import type { FastifyReply, FastifyRequest } from "fastify";
import { isDomainError } from "../../model/index.ts";
import { isDatabaseUnavailable } from "../../platform/db/index.ts";
import {
  registerAssetRoute,
  takeForms,
  toProtocolRefusal,
  type HttpApp,
} from "../../platform/http/index.ts";
import { listBrandAssets, loadBrand, type BrandOptions } from "../brand.ts";
import { assetFolder, assets } from "../assets.ts";
import type { PageServices, Services } from "../services.ts";
import type { ErrorPageKind } from "../pages/error-pages.ts";
import { registerAccessRoutes } from "./access-routes.ts";
import { BrowserSession } from "./browser-session.ts";
import { registerCallbackRoute } from "./callback-route.ts";
import { registerClientScriptRoutes } from "./client-script-routes.ts";
import { registerColorRoute } from "./color-route.ts";
import { registerExampleRoutes, type DemoClient } from "./example-routes.ts";
import { registerFlowFormRoutes } from "./flow-form-routes.ts";
import { registerFlowRoutes } from "./flow-routes.ts";
import { registerHandoverRoute } from "./handover-route.ts";
import { registerLogoRoute } from "./logo-route.ts";
import { PageReplies } from "./page-replies.ts";
import { registerRecipeRoute } from "./recipe-route.ts";
import { registerStartRoute } from "./start-route.ts";
import { registerMetadataRoute } from "./metadata-route.ts";
import { registerSessionRoute } from "./session-route.ts";

/** The links that a client's server makes, the description of the sign-in for OAuth clients, and its pages. */
export async function registerConnect(
  app: HttpApp,
  dependencies: PageDependencies,
): Promise<ConnectPages> {
  await registerSessionRoute(app, dependencies);
  registerMetadataRoute(app, dependencies.issuer);
  return await registerConnectPages(app, dependencies);
}

interface PageDependencies extends Services {
  brand: BrandOptions;
  /** In local mode only: finds the demo client, for the example application. */
  findDemo?: () => Promise<DemoClient | undefined>;
}

/** What other rooms show in the frame of these pages. */
export interface ConnectPages {
  /** For a browser at an address that nothing is at. */
  sendNowhere: (request: FastifyRequest, reply: FastifyReply) => FastifyReply;
}

const databaseRetrySeconds = 2;

/** The hosted sign-in: pages for people. What goes wrong is shown in a page, too. */
async function registerConnectPages(
  app: HttpApp,
  dependencies: PageDependencies,
): Promise<ConnectPages> {
  const { findDemo, registry } = dependencies;
  const brand = loadBrand(dependencies.brand, registry);
  const pages = new PageReplies({ issuer: dependencies.issuer, brand });
  const browserSession = new BrowserSession(dependencies);
  await app.register(async (inner) => {
    const scope = inner as HttpApp;
    await scope.register(cookie);
    takeForms(scope);
    // A redirect carries codes and states: nobody may store it, and no request may name its address.
    scope.addHook(
      "onRequest",
      async (_request, reply) =>
        void reply.headers({ "cache-control": "no-store", "referrer-policy": "no-referrer" }),
    );
    scope.setErrorHandler((error, request, reply) => {
      const kind = kindOf(error);
      if (kind === "server")
        request.log.error({ err: error }, "a connect page failed; an error page was sent");
      if (kind === "tooMany" || kind === "unavailable")
        reply.header("retry-after", String(secondsToWait(error)));
      return pages.sendError(request, reply, kind, { status: toProtocolRefusal(error)?.status });
    });
    const services: PageServices = { ...dependencies, pages, browserSession };
    registerStartRoute(scope, services);
    registerRecipeRoute(scope, services);
    registerAccessRoutes(scope, services);
    registerCallbackRoute(scope, services);
    registerHandoverRoute(scope, services);
    registerFlowRoutes(scope, services);
    registerFlowFormRoutes(scope, services);
    if (findDemo) registerExampleRoutes(scope, services, findDemo);
    registerAssetRoute(scope, {
      folder: assetFolder,
      assets: [...Object.values(assets), ...listBrandAssets(brand)],
      refuse: (request, reply) => pages.sendError(request, reply, "unknown"),
    });
    registerColorRoute(scope, pages);
    registerClientScriptRoutes(scope);
    registerLogoRoute(scope, services);
  });
  return { sendNowhere: (request, reply) => pages.sendError(request, reply, "nowhere") };
}

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
