import type { FastifyReply, FastifyRequest } from "fastify";
import type { Clients } from "../../clients/index.ts";
import { checkCredential, type Environment } from "../../platform/crypto/index.ts";
import type { HttpApp } from "../../platform/http/index.ts";
import { createFlow, type CreateFlowDependencies } from "../create-flow.ts";
import { InvalidLink, linkParameters, readLink, type LinkParameters } from "../link.ts";
import { claimOneTimeLink } from "../one-time-link.ts";
import { redirectWithError } from "../redirect.ts";
import { isRegisteredRedirect } from "../redirect-match.ts";
import type { BrowserSession } from "./browser-session.ts";
import type { PageReplies } from "./page-replies.ts";

export interface StartDependencies extends CreateFlowDependencies {
  clients: Clients;
  environment: Environment;
  issuer: string;
  browserSession: BrowserSession;
  pages: PageReplies;
}

/** `{connect_url}`: the address that a client sends its end user to. */
export function registerStartRoute(scope: HttpApp, dependencies: StartDependencies): void {
  scope.route({
    method: "GET",
    url: "/connect",
    exposeHeadRoute: false,
    config: { rateLimitClass: "wide" },
    schema: { hide: true },
    handler: async (request, reply) => {
      const [, rawQuery = ""] = (request.raw.url ?? "").split(/\?(.*)/s, 2);
      const query = new URLSearchParams(rawQuery);
      if (query.has("session"))
        return await openOneTimeLink(dependencies, request, reply, query.getAll("session"));
      return await openLink(dependencies, request, reply, { query, rawQuery });
    },
  });
}

async function openOneTimeLink(
  dependencies: StartDependencies,
  request: FastifyRequest,
  reply: FastifyReply,
  [credential = "", ...others]: string[],
): Promise<FastifyReply> {
  const { clients, browserSession, environment, pages } = dependencies;
  if (others.length > 0 || checkCredential(credential, "ln", environment) !== "valid")
    return pages.sendError(request, reply, "link");
  const browser = browserSession.ensure(request, reply);
  const claimed = await claimOneTimeLink(dependencies, credential, browser);
  if (claimed.kind !== "flow")
    return pages.sendError(request, reply, claimed.kind, { locale: claimed.locale });
  const { flow } = claimed;
  const client = await clients.find(flow.clientId);
  // The client may have removed the address since the link was made.
  if (!client || !isRegisteredRedirect(client.redirectUris, flow.redirectUri))
    return pages.sendError(request, reply, "link", { fault: "redirectUnknown" });
  return reply.redirect(`/connect/${flow.id}`, 303);
}

/** Redirects nowhere before the redirect address is known to be one of the client's. */
async function openLink(
  dependencies: StartDependencies,
  request: FastifyRequest,
  reply: FastifyReply,
  { query, rawQuery }: { query: URLSearchParams; rawQuery: string },
): Promise<FastifyReply> {
  const { clients, browserSession, issuer, registry, pages } = dependencies;
  const clientId = single(query, "client_id");
  const redirectUri = single(query, "redirect_uri");
  if (clientId === undefined || redirectUri === undefined)
    return pages.sendError(request, reply, "link", { fault: "repeated" });
  const client = await clients.find(clientId);
  if (!client) return pages.sendError(request, reply, "link", { fault: "clientUnknown" });
  if (!isRegisteredRedirect(client.redirectUris, redirectUri))
    return pages.sendError(request, reply, "link", { fault: "redirectUnknown" });

  const rawState = readRawState(rawQuery);
  try {
    const link = readLink(parseParameters(query), { client, registry });
    const flowRequest = { clientId, link, redirectUri, rawState };
    const browser = browserSession.ensure(request, reply);
    const { id } = await createFlow(dependencies, flowRequest, { kind: "browser", browser });
    return await reply.redirect(`/connect/${id}`, 303);
  } catch (error) {
    if (!(error instanceof InvalidLink)) throw error;
    return reply.redirect(
      redirectWithError({ redirectUri, rawState, issuer }, error.error, error.message),
      303,
    );
  }
}

/**
 * RFC 6749, 3.1: an unknown parameter is ignored, a repeated one is an error, and an optional one without a
 * value counts as left out.
 */
function parseParameters(query: URLSearchParams): LinkParameters {
  const repeated = Object.keys(linkParameters.shape).find((name) => query.getAll(name).length > 1);
  if (repeated) throw new InvalidLink("invalid_request", `${repeated} comes more than once`);
  const parsed = linkParameters.safeParse(
    Object.fromEntries([...query].filter(([name, value]) => value !== "" || name === "scope")),
  );
  if (!parsed.success)
    throw new InvalidLink(
      "invalid_request",
      `${String(parsed.error.issues[0]?.path[0])} is missing or not valid`,
    );
  return parsed.data;
}

function single(query: URLSearchParams, name: string): string | undefined {
  const [value, ...others] = query.getAll(name);
  return others.length === 0 ? value : undefined;
}

/** Still encoded, so that it goes back byte for byte. */
function readRawState(rawQuery: string): string | undefined {
  const pair = rawQuery
    .split("&")
    .find((candidate) => new URLSearchParams(`&${candidate}`).has("state"));
  return pair?.replace(/^[^=]*=?/, "");
}
