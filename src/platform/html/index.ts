// Markup whose values are always escaped. No page and no word of the domain lives here.
/** The mark of the service. */
export const iconFile = new URL("icon.svg", import.meta.url);
/** The same for programs that ask for a favicon alone. */
export const faviconFile = new URL("favicon.ico", import.meta.url);
/** What the style of a page begins with: colours, the body, and what browsers do otherwise. */
export const baseStyleFile = new URL("base.css", import.meta.url);
export { contrastOf, mixColors, textColor } from "./contrast.ts";
export { html, trustMarkup, type Html, type HtmlValue } from "./html.ts";
