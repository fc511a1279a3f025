import type { Locale } from "../../model/index.ts";
import { html, type Html, type HtmlValue } from "../../platform/html/index.ts";
import type { Texts } from "../texts/index.ts";
import { formatMarkup } from "./format.ts";

/** A shorter list fits on a screen and needs no search. */
const longListStartsAt = 7;

interface ProviderButton {
  title: string;
  mark: HtmlValue;
  /** What its form sends, and under which name. */
  name: string;
  value: string;
  /** Stands behind the title. */
  note?: HtmlValue;
}

interface ProviderListParts {
  texts: Texts;
  locale: Locale;
  buttons: readonly ProviderButton[];
  search: string;
  /** Says that nothing was found: a sentence with {search}, as text and with it filled in. */
  noneFound: { text: string; markup: HtmlValue };
  /** The form that searches without a script. */
  wrapSearch(fields: Html, attributes: Html): Html;
  /** The form that sends the choice. */
  wrapChoice(list: Html): Html;
}

/** The providers to choose from. A long list has a search, which works without a script too. */
export function renderProviderList(parts: ProviderListParts): Html {
  const { buttons, search, wrapSearch, wrapChoice } = parts;
  const wanted = fold(search);
  const found = new Set(buttons.filter(({ title }) => fold(title).includes(wanted)));
  const items = buttons.map((button) => renderItem(button, found.has(button)));
  const hasSearch = buttons.length >= longListStartsAt || search !== "";
  return html`${hasSearch && wrapSearch(searchFields(parts), html` class="search" role="search"`)}
${hasSearch && countLine(parts, found.size)}
${wrapChoice(html`<ul class="providers" data-filter="q">${items}</ul>`)}`;
}

function renderItem({ title, mark, name, value, note }: ProviderButton, isFound: boolean): Html {
  const label = html`${mark}<span><bdi>${title}</bdi>${note}</span>`;
  const button = html`<button class="provider" name="${name}" value="${value}">${label}</button>`;
  return html`<li${!isFound && html` hidden`}>${button}</li>`;
}

function searchFields({ texts, search }: ProviderListParts): Html {
  const attributes = [
    html` maxlength="100" autocomplete="off" spellcheck="false"`,
    search !== "" && html` autofocus`,
  ];
  return html`<label for="q">${texts.choose.search}</label>
<div class="input"><input id="q" name="q" type="search" value="${search}"${attributes}>
<noscript><button>${texts.choose.submit}</button></noscript></div>`;
}

function countLine({ texts, locale, noneFound }: ProviderListParts, count: number): Html {
  const { count: forms } = texts.choose;
  const form = forms[new Intl.PluralRules(locale).select(count)] ?? forms.other;
  const sentence = count === 0 ? noneFound.markup : formatMarkup(form, { count });
  const attributes = Object.entries(forms).map(([name, text]) => html` data-${name}="${text}"`);
  return html`<p class="count" role="status"${attributes} data-none="${noneFound.text}">${sentence}</p>`;
}

/** Ignores case, accents and what joins words in a search. The script of the pages does the same. */
function fold(text: string): string {
  return text
    .normalize("NFD")
    .replaceAll(/[^\p{L}\p{N}]/gu, "")
    .toLowerCase();
}
