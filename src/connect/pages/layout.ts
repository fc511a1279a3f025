import { html, type Html, type HtmlValue } from "../../platform/html/index.ts";
import { assets } from "../assets.ts";
import { locales, type Locale } from "../link.ts";
import { textsOf, type Texts } from "../texts/index.ts";

export interface PageContext {
  locale: Locale;
  texts: Texts;
  /** Where the language links lead: the page's own path. Undefined on pages that have no address of their own. */
  path: string | undefined;
}

export interface Page extends PageContext {
  title: string;
  body: HtmlValue;
  /** Looks again by itself, for browsers without a script. */
  refreshSeconds?: number;
}

export function renderPage({ locale, texts, path, title, body, refreshSeconds }: Page): Html {
  return html`<!doctype html>
<html lang="${locale}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>${title} · Rollcall</title>
<link rel="icon" href="${assets.icon.path}" type="image/svg+xml">
<link rel="stylesheet" href="${assets.style.path}">
<script src="${assets.script.path}" defer></script>
${refreshSeconds && html`<noscript><meta http-equiv="refresh" content="${refreshSeconds}"></noscript>`}
</head>
<body>
<header class="brand"><img src="${assets.icon.path}" alt="" width="28" height="28"><span>Rollcall</span></header>
<main>
<h1>${title}</h1>
${body}
</main>
<footer>
<p>${texts.footer.secure}</p>
${path && languageLinks(path, locale, texts)}
</footer>
</body>
</html>
`;
}

function languageLinks(path: string, current: Locale, texts: Texts): Html {
  const links = locales.map((locale) =>
    locale === current
      ? html`<li><span lang="${locale}" aria-current="true">${textsOf[locale].language}</span></li>`
      : html`<li><a href="${path}?lang=${locale}" lang="${locale}" hreflang="${locale}">${textsOf[locale].language}</a></li>`,
  );
  return html`<nav aria-label="${texts.footer.language}"><ul class="languages">${links}</ul></nav>`;
}

/** What went wrong, above everything else and read out at once. */
export function notice(text: string | undefined): HtmlValue {
  return text && html`<div class="notice" role="alert"><p>${text}</p></div>`;
}
