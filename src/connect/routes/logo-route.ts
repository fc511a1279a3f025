import { logoPath } from "../../clients/index.ts";
import { immutableHeaders, type HttpApp } from "../../platform/http/index.ts";
import { pictureHeaders } from "../../platform/pictures/picture.ts";
import type { PageServices } from "../services.ts";

const digestPattern = /^[\w-]{43}$/;

/** The picture of a client. Its address holds its digest, so a browser may keep it for ever. */
export function registerLogoRoute(
  scope: HttpApp,
  { clients, pages }: Pick<PageServices, "clients" | "pages">,
): void {
  scope.route({
    method: "GET",
    url: logoPath(":digest"),
    config: { rateLimitClass: "wide" },
    schema: { hide: true },
    handler: async (request, reply) => {
      const { digest } = request.params as { digest: string };
      const png = digestPattern.test(digest) ? await clients.findLogo(digest) : undefined;
      if (!png) return pages.sendError(request, reply, "unknown");
      return await reply
        .headers({
          ...immutableHeaders,
          ...pictureHeaders,
        })
        .type("image/png")
        .send(png);
    },
  });
}
