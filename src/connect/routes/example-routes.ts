import { randomBytes } from "node:crypto";
import { apiVersion, scopesOfMode } from "../../model/index.ts";
import type { HttpApp } from "../../platform/http/index.ts";
import {
  examplePage,
  exampleReturnPage,
  exampleTokenPage,
  type Example,
} from "../pages/example-page.ts";
import type { PageServices } from "../services.ts";

/** The demo client, with the secret that its own server would hold. */
export interface DemoClient extends Example {
  clientSecret: string;
}

/** The page knows by it what it has begun itself. A link that was made elsewhere has a state of its own. */
const ownState = "example-";

/** An example application for developers, in local mode. It uses the API as any client does. */
export function registerExampleRoutes(
  scope: HttpApp,
  { registry, pages }: Pick<PageServices, "registry" | "pages">,
  findDemo: () => Promise<DemoClient | undefined>,
): void {
  const route = { config: { rateLimitClass: "wide" as const }, schema: { hide: true } };

  scope.route({
    ...route,
    method: "GET",
    url: "/connect/example",
    handler: async (request, reply) => {
      const demo = await findDemo();
      if (!demo) return pages.sendError(request, reply, "unavailable");
      const returned = [...new URLSearchParams((request.raw.url ?? "").split("?")[1])];
      const providers = registry.list().filter(({ modes }) => modes.xhr);
      const choice = {
        providers,
        scopes: scopesOfMode("xhr"),
        state: ownState + randomBytes(9).toString("base64url"),
      };
      const page =
        returned.length > 0
          ? exampleReturnPage(pages.contextOf(request, "en"), demo, {
              returned,
              isOwn: returned.some(
                ([name, value]) => name === "state" && value.startsWith(ownState),
              ),
            })
          : examplePage(pages.contextOf(request, "en"), demo, choice);
      return pages.send(reply, page);
    },
  });

  scope.route({
    ...route,
    method: "POST",
    url: "/connect/example/exchange",
    handler: async (request, reply) => {
      const demo = await findDemo();
      const { code } = (request.body ?? {}) as { code?: unknown };
      if (!demo) return pages.sendError(request, reply, "unavailable");
      if (typeof code !== "string") return pages.sendError(request, reply, "link");
      const shown = await exchange(demo, code);
      return pages.send(reply, exampleTokenPage(pages.contextOf(request, "en"), demo, shown));
    },
  });
}

/** As the server of an application does. */
async function exchange(demo: DemoClient, code: string) {
  const response = await fetch(`${demo.baseUrl}/${apiVersion}/management/token`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({
      client_id: demo.clientId,
      client_secret: demo.clientSecret,
      grant_type: "authorization_code",
      code,
      redirect_uri: demo.redirectUri,
    }),
  });
  const answer = (await response.json()) as { access_token?: string };
  return {
    status: response.status,
    reply: JSON.stringify(answer, null, 2),
    accessToken: answer.access_token,
  };
}
