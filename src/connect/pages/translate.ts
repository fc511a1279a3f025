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
  if (Object.hasOwn(texts, sentence)) return texts[sentence];
  for (const [pattern, text] of Object.entries(texts)) {
    const filled = fillPart(pattern, text, sentence);
    if (filled !== undefined) return filled;
  }
  return undefined;
}

/** The translation of a sentence with a part that is the same in each language, such as `{version}` of the pattern. */
function fillPart(pattern: string, text: string, sentence: string): string | undefined {
  const [before, after, ...others] = pattern.split(/\{\w+\}/);
  if (before === undefined || after === undefined || others.length > 0) return undefined;
  const end = sentence.length - after.length;
  if (end < before.length || !sentence.startsWith(before) || !sentence.endsWith(after))
    return undefined;
  const name = pattern.slice(before.length, pattern.length - after.length);
  return text.replace(name, () => sentence.slice(before.length, end));
}
