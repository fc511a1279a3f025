import type { FastifyRequest } from "fastify";
import type { HttpApp } from "../../platform/http/index.ts";
import { isHandedOver, shownStep } from "../handover.ts";
import { setLocale } from "../flow-store.ts";
import { matchLocale } from "../link.ts";
import { visitFlow } from "../visit-flow.ts";
import { waitForProvider } from "../wait-for-provider.ts";
import { showAccesses } from "./show-accesses.ts";
import { showFlow } from "./show-flow.ts";
import { findVisitedFlow, type VisitedFlow } from "./visited-flow.ts";
import type { PageServices } from "../services.ts";

/** Most sign-ins take less, so most people never see the page that waits. */
const pageWaitMs = 1_500;
const statusWaitMs = 10_000;

const route = { config: { rateLimitClass: "wide" as const }, schema: { hide: true } };

/** The page of a flow, and its step for the script of the page that waits. */
export function registerFlowRoutes(scope: HttpApp, dependencies: PageServices): void {
  scope.route({
    ...route,
    method: "GET",
    url: "/connect/:flow",
    exposeHeadRoute: false,
    handler: async (request, reply) => {
      const flow = await findVisitedFlow(dependencies, request, reply);
      if (!flow) return reply;
      const { lang } = request.query as { lang?: unknown };
      const locale = typeof lang === "string" ? matchLocale(lang) : undefined;
      if (locale) {
        await setLocale(dependencies.pool, flow.id, locale);
        return reply.redirect(`/connect/${flow.id}`, 303);
      }
      const isAnswerNear = flow.phase === "running";
      const current = isAnswerNear
        ? await waitForStep(dependencies, request, flow, pageWaitMs)
        : flow;
      const show = flow.purpose === "accesses" ? showAccesses : showFlow;
      return await show(dependencies, request, reply, current ?? flow);
    },
  });

  scope.route({
    ...route,
    method: "GET",
    url: "/connect/:flow/status",
    handler: async (request, reply) => {
      const flow = await findVisitedFlow(dependencies, request, reply);
      if (!flow) return reply;
      const { keyring } = dependencies;
      const { seen } = request.query as { seen?: unknown };
      // What has changed since the page was shown is told at once.
      const isNews = seen !== undefined && seen !== shownStep(keyring, flow);
      const current = isNews ? flow : await waitForStep(dependencies, request, flow, statusWaitMs);
      const step = current ? shownStep(keyring, current) : "ended";
      return reply.header("cache-control", "no-store").send({ step });
    },
  });
}

/** The flow once the provider has answered, or as it is after the timeout. Undefined when it has ended meanwhile. */
async function waitForStep(
  dependencies: PageServices,
  request: FastifyRequest,
  flow: VisitedFlow,
  timeoutMs: number,
): Promise<VisitedFlow | undefined> {
  const isWithColleague = !flow.isHelper && isHandedOver(flow);
  if (flow.phase !== "running" && flow.phase !== "waiting" && !isWithColleague) return flow;
  await waitForProvider(dependencies, flow, timeoutMs);
  const browser = dependencies.browserSession.read(request);
  const visit = await visitFlow(dependencies, flow.id, browser);
  return visit.kind === "flow" ? { ...visit.flow, isHelper: visit.role === "helper" } : undefined;
}
