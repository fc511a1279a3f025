import { html, type Html, type HtmlValue } from "../../platform/html/index.ts";
import type { FormField } from "../../providers/index.ts";
import { parseTypedAddress } from "../attempt-account.ts";
import type { FlowPageContext } from "./consent.ts";
import type { SecretUse } from "./field-row.ts";
import { renderFlowForm } from "./flow-form.ts";
import { renderFormRows } from "./form-rows.ts";
import { formatMarkup } from "./format.ts";
import type { FormProblem, ShownPrefill } from "./refusal.ts";

/** What one page asks for. The address of a system comes first, and the rest once it was found. */
export interface FormStep {
  kind: "address" | "credentials" | "whole";
  fields: readonly FormField[];
}

const foundId = "found";

export function findFormStep(
  { origin, flow: { refusal } }: Pick<FlowPageContext, "origin" | "flow">,
  fields: readonly FormField[],
  prefill: ShownPrefill | undefined,
): FormStep {
  if (!origin?.isProbed) return { kind: "whole", fields };
  const refused = refusal?.kind === "field" && fields.some(({ name }) => name === refusal.field);
  const isOfAddress = refused && refusal.field === origin.field;
  if (prefill?.found && !isOfAddress)
    return { kind: "credentials", fields: fields.filter(({ name }) => name !== origin.field) };
  if (refused && !isOfAddress) return { kind: "whole", fields };
  return { kind: "address", fields: fields.filter(({ name }) => name === origin.field) };
}

/** The form of one step. Its last button leads back to the address, and loses nothing that was typed. */
export function renderStep(
  context: FlowPageContext,
  { kind, fields }: FormStep,
  {
    submit,
    ...given
  }: {
    submit: Html;
    prefill: ShownPrefill | undefined;
    problem: FormProblem;
    secretUse: SecretUse;
  },
): Html {
  const isNext = kind === "credentials" && given.problem.focus === undefined;
  const first = fields[0]?.name;
  const problem =
    isNext && first ? { ...given.problem, focus: first, describedBy: foundId } : given.problem;
  const rows = renderFormRows(context, { ...given, problem, fields });
  const primary = kind === "address" ? html`${context.texts.form.answer}` : submit;
  return renderFlowForm(
    context,
    kind === "address" ? "address" : "sign-in",
    html`${kind === "credentials" && found(context, given.prefill)}
${rows}<button class="primary">${primary}</button>
${kind === "credentials" && backButton(context)}`,
  );
}

function found(context: FlowPageContext, prefill: ShownPrefill | undefined): Html {
  const { texts, provider = "", origin } = context;
  const typed = prefill?.formValues[origin?.field ?? ""] ?? "";
  const system = `${provider} ${prefill?.found?.version ?? ""}`.trim();
  const address = parseTypedAddress(typed)?.host ?? typed;
  return html`<p class="found" id="${foundId}">${formatMarkup(texts.form.found, { system, address })}</p>`;
}

function backButton({ texts, path }: FlowPageContext): HtmlValue {
  return html`<button class="quiet" formaction="${path}/back" formnovalidate>${texts.form.otherAddress}</button>`;
}
