import { html, type Html } from "../../platform/html/index.ts";
import type { FormField } from "../../providers/index.ts";
import type { FlowPageContext } from "./consent.ts";
import { noticeId } from "./notice.ts";
import type { FormProblem } from "./refusal.ts";
import { translate } from "./translate.ts";

/** One field of a provider's form, with its help and its error. The value of a secret is never shown. */
export function renderFieldRow(
  context: FlowPageContext,
  field: FormField,
  { value, problem }: { value: string | undefined; problem: FormProblem },
): Html {
  const { name, isSecret, isAddress, isRequired, placeholder, help, autocomplete = "off" } = field;
  const id = `field-${name}`;
  const error = problem.fieldError?.field === name ? problem.fieldError.text : undefined;
  const isFocused = problem.focus === name;
  const describedBy = [
    help && `${id}-help`,
    error && `${id}-error`,
    isFocused && problem.notice && noticeId,
  ]
    .filter(Boolean)
    .join(" ");
  const attributes = [
    html` autocomplete="${autocomplete}" maxlength="2048" spellcheck="false"`,
    html` autocapitalize="none" autocorrect="off"`,
    isAddress && html` inputmode="url"`,
    !isSecret && value !== undefined && html` value="${value}"`,
    placeholder && html` placeholder="${placeholder}"`,
    isRequired && html` required`,
    error && html` aria-invalid="true"`,
    describedBy !== "" && html` aria-describedby="${describedBy}"`,
    isFocused && html` autofocus`,
  ];
  return html`<div class="field"><label for="${id}">${translate(context, field.title)}</label>
${help && html`<p class="help" id="${id}-help">${translate(context, help)}</p>`}
${error && html`<p class="error" id="${id}-error">${error}</p>`}
<div class="input"><input id="${id}" name="${name}" type="${isSecret ? "password" : "text"}"${attributes}>
${isSecret && renderRevealButton(context, field, id)}</div></div>`;
}

/** Hidden until the script of the page can make it work. */
function renderRevealButton(context: FlowPageContext, field: FormField, id: string): Html {
  const { show, hide } = context.texts.form;
  const label = html`<span>${show}</span> <span class="unseen">${translate(context, field.title)}</span>`;
  return html`<button type="button" class="reveal" hidden aria-controls="${id}" data-reveal="${id}"
 data-hide="${hide}">${label}</button>`;
}
