import { html, type Html } from "../../platform/html/index.ts";
import { addressOf, guideGroups, type Guide } from "../catalog.ts";
import { addressOfOperation, titleOfTag, type OperationGroup } from "../reference/operations.ts";
import type { Audience, SearchResult } from "../search-index.ts";
import { renderPage, type Site } from "./layout.ts";

/** The page at /docs. */
export function guidesPage(site: Site): Html {
  const groups = guideGroups.map(
    ({ title, guides }) => html`<h2>${title}</h2><div class="cards">${guides.map(card)}</div>`,
  );
  return renderPage(site, {
    address: "/docs",
    title: "Documentation",
    shape: "guide",
    body: html`<h1>Documentation</h1>
<p class="lead">How to let your users connect their HR or payroll account, and how to read what is in it.</p>
<p class="actions"><a class="button" href="/docs/quickstart">Quickstart</a>
<a class="button second" href="/docs/reference">API reference</a></p>
${groups}
<p>Every guide is there as Markdown too, at its address with <code>.md</code> behind it.
<a href="/llms.txt">llms.txt</a> lists them.</p>`,
  });
}

function card(guide: Guide): Html {
  return html`<section class="card">
<h3><a href="${addressOf(guide)}">${guide.title}</a></h3><p>${guide.holds}</p></section>`;
}

/** The page at /docs/reference. */
export function referencePage(
  site: Site,
  groups: readonly OperationGroup[],
  { description, renderWords }: { description: Html; renderWords: (text: string) => Html },
): Html {
  const lists = groups.map(({ tag, description: ofTag, operations }) => {
    const rows = operations.map(
      (operation) =>
        html`<tr><td><a href="${addressOfOperation(operation)}">${operation.title}</a></td>
<td data-label="Request"><code>${operation.method} ${operation.path}</code></td></tr>`,
    );
    return html`<h2>${titleOfTag(tag)}</h2>${ofTag && html`<p>${renderWords(ofTag)}</p>`}
<div class="table" tabindex="0"><table><thead><tr><th>Operation</th><th>Request</th></tr></thead>
<tbody>${rows}</tbody></table></div>`;
  });
  return renderPage(site, {
    address: "/docs/reference",
    title: "API reference",
    shape: "guide",
    body: html`<div class="text"><h1>API reference</h1>
${description}
<p>For programs there is the <a href="/openapi.json">OpenAPI description</a>. The page of each
operation has a form that sends it.</p>
${lists}</div>`,
  });
}

export function searchPage(site: Site, query: string, results: readonly SearchResult[]): Html {
  const summary =
    results.length > 0
      ? resultsByAudience(results)
      : html`<p>Nothing has all of these words. Try fewer words or other ones, or the list beside this page.</p>`;
  return renderPage(site, {
    address: "/docs/search",
    title: "Search",
    shape: "guide",
    query,
    body: html`<div class="text"><h1>Search</h1>
${query === "" ? html`<p>Type one or more words into the field above.</p>` : html`<p role="status">${countOf(results)} for “${query}”</p>${summary}`}</div>`,
  });
}

export const titlesOfAudiences: Readonly<Record<Audience, string>> = {
  guides: "Guides",
  reference: "API reference",
  providers: "Providers",
  operators: "For operators",
  reasons: "Reasons and changes",
};

/** Whoever has the best result comes first. */
function resultsByAudience(results: readonly SearchResult[]): Html[] {
  const groups = Map.groupBy(results, ({ entry }) => entry.audience);
  return [...groups].map(([audience, found]) => {
    const items = found.map(
      ({ entry, excerpt }) => html`<li><a href="${entry.address}">${entry.title}</a>
<span class="place">${entry.place !== entry.title && entry.place}</span><p>${excerpt}</p></li>`,
    );
    return html`<h2>${titlesOfAudiences[audience]}</h2><ol class="found">${items}</ol>`;
  });
}

function countOf({ length }: readonly unknown[]): string {
  return `${length === 0 ? "No" : length} ${length === 1 ? "result" : "results"}`;
}

export function missingPage(site: Site): Html {
  return renderPage(site, {
    address: "/docs/missing",
    title: "There is no such page",
    shape: "guide",
    body: html`<div class="text"><h1>There is no such page</h1>
<p>It may have moved. Search for it above, or start at the <a href="/docs">documentation</a>.</p></div>`,
  });
}
