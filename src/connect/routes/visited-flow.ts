import type { FastifyReply, FastifyRequest } from "fastify";
import { z } from "zod";
import type { Flow } from "../flow.ts";
import { accessesPath } from "../pages/consent.ts";
import { findSite } from "../pages/end-page.ts";
import { isRegisteredRedirect } from "../redirect.ts";
import { visitFlow } from "../visit-flow.ts";
import type { PageServices } from "../services.ts";

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
  { clients, pages }: PageServices,
  request: FastifyRequest,
  reply: FastifyReply,
  { clientId, redirectUri, locale }: Flow,
): Promise<FastifyReply> {
  const client = await clients.find(clientId);
  const isRegistered = client && isRegisteredRedirect(client.redirectUris, redirectUri);
  const address = isRegistered ? findSite(redirectUri) : undefined;
  const back = client && address !== undefined && { client: client.name, address };
  return pages.sendError(request, reply, "expired", { locale, ...(back && { back }) });
}
