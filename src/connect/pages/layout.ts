import { html, type Html, type HtmlValue } from "../../platform/html/index.ts";
import { assets } from "../assets.ts";
import { locales, type Locale } from "../link.ts";
import { textsOf, type Texts } from "../texts/index.ts";
import { formatMarkup, formatText, type Names } from "./format.ts";

export interface PageContext {
  locale: Locale;
  texts: Texts;
  /** What the adapter of the page's provider brings along in this language, by the English sentences. */
  providerTexts?: Readonly<Record<string, string>>;
  /** The address that shows this page again, or the page that has taken its place. */
  here: string;
  /** Who runs the service. */
  operator?: string | undefined;
  /** What somebody who asks for help names: the flow, or the request. Log lines have both. */
  reference: string;
}

export interface Page extends PageContext {
  title: string;
  /** The values of the title's placeholders. */
  names?: Names;
  body: HtmlValue;
  /** The last attempt failed. The title of the browser's tab says so too. */
  isProblem?: boolean;
  /** In English only, for developers. */
  isForDevelopers?: boolean;
  /** Two columns where there is room. */
  isWide?: boolean;
  /** It leads to the simulated provider, and says so. */
  isSimulated?: boolean;
  /** Loads the page again by itself in browsers without a script. */
  refreshSeconds?: number;
}

export function renderPage({
  locale,
  texts,
  here,
  operator,
  title,
  names = {},
  body,
  isProblem = false,
  isForDevelopers = false,
  isWide = false,
  isSimulated = false,
  refreshSeconds,
}: Page): Html {
  const plainTitle = formatText(title, names);
  return html`<!doctype html>
<html lang="${locale}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="theme-color" content="#f3f4f8" media="(prefers-color-scheme: light)">
<meta name="theme-color" content="#10131a" media="(prefers-color-scheme: dark)">
<meta name="robots" content="noindex">
<title>${isProblem ? formatText(texts.title.problem, { title: plainTitle }) : plainTitle} · Rollcall</title>
<link rel="icon" href="${assets.icon.path}" type="image/svg+xml">
<link rel="stylesheet" href="${assets.style.path}">
<script src="${assets.script.path}" defer></script>
${refreshSeconds && html`<noscript><meta http-equiv="refresh" content="${refreshSeconds}"></noscript>`}
</head>
<body${isWide && html` class="wide"`}>
<header class="brand"><img src="${assets.icon.path}" alt="" width="28" height="28">
<span>Rollcall</span>${isSimulated && html`<p class="test-band">${texts.test.band}</p>`}</header>
<main>
<h1>${formatMarkup(title, names)}</h1>
${body}
</main>
<footer>
<p>${texts.footer.about}</p>
${operator !== undefined && html`<p>${formatMarkup(texts.footer.operator, { operator })}</p>`}
${!isForDevelopers && languageLinks(here, locale, texts)}
</footer>
</body>
</html>
`;
}

function languageLinks(here: string, current: Locale, texts: Texts): Html {
  const links = locales.map((locale) => {
    const { language } = textsOf[locale];
    const address = inLanguage(here, locale);
    return locale === current
      ? html`<li><span lang="${locale}" aria-current="true">${language}</span></li>`
      : html`<li><a href="${address}" lang="${locale}" hreflang="${locale}">${language}</a></li>`;
  });
  return html`<nav aria-label="${texts.footer.language}"><ul class="languages">${links}</ul></nav>`;
}

/** The rest of the address stays as it is, byte for byte: it may be a sign-in link. */
function inLanguage(here: string, locale: Locale): string {
  const [path = "", query] = here.split(/\?(.*)/s, 2);
  const others = (query ?? "").split("&").filter((pair) => !pair.startsWith("lang="));
  const rest = others.join("&");
  return `${path}?${rest === "" ? "" : `${rest}&`}lang=${locale}`;
}
