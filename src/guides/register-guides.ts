import { NotFound } from "../model/index.ts";
import { pageHeaders, registerAssetRoute, type HttpApp } from "../platform/http/index.ts";
import { assetFolder, assets } from "./assets.ts";
import { registerGuideRoutes, registerStartRoute } from "./guide-routes.ts";
import type { Library, LibraryOptions } from "./library.ts";
import { navigationOf } from "./navigation.ts";
import type { Demo } from "./pages/start-page.ts";

export interface GuidesOptions extends LibraryOptions {
  /** In local mode only: finds the demo client. */
  findDemo?: () => Promise<Demo | undefined>;
}

/** What makes the pages is loaded when the first one is asked for, so that it costs the start nothing. */
export function registerGuides(app: HttpApp, { findDemo, ...options }: GuidesOptions): void {
  const { operatorName, baseUrl } = options;
  const headers = pageHeaders({ isSecure: baseUrl.startsWith("https:") });
  const site = { operatorName, navigation: navigationOf([]) };
  let library: Promise<Library> | undefined;
  const loadLibrary = (): Promise<Library> =>
    (library ??= import("./library.ts").then((loaded) => new loaded.Library(options)));
  registerAssetRoute(app, {
    folder: assetFolder,
    assets: Object.values(assets),
    refuse: (_request, _reply, path) => {
      throw new NotFound(path, "There is nothing at this path.");
    },
  });
  registerStartRoute(app, { site, baseUrl, headers, findDemo });
  registerGuideRoutes(app, { loadLibrary, headers, findDemo });
}
