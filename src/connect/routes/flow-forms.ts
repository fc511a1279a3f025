import type { FastifyReply, FastifyRequest } from "fastify";
import { callerAddress, callerNetwork, callerSite } from "../../platform/http/index.ts";
import type { FormValues } from "../../providers/index.ts";
import { changeSettings, endAccess } from "../accesses.ts";
import { chooseProvider, returnToChoice } from "../choose-provider.ts";
import { declineFlow } from "../decline-flow.ts";
import type { Flow, Phase } from "../flow.ts";
import { handOver, isHandedOver, takeBack } from "../handover.ts";
import { returnToAddress, submitAddress } from "../submit-address.ts";
import { submitAnswer } from "../submit-answer.ts";
import { submitForm } from "../submit-form.ts";
import type { PageServices } from "../services.ts";
import { z } from "zod";

export interface FlowForm {
  name: string;
  /** Of flows of any purpose when left out. */
  purpose?: Flow["purpose"];
  /** Also for the browser of a colleague, who does the sign-in and nothing else. */
  isForHelper?: boolean;
  /** The phases in which the form is accepted. */
  phases: readonly Phase[];
  /** Of the first browser: also while a colleague does the sign-in. */
  isWhileHandedOver?: boolean;
  /** Also accepted from the page of an earlier step. */
  isFromAnyStep?: boolean;
  /** Returns the address that the browser is sent to, or nothing for the flow's own page. */
  accept(flow: Flow, formValues: FormValues, request: FastifyRequest): Promise<string | void>;
}

export function listFlowForms(dependencies: PageServices): FlowForm[] {
  return [
    {
      name: "provider",
      isForHelper: true,
      purpose: "connection",
      phases: ["choosing"],
      accept: (flow, { provider = "" }) => chooseProvider(dependencies, flow, provider),
    },
    {
      name: "other",
      isForHelper: true,
      purpose: "connection",
      phases: ["form"],
      accept: (flow) => returnToChoice(dependencies, flow),
    },
    ...listProviderForms(dependencies),
    ...listHandoverForms(dependencies),
    {
      name: "answer",
      isForHelper: true,
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
      isWhileHandedOver: true,
      accept: (flow) => declineFlow(dependencies, flow),
    },
    ...listAccessForms(dependencies),
  ];
}

/** What an end user types of the provider's form. */
function listProviderForms(dependencies: PageServices): FlowForm[] {
  return [
    {
      name: "sign-in",
      isForHelper: true,
      phases: ["form"],
      accept: (flow, formValues, request) =>
        submitForm(dependencies, flow, formValues, {
          address: callerAddress(request),
          network: callerNetwork(request),
          site: callerSite(request),
          browser: dependencies.browserSession.readMark(request),
        }),
    },
    {
      name: "address",
      isForHelper: true,
      phases: ["form"],
      accept: (flow, formValues, request) =>
        submitAddress(dependencies, flow, formValues, {
          network: callerNetwork(request),
          site: callerSite(request),
        }),
    },
    {
      name: "back",
      isForHelper: true,
      phases: ["form"],
      accept: (flow, formValues) => returnToAddress(dependencies, flow, formValues),
    },
  ];
}

/** Of the first browser alone: who has the link has no part in it. */
function listHandoverForms(dependencies: PageServices): FlowForm[] {
  return [
    {
      name: "hand-over",
      purpose: "connection",
      phases: ["choosing", "form"],
      accept: (flow) => handOver(dependencies, flow),
    },
    {
      name: "take-back",
      purpose: "connection",
      phases: ["choosing", "form", "running", "challenged", "waiting"],
      isFromAnyStep: true,
      isWhileHandedOver: true,
      accept: (flow) => takeBack(dependencies, flow),
    },
  ];
}

/** Of the page that shows who has access to an account. */
function listAccessForms(dependencies: PageServices): FlowForm[] {
  return [
    {
      name: "end",
      purpose: "accesses",
      phases: ["finished"],
      accept: async (flow, { token = "" }) =>
        (await endAccess(dependencies, flow, token)) ? `/connect/${flow.id}?ended=1` : undefined,
    },
    {
      name: "settings",
      purpose: "accesses",
      phases: ["finished"],
      accept: async (flow, formValues) => {
        const { token = "" } = formValues;
        const isSaved = await changeSettings(dependencies, flow, token, formValues);
        const place = isSaved ? { saved: "1" } : { settings: token };
        return `/connect/${flow.id}?${new URLSearchParams(place).toString()}`;
      },
    },
    {
      name: "close",
      purpose: "accesses",
      phases: ["form", "running", "challenged", "waiting", "ready", "finished", "failed"],
      isFromAnyStep: true,
      accept: (flow) => declineFlow(dependencies, flow),
    },
  ];
}

/** The search of a link's page. The page of a flow searches with a form of method get. */
export const searchForm: FlowForm = {
  name: "search",
  purpose: "connection",
  phases: ["choosing"],
  accept: async (flow, { q = "" }) =>
    `/connect/${flow.id}?${new URLSearchParams({ q }).toString()}`,
};

/** A form that is sent twice, or from an earlier step, changes nothing and leads to the current page. */
export async function acceptFlowForm(
  request: FastifyRequest,
  reply: FastifyReply,
  {
    form,
    flow,
    isHelper = false,
    formValues,
  }: {
    form: FlowForm | undefined;
    flow: Flow;
    isHelper?: boolean | undefined;
    formValues: FormValues;
  },
): Promise<FastifyReply> {
  const isAtStep = form?.isFromAnyStep === true || formValues["step"] === String(flow.step);
  const isOfBrowser = isHelper
    ? form?.isForHelper === true
    : form?.isWhileHandedOver === true || !isHandedOver(flow);
  const isOfPurpose = form?.purpose === undefined || form.purpose === flow.purpose;
  const target =
    form && isAtStep && isOfBrowser && isOfPurpose && form.phases.includes(flow.phase)
      ? await form.accept(flow, formValues, request)
      : undefined;
  return reply.redirect(target ?? `/connect/${flow.id}`, 303);
}

/** Undefined when a field comes twice, which no page of ours sends. */
export function readFormValues(body: unknown): FormValues | undefined {
  return z.record(z.string(), z.string()).safeParse(body ?? {}).data;
}
