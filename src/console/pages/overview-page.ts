import { html, type Html } from "../../platform/html/index.ts";
import type { Ages } from "../../sync/index.ts";
import type { Period, Span } from "../counts/count-store.ts";
import type { ProblemList } from "../problems/problem.ts";
import { freshness as ofAges, overview as words } from "../texts/overview.ts";
import { plots as ofPlots } from "../texts/plots.ts";
import type { Viewer } from "../viewer.ts";
import { addressOf, consolePath, renderPage } from "./layout.ts";
import { duration, facts, number, section } from "./pieces.ts";
import { plot } from "./plot.ts";
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
  const { figures: said } = words;
  const body = html`${isNew && firstSteps(viewer)}
<ul class="figures">
${figure(said.connections, counts.connections, `${consolePath}/connections`)}
${figure(said.refused, counts.refused, `${consolePath}/connections?state=refused`, counts.refused > 0)}
${figure(said.forbidden, counts.forbidden, `${consolePath}/connections?state=forbidden`, counts.forbidden > 0)}
${figure(said.waiting, counts.waiting, `${consolePath}/reads`)}
</ul>
<section><h2>${words.problems}</h2>
${renderProblems(viewer, problems.slice(0, mostShown), names)}
${more > 0 && html`<p class="pager"><a class="button" href="${addressOf("problems")}">${number(more)}${found.isCut && "+"} ${words.more}</a></p>`}</section>
${renderFreshness(viewer, freshness, counts)}${!isNew && [renderPlots("day", spans.day), renderPlots("month", spans.month)]}`;
  return renderPage({ title: words.title, body, viewer, section: "overview", isLive: true });
}

function renderFreshness(
  { clientId }: Viewer,
  { ages, sampled }: Freshness,
  { connections }: Counts,
): Html | undefined {
  if (!ages) return undefined;
  const { title, median, p95, of, ofAll, ofRandom, ofNewest } = ofAges;
  const which = clientId === undefined ? ofRandom : ofNewest;
  const kind = sampled < connections ? which : ofAll;
  return section(
    title,
    facts([
      [median, duration(ages.medianSeconds)],
      [p95, duration(ages.p95Seconds)],
      [of, `${number(ages.lists)}, ${kind.replace("N", number(sampled))}`],
    ]),
  );
}

function renderPlots(period: Period, spans: readonly Span[]): Html {
  const { legend, periods, empty } = ofPlots;
  const keys = Object.entries(legend).map(
    ([kind, words]) => html`<li><span class="key ${kind}"></span> ${words}</li>`,
  );
  if (spans.length === 0)
    return section(periods[period].heading, html`<p class="empty">${empty}</p>`);
  const drawn = (["reads", "polls", "deliveries"] as const).map((what) =>
    plot(what, period, spans),
  );
  return section(
    periods[period].heading,
    html`<ul class="legend">${keys}</ul><div class="plots">${drawn}</div>`,
  );
}

function figure(label: string, value: number, address: string, isBad = false): Html {
  const text = value >= mostCounted ? `${number(mostCounted)}+` : number(value);
  return html`<li${isBad && html` class="bad"`}><a href="${address}"><strong>${text}</strong> <span>${label}</span></a></li>`;
}

function firstSteps({ clientId }: Viewer): Html {
  const { title, makeClient, orTake, trySandbox, orAsk, quickstart } = words.welcome;
  return html`<section class="welcome"><h2>${title}</h2>
<p>${
    clientId === undefined && html`<a href="${consolePath}/clients">${makeClient}</a> ${orTake} `
  }<a href="${consolePath}/try">${trySandbox}</a> ${orAsk} <a href="/docs/quickstart">${quickstart}</a>.</p></section>`;
}
