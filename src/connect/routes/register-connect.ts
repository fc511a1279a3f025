import type { HttpApp } from "../../platform/http/index.ts";
import { registerMetadataRoute } from "./metadata-route.ts";
import { registerConnectPages, type ConnectPages, type PageDependencies } from "./page-scope.ts";
import { registerSessionRoute } from "./session-route.ts";

export type { ConnectPages } from "./page-scope.ts";

/** The links that a client's server makes, the description of the sign-in for OAuth clients, and its pages. */
export async function registerConnect(
  app: HttpApp,
  dependencies: PageDependencies,
): Promise<ConnectPages> {
  await registerSessionRoute(app, dependencies);
  registerMetadataRoute(app, dependencies.issuer);
  return await registerConnectPages(app, dependencies);
}
