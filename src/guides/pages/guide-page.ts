import { html, type Html } from "../../platform/html/index.ts";
import { addressOf, guides, type Guide } from "../catalog.ts";
import type { RenderedMarkdown, Section } from "../markdown.ts";
import { renderPage, type Site } from "./layout.ts";

export function guidePage(
  site: Site,
  guide: Guide,
  { body, title, sections }: RenderedMarkdown,
): Html {
  const headings = sections.filter(({ level }) => level === 2);
  return renderPage(site, {
    address: addressOf(guide),
    title,
    shape: "guide",
    body: html`${headings.length > 1 && contents(headings)}
<article class="text">
${body}
${neighbours(guide)}
</article>`,
  });
}

function contents(headings: readonly Section[]): Html {
  const links = headings.map(({ slug, title }) => html`<li><a href="#${slug}">${title}</a></li>`);
  return html`<nav class="contents" aria-labelledby="contents"><h2 id="contents">On this page</h2>
<ul>${links}</ul></nav>`;
}

function neighbours(guide: Guide): Html {
  const index = guides.indexOf(guide);
  const [previous, next] = [guides[index - 1], guides[index + 1]];
  return html`<nav class="neighbours" aria-label="Other guides">
${previous && html`<span>Previous<a href="${addressOf(previous)}">${previous.title}</a></span>`}
${next && html`<span class="next">Next<a href="${addressOf(next)}">${next.title}</a></span>`}
</nav>`;
}
