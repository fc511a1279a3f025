import { html, type Html } from "../../platform/html/index.ts";
import type { Ages } from "../../sync/index.ts";
import type { Period, Span } from "../counts/count-store.ts";
import type { ProblemList } from "../problems/problem.ts";
import type { Viewer } from "../viewer.ts";
import { addressOf, consolePath, renderPage } from "./layout.ts";
import { duration, facts, number, section } from "./pieces.ts";
import { plots } from "./plot.ts";
import { renderProblems, type Names } from "./problems-page.ts";

/** Counted as far as `mostCounted`. */
export interface Counts {
  connections: number;
  refused: number;
  forbidden: number;
  waiting: number;
}

/** How old what is stored is, of so many connections. */
export interface Freshness {
  ages: Ages | undefined;
  sampled: number;
}

export const mostCounted = 1_000;
const mostShown = 5;

export function overviewPage(
  viewer: Viewer,
  {
    counts,
    found,
    isNew,
    spans,
    freshness,
  }: {
    counts: Counts;
    found: ProblemList;
    isNew: boolean;
    spans: Readonly<Record<Period, readonly Span[]>>;
    freshness: Freshness;
  },
  names: Names,
): Html {
  const { problems } = found;
  const more = problems.length - mostShown;
  const body = html`${isNew && firstSteps(viewer)}
<ul class="figures">
${figure("Connections", counts.connections, `${consolePath}/connections`)}
${figure("Sign-in ended", counts.refused, `${consolePath}/connections?state=refused`, counts.refused > 0)}
${figure("Rights missing", counts.forbidden, `${consolePath}/connections?state=forbidden`, counts.forbidden > 0)}
${figure("Reads that run or wait", counts.waiting, `${consolePath}/reads`)}
</ul>
<section><h2>What needs somebody</h2>
${renderProblems(viewer, problems.slice(0, mostShown), names)}
${more > 0 && html`<p class="pager"><a class="button" href="${addressOf("problems")}">${number(more)}${found.cut.length > 0 && "+"} more</a></p>`}</section>
${renderFreshness(viewer, freshness, counts)}${!isNew && [plots("day", spans.day), plots("month", spans.month)]}`;
  return renderPage({ title: "Overview", body, viewer, section: "overview", isLive: true });
}

function renderFreshness(
  { clientId }: Viewer,
  { ages, sampled }: Freshness,
  { connections }: Counts,
): Html | undefined {
  if (!ages) return undefined;
  const some =
    clientId === undefined
      ? `of ${number(sampled)} connections, chosen at random`
      : `of the ${number(sampled)} newest connections`;
  const which = sampled < connections ? some : "of all connections";
  return section(
    "How old what is stored is",
    facts([
      ["Half is younger than", duration(ages.medianSeconds)],
      ["95 of 100 are younger than", duration(ages.p95Seconds)],
      ["Stored lists", `${number(ages.lists)}, ${which}`],
    ]),
  );
}

function figure(label: string, value: number, address: string, isBad = false): Html {
  const text = value >= mostCounted ? `${number(mostCounted)}+` : number(value);
  return html`<li${isBad && html` class="bad"`}><a href="${address}"><strong>${text}</strong> <span>${label}</span></a></li>`;
}

function firstSteps({ clientId }: Viewer): Html {
  return html`<section class="welcome"><h2>Nothing of yours is connected yet</h2>
<p>${
    clientId === undefined &&
    html`<a href="${consolePath}/clients">Make a client</a> for your application, or take the one that is there. `
  }<a href="${consolePath}/try">Try the sandbox</a> here, or by the requests of the <a href="/docs/quickstart">quickstart</a>.</p></section>`;
}
