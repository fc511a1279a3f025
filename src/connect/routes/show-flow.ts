import type { FastifyReply, FastifyRequest } from "fastify";
import type { Html } from "../../platform/html/index.ts";
import { listFormFields, type ProviderRegistry } from "../../providers/index.ts";
import { finishFlow, findRecentRedirect, type FinishFlowDependencies } from "../finish-flow.ts";
import type { Flow } from "../flow.ts";
import { flowSecrets, openFlowKey } from "../flow-secrets.ts";
import { makeFormToken } from "../form-token.ts";
import { listOfferedProviders } from "../offered-providers.ts";
import {
  choosePage,
  endPage,
  failedPage,
  otpPage,
  signInPage,
  workingPage,
  type FlowPageContext,
} from "../pages/flow-pages.ts";
import type { PageReplies } from "./page-replies.ts";

export interface ShowFlowDependencies extends FinishFlowDependencies {
  registry: ProviderRegistry;
  pages: PageReplies;
}

/** Sends the page of the flow's phase. A browser that is signed in is sent back to the client instead. */
export async function showFlow(
  dependencies: ShowFlowDependencies,
  request: FastifyRequest,
  reply: FastifyReply,
  flow: Flow,
): Promise<FastifyReply> {
  if (flow.phase === "ready") {
    const redirect = await finishFlow(dependencies, flow);
    return reply.redirect(redirect ?? `/connect/${flow.id}`, 303);
  }
  const recent = flow.phase === "finished" ? findRecentRedirect(dependencies, flow) : undefined;
  if (recent !== undefined) return reply.redirect(recent, 303);
  const context = await contextOf(dependencies, request, flow);
  const { q: search } = request.query as { q?: unknown };
  const page = renderPhase(dependencies, context, typeof search === "string" ? search : "");
  return dependencies.pages.send(reply, page, { leadsAway: true });
}

function renderPhase(
  { keyring, registry }: ShowFlowDependencies,
  context: FlowPageContext,
  search: string,
): Html {
  const { flow, texts } = context;
  switch (flow.phase) {
    case "choosing":
      return choosePage(context, {
        offered: listOfferedProviders(registry, flow),
        search: search.slice(0, 100),
      });
    case "form": {
      const mode = registry.findMode(flow.provider ?? "", flow.mode);
      return signInPage(context, {
        fields: mode ? listFormFields(mode.form) : [],
        prefill: flowSecrets.prefill.open(openFlowKey(keyring, flow), flow),
        keepsSecret: mode?.keepsSecret ?? false,
      });
    }
    case "running":
      return workingPage(context);
    case "challenged": {
      const challenge = flowSecrets.challenge.open(openFlowKey(keyring, flow), flow);
      return otpPage(context, challenge?.prompt ?? texts.form.otp);
    }
    case "failed":
      return failedPage(context);
    case "ready":
    case "finished":
    case "declined":
      return endPage(context);
  }
}

async function contextOf(
  { clients, keyring, registry, pages }: ShowFlowDependencies,
  request: FastifyRequest,
  flow: Flow,
): Promise<FlowPageContext> {
  const client = await clients.find(flow.clientId);
  const page = pages.contextOf(request, flow.locale);
  const provider = flow.provider ? registry.find(flow.provider) : undefined;
  return {
    ...page,
    flow,
    path: `/connect/${flow.id}`,
    client: client?.name ?? "",
    provider: provider?.title,
    providerTexts: page.locale === "en" ? undefined : provider?.texts?.[page.locale],
    formToken: makeFormToken(keyring, flow),
  };
}
