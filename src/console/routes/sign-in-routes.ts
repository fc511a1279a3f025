import type { FastifyReply, FastifyRequest } from "fastify";
import type { Client } from "../../clients/index.ts";
import { callerAddress, callerNetwork, type HttpApp } from "../../platform/http/index.ts";
import { linkPage, signInPage, usedLinkPage } from "../pages/sign-in-pages.ts";
import { consolePath } from "../pages/layout.ts";
import { makeFormToken } from "../sessions.ts";
import { checkForm, formOf, textOf, type Form } from "./check-form.ts";
import type { ConsoleDependencies } from "./console-dependencies.ts";
import { sendPage } from "./page-scope.ts";
import { placeOf } from "./show.ts";

const wide = { config: { rateLimitClass: "wide" }, schema: { hide: true } } as const;
const open = { config: { rateLimitClass: "open" }, schema: { hide: true } } as const;

const wrong =
  "The id and the secret don’t belong together. Nothing else is said about which one is wrong.";

/** How people come in. */
export function registerSignInRoutes(app: HttpApp, dependencies: ConsoleDependencies): void {
  const { cookie, sessions, isOwnOrigin, isLocal, takesClients, operatorIssuer } = dependencies;
  const hasOrganisation = operatorIssuer !== undefined;
  const show = (
    request: FastifyRequest,
    reply: FastifyReply,
    { problem, status, form = {} }: { problem?: string; status?: number; form?: Form } = {},
  ): FastifyReply => {
    const formToken = makeFormToken(cookie.ensure(request, reply));
    const to = placeOf(form["to"] ?? (request.query as Form)["to"]);
    const clientId = textOf(form, "client_id");
    const given = { formToken, to, isLocal, takesClients, hasOrganisation, problem, clientId };
    const page = signInPage(given);
    return sendPage(reply, page, status);
  };
  const check = (request: FastifyRequest): void => {
    const formToken = makeFormToken(cookie.read(request) ?? "");
    checkForm(request, { formToken, isOwnOrigin });
  };

  app.get(`${consolePath}/sign-in`, wide, async (request, reply) => {
    const { link } = request.query as Form;
    if (typeof link !== "string") return show(request, reply);
    if (!(await sessions.hasLink(link))) return sendPage(reply, usedLinkPage({ isLocal }), 410);
    const formToken = makeFormToken(cookie.ensure(request, reply));
    return sendPage(reply, linkPage({ formToken, link }));
  });

  app.post(`${consolePath}/sign-in/link`, wide, async (request, reply) => {
    check(request);
    const session = await sessions.useLink(textOf(formOf(request), "link"));
    if (session === undefined) return sendPage(reply, usedLinkPage({ isLocal }), 410);
    cookie.set(reply, session);
    return reply.redirect(consolePath, 303);
  });

  app.post(`${consolePath}/sign-in`, open, async (request, reply) => {
    check(request);
    const form = formOf(request);
    if (!takesClients) return show(request, reply, { status: 403 });
    const found = await signIn(dependencies, request, form);
    if ("client" in found) {
      cookie.set(reply, await sessions.beginForClient(found.client, found.secret));
      return reply.redirect(placeOf(form["to"]), 303);
    }
    if (found.afterSeconds === undefined)
      return show(request, reply, { problem: wrong, status: 403, form });
    const seconds = Math.max(1, Math.ceil(found.afterSeconds));
    const wait = seconds < 90 ? `${seconds} seconds` : `${Math.ceil(seconds / 60)} minutes`;
    const problem = `${wrong} There were too many attempts. Try again in ${wait}.`;
    return show(request, reply.header("retry-after", String(seconds)), {
      problem,
      status: 429,
      form,
    });
  });
}

type SignedIn = { client: Client; secret: string } | { afterSeconds: number | undefined };

/** Wrong secrets hold off further ones, as at the sign-in of end users. Strangers keep nobody out by them. */
async function signIn(
  { clients, signInThrottle }: Pick<ConsoleDependencies, "clients" | "signInThrottle">,
  request: FastifyRequest,
  form: Form,
): Promise<SignedIn> {
  const [clientId, secret] = [textOf(form, "client_id"), textOf(form, "client_secret")];
  const client = await clients.authenticate(clientId, secret);
  const known = client ?? (await clients.find(clientId));
  // All ids that are nobody's share attempts, so that nobody fills a table with them.
  const account = ["console", known ? clientId : ""];
  const attempt = signInThrottle.identify(
    "console",
    { name: account, shared: account },
    {
      address: callerAddress(request),
      network: callerNetwork(request),
      browser: undefined,
      isOfLink: false,
    },
  );
  if (client) {
    await signInThrottle.recordSuccess(attempt);
    return { client, secret };
  }
  const admission = await signInThrottle.admit(attempt, {
    id: request.id,
    clientId: known?.clientId ?? "",
    tokenId: null,
    provider: "console",
    linkDigest: null,
  });
  if (admission.kind === "paused") return { afterSeconds: admission.afterSeconds };
  return { afterSeconds: admission.kind === "refused" ? 3_600 : undefined };
}
