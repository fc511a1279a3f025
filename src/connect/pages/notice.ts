import { html, type Html } from "../../platform/html/index.ts";

export const noticeId = "notice";

/** Screen readers read it out at once. It takes the focus when no field has it. */
export function renderNotice(text: Html, { isFocused }: { isFocused: boolean }): Html {
  const autofocus = isFocused && html` autofocus`;
  const attributes = html` id="${noticeId}" role="alert" tabindex="-1"${autofocus}`;
  return html`<div class="notice"${attributes}><p>${text}</p></div>`;
}
