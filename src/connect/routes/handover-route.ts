import type { FastifyReply, FastifyRequest } from "fastify";
import { z } from "zod";
import type { HttpApp } from "../../platform/http/index.ts";
import { findFlow } from "../find-flow.ts";
import { isFormTokenOf, makeFormToken, seenBy } from "../form-token.ts";
import type { Flow } from "../flow.ts";
import { enterHandover, findRole, handoverPath, isOpenLink } from "../handover.ts";
import { enterHandoverPage } from "../pages/handover-pages.ts";
import { readFormValues } from "./flow-forms.ts";
import { contextOf } from "./show-flow.ts";
import type { PageServices } from "../services.ts";

/**
 * Where a colleague's browser is let in to a sign-in that was handed over. To open the link uses nothing up: scanners of
 * mail open links. The digits let one browser in.
 */
export function registerHandoverRoute(scope: HttpApp, dependencies: PageServices): void {
  const route = {
    url: handoverPath(":flow"),
    config: { rateLimitClass: "wide" as const },
    schema: { hide: true },
  };

  scope.route({
    ...route,
    method: "GET",
    exposeHeadRoute: false,
    handler: async (request, reply) => {
      const flow = await findOpen(dependencies, request, reply);
      if (!flow) return reply;
      const browser = dependencies.browserSession.ensure(request, reply);
      return await showEntrance(dependencies, request, reply, { flow, browser, isWrong: false });
    },
  });

  scope.route({
    ...route,
    method: "POST",
    handler: async (request, reply) => {
      const { pages, keyring, browserSession } = dependencies;
      const flow = await findOpen(dependencies, request, reply);
      if (!flow) return reply;
      const browser = browserSession.read(request);
      const formValues = readFormValues(request.body) ?? {};
      const token = formValues["form_token"] ?? "";
      if (browser === undefined || !isFormTokenOf(keyring, seenBy(flow, browser), token))
        return pages.sendError(request, reply, "forged");
      const digits = (formValues["digits"] ?? "").slice(0, 20);
      const outcome = await enterHandover(dependencies, flow, { digits, browser });
      if (outcome === "entered") return reply.redirect(`/connect/${flow.id}`, 303);
      if (outcome === "ended")
        return pages.sendError(request, reply, "used", { locale: flow.locale });
      return await showEntrance(dependencies, request, reply, { flow, browser, isWrong: true });
    },
  });
}

/** Redirects a browser that has a part in the sign-in already. Sends an error page when the link is not open. */
async function findOpen(
  dependencies: PageServices,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Flow | undefined> {
  const { keyring, pages, browserSession } = dependencies;
  const { flow: id } = request.params as { flow: string };
  const { key } = request.query as { key?: unknown };
  const flow = z.uuid().safeParse(id).success ? await findFlow(dependencies, id) : undefined;
  if (flow && findRole(keyring, flow, browserSession.read(request))) {
    reply.redirect(`/connect/${flow.id}`, 303);
    return undefined;
  }
  if (flow && typeof key === "string" && isOpenLink(keyring, flow, key)) return flow;
  pages.sendError(request, reply, "used");
  return undefined;
}

async function showEntrance(
  dependencies: PageServices,
  request: FastifyRequest,
  reply: FastifyReply,
  { flow, browser, isWrong }: { flow: Flow; browser: string; isWrong: boolean },
): Promise<FastifyReply> {
  const { clients, keyring, pages } = dependencies;
  const client = await clients.find(flow.clientId);
  const formToken = makeFormToken(keyring, seenBy(flow, browser));
  const action = request.raw.url ?? "";
  const context = {
    ...contextOf(dependencies, request, { flow, client, formToken }),
    path: action,
    here: action,
    isOfLink: false,
    isHelper: true,
  };
  return pages.send(reply, enterHandoverPage(context, { action, isWrong }));
}
