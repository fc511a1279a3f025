import type { Server } from "node:http";
import { isWindowOfClient } from "../clients/index.ts";
import { RateLimited } from "../model/index.ts";
import {
  createHttpApp,
  RateLimitStore,
  rateLimitWindows,
  registerRateLimits,
  type HttpApp,
} from "../platform/http/index.ts";
import { toErrorReply } from "./error-replies.ts";
import type { Services } from "./services.ts";

/** What an app without routes is built of. */
type LimitedAppServices = Pick<
  Services,
  "config" | "redisUrl" | "clock" | "log" | "metrics" | "tracing"
>;

/** An app with the limits of the service and no routes. Closing it also closes what only it uses. */
export async function createLimitedApp(
  services: LimitedAppServices,
  server?: Server,
): Promise<HttpApp> {
  const { config, log, metrics, tracing } = services;
  const app = await createHttpApp({
    log,
    trustProxy: config.trustProxy,
    isSecure: config.publicUrl.startsWith("https:"),
    toErrorReply,
    onReply: (request, seconds, clientId) => metrics.countRequest(request, seconds, clientId),
    server,
    tracing,
    trustsTraceparent: config.trustsTraceparent,
  });
  await limitRates(app, services);
  return app;
}

async function limitRates(
  app: HttpApp,
  { config, redisUrl, clock, log, metrics }: LimitedAppServices,
): Promise<void> {
  const store = new RateLimitStore({
    clock,
    log,
    redis: redisUrl ? { url: redisUrl, prefix: config.redisPrefix } : undefined,
    isKept: isWindowOfClient,
    onFallback: () => metrics.limitsCountedInProcess.inc(),
  });
  await store.ready();
  app.addHook("onClose", async () => store.close());
  await registerRateLimits(app, {
    windows: rateLimitWindows(config.rateLimits),
    store,
    refuse: (seconds, message) => new RateLimited(seconds, message),
  });
}
