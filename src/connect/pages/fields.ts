import { html, type Html } from "../../platform/html/index.ts";
import type { FormField } from "../../providers/index.ts";
import type { Prefill, Refusal } from "../flow.ts";
import type { FlowPageContext } from "./consent.ts";
import { say } from "./say.ts";

/** What is said of the last try. */
export interface Verdict {
  /** About the form as a whole. */
  notice?: Html;
  fieldError?: { field: string; text: Html };
  /** Where eye and keyboard belong now: a field, by its name, or the notice. */
  focus?: string;
}

const noticeId = "notice";

export function judge(
  context: FlowPageContext,
  fields: readonly FormField[],
  prefill: Prefill | undefined,
): Verdict {
  const { refusal } = context.flow;
  if (!refusal) return {};
  const text = describeRefusal(context, refusal, prefill?.explanation);
  if (refusal.kind === "field" && fields.some(({ name }) => name === refusal.field))
    return { fieldError: { field: refusal.field, text }, focus: refusal.field };
  const isMistyped =
    refusal.kind === "refused" && refusal.code === "incorrect_username_or_password";
  const empty = fields.find(({ name }) => prefill?.fields[name] === undefined);
  return { notice: text, focus: isMistyped && empty ? empty.name : noticeId };
}

export function describeRefusal(
  context: FlowPageContext,
  refusal: Refusal,
  explanation = "",
): Html {
  const { texts, client, provider } = context;
  if (refusal.kind === "field") return translate(context, explanation);
  return say(
    refusal.kind === "refused" ? texts.refusals[refusal.code] : texts.problems[refusal.kind],
    { client, provider },
  );
}

/** What went wrong: read out at once, and focused when no field is. */
export function notice(
  text: Html | undefined,
  { isFocused }: { isFocused: boolean },
): Html | undefined {
  return (
    text &&
    html`<div class="notice" id="${noticeId}" role="alert" tabindex="-1"${isFocused && html` autofocus`}><p>${text}</p></div>`
  );
}

export function noticeOf(verdict: Verdict): Html | undefined {
  return notice(verdict.notice, { isFocused: verdict.focus === noticeId });
}

export function fieldRow(
  context: FlowPageContext,
  field: FormField,
  { value, verdict }: { value: string | undefined; verdict: Verdict },
): Html {
  const { name, isSecret, isAddress, isRequired, placeholder, help, autocomplete = "off" } = field;
  const id = `field-${name}`;
  const error = verdict.fieldError?.field === name ? verdict.fieldError.text : undefined;
  const isFocused = verdict.focus === name;
  const described = [
    help && `${id}-help`,
    error && `${id}-error`,
    isFocused && verdict.notice && noticeId,
  ]
    .filter(Boolean)
    .join(" ");
  const attributes = [
    isAddress && html` inputmode="url"`,
    !isSecret && value !== undefined && html` value="${value}"`,
    placeholder && html` placeholder="${placeholder}"`,
    isRequired && html` required`,
    error && html` aria-invalid="true"`,
    described !== "" && html` aria-describedby="${described}"`,
    isFocused && html` autofocus`,
  ];
  return html`<div class="field"><label for="${id}">${translate(context, field.title)}</label>
${help && html`<p class="help" id="${id}-help">${translate(context, help)}</p>`}
${error && html`<p class="error" id="${id}-error">${error}</p>`}
<div class="input"><input id="${id}" name="${name}" type="${isSecret ? "password" : "text"}" autocomplete="${autocomplete}" maxlength="2048" spellcheck="false" autocapitalize="none" autocorrect="off"${attributes}>
${isSecret && revealButton(context, field, id)}</div></div>`;
}

/** Only a script can do this, so only a script shows it. */
function revealButton(context: FlowPageContext, field: FormField, id: string): Html {
  const { show, hide } = context.texts.form;
  return html`<button type="button" class="reveal" hidden aria-controls="${id}" data-reveal="${id}" data-hide="${hide}"><span>${show}</span> <span class="unseen">${translate(context, field.title)}</span></button>`;
}

/** What an adapter says in English, in the language of the page when there is a translation. */
export function translate({ texts, locale }: FlowPageContext, sentence: string): Html {
  const translation = texts.adapters[sentence];
  return translation === undefined && locale !== "en"
    ? html`<span lang="en">${sentence}</span>`
    : html`${translation ?? sentence}`;
}
