import { html, type Html } from "../../platform/html/index.ts";
import type { FormField } from "../../providers/index.ts";
import type { Refusal } from "../flow.ts";
import type { Prefill } from "../flow-secrets.ts";
import type { FlowPageContext } from "./consent.ts";
import { formatMarkup } from "./format.ts";
import { noticeId, renderNotice } from "./notice.ts";
import { translate, translateText } from "./translate.ts";

/** What a form shows of the last refusal: a notice about the whole form, or an error at a field. */
export interface FormProblem {
  notice?: Html;
  fieldError?: { field: string; text: Html };
  /** What gets the keyboard focus: a field, by its name, or the notice. */
  focus?: string;
  /** What is read out with the field that has the focus: the notice when left out. */
  describedBy?: string;
}

/** Earlier input that the form shows again. */
export type ShownPrefill = Pick<Prefill, "formValues" | "explanation" | "found">;

export function describeRefusalAtForm(
  context: FlowPageContext,
  fields: readonly FormField[],
  prefill: ShownPrefill | undefined,
): FormProblem {
  const { refusal } = context.flow;
  if (!refusal) return {};
  const text = describeRefusal(context, refusal, {
    explanation: prefill?.explanation,
    fields: nameCredentials(context, fields),
  });
  if (refusal.kind === "field" && fields.some(({ name }) => name === refusal.field))
    return { fieldError: { field: refusal.field, text }, focus: refusal.field };
  const isMistyped =
    refusal.kind === "refused" && refusal.code === "incorrect_username_or_password";
  const emptyField = fields.find(
    ({ name, isRequired }) => isRequired && prefill?.formValues[name] === undefined,
  );
  const isFocusAtField = isMistyped && emptyField !== undefined;
  const focus = isFocusAtField ? emptyField.name : noticeId;
  const hint = isMistyped && context.isSimulated && html` ${context.texts.test.refused}`;
  return { notice: renderNotice(html`${text}${hint}`, { isFocused: !isFocusAtField }), focus };
}

export function describeRefusal(
  context: FlowPageContext,
  refusal: Refusal,
  { explanation = "", fields }: { explanation?: string | undefined; fields?: string } = {},
): Html {
  const { texts, client, provider } = context;
  if (refusal.kind === "field") return translate(context, explanation);
  return formatMarkup(
    refusal.kind === "refused" ? texts.refusals[refusal.code] : texts.problems[refusal.kind],
    { client, provider, fields },
  );
}

/** The fields of the login and of its secrets, as a part of a sentence: "email or password". */
function nameCredentials(context: FlowPageContext, fields: readonly FormField[]): string {
  const named = fields.filter(
    ({ isSecret, autocomplete = "" }) => isSecret || /^(username|email)$/.test(autocomplete),
  );
  const titles = (named.length > 0 ? named : fields).map(({ title }) => {
    const { text, lang } = translateText(context, title);
    return context.locale === "de" || lang ? text : uncapitalize(text);
  });
  return new Intl.ListFormat(context.locale, { type: "disjunction" }).format(titles);
}

/** Leaves a word in capitals as it is, such as "API key". */
function uncapitalize(text: string): string {
  return /^\p{Lu}\p{Lu}/u.test(text) ? text : text.charAt(0).toLowerCase() + text.slice(1);
}
