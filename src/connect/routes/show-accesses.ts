import type { FastifyReply, FastifyRequest } from "fastify";
import type { Html } from "../../platform/html/index.ts";
import { listAccesses, settleAccesses, type AccessesDependencies } from "../accesses.ts";
import type { Flow } from "../flow.ts";
import { flowSecrets, openFlowKey } from "../flow-secrets.ts";
import { accessesEndPage, accessesPage, accountSignInPage } from "../pages/access-pages.ts";
import type { FlowPageContext } from "../pages/consent.ts";
import { contextOfFlow, renderProviderStep, type FlowContextDependencies } from "./show-flow.ts";

export interface ShowAccessesDependencies extends AccessesDependencies, FlowContextDependencies {}

/** Sends the page of a flow that shows the accesses to an account. It never leads to a client. */
export async function showAccesses(
  dependencies: ShowAccessesDependencies,
  request: FastifyRequest,
  reply: FastifyReply,
  flow: Flow,
): Promise<FastifyReply> {
  const { pages } = dependencies;
  if (flow.phase === "ready") {
    await settleAccesses(dependencies, flow);
    return reply.redirect(`/connect/${flow.id}`, 303);
  }
  const context = await contextOfFlow(dependencies, request, flow);
  const service = { ...context, client: context.operator ?? "Rollcall" };
  const { ended } = request.query as { ended?: unknown };
  const page = await renderPhase(dependencies, service, { flow, hasEnded: ended === "1" });
  return pages.send(reply, page, { leadsAway: context.isElsewhere });
}

async function renderPhase(
  dependencies: ShowAccessesDependencies,
  context: FlowPageContext,
  { flow, hasEnded }: { flow: Flow; hasEnded: boolean },
): Promise<Html> {
  const { keyring, registry } = dependencies;
  switch (flow.phase) {
    case "running":
    case "challenged":
    case "waiting":
      return renderProviderStep(dependencies, context, flow);
    case "finished":
      return accessesPage(context, { accesses: await listAccesses(dependencies, flow), hasEnded });
    case "failed":
    case "declined":
      return accessesEndPage(context);
    case "choosing":
    case "form":
    case "ready": {
      const mode = registry.findMode(flow.provider ?? "", flow.mode);
      const prefill = flowSecrets.prefill.open(openFlowKey(keyring, flow), flow);
      return accountSignInPage(context, { fields: mode?.fields ?? [], prefill });
    }
  }
}
