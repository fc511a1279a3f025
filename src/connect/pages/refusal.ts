import type { Html } from "../../platform/html/index.ts";
import type { FormField } from "../../providers/index.ts";
import type { Refusal } from "../flow.ts";
import type { Prefill } from "../flow-secrets.ts";
import type { FlowPageContext } from "./consent.ts";
import { formatMarkup } from "./format.ts";
import { noticeId, renderNotice } from "./notice.ts";
import { translate } from "./translate.ts";

/** What a form shows of the last refusal: a notice about the whole form, or an error at a field. */
export interface FormProblem {
  notice?: Html;
  fieldError?: { field: string; text: Html };
  /** What gets the keyboard focus: a field, by its name, or the notice. */
  focus?: string;
}

/** What the form shows of what was typed before. */
export type ShownPrefill = Pick<Prefill, "formValues" | "explanation">;

export function describeRefusalAtForm(
  context: FlowPageContext,
  fields: readonly FormField[],
  prefill: ShownPrefill | undefined,
): FormProblem {
  const { refusal } = context.flow;
  if (!refusal) return {};
  const text = describeRefusal(context, refusal, prefill?.explanation);
  if (refusal.kind === "field" && fields.some(({ name }) => name === refusal.field))
    return { fieldError: { field: refusal.field, text }, focus: refusal.field };
  const isMistyped =
    refusal.kind === "refused" && refusal.code === "incorrect_username_or_password";
  const emptyField = fields.find(
    ({ name, isRequired }) => isRequired && prefill?.formValues[name] === undefined,
  );
  const isFocusAtField = isMistyped && emptyField !== undefined;
  const focus = isFocusAtField ? emptyField.name : noticeId;
  return { notice: renderNotice(text, { isFocused: !isFocusAtField }), focus };
}

export function describeRefusal(
  context: FlowPageContext,
  refusal: Refusal,
  explanation = "",
): Html {
  const { texts, client, provider } = context;
  if (refusal.kind === "field") return translate(context, explanation);
  return formatMarkup(
    refusal.kind === "refused" ? texts.refusals[refusal.code] : texts.problems[refusal.kind],
    { client, provider },
  );
}
