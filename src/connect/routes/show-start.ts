import type { FastifyReply, FastifyRequest } from "fastify";
import type { Client } from "../../clients/index.ts";
import type { ShownFlow } from "../pages/flow-pages.ts";
import type { ShownPrefill } from "../pages/refusal.ts";
import type { LinkQuery } from "./link-query.ts";
import { contextOf, renderChoice, renderForm } from "./show-flow.ts";
import type { PageServices } from "../services.ts";

/** A request for `{connect_url}`. */
export interface StartVisit {
  request: FastifyRequest;
  reply: FastifyReply;
  query: LinkQuery;
}

/** Sends the first page of a flow that no form has begun. Its forms are posted to the address of the link. */
export function showStart(
  dependencies: PageServices,
  { request, reply }: StartVisit,
  {
    client,
    flow,
    formToken,
    prefill,
    isAgain,
  }: {
    client: Client;
    flow: ShownFlow;
    formToken: string;
    prefill?: ShownPrefill | undefined;
    isAgain: boolean;
  },
): FastifyReply {
  const { registry, pages } = dependencies;
  const page = contextOf(dependencies, request, { flow, client, formToken });
  const context = { ...page, path: page.here, isOfLink: true };
  const shown =
    flow.phase === "choosing"
      ? renderChoice(registry, context, { search: "", isAgain })
      : renderForm(registry, context, { prefill, isAgain });
  return pages.send(reply, shown, { leadsAway: true });
}
