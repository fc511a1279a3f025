import { immutableHeaders, type HttpApp } from "../../platform/http/index.ts";
import { colorFolder, findColorStyle } from "../color-style.ts";
import type { PageReplies } from "./page-replies.ts";

/** The style of a colour, of the operator or of a client. It names neither. */
export function registerColorRoute(scope: HttpApp, pages: PageReplies): void {
  scope.route({
    method: "GET",
    url: `${colorFolder}/:color/:digest/brand.css`,
    config: { rateLimitClass: "wide" },
    schema: { hide: true },
    handler: async (request, reply) => {
      const [path = ""] = request.url.split("?", 1);
      const style = findColorStyle(path);
      if (!style) return pages.sendError(request, reply, "unknown");
      return await style.document.send(request, reply.headers(immutableHeaders));
    },
  });
}
