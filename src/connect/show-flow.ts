import type { FastifyReply, FastifyRequest } from "fastify";
import { listFormFields, type SignInChallenge } from "../providers/index.ts";
import type { Flow, Prefill } from "./flow.ts";
import { listOffered } from "./flows.ts";
import type { Pages } from "./page-scope.ts";
import {
  choosePage,
  otpPage,
  endPage,
  failedPage,
  signInPage,
  workingPage,
  type FlowPageContext,
} from "./pages/flow-pages.ts";
import { sendPage } from "./send-page.ts";

/** The page of the phase that a flow is in. A signed-in browser is sent back instead. */
export async function showFlow(
  pages: Pages,
  request: FastifyRequest,
  reply: FastifyReply,
  flow: Flow,
): Promise<FastifyReply> {
  const { flows, isSecure } = pages;
  if (flow.phase === "ready") {
    const redirect = await flows.finish(flow);
    return redirect === undefined
      ? reply.redirect(`/connect/${flow.id}`, 303)
      : reply.redirect(redirect, 303);
  }
  const repeated = flow.phase === "finished" ? flows.repeatedRedirect(flow) : undefined;
  if (repeated !== undefined) return reply.redirect(repeated, 303);
  const page = renderPhase(
    pages,
    flow,
    await describe(pages, request, flow),
    (request.query as { q?: unknown }).q,
  );
  return sendPage(reply, page, { leadsAway: true, isSecure });
}

function renderPhase(pages: Pages, flow: Flow, context: FlowPageContext, search: unknown) {
  const { flows, registry } = pages;
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
        prefill: flows.open<Prefill>(flow, "prefill"),
        keepsSecret: mode?.keepsSecret ?? false,
      });
    }
    case "running":
      return workingPage(context);
    case "challenged":
      return otpPage(
        context,
        flows.open<SignInChallenge>(flow, "challenge")?.prompt ?? context.texts.form.code,
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
  { clients, flows, registry, context }: Pages,
  request: FastifyRequest,
  flow: Flow,
): Promise<FlowPageContext> {
  const client = await clients.find(flow.clientId);
  return {
    ...context(request, flow.locale),
    flow,
    path: `/connect/${flow.id}`,
    client: client?.name ?? "",
    provider: flow.provider ? registry.find(flow.provider)?.title : undefined,
    formToken: flows.formToken(flow),
  };
}
