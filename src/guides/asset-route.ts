import { NotFound } from "../errors.ts";
import type { HttpApp } from "../platform/http/index.ts";
import { assets } from "./assets.ts";

/** Browsers may keep a file for ever, because its address holds its digest. */
export function registerAssetRoute(app: HttpApp): void {
  app.route({
    method: "GET",
    url: "/docs/assets/:digest/:name",
    config: { rateLimitClass: "wide" },
    schema: { hide: true },
    handler: async (request, reply) => {
      const path = request.url.split("?", 1)[0] ?? "";
      const asset = Object.values(assets).find((candidate) => candidate.path === path);
      if (!asset) throw new NotFound(path, "There is nothing at this path.");
      reply.headers({
        "cache-control": "public, max-age=31536000, immutable",
        "x-content-type-options": "nosniff",
      });
      return await asset.document.send(request, reply);
    },
  });
}
