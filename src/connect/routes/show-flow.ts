import type { FastifyReply, FastifyRequest } from "fastify";
import type { Clients } from "../../clients/index.ts";
import type { Keyring } from "../../platform/crypto/index.ts";
import type { Html } from "../../platform/html/index.ts";
import { listFormFields, type ProviderRegistry } from "../../providers/index.ts";
import type { Connect } from "../connect.ts";
import { finishFlow, findRecentRedirect, type FinishFlowDependencies } from "../finish-flow.ts";
import type { Flow } from "../flow.ts";
import { flowSecrets, openFlowKey } from "../flow-secrets.ts";
import { makeFormToken } from "../form-token.ts";
import { listOfferedProviders } from "../offered-providers.ts";
import { approvalPage, questionPage } from "../pages/challenge-pages.ts";
import {
  choosePage,
  endPage,
  failedPage,
  signInPage,
  workingPage,
  type FlowPageContext,
} from "../pages/flow-pages.ts";
import type { ShownPrefill } from "../pages/refusal.ts";
import { hasOwnedAccounts } from "../open-accesses.ts";
import type { PageReplies } from "./page-replies.ts";

export interface FlowContextDependencies {
  clients: Clients;
  keyring: Keyring;
  registry: ProviderRegistry;
  isLocal: boolean;
  pages: PageReplies;
}

export interface ShowFlowDependencies extends FinishFlowDependencies, FlowContextDependencies {}

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
  const page = await renderPhase(dependencies, context, typeof search === "string" ? search : "");
  return dependencies.pages.send(reply, page, { leadsAway: true });
}

async function renderPhase(
  dependencies: ShowFlowDependencies,
  context: FlowPageContext,
  search: string,
): Promise<Html> {
  const { keyring, registry, connect } = dependencies;
  const { flow } = context;
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
        prefill:
          flowSecrets.prefill.open(openFlowKey(keyring, flow), flow) ??
          (await prefillAgain(connect, flow)),
        keepsSecret: mode?.keepsSecret ?? false,
      });
    }
    case "running":
    case "challenged":
    case "waiting":
      return renderProviderStep(dependencies, context, flow.phase);
    case "failed":
      return failedPage(context);
    case "ready":
    case "finished":
    case "declined":
      return endPage(context);
  }
}

/** While the provider checks what was typed, or asks for more. */
export function renderProviderStep(
  { keyring }: Pick<FlowContextDependencies, "keyring">,
  context: FlowPageContext,
  phase: "running" | "challenged" | "waiting",
): Html {
  if (phase === "running") return workingPage(context);
  const { flow } = context;
  const challenge = flowSecrets.challenge.open(openFlowKey(keyring, flow), flow);
  if (!challenge) throw new Error("the flow has no challenge");
  return challenge.kind === "wait"
    ? approvalPage(context, challenge)
    : questionPage(context, challenge);
}

/** In a re-authentication the form shows what was chosen before. */
async function prefillAgain(
  connect: Connect,
  { tokenId }: Flow,
): Promise<ShownPrefill | undefined> {
  const { previousSettings } = tokenId ? await connect.findReauthentication(tokenId) : {};
  return previousSettings && { formValues: previousSettings };
}

export async function contextOf(
  dependencies: FlowContextDependencies,
  request: FastifyRequest,
  flow: Flow,
): Promise<FlowPageContext> {
  const { clients, keyring, registry, pages } = dependencies;
  const client = await clients.find(flow.clientId);
  const provider = flow.provider ? registry.find(flow.provider) : undefined;
  const context = pages.contextOf(request, flow.locale);
  const { locale } = context;
  const providerTexts = locale === "en" ? undefined : provider?.texts?.[locale];
  return {
    ...context,
    ...(providerTexts && { providerTexts }),
    flow,
    path: `/connect/${flow.id}`,
    client: client?.name ?? "",
    profile: client ?? {},
    provider: provider?.title,
    isSimulated: provider?.isSimulated ?? false,
    canEndAccess: flow.provider
      ? hasOwnedAccounts(dependencies, flow.provider)
      : dependencies.isLocal || !flow.isSandbox,
    formToken: makeFormToken(keyring, flow),
  };
}
