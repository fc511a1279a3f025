import type { FastifyReply, FastifyRequest } from "fastify";
import type { Client } from "../../clients/index.ts";
import type { Resource } from "../../model/index.ts";
import type { Html } from "../../platform/html/index.ts";
import type { ProviderRegistry } from "../../providers/index.ts";
import { brandOfClient } from "../brand.ts";
import { listAskedFields } from "../asked-fields.ts";
import { findPreviousPrefill } from "../find-prefill.ts";
import { finishFlow, findRecentRedirect } from "../finish-flow.ts";
import type { Flow } from "../flow.ts";
import { flowSecrets, openFlowKey } from "../flow-secrets.ts";
import { handoverPath, isHandedOver, openHandover, shownStep } from "../handover.ts";
import { makeFormToken } from "../form-token.ts";
import { listOfferedProviders } from "../offered-providers.ts";
import { approvalPage, authorizationPage, questionPage } from "../pages/challenge-pages.ts";
import {
  choosePage,
  endPage,
  failedPage,
  signInPage,
  workingPage,
  type FlowPageContext,
  type ShownFlow,
} from "../pages/flow-pages.ts";
import { handedOverPage, helperEndPage } from "../pages/handover-pages.ts";
import type { ShownPrefill } from "../pages/refusal.ts";
import { hasOwnedAccounts } from "../open-accesses.ts";
import { findWayBack, type VisitedFlow } from "./visited-flow.ts";
import type { Needs, PageServices } from "../services.ts";

/** Sends the page of the flow's phase. A browser that is signed in is sent back to the client instead. */
export async function showFlow(
  dependencies: PageServices,
  request: FastifyRequest,
  reply: FastifyReply,
  flow: VisitedFlow,
): Promise<FastifyReply> {
  if (flow.isHelper) return await showHelper(dependencies, request, reply, flow);
  if (flow.phase === "ready") {
    const redirect = await finishFlow(dependencies, flow);
    return reply.redirect(redirect ?? `/connect/${flow.id}`, 303);
  }
  const recent = flow.phase === "finished" ? findRecentRedirect(dependencies, flow) : undefined;
  if (recent !== undefined) return reply.redirect(recent, 303);
  const context = await contextOfFlow(dependencies, request, flow);
  const handover = isHandedOver(flow) && openHandover(dependencies.keyring, flow);
  const page = handover
    ? handedOverPage(context, {
        handover,
        link: linkOf(dependencies, flow, handover.credential),
        step: shownStep(dependencies.keyring, flow),
      })
    : await renderPhase(dependencies, context, { flow, search: searchOf(request) });
  return dependencies.pages.send(reply, page, { leadsAway: true });
}

/** The same pages in a colleague's browser, which never learns of the code or of the client's address. */
async function showHelper(
  dependencies: PageServices,
  request: FastifyRequest,
  reply: FastifyReply,
  flow: VisitedFlow,
): Promise<FastifyReply> {
  const context = await contextOfFlow(dependencies, request, flow);
  const page = isHandedOver(flow)
    ? await renderPhase(dependencies, context, { flow, search: searchOf(request) })
    : helperEndPage(context);
  return dependencies.pages.send(reply, page, { leadsAway: context.isElsewhere });
}

function searchOf(request: FastifyRequest): string {
  const { q } = request.query as { q?: unknown };
  return typeof q === "string" ? q : "";
}

function linkOf({ issuer }: Needs<"issuer">, flow: Flow, credential: string): string {
  return `${issuer}${handoverPath(flow.id)}?key=${credential}`;
}

async function renderPhase(
  dependencies: PageServices,
  context: FlowPageContext,
  { flow, search }: { flow: Flow; search: string },
): Promise<Html> {
  const { keyring, registry, connect } = dependencies;
  switch (flow.phase) {
    case "choosing":
      return renderChoice(registry, context, { search, isAgain: false });
    case "form": {
      const prefill =
        flowSecrets.prefill.open(openFlowKey(keyring, flow), flow) ??
        (await findPreviousPrefill({ connect }, flow));
      return renderForm(registry, context, { prefill, isAgain: false });
    }
    case "running":
    case "challenged":
    case "waiting":
      return renderProviderStep(dependencies, context, flow);
    case "failed":
      return failedPage(context);
    case "ready":
    case "finished":
    case "declined":
      return endPage(context, await findWayBack(dependencies, flow));
  }
}

/** While the provider checks what was typed, or asks for more. */
export function renderProviderStep(
  { keyring }: Needs<"keyring">,
  context: FlowPageContext,
  flow: Flow,
): Html {
  if (flow.phase === "running") return workingPage(context);
  const challenge = flowSecrets.challenge.open(openFlowKey(keyring, flow), flow);
  if (!challenge) throw new Error("the flow has no challenge");
  if (challenge.kind === "authorize") return authorizationPage(context, challenge);
  return challenge.kind === "wait"
    ? approvalPage(context, challenge)
    : questionPage(context, challenge);
}

export function renderChoice(
  registry: ProviderRegistry,
  context: FlowPageContext,
  { search, isAgain }: { search: string; isAgain: boolean },
): Html {
  const offered = listOfferedProviders(registry, context.flow);
  return choosePage(context, { offered, search: search.slice(0, 100), isAgain });
}

export function renderForm(
  registry: ProviderRegistry,
  context: FlowPageContext,
  { prefill, isAgain }: { prefill: ShownPrefill | undefined; isAgain: boolean },
): Html {
  const { provider, mode: name } = context.flow;
  const mode = registry.findMode(provider ?? "", name);
  return signInPage(context, {
    fields: listAskedFields(mode?.fields ?? [], context.flow),
    prefill,
    keepsSecret: mode?.keepsSecret ?? false,
    isAgain,
  });
}

/** What the pages of a flow show to the browser that began it. */
export async function contextOfFlow(
  dependencies: PageServices,
  request: FastifyRequest,
  flow: VisitedFlow,
): Promise<FlowPageContext> {
  const { clients, keyring } = dependencies;
  const helper = flow.isHelper ? openHandover(keyring, flow)?.helper : null;
  const browserDigest = helper ? Buffer.from(helper, "base64") : flow.browserDigest;
  return {
    ...contextOf(dependencies, request, {
      flow,
      client: await clients.find(flow.clientId),
      formToken: makeFormToken(keyring, { ...flow, browserDigest }),
    }),
    isHelper: flow.isHelper,
    path: `/connect/${flow.id}`,
    reference: flow.id,
    isOfLink: false,
  };
}

/** What all pages of a flow show, but for the address that their forms are posted to. */
export function contextOf(
  { registry, pages, isLocal }: Pick<PageServices, "registry" | "pages" | "isLocal">,
  request: FastifyRequest,
  { flow, client, formToken }: { flow: ShownFlow; client: Client | undefined; formToken: string },
): Omit<FlowPageContext, "path" | "isOfLink"> {
  const provider = flow.provider ? registry.find(flow.provider) : undefined;
  const mode = provider?.modes[flow.mode];
  const context = pages.contextOf(request, flow.locale);
  const { locale } = context;
  const providerTexts = locale === "en" ? undefined : provider?.texts?.[locale];
  return {
    ...context,
    brand: flow.purpose === "accesses" ? context.brand : brandOfClient(context.brand, client ?? {}),
    isHelper: false,
    ...(providerTexts && { providerTexts }),
    flow,
    client: client?.name ?? "",
    profile: client ?? {},
    provider: provider?.title,
    isSimulated: provider?.isSimulated ?? false,
    isElsewhere: mode?.isElsewhere ?? false,
    guide: provider?.guide,
    recipe: mode?.recipe,
    origin: mode?.origin,
    readable: mode && (Object.keys(mode.resources) as Resource[]),
    canEndAccess: flow.provider
      ? hasOwnedAccounts({ registry, isLocal }, flow.provider)
      : isLocal || !flow.isSandbox,
    formToken,
  };
}
