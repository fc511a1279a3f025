import { readFileSync } from "node:fs";
import { NotFound, apiVersion } from "../model/index.ts";
import { addSeconds, type Clock } from "../platform/clock.ts";
import { faviconFile } from "../platform/html/index.ts";
import { FixedDocument, type HttpApp } from "../platform/http/index.ts";

interface SiteDependencies {
  clock: Clock;
  /** The service base address. */
  issuer: string;
  /** An address of the operator for reports of weaknesses, if there is one. */
  securityContact: string | undefined;
}

const text = "text/plain; charset=utf-8";
/** RFC 9116 wants a moment that is less than a year away. */
const validSeconds = 180 * 24 * 60 * 60;

/** What browsers, search engines and people who found a weakness look for at fixed addresses. */
export function registerSiteFiles(
  app: HttpApp,
  { clock, issuer, securityContact }: SiteDependencies,
): void {
  const route = {
    method: "GET" as const,
    config: { rateLimitClass: "wide" as const },
    schema: { hide: true },
  };
  const favicon = new FixedDocument({ type: "image/x-icon", bytes: readFileSync(faviconFile) });
  // A sign-in link and the data are for nobody who collects pages.
  const robots = new FixedDocument({
    type: text,
    bytes: `User-agent: *\nDisallow: /connect\nDisallow: /${apiVersion}/\n`,
  });
  const documents = { "/favicon.ico": favicon, "/robots.txt": robots };
  for (const [url, document] of Object.entries(documents))
    app.route({
      ...route,
      url,
      handler: async (request, reply) =>
        await document.send(request, reply.header("cache-control", "public, max-age=86400")),
    });

  const url = "/.well-known/security.txt";
  app.route({
    ...route,
    url,
    handler: async (_request, reply) => {
      if (securityContact === undefined) throw new NotFound(url, "There is nothing at this path.");
      const expires = addSeconds(clock.now(), validSeconds).toISOString();
      return reply
        .type(text)
        .header("cache-control", "public, max-age=86400")
        .send(
          `Contact: ${securityContact}\nExpires: ${expires}\n` +
            `Preferred-Languages: en\nCanonical: ${issuer}${url}\n`,
        );
    },
  });
}
