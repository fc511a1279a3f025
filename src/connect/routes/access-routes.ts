import { z } from "zod";
import { callerAddress, callerSite, type HttpApp } from "../../platform/http/index.ts";
import { matchLocale } from "../link.ts";
import { listAccountSignIns, openAccesses } from "../open-accesses.ts";
import { chooseAccountPage } from "../pages/access-pages.ts";
import { accessesPath } from "../pages/consent.ts";
import type { PageServices } from "../services.ts";

const body = z.object({
  choice: z.string().regex(/^[a-z0-9-]+\/[a-z]+$/),
  locale: z.string().max(35).optional(),
});

/** Where an end user begins to see who has access to an account. Opening the page stores nothing. */
export function registerAccessRoutes(scope: HttpApp, dependencies: PageServices): void {
  const { browserSession, pages, registry } = dependencies;
  const route = { config: { rateLimitClass: "wide" as const }, schema: { hide: true } };

  scope.route({
    ...route,
    method: "GET",
    url: accessesPath,
    exposeHeadRoute: false,
    handler: async (request, reply) => {
      browserSession.ensure(request, reply);
      const context = pages.contextOf(request);
      const { locale } = context;
      const textsOf = (provider: string) =>
        locale === "en" ? undefined : registry.find(provider)?.texts?.[locale];
      const { q } = request.query as Record<string, unknown>;
      const search = typeof q === "string" ? q.slice(0, 100) : "";
      const offered = listAccountSignIns(dependencies);
      return pages.send(reply, chooseAccountPage(context, { offered, search }, textsOf));
    },
  });

  // Without its cookie the form comes from elsewhere: browsers send the cookie with forms of our own pages alone.
  scope.route({
    ...route,
    method: "POST",
    url: `${accessesPath}/sign-in`,
    handler: async (request, reply) => {
      const browser = browserSession.read(request);
      const parsed = body.safeParse(request.body);
      if (!browser || !parsed.success) return reply.redirect(accessesPath, 303);
      const [provider = "", mode = ""] = parsed.data.choice.split("/");
      const locale = matchLocale(parsed.data.locale) ?? pages.contextOf(request).locale;
      const opener = { address: callerAddress(request), site: callerSite(request) };
      const visitor = { browser, opener, locale };
      const flow = await openAccesses(dependencies, { provider, mode }, visitor);
      return reply.redirect(flow ? `/connect/${flow.id}` : accessesPath, 303);
    },
  });
}
