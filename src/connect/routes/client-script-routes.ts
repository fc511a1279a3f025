import { readFileSync } from "node:fs";
import { FixedDocument, type HttpApp } from "../../platform/http/index.ts";

const files = [
  { name: "rollcall-connect.js", type: "text/javascript; charset=utf-8" },
  { name: "rollcall-connect.d.ts", type: "text/plain; charset=utf-8" },
];

/** Any site may load the script, with a check of its integrity too. A new version is there within an hour. */
const headers = {
  "cache-control": "public, max-age=3600, must-revalidate",
  "access-control-allow-origin": "*",
  "cross-origin-resource-policy": "cross-origin",
  "x-content-type-options": "nosniff",
};

/** The script that an application opens the sign-in in a popup with, and its types. */
export function registerClientScriptRoutes(scope: HttpApp): void {
  for (const { name, type } of files) {
    const bytes = readFileSync(new URL(`../assets/${name}`, import.meta.url));
    const document = new FixedDocument({ type, bytes });
    scope.route({
      method: "GET",
      url: `/connect/${name}`,
      config: { rateLimitClass: "wide" },
      schema: { hide: true },
      handler: async (request, reply) => await document.send(request, reply.headers(headers)),
    });
  }
}
