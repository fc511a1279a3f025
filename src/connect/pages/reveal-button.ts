import { html, type Html } from "../../platform/html/index.ts";
import type { PageContext } from "./layout.ts";

/** Hidden until the script of the page can make it work. */
export function renderRevealButton({ texts }: PageContext, title: Html, id: string): Html {
  const { show, hide } = texts.form;
  const label = html`<span>${show}</span> <span class="unseen">${title}</span>`;
  return html`<button type="button" class="reveal" hidden aria-controls="${id}" data-reveal="${id}"
 data-hide="${hide}">${label}</button>`;
}
