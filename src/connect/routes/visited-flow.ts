import type { FastifyReply, FastifyRequest } from "fastify";
import { z } from "zod";
import type { Flow } from "../flow.ts";
import { accessesPath } from "../pages/accesses-path.ts";
import { visitFlow, type VisitFlowDependencies } from "../visit-flow.ts";
import type { BrowserSession } from "./browser-session.ts";
import type { PageReplies } from "./page-replies.ts";

export interface VisitedFlowDependencies extends VisitFlowDependencies {
  browserSession: BrowserSession;
  pages: PageReplies;
}

/** The flow of the address. Sends an error page and returns undefined when the browser may not see it. */
export async function findVisitedFlow(
  dependencies: VisitedFlowDependencies,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Flow | undefined> {
  const { browserSession, pages } = dependencies;
  const { flow: id } = request.params as { flow: string };
  const visit = z.uuid().safeParse(id).success
    ? await visitFlow(dependencies, id, browserSession.read(request))
    : ({ kind: "unknown" } as const);
  if (visit.kind === "flow") return visit.flow;
  if (visit.kind === "expired" && visit.purpose === "accesses") {
    reply.redirect(accessesPath, 303);
    return undefined;
  }
  const locale = visit.kind === "expired" ? visit.locale : null;
  pages.sendError(request, reply, visit.kind, { locale });
  return undefined;
}
