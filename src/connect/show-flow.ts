import type { FastifyReply, FastifyRequest } from "fastify";
import type { Clients } from "../clients/index.ts";
import { listFormFields, type ProviderRegistry } from "../providers/index.ts";
import type { Flow } from "./flow.ts";
import { flowSecrets } from "./flow-secrets.ts";
import { listOffered } from "./flows.ts";
import type { Flows } from "./flows.ts";
import type { PageReplies } from "./page-replies.ts";
import {
  choosePage,
  otpPage,
  endPage,
  failedPage,
  signInPage,
  workingPage,
  type FlowPageContext,
} from "./pages/flow-pages.ts";

export interface ShowFlowDependencies {
  flows: Flows;
  clients: Clients;
  registry: ProviderRegistry;
  pages: PageReplies;
}

/** The page of the phase that a flow is in. A signed-in browser is sent back instead. */
export async function showFlow(
  dependencies: ShowFlowDependencies,
  request: FastifyRequest,
  reply: FastifyReply,
  flow: Flow,
): Promise<FastifyReply> {
  const { flows, pages } = dependencies;
  if (flow.phase === "ready") {
    const redirect = await flows.finish(flow);
    return redirect === undefined
      ? reply.redirect(`/connect/${flow.id}`, 303)
      : reply.redirect(redirect, 303);
  }
  const repeated = flow.phase === "finished" ? flows.repeatedRedirect(flow) : undefined;
  if (repeated !== undefined) return reply.redirect(repeated, 303);
  const page = renderPhase(
    dependencies,
    flow,
    await describe(dependencies, request, flow),
    (request.query as { q?: unknown }).q,
  );
  return pages.send(reply, page, { leadsAway: true });
}

function renderPhase(
  { flows, registry }: ShowFlowDependencies,
  flow: Flow,
  context: FlowPageContext,
  search: unknown,
) {
  switch (flow.phase) {
    case "choosing":
      return choosePage(context, {
        offered: listOffered(registry, flow),
        search: typeof search === "string" ? search.slice(0, 100) : "",
      });
    case "form": {
      const mode = registry.findMode(flow.provider ?? "", flow.mode);
      const fields = mode ? listFormFields(mode.form) : [];
      return signInPage(context, {
        fields,
        prefill: flowSecrets.prefill.open(flows.key(flow), flow),
        keepsSecret: mode?.keepsSecret ?? false,
      });
    }
    case "running":
      return workingPage(context);
    case "challenged":
      return otpPage(
        context,
        flowSecrets.challenge.open(flows.key(flow), flow)?.prompt ?? context.texts.form.code,
      );
    case "failed":
      return failedPage(context);
    case "ready":
    case "finished":
    case "declined":
      return endPage(context);
  }
}

async function describe(
  { clients, flows, registry, pages }: ShowFlowDependencies,
  request: FastifyRequest,
  flow: Flow,
): Promise<FlowPageContext> {
  const client = await clients.find(flow.clientId);
  return {
    ...pages.contextOf(request, flow.locale),
    flow,
    path: `/connect/${flow.id}`,
    client: client?.name ?? "",
    provider: flow.provider ? registry.find(flow.provider)?.title : undefined,
    formToken: flows.formToken(flow),
  };
}
