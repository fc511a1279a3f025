import { html, type Html } from "../../platform/html/index.ts";
import type { PageContext } from "./layout.ts";

/** Shows an adapter's sentence in the language of the page, or in English when there is no translation. */
export function translate({ texts, locale }: PageContext, sentence: string): Html {
  const translation = texts.adapters[sentence];
  return translation === undefined && locale !== "en"
    ? html`<span lang="en">${sentence}</span>`
    : html`${translation ?? sentence}`;
}
