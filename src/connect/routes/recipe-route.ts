import { mode as modeSchema } from "../../model/index.ts";
import type { HttpApp } from "../../platform/http/index.ts";
import { recipePage, recipePath } from "../pages/recipe.ts";
import type { PageServices } from "../services.ts";

/** A page for whoever has the key, who may be somebody else than the person at the form. It stores nothing. */
export function registerRecipeRoute(
  scope: HttpApp,
  { registry, pages }: Pick<PageServices, "registry" | "pages">,
): void {
  scope.route({
    method: "GET",
    url: recipePath(":provider", ":mode"),
    exposeHeadRoute: false,
    config: { rateLimitClass: "wide" },
    schema: { hide: true },
    handler: async (request, reply) => {
      const { provider: name, mode } = request.params as { provider: string; mode: string };
      const known = modeSchema.safeParse(mode).data;
      const provider = registry.find(name);
      const recipe = known && provider?.modes[known]?.recipe;
      if (!provider || !recipe) return pages.sendError(request, reply, "nowhere");
      const context = pages.contextOf(request);
      const { locale } = context;
      const providerTexts = locale === "en" ? undefined : provider.texts?.[locale];
      const shown = {
        ...context,
        ...(providerTexts && { providerTexts }),
        provider: provider.title,
      };
      return pages.send(reply, recipePage(shown, recipe));
    },
  });
}
