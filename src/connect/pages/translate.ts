import { html, type Html } from "../../platform/html/index.ts";
import type { PageContext } from "./layout.ts";

/** Shows an adapter's sentence in the language of the page, or in English when there is no translation. */
export function translate(context: PageContext, sentence: string): Html {
  const { text, lang } = translateText(context, sentence);
  return lang === undefined ? html`${text}` : html`<span lang="${lang}">${text}</span>`;
}

/** The same for a place that takes no markup. `lang` is set when it is not the language of the page. */
export function translateText(
  { texts, locale, providerTexts = {} }: PageContext,
  sentence: string,
): { text: string; lang?: string } {
  const translation = findText(providerTexts, sentence) ?? findText(texts.adapters, sentence);
  if (translation !== undefined) return { text: translation };
  return locale === "en" ? { text: sentence } : { text: sentence, lang: "en" };
}

/** A sentence is any text, and may be the name of what every object has. */
function findText(texts: Readonly<Record<string, string>>, sentence: string): string | undefined {
  return Object.hasOwn(texts, sentence) ? texts[sentence] : undefined;
}
