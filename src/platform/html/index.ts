// Markup whose values are always escaped. No page and no word of the domain lives here.
/** The mark of the service. */
export const iconFile = new URL("icon.svg", import.meta.url);
export { html, trustMarkup, type Html, type HtmlValue } from "./html.ts";
