// Markup that is escaped by construction. No page and no word of the domain lives here.
export { html, type Html, type HtmlValue } from "./html.ts";
