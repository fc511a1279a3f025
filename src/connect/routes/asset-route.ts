import type { HttpApp } from "../../platform/http/index.ts";
import { findAsset } from "../assets.ts";
import type { PageReplies } from "./page-replies.ts";

/** Browsers may keep a file for ever, because its address holds its digest. */
export function registerAssetRoute(scope: HttpApp, { pages }: { pages: PageReplies }): void {
  scope.route({
    method: "GET",
    url: "/connect/assets/:digest/:name",
    config: { rateLimitClass: "wide" },
    schema: { hide: true },
    handler: async (request, reply) => {
      const asset = findAsset(request.url.split("?", 1)[0] ?? "");
      if (!asset) return pages.sendError(request, reply, "unknown");
      reply.headers({
        "cache-control": "public, max-age=31536000, immutable",
        "x-content-type-options": "nosniff",
      });
      return await asset.document.send(request, reply);
    },
  });
}
