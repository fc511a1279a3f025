import type { HttpApp } from "../../platform/http/index.ts";
import { registerMetadataRoute } from "./metadata-route.ts";
import { registerConnectPages, type PageDependencies } from "./page-scope.ts";
import { registerSessionRoute } from "./session-route.ts";

/** The links that a client's server makes, the description of the sign-in for OAuth clients, and its pages. */
export async function registerConnect(app: HttpApp, dependencies: PageDependencies): Promise<void> {
  await registerSessionRoute(app, dependencies);
  registerMetadataRoute(app, dependencies.issuer);
  await registerConnectPages(app, dependencies);
}
