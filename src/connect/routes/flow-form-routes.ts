import type { FastifyRequest } from "fastify";
import { z } from "zod";
import { callerAddress, callerNetwork, type HttpApp } from "../../platform/http/index.ts";
import type { FormValues } from "../../providers/index.ts";
import { closeAccesses, endAccess, type AccessesDependencies } from "../accesses.ts";
import { chooseProvider, returnToChoice } from "../choose-provider.ts";
import { declineFlow, type DeclineFlowDependencies } from "../decline-flow.ts";
import type { Flow, Phase } from "../flow.ts";
import { isFormTokenOf } from "../form-token.ts";
import { submitForm, type SubmitFormDependencies } from "../submit-form.ts";
import { submitAnswer } from "../submit-answer.ts";
import { findVisitedFlow, type VisitedFlowDependencies } from "./visited-flow.ts";

export interface FlowFormDependencies
  extends
    VisitedFlowDependencies,
    SubmitFormDependencies,
    DeclineFlowDependencies,
    AccessesDependencies {}

interface FlowForm {
  name: string;
  /** Of flows of any purpose when left out. */
  purpose?: Flow["purpose"];
  /** The phases in which the form is accepted. */
  phases: readonly Phase[];
  /** Also accepted from the page of an earlier step. */
  isFromAnyStep?: boolean;
  /** Returns the address that the browser is sent to, or nothing for the flow's own page. */
  accept(flow: Flow, formValues: FormValues, request: FastifyRequest): Promise<string | void>;
}

export function registerFlowFormRoutes(scope: HttpApp, dependencies: FlowFormDependencies): void {
  const forms: FlowForm[] = [
    {
      name: "provider",
      purpose: "connection",
      phases: ["choosing"],
      accept: (flow, { provider = "" }) => chooseProvider(dependencies, flow, provider),
    },
    {
      name: "other",
      purpose: "connection",
      phases: ["form"],
      accept: (flow) => returnToChoice(dependencies, flow),
    },
    {
      name: "sign-in",
      phases: ["form"],
      accept: (flow, formValues, request) =>
        submitForm(dependencies, flow, formValues, {
          address: callerAddress(request),
          network: callerNetwork(request),
        }),
    },
    {
      name: "answer",
      phases: ["challenged"],
      accept: (flow, { answer = "" }) => submitAnswer(dependencies, flow, answer),
    },
    {
      // Cancelling counts at every step: the provider may just have answered, and people click twice.
      name: "decline",
      purpose: "connection",
      phases: [
        "choosing",
        "form",
        "running",
        "challenged",
        "waiting",
        "ready",
        "declined",
        "failed",
      ],
      isFromAnyStep: true,
      accept: (flow) => declineFlow(dependencies, flow),
    },
    ...accessForms(dependencies),
  ];
  for (const form of forms) registerFlowForm(scope, dependencies, form);
}

/** Of the page that shows who has access to an account. */
function accessForms(dependencies: AccessesDependencies): FlowForm[] {
  return [
    {
      name: "end",
      purpose: "accesses",
      phases: ["finished"],
      accept: async (flow, { token = "" }) =>
        (await endAccess(dependencies, flow, token)) ? `/connect/${flow.id}?ended=1` : undefined,
    },
    {
      name: "close",
      purpose: "accesses",
      phases: ["form", "running", "challenged", "waiting", "ready", "finished", "failed"],
      isFromAnyStep: true,
      accept: (flow) => closeAccesses(dependencies, flow),
    },
  ];
}

/** A form that is sent twice, or from an earlier step, changes nothing and leads to the current page. */
function registerFlowForm(
  scope: HttpApp,
  dependencies: FlowFormDependencies,
  { name, purpose, phases, isFromAnyStep = false, accept }: FlowForm,
): void {
  const { keyring, pages } = dependencies;
  scope.route({
    method: "POST",
    url: `/connect/:flow/${name}`,
    config: { rateLimitClass: "wide" },
    schema: { hide: true },
    handler: async (request, reply) => {
      const flow = await findVisitedFlow(dependencies, request, reply);
      if (!flow) return reply;
      const formValues = readFormValues(request.body);
      if (!formValues || !isFormTokenOf(keyring, flow, formValues["form_token"] ?? ""))
        return pages.sendError(request, reply, "forged");
      const isAtStep = isFromAnyStep || formValues["step"] === String(flow.step);
      const isOfPurpose = purpose === undefined || purpose === flow.purpose;
      const target =
        isAtStep && isOfPurpose && phases.includes(flow.phase)
          ? await accept(flow, formValues, request)
          : undefined;
      return reply.redirect(target ?? `/connect/${flow.id}`, 303);
    },
  });
}

/** Undefined when a field comes twice, which no page of ours sends. */
function readFormValues(body: unknown): FormValues | undefined {
  return z.record(z.string(), z.string()).safeParse(body ?? {}).data;
}
