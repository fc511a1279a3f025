import type { HttpApp } from "../../platform/http/index.ts";
import { acceptAuthorization } from "../accept-authorization.ts";
import { callbackPath, parseState } from "../pending-authorization.ts";
import { findVisitedFlow } from "./visited-flow.ts";
import type { PageServices } from "../services.ts";

/**
 * The page to which a provider sends the browser back. The reply counts once, for the flow and the browser of its
 * `state`, and stays in no address that the browser shows.
 */
export function registerCallbackRoute(scope: HttpApp, dependencies: PageServices): void {
  scope.route({
    method: "GET",
    url: callbackPath,
    exposeHeadRoute: false,
    config: { rateLimitClass: "wide" },
    schema: { hide: true },
    handler: async (request, reply) => {
      const single = singleValues(request.query as Record<string, unknown>);
      const state = parseState(single("state") ?? "");
      if (!state) return dependencies.pages.sendError(request, reply, "unknown");
      const flow = await findVisitedFlow(dependencies, request, reply, state.flowId);
      if (!flow) return reply;
      const accepted = await acceptAuthorization(dependencies, flow, {
        nonce: state.nonce,
        code: single("code"),
        error: single("error"),
      });
      if (accepted.kind === "forged")
        return dependencies.pages.sendError(request, reply, "unknown", { locale: flow.locale });
      // A colleague's browser never gets to the client's page.
      const redirect = flow.isHelper ? undefined : accepted.redirect;
      return reply.redirect(redirect ?? `/connect/${flow.id}`, 303);
    },
  });
}

/** A parameter that is repeated counts as missing. */
function singleValues(query: Record<string, unknown>) {
  return (name: string): string | undefined => {
    const value = query[name];
    return typeof value === "string" ? value : undefined;
  };
}
