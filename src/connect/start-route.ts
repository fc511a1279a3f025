import type { FastifyReply, FastifyRequest } from "fastify";
import { checkCredential } from "../platform/crypto/index.ts";
import type { HttpApp } from "../platform/http/index.ts";
import { InvalidLink, linkParameters, readLink, type LinkParameters } from "./link.ts";
import type { Pages } from "./page-scope.ts";
import { isRegisteredRedirect } from "./redirect-match.ts";
import { redirectWithError } from "./redirect.ts";

/** `{connect_url}`: where a client sends its end user. */
export function registerStartRoute(scope: HttpApp, pages: Pages): void {
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
        return await openSession(pages, request, reply, query.getAll("session"));
      return await startFlow(pages, request, reply, { query, rawQuery });
    },
  });
}

async function openSession(
  pages: Pages,
  request: FastifyRequest,
  reply: FastifyReply,
  [credential = "", ...others]: string[],
): Promise<FastifyReply> {
  const { clients, flows, browserSession, environment, sendError } = pages;
  if (others.length > 0 || checkCredential(credential, "ln", environment) !== "valid")
    return sendError(request, reply, "link");
  const opened = await flows.openLink(credential, browserSession.ensure(request, reply));
  if (opened.kind !== "flow")
    return sendError(request, reply, opened.kind, { locale: opened.locale });
  const { flow } = opened;
  const client = await clients.find(flow.clientId);
  // The client may have given the address up since the link was made.
  if (!client || !isRegisteredRedirect(client.redirectUris, flow.redirectUri))
    return sendError(request, reply, "link", { fault: "redirectUnknown" });
  return reply.redirect(`/connect/${flow.id}`, 303);
}

/** Until client and redirect address are known to belong together, nothing leads anywhere. */
async function startFlow(
  pages: Pages,
  request: FastifyRequest,
  reply: FastifyReply,
  { query, rawQuery }: { query: URLSearchParams; rawQuery: string },
): Promise<FastifyReply> {
  const { clients, flows, browserSession, issuer, registry, sendError } = pages;
  const clientId = single(query, "client_id");
  const redirectUri = single(query, "redirect_uri");
  if (clientId === undefined || redirectUri === undefined)
    return sendError(request, reply, "link", { fault: "repeated" });
  const client = await clients.find(clientId);
  if (!client) return sendError(request, reply, "link", { fault: "clientUnknown" });
  if (!isRegisteredRedirect(client.redirectUris, redirectUri))
    return sendError(request, reply, "link", { fault: "redirectUnknown" });

  const rawState = readRawState(rawQuery);
  try {
    const link = readLink(parseParameters(query), { client, registry });
    const id = await flows.start(
      { client, link, redirectUri, rawState },
      browserSession.ensure(request, reply),
    );
    return await reply.redirect(`/connect/${id}`, 303);
  } catch (error) {
    if (!(error instanceof InvalidLink)) throw error;
    return reply.redirect(
      redirectWithError({ redirectUri, rawState, issuer }, error.error, error.message),
      303,
    );
  }
}

/** Parameters that are not known are ignored; one that comes twice is a mistake; an optional one without a value is as good as left out (RFC 6749, 3.1). */
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

/** As it stands in the address, so that it goes back byte for byte. */
function readRawState(rawQuery: string): string | undefined {
  const pair = rawQuery
    .split("&")
    .find((candidate) => new URLSearchParams(`&${candidate}`).has("state"));
  return pair?.replace(/^[^=]*=?/, "");
}
