import { locales, type Locale } from "../../model/index.ts";
import { html, type Html, type HtmlValue } from "../../platform/html/index.ts";
import { assets } from "../assets.ts";
import { stylePathOf, type Brand } from "../brand.ts";
import type { ShownPicture } from "../load-picture.ts";
import { textsOf, type Texts } from "../texts/index.ts";
import { formatMarkup, formatText, type Names } from "./format.ts";

export interface PageContext {
  locale: Locale;
  texts: Texts;
  /** What the adapter of the page's provider brings along in this language, by the English sentences. */
  providerTexts?: Readonly<Record<string, string>>;
  /** The address that shows this page again, or the page that has taken its place. */
  here: string;
  /** Who runs the service, and what it looks like. */
  brand: Brand;
  /** What somebody who asks for help names: the flow, or the request. Log lines have both. */
  reference: string;
}

export interface Page extends PageContext {
  title: string;
  /** When it is not the language of the page. */
  titleLang?: string;
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
  brand,
  title,
  titleLang,
  names = {},
  body,
  isProblem = false,
  isForDevelopers = false,
  isWide = false,
  isSimulated = false,
  refreshSeconds,
}: Page): Html {
  const { serviceName, operatorName: operator, logo } = brand;
  const style = stylePathOf(brand);
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
<title>${isProblem ? formatText(texts.title.problem, { title: plainTitle }) : plainTitle} · ${serviceName}</title>
<link rel="icon" href="${(isMark(logo) ? logo.asset : assets.icon).path}">
<link rel="stylesheet" href="${assets.style.path}">
${style && html`<link rel="stylesheet" href="${style}">`}
<script src="${assets.script.path}" defer></script>
${refreshSeconds && html`<noscript><meta http-equiv="refresh" content="${refreshSeconds}"></noscript>`}
</head>
<body${isWide && html` class="wide"`}>
<header class="brand">${renderBrand(brand)}${isSimulated && html`<p class="test-band">${texts.test.band}</p>`}</header>
<main>
<h1${titleLang && html` lang="${titleLang}"`}>${formatMarkup(title, names)}</h1>
${body}
</main>
<footer>
<p>${texts.footer.about}</p>
${operator !== undefined && html`<p>${formatMarkup(texts.footer.operator, { operator })}</p>`}
${brandLinks(brand, texts)}
${!isForDevelopers && languageLinks(here, locale, texts)}
</footer>
</body>
</html>
`;
}

/** A logo that is at least twice as wide as high holds the name, so it stands alone. */
const wordsFromRatio = 2;
const logoHeight = 28;

function isMark(logo: ShownPicture | undefined): logo is ShownPicture {
  return logo !== undefined && logo.ratio < wordsFromRatio;
}

function renderBrand({ serviceName, logo }: Brand): Html {
  const { path } = logo?.asset ?? assets.icon;
  const width = Math.round(logoHeight * (logo?.ratio ?? 1));
  const size = html` width="${width}" height="${logoHeight}"`;
  if (logo && !isMark(logo))
    return html`<img class="logo" src="${path}" alt="${serviceName}"${size}>`;
  return html`<img${logo && html` class="logo"`} src="${path}" alt=""${size}>
<span>${serviceName}</span>`;
}

/** They open beside the sign-in, which stays as it is. */
function brandLinks({ privacyUrl, imprintUrl, supportUrl }: Brand, texts: Texts): HtmlValue {
  const links = [
    { url: privacyUrl, text: texts.footer.privacy },
    { url: imprintUrl, text: texts.footer.imprint },
    { url: supportUrl, text: texts.footer.support },
  ].filter(({ url }) => url !== undefined);
  const items = links.map(
    ({ url, text }) =>
      html`<li><a href="${url}" target="_blank" rel="noopener noreferrer">${text}<span class="unseen"> (${texts.form.newTab})</span></a></li>`,
  );
  return items.length > 0 && html`<ul class="languages">${items}</ul>`;
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
