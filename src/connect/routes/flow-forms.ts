import type { FastifyReply, FastifyRequest } from "fastify";
import { callerAddress, callerNetwork } from "../../platform/http/index.ts";
import type { FormValues } from "../../providers/index.ts";
import { chooseProvider, returnToChoice } from "../choose-provider.ts";
import { declineFlow, type DeclineFlowDependencies } from "../decline-flow.ts";
import type { Flow, Phase } from "../flow.ts";
import { submitAnswer } from "../submit-answer.ts";
import { submitForm, type SubmitFormDependencies } from "../submit-form.ts";

export interface FlowFormDependencies extends SubmitFormDependencies, DeclineFlowDependencies {}

export interface FlowForm {
  name: string;
  /** The phases in which the form is accepted. */
  phases: readonly Phase[];
  /** Also accepted from the page of an earlier step. */
  isFromAnyStep?: boolean;
  /** Returns the address that the browser is sent to, or nothing for the flow's own page. */
  accept(flow: Flow, formValues: FormValues, request: FastifyRequest): Promise<string | void>;
}

export function listFlowForms(dependencies: FlowFormDependencies): FlowForm[] {
  return [
    {
      name: "provider",
      phases: ["choosing"],
      accept: (flow, { provider = "" }) => chooseProvider(dependencies, flow, provider),
    },
    {
      name: "other",
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
  ];
}

/** The search of a link's page. The page of a flow searches with a form of method get. */
export const searchForm: FlowForm = {
  name: "search",
  phases: ["choosing"],
  accept: async (flow, { q = "" }) =>
    `/connect/${flow.id}?${new URLSearchParams({ q }).toString()}`,
};

/** A form that is sent twice, or from an earlier step, changes nothing and leads to the current page. */
export async function acceptFlowForm(
  request: FastifyRequest,
  reply: FastifyReply,
  { form, flow, formValues }: { form: FlowForm | undefined; flow: Flow; formValues: FormValues },
): Promise<FastifyReply> {
  const isAtStep = form?.isFromAnyStep === true || formValues["step"] === String(flow.step);
  const target =
    form && isAtStep && form.phases.includes(flow.phase)
      ? await form.accept(flow, formValues, request)
      : undefined;
  return reply.redirect(target ?? `/connect/${flow.id}`, 303);
}
