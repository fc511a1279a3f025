import type { FastifyReply, FastifyRequest } from "fastify";
import type { Html } from "../../platform/html/index.ts";
import { listAccesses, readSettingsOf, settleAccesses } from "../accesses.ts";
import { listAskedFields } from "../asked-fields.ts";
import type { Flow } from "../flow.ts";
import { flowSecrets, openFlowKey } from "../flow-secrets.ts";
import {
  accessesEndPage,
  accessesPage,
  accountSignInPage,
  endAccessPage,
  settingsPage,
} from "../pages/access-pages.ts";
import type { FlowPageContext } from "../pages/consent.ts";
import type { VisitedFlow } from "./visited-flow.ts";
import { contextOfFlow, renderProviderStep } from "./show-flow.ts";
import type { PageServices } from "../services.ts";

/** Sends the page of a flow that shows the accesses to an account. It never leads to a client. */
export async function showAccesses(
  dependencies: PageServices,
  request: FastifyRequest,
  reply: FastifyReply,
  flow: VisitedFlow,
): Promise<FastifyReply> {
  const { pages } = dependencies;
  if (flow.phase === "ready") {
    await settleAccesses(dependencies, flow);
    return reply.redirect(`/connect/${flow.id}`, 303);
  }
  const context = await contextOfFlow(dependencies, request, flow);
  const service = { ...context, client: context.brand.operatorName ?? context.brand.serviceName };
  const page = await renderPhase(dependencies, service, { flow, asked: request.query as Asked });
  return pages.send(reply, page, { leadsAway: context.isElsewhere });
}

/** What the address of the page asks for. Each is whatever somebody typed. */
type Asked = Readonly<Partial<Record<"end" | "settings" | "ended" | "saved", unknown>>>;

async function renderPhase(
  dependencies: PageServices,
  context: FlowPageContext,
  { flow, asked }: { flow: Flow; asked: Asked },
): Promise<Html> {
  const { keyring, registry } = dependencies;
  switch (flow.phase) {
    case "running":
    case "challenged":
    case "waiting":
      return renderProviderStep(dependencies, context, flow);
    case "finished":
      return await renderAccesses(dependencies, context, { flow, asked });
    case "failed":
    case "declined":
      return accessesEndPage(context);
    case "choosing":
    case "form":
    case "ready": {
      const mode = registry.findMode(flow.provider ?? "", flow.mode);
      const prefill = flowSecrets.prefill.open(openFlowKey(keyring, flow), flow);
      const fields = listAskedFields(mode?.fields ?? [], flow);
      return accountSignInPage(context, { fields, prefill });
    }
  }
}

async function renderAccesses(
  dependencies: PageServices,
  context: FlowPageContext,
  { flow, asked }: { flow: Flow; asked: Asked },
): Promise<Html> {
  const accesses = await listAccesses(dependencies, flow);
  const ending = accesses.find(({ tokenId }) => tokenId === asked.end);
  if (ending)
    return endAccessPage(context, {
      access: ending,
      others: accesses.filter((each) => each !== ending),
    });
  const changing = accesses.find(
    ({ tokenId, settings }) => tokenId === asked.settings && settings.length > 0,
  );
  if (changing) {
    const refused = flowSecrets.prefill.open(openFlowKey(dependencies.keyring, flow), flow);
    if (refused?.tokenId === changing.tokenId)
      return settingsPage(context, { access: changing, prefill: refused });
    const prefill = { formValues: await readSettingsOf(dependencies, changing) };
    const asIs = { ...context, flow: { ...context.flow, refusal: null } };
    return settingsPage(asIs, { access: changing, prefill });
  }
  const done = asked.ended === "1" ? "ended" : asked.saved === "1" ? "saved" : undefined;
  return accessesPage(context, { accesses, done });
}
