import type { FastifyReply, FastifyRequest } from "fastify";
import { z } from "zod";
import { isSameDigest } from "../platform/crypto/index.ts";
import { callerAddress, type HttpApp } from "../platform/http/index.ts";
import { listFormFields } from "../providers/index.ts";
import type { BrowserSession } from "./browser-session.ts";
import type { Flow, Phase } from "./flow.ts";
import { listOffered } from "./flows.ts";
import { matchLocale } from "./link.ts";
import { showFlow, type ShowFlowDependencies } from "./show-flow.ts";

export interface FlowRouteDependencies extends ShowFlowDependencies {
  browserSession: BrowserSession;
}

/** Most sign-ins are over by then, so that most people never see the page that waits. */
const patienceMs = 1_500;
const longPollMs = 10_000;
const maxOtpLength = 2_048;

type Form = Readonly<Record<string, string>>;
/** Answers with where to go; undefined leads back to the flow's own page. */
type Move = (flow: Flow, form: Form, request: FastifyRequest) => Promise<string | void>;

export function registerFlowRoutes(scope: HttpApp, dependencies: FlowRouteDependencies): void {
  const { flows } = dependencies;

  scope.route({
    method: "GET",
    url: "/connect/:flow",
    exposeHeadRoute: false,
    config: { rateLimitClass: "wide" },
    schema: { hide: true },
    handler: async (request, reply) => {
      const flow = await findFlow(dependencies, request, reply);
      if (!flow) return reply;
      const { lang } = request.query as { lang?: unknown };
      const asked = typeof lang === "string" ? matchLocale(lang) : undefined;
      if (asked) {
        await flows.setLocale(flow, asked);
        return reply.redirect(`/connect/${flow.id}`, 303);
      }
      return await showFlow(
        dependencies,
        request,
        reply,
        await settled(dependencies, request, flow),
      );
    },
  });

  scope.route({
    method: "GET",
    url: "/connect/:flow/status",
    config: { rateLimitClass: "wide" },
    schema: { hide: true },
    handler: async (request, reply) => {
      const flow = await findFlow(dependencies, request, reply);
      if (!flow) return reply;
      if (flow.phase === "running") await flows.waitForProvider(flow, longPollMs);
      const visit = await flows.visit(flow.id, dependencies.browserSession.read(request));
      return reply
        .header("cache-control", "no-store")
        .send({ step: visit.kind === "flow" ? visit.flow.step : 0 });
    },
  });

  registerMove(
    scope,
    dependencies,
    { name: "provider", phases: ["choosing"] },
    async (flow, { provider = "" }) => {
      if (listOffered(dependencies.registry, flow).some(({ name }) => name === provider))
        await flows.choose(flow, provider);
    },
  );
  registerMove(scope, dependencies, { name: "other", phases: ["form"] }, async (flow) => {
    if (!flow.isProviderFixed) await flows.chooseAgain(flow);
  });
  registerMove(scope, dependencies, { name: "sign-in", phases: ["form"] }, (flow, form, request) =>
    submitForm(dependencies, flow, form, callerAddress(request)),
  );
  registerMove(
    scope,
    dependencies,
    { name: "answer", phases: ["challenged"] },
    async (flow, { otp = "" }) => {
      const typed = otp.trim();
      if (typed !== "" && typed.length <= maxOtpLength) await flows.submitOtp(flow, typed);
    },
  );
  // Whoever cancels means it, also on a page that the provider's answer has just overtaken, and also at the second click.
  const undecided: Phase[] = [
    "choosing",
    "form",
    "running",
    "challenged",
    "ready",
    "declined",
    "failed",
  ];
  registerMove(
    scope,
    dependencies,
    { name: "decline", phases: undecided, isFromAnyStep: true },
    (flow) => flows.decline(flow),
  );
}

/** A form that was sent twice, or from a page that is no longer current, changes nothing and shows where the flow stands. */
function registerMove(
  scope: HttpApp,
  dependencies: FlowRouteDependencies,
  {
    name,
    phases,
    isFromAnyStep = false,
  }: { name: string; phases: readonly Phase[]; isFromAnyStep?: boolean },
  move: Move,
): void {
  scope.route({
    method: "POST",
    url: `/connect/:flow/${name}`,
    config: { rateLimitClass: "wide" },
    schema: { hide: true },
    handler: async (request, reply) => {
      const flow = await findFlow(dependencies, request, reply);
      if (!flow) return reply;
      const form = readForm(request.body);
      if (!form || !isOurForm(dependencies, flow, form))
        return dependencies.pages.sendError(request, reply, "forged");
      const isCurrent =
        (isFromAnyStep || form["step"] === String(flow.step)) && phases.includes(flow.phase);
      const target = isCurrent ? await move(flow, form, request) : undefined;
      return reply.redirect(target ?? `/connect/${flow.id}`, 303);
    },
  });
}

async function submitForm(
  { flows, registry }: FlowRouteDependencies,
  flow: Flow,
  form: Form,
  network: string,
): Promise<void> {
  const mode = registry.findMode(flow.provider ?? "", flow.mode);
  if (!mode) return;
  const fields = listFormFields(mode.form);
  const answers = Object.fromEntries(
    fields.flatMap(({ name }) =>
      form[name] === undefined || form[name] === "" ? [] : [[name, form[name]]],
    ),
  );
  const shown = Object.fromEntries(
    fields.flatMap(({ name, isSecret }) =>
      isSecret || answers[name] === undefined ? [] : [[name, answers[name]]],
    ),
  );
  const prefill = { formValues: shown, network };
  const parsed = mode.form.safeParse(answers);
  if (parsed.success) return await flows.submit(flow, answers, prefill);
  const [issue] = parsed.error.issues;
  const field = String(issue?.path[0] ?? "");
  const explanation =
    answers[field] === undefined ? "Please fill in this field." : (issue?.message ?? "");
  await flows.refuseField(flow, field, { ...prefill, explanation });
}

/** Answers with an error page itself when the browser may not see the flow. */
async function findFlow(
  { flows, browserSession, pages }: FlowRouteDependencies,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Flow | undefined> {
  const { flow: id } = request.params as { flow: string };
  const visit = z.uuid().safeParse(id).success
    ? await flows.visit(id, browserSession.read(request))
    : ({ kind: "unknown" } as const);
  if (visit.kind === "flow") return visit.flow;
  await pages.sendError(
    request,
    reply,
    visit.kind,
    visit.kind === "expired" ? { locale: visit.locale } : {},
  );
  return undefined;
}

async function settled(
  { flows, browserSession }: FlowRouteDependencies,
  request: FastifyRequest,
  flow: Flow,
): Promise<Flow> {
  if (flow.phase !== "running") return flow;
  await flows.waitForProvider(flow, patienceMs);
  const visit = await flows.visit(flow.id, browserSession.read(request));
  return visit.kind === "flow" ? visit.flow : flow;
}

function isOurForm(
  { flows }: FlowRouteDependencies,
  flow: Flow,
  { form_token: token = "" }: Form,
): boolean {
  return isSameDigest(Buffer.from(token), Buffer.from(flows.formToken(flow)));
}

/** Undefined when a field comes twice, which no page of ours sends. */
function readForm(body: unknown): Form | undefined {
  const parsed = z.record(z.string(), z.string()).safeParse(body ?? {});
  return parsed.success ? parsed.data : undefined;
}
