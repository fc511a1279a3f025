import { html, type Html, type HtmlValue } from "../../platform/html/index.ts";
import type { FormField } from "../../providers/index.ts";
import type { FlowPageContext } from "./consent.ts";
import { formatMarkup } from "./format.ts";
import { noticeId } from "./notice.ts";
import type { FormProblem } from "./refusal.ts";
import { translate, translateText } from "./translate.ts";
import type { PageContext } from "./layout.ts";

/** Where a secret goes: to the provider once, to the provider with every request, or nowhere. */
export type SecretUse = "passed" | "kept" | "simulated";

/** One field of a provider's form, with its help and its error. The value of a secret is never shown. */
export function renderFieldRow(
  context: FlowPageContext,
  field: FormField,
  {
    value,
    problem,
    secretUse,
    explanation,
  }: {
    value: string | undefined;
    problem: FormProblem;
    secretUse: SecretUse;
    /** What unfolds at the field. */
    explanation: HtmlValue;
  },
): Html {
  const { name, isSecret, isAddress, isRequired, placeholder, help, autocomplete = "off" } = field;
  const hasChoices = field.choices !== undefined;
  const id = `field-${name}`;
  const error = problem.fieldError?.field === name ? problem.fieldError.text : undefined;
  const isFocused = problem.focus === name;
  const describedBy = [
    help && `${id}-help`,
    isSecret && `${id}-use`,
    error && `${id}-error`,
    isFocused && (problem.describedBy ?? (problem.notice && noticeId)),
  ]
    .filter(Boolean)
    .join(" ");
  const attributes = [
    html` autocomplete="${autocomplete}"`,
    isRequired && html` required`,
    error && html` aria-invalid="true"`,
    describedBy !== "" && html` aria-describedby="${describedBy}"`,
    isFocused && html` autofocus`,
  ];
  const inputAttributes = [
    html` maxlength="2048" spellcheck="false" autocapitalize="none" autocorrect="off"`,
    isAddress && html` inputmode="url"`,
    !isSecret && value !== undefined && html` value="${value}"`,
    placeholder && html` placeholder="${placeholder}"`,
    attributes,
  ];
  const title = translate(context, field.title);
  const control = hasChoices
    ? renderSelect(context, field, { id, value, attributes })
    : html`<input id="${id}" name="${name}" type="${isSecret ? "password" : "text"}"${inputAttributes}>`;
  return html`<div class="field"><label for="${id}">${title}</label>
${help && html`<p class="help" id="${id}-help">${translate(context, help)}</p>`}
${field.helpUrl !== undefined && renderHelpLink(context, field)}
${error && html`<p class="error" id="${id}-error">${error}</p>`}
<div class="input">${control}
${isSecret && renderRevealButton(context, title, id)}</div>
${isSecret && html`<p class="private" id="${id}-use">${describeUse(context, secretUse)}</p>`}
${explanation}</div>`;
}

function describeUse({ texts, client, provider, flow }: FlowPageContext, use: SecretUse): Html {
  const sentence = formatMarkup(texts.form.secret[use], { provider });
  if (flow.purpose === "accesses") return sentence;
  return html`${sentence} ${formatMarkup(texts.form.unseen, { client })}`;
}

/** The first choice is chosen already. */
function renderSelect(
  context: FlowPageContext,
  { name, choices = [] }: FormField,
  { id, value, attributes }: { id: string; value: string | undefined; attributes: HtmlValue },
): Html {
  const options = choices.map((choice) => {
    const { text, lang } = translateText(context, choice.title);
    const attributes = [lang && html` lang="${lang}"`, choice.value === value && html` selected`];
    return html`<option value="${choice.value}"${attributes}>${text}</option>`;
  });
  return html`<select id="${id}" name="${name}"${attributes}>${options}</select>`;
}

/** The link's text alone says where it leads, for those who hear links without what is around them. */
function renderHelpLink(context: FlowPageContext, { title, helpUrl = "" }: FormField): Html {
  const { where, newTab } = context.texts.form;
  return html`<p class="help"><a href="${helpUrl}" target="_blank" rel="noopener noreferrer">${where}
<span class="unseen">${translate(context, title)}</span> (${newTab})</a></p>`;
}

/** Hidden until the script of the page can make it work. */
export function renderRevealButton({ texts }: PageContext, title: Html, id: string): Html {
  const { show, hide } = texts.form;
  const label = html`<span>${show}</span> <span class="unseen">${title}</span>`;
  return html`<button type="button" class="reveal" hidden aria-controls="${id}" data-reveal="${id}"
 data-hide="${hide}">${label}</button>`;
}
