import type { FastifyReply, FastifyRequest } from "fastify";
import { z } from "zod";
import type { Flow } from "../flow.ts";
import { accessesPath } from "../pages/consent.ts";
import { findSite, type WayBack } from "../pages/end-page.ts";
import { isRegisteredRedirect } from "../redirect.ts";
import { visitFlow } from "../visit-flow.ts";
import type { Needs, PageServices } from "../services.ts";

/** A flow as the browser that looks at it may see it. */
export type VisitedFlow = Flow & {
  /** It is the browser of a colleague, which is told nothing that only the first one may know. */
  isHelper: boolean;
};

/** The flow of the address, or of `id`. Sends an error page and returns undefined when the browser may not see it. */
export async function findVisitedFlow(
  dependencies: PageServices,
  request: FastifyRequest,
  reply: FastifyReply,
  id = (request.params as { flow: string }).flow,
): Promise<VisitedFlow | undefined> {
  const { browserSession, pages } = dependencies;
  const visit = z.uuid().safeParse(id).success
    ? await visitFlow(dependencies, id, browserSession.read(request))
    : ({ kind: "unknown" } as const);
  if (visit.kind === "flow") return { ...visit.flow, isHelper: visit.role === "helper" };
  if (visit.kind === "unknown") {
    pages.sendError(request, reply, "unknown");
    return undefined;
  }
  if (visit.flow.purpose === "accesses") reply.redirect(accessesPath, 303);
  else await sendExpired(dependencies, request, reply, visit.flow);
  return undefined;
}

/** The page that leads this browser back, as long as the client has the address. */
export async function sendExpired(
  dependencies: PageServices,
  request: FastifyRequest,
  reply: FastifyReply,
  flow: Flow,
): Promise<FastifyReply> {
  const back = await findWayBack(dependencies, flow);
  return dependencies.pages.sendError(request, reply, "expired", {
    locale: flow.locale,
    ...(back && { back }),
  });
}

/** The site of the flow's redirect address, as long as the client has the address. */
export async function findWayBack(
  { clients }: Needs<"clients">,
  { clientId, redirectUri }: Flow,
): Promise<WayBack | undefined> {
  const client = await clients.find(clientId);
  if (!client || !isRegisteredRedirect(client.redirectUris, redirectUri)) return undefined;
  const address = findSite(redirectUri);
  return address === undefined ? undefined : { client: client.name, address };
}
