import { html, type Html } from "../../platform/html/index.ts";
import type { FlowPageContext } from "./consent.ts";

/**
 * Shows an adapter's sentence in the language of the page, or in English when there is no translation. The texts of
 * its package come first.
 */
export function translate(
  { texts, locale, providerTexts = {} }: FlowPageContext,
  sentence: string,
): Html {
  const translation = find(providerTexts, sentence) ?? find(texts.adapters, sentence);
  return translation === undefined && locale !== "en"
    ? html`<span lang="en">${sentence}</span>`
    : html`${translation ?? sentence}`;
}

/** A sentence may be the name of something that every object has. */
function find(texts: Readonly<Record<string, string>>, sentence: string): string | undefined {
  return Object.hasOwn(texts, sentence) ? texts[sentence] : undefined;
}
