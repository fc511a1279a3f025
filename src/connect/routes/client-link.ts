import type { FastifyReply } from "fastify";
import type { Client } from "../../clients/index.ts";
import { sha256 } from "../../platform/crypto/index.ts";
import { callerAddress, callerSite } from "../../platform/http/index.ts";
import { beginFlow } from "../begin-flow.ts";
import { findFirstStep, type FlowRequest } from "../create-flow.ts";
import { InvalidLink, readLink } from "../link.ts";
import { openOpenedLink, sealOpenedLink } from "../opened-link.ts";
import { redirectWithError, isRegisteredRedirect } from "../redirect.ts";
import { visitFlow } from "../visit-flow.ts";
import { acceptFlowForm, type FlowForm, readFormValues } from "./flow-forms.ts";
import { sendExpired } from "./visited-flow.ts";
import { showStart, type StartVisit } from "./show-start.ts";
import type { PageServices } from "../services.ts";

/** Redirects nowhere before the redirect address is known to be one of the client's. */
export async function openLink(
  dependencies: PageServices,
  visit: StartVisit,
): Promise<FastifyReply> {
  const found = await findLinkClient(dependencies, visit);
  return found ? await showLink(dependencies, visit, { ...found, isAgain: false }) : visit.reply;
}

/** A form that cannot be accepted shows the page of the link again. */
export async function sendFormOfLink(
  dependencies: PageServices,
  visit: StartVisit,
  forms: readonly FlowForm[],
): Promise<FastifyReply> {
  const { request, reply } = visit;
  const { browserSession, pages } = dependencies;
  const found = await findLinkClient(dependencies, visit);
  if (!found) return reply;
  const { clientId, redirectUris } = found.client;
  const formValues = readFormValues(request.body);
  const browser = browserSession.read(request);
  const opened =
    formValues &&
    browser !== undefined &&
    openOpenedLink(dependencies, formValues["form_token"] ?? "", { browser, clientId });
  if (!opened) return await showLink(dependencies, visit, { ...found, isAgain: true });
  const { link, ...linkRequest } = opened.request;
  const { redirectUri, rawState } = linkRequest;
  // The client may have removed the address since the page was shown.
  if (!isRegisteredRedirect(redirectUris, redirectUri))
    return pages.sendError(request, reply, "link", { fault: "redirectUnknown" });

  const form = forms.find(({ name }) => name === formValues["form_name"]);
  const known = await visitFlow(dependencies, opened.flowId, browser);
  if (known.kind === "expired") return await sendExpired(dependencies, request, reply, known.flow);
  if (known.kind === "unknown" && form?.name === "decline") {
    const target = { redirectUri, rawState, issuer: dependencies.issuer };
    return reply.redirect(redirectWithError(target, "access_denied", "the end user declined"), 303);
  }
  const flow =
    known.kind === "flow"
      ? known.flow
      : await beginFlow(
          dependencies,
          {
            ...linkRequest,
            ...link,
            ...findFirstStep(dependencies.registry, link),
            id: opened.flowId,
            browserDigest: sha256(browser),
          },
          { address: callerAddress(request), site: callerSite(request) },
        );
  return await acceptFlowForm(request, reply, { form, flow, formValues });
}

interface FoundClient {
  client: Client;
  redirectUri: string;
}

/** Sends an error page and returns undefined when the client or the redirect address is not known. */
async function findLinkClient(
  { clients, pages }: PageServices,
  { request, reply, query }: StartVisit,
): Promise<FoundClient | undefined> {
  const clientId = query.single("client_id");
  const redirectUri = query.single("redirect_uri");
  if (clientId === undefined || redirectUri === undefined) {
    pages.sendError(request, reply, "link", { fault: "repeated" });
    return undefined;
  }
  const client = await clients.find(clientId);
  if (client && isRegisteredRedirect(client.redirectUris, redirectUri))
    return { client, redirectUri };
  const fault = client ? "redirectUnknown" : "clientUnknown";
  pages.sendError(request, reply, "link", { fault });
  return undefined;
}

async function showLink(
  dependencies: PageServices,
  visit: StartVisit,
  { client, redirectUri, isAgain }: FoundClient & { isAgain: boolean },
): Promise<FastifyReply> {
  const { clients, registry, browserSession, issuer } = dependencies;
  const { request, reply, query } = visit;
  const { rawState } = query;
  const { clientId } = client;
  try {
    const link = readLink(query.parse(), {
      client,
      registry,
      maySimulate: clients.maySimulate(client),
    });
    const locale = query.chosenLocale ?? link.locale;
    const flowRequest: FlowRequest = { clientId, redirectUri, rawState, link: { ...link, locale } };
    const browser = browserSession.ensure(request, reply);
    return await showStart(dependencies, visit, {
      client,
      flow: {
        ...link,
        ...findFirstStep(registry, link),
        purpose: "connection",
        clientId,
        redirectUri,
        locale,
        tokenId: null,
        settings: null,
        allowsHandover: false,
        step: 1,
        refusal: null,
      },
      formToken: sealOpenedLink(dependencies, flowRequest, browser),
      isAgain,
    });
  } catch (error) {
    if (!(error instanceof InvalidLink)) throw error;
    return reply.redirect(
      redirectWithError({ redirectUri, rawState, issuer }, error.error, error.message),
      303,
    );
  }
}
