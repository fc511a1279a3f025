import type { FastifyReply } from "fastify";
import { checkCredential } from "../../platform/crypto/index.ts";
import type { Flow } from "../flow.ts";
import { setLocale } from "../flow-store.ts";
import { findUnclaimedPrefill } from "../find-prefill.ts";
import { isFormTokenOf, makeFormToken, seenBy } from "../form-token.ts";
import { claimOneTimeLink, findOneTimeLink } from "../one-time-link.ts";
import { isRegisteredRedirect } from "../redirect.ts";
import { acceptFlowForm, type FlowForm, readFormValues } from "./flow-forms.ts";
import { showStart, type StartVisit } from "./show-start.ts";
import { sendExpired } from "./visited-flow.ts";
import type { PageServices } from "../services.ts";

/**
 * Every browser that comes with a link that nobody has claimed sees its page: scanners of mail and chat open links
 * too. The page names no account.
 */
export async function openOneTimeLink(
  dependencies: PageServices,
  visit: StartVisit,
): Promise<FastifyReply> {
  const { reply } = visit;
  const found = await findLink(dependencies, visit);
  if (!found) return reply;
  if (found.kind === "own") return reply.redirect(`/connect/${found.flow.id}`, 303);
  return await showLink(dependencies, visit, { flow: found.flow, isAgain: false });
}

/** The first form that a browser sends from the page of a link claims the link for this browser. */
export async function sendFormOfOneTimeLink(
  dependencies: PageServices,
  visit: StartVisit,
  forms: readonly FlowForm[],
): Promise<FastifyReply> {
  const { request, reply, query } = visit;
  const { pool, keyring, pages, browserSession } = dependencies;
  const found = await findLink(dependencies, visit);
  if (!found) return reply;
  const formValues = readFormValues(request.body);
  const browser = browserSession.read(request);
  const isOfPage =
    formValues !== undefined &&
    browser !== undefined &&
    isFormTokenOf(keyring, seenBy(found.flow, browser), formValues["form_token"] ?? "");
  if (!isOfPage)
    return found.kind === "own"
      ? reply.redirect(`/connect/${found.flow.id}`, 303)
      : await showLink(dependencies, visit, { flow: found.flow, isAgain: true });
  const flow = await claimOneTimeLink(dependencies, found.credential, browser);
  if (!flow) return pages.sendError(request, reply, "used", { locale: found.flow.locale });
  if (found.kind === "unclaimed" && query.chosenLocale)
    await setLocale(pool, flow.id, query.chosenLocale);
  const form = forms.find(({ name }) => name === formValues["form_name"]);
  return await acceptFlowForm(request, reply, { form, flow, formValues });
}

/** Sends an error page and returns undefined when the link is not, or no longer, for this browser. */
async function findLink(
  dependencies: PageServices,
  { request, reply, query }: StartVisit,
): Promise<{ kind: "unclaimed" | "own"; flow: Flow; credential: string } | undefined> {
  const { browserSession, environment, pages } = dependencies;
  const credential = query.single("session") ?? "";
  if (checkCredential(credential, "ln", environment) !== "valid") {
    pages.sendError(request, reply, "link");
    return undefined;
  }
  const link = await findOneTimeLink(dependencies, credential, browserSession.read(request));
  if (link.kind === "unclaimed" || link.kind === "own") return { ...link, credential };
  if (link.kind === "expired" && link.flow)
    await sendExpired(dependencies, request, reply, link.flow);
  else pages.sendError(request, reply, link.kind, { locale: link.locale });
  return undefined;
}

async function showLink(
  dependencies: PageServices,
  visit: StartVisit,
  { flow, isAgain }: { flow: Flow; isAgain: boolean },
): Promise<FastifyReply> {
  const { request, reply } = visit;
  const { clients, keyring, pages, browserSession } = dependencies;
  const client = await clients.find(flow.clientId);
  // The client may have removed the address since the link was made.
  if (!client || !isRegisteredRedirect(client.redirectUris, flow.redirectUri))
    return pages.sendError(request, reply, "link", { fault: "redirectUnknown" });
  const browser = browserSession.ensure(request, reply);
  return showStart(dependencies, visit, {
    client,
    flow,
    formToken: makeFormToken(keyring, seenBy(flow, browser)),
    prefill: await findUnclaimedPrefill(dependencies, flow),
    isAgain,
  });
}
