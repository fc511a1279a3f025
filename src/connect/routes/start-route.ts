import type { FastifyReply, FastifyRequest } from "fastify";
import type { HttpApp } from "../../platform/http/index.ts";
import { listFlowForms, searchForm } from "./flow-forms.ts";
import { openLink, sendFormOfLink } from "./client-link.ts";
import { LinkQuery } from "./link-query.ts";
import { openOneTimeLink, sendFormOfOneTimeLink } from "./one-time-link-page.ts";
import type { PageServices } from "../services.ts";

/** A form carries what its link says, sealed. */
const maxFormBytes = 131_072;

/**
 * `{connect_url}`: the address that a client sends its end user to. To open it writes nothing: the first form that is
 * sent from its page makes the flow of a client's own link, and claims a one-time link.
 */
export function registerStartRoute(scope: HttpApp, dependencies: PageServices): void {
  const forms = [...listFlowForms(dependencies), searchForm];
  scope.route({
    method: ["GET", "POST"],
    url: "/connect",
    exposeHeadRoute: false,
    bodyLimit: maxFormBytes,
    config: { rateLimitClass: "wide" },
    schema: { hide: true },
    handler: async (request: FastifyRequest, reply: FastifyReply) => {
      const visit = { request, reply, query: new LinkQuery(request) };
      const isOneTime = visit.query.all("session").length > 0;
      if (request.method === "GET")
        return await (isOneTime ? openOneTimeLink : openLink)(dependencies, visit);
      const send = isOneTime ? sendFormOfOneTimeLink : sendFormOfLink;
      return await send(dependencies, visit, forms);
    },
  });
}
