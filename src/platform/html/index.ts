// Markup whose values are always escaped. No page and no word of the domain lives here.
export { html, trustMarkup, type Html, type HtmlValue } from "./html.ts";
