import { html, type Html } from "../../platform/html/index.ts";
import { periods, type Period, type Plotted, type Span } from "../counts/count-store.ts";
import { formatShare, number, section } from "./pieces.ts";

const width = 384;
const height = 64;
/** Free above the highest bar. */
const margin = 4;

/** From the bottom of a bar to its top. */
const toneNames = { good: "with success", warn: "refused", bad: "failed" } as const;
type Tone = keyof typeof toneNames;
const tones = Object.keys(toneNames) as Tone[];

type Outcomes = Readonly<Record<string, readonly [Tone, name: string]>>;

const failures: Outcomes = {
  refused: ["warn", "the sign-in has ended"],
  forbidden: ["warn", "a right is missing"],
  unsupported: ["warn", "the provider does not have it"],
  unavailable: ["bad", "the provider gave no answer"],
  broken: ["bad", "the answer could not be used"],
};

/** Other outcomes end nothing, such as a wait for a quota: they are in no bar. */
const outcomesOf: Readonly<Record<Plotted, Outcomes>> = {
  reads: { stored: ["good", "stored"], ...failures },
  polls: {
    baseline: ["good", "first list"],
    unchanged: ["good", "nothing has changed"],
    changed: ["good", "changes found"],
    ...failures,
  },
  deliveries: {
    delivered: ["good", "delivered"],
    postponed: ["warn", "not taken, is tried again"],
    failed: ["bad", "not taken, given up"],
    suspended: ["bad", "the receiver was suspended"],
  },
};

const titles: Readonly<Record<Plotted, string>> = {
  reads: "Reads",
  polls: "Polls",
  deliveries: "Attempts to deliver",
};

const periodNames = {
  day: {
    heading: "The last 24 hours",
    length: "24 hours",
    each: "an hour",
    first: "23 h ago",
    last: "now",
    now: "This hour",
    ago: "hours ago",
  },
  month: {
    heading: "The last 30 days (UTC)",
    length: "30 days",
    each: "a day",
    first: "29 days ago",
    last: "today",
    now: "Today",
    ago: "days ago",
  },
} as const;

type Heights = Record<Tone, number>;

export function plots(period: Period, spans: readonly Span[]): Html {
  const { heading } = periodNames[period];
  if (spans.length === 0)
    return section(heading, html`<p class="empty">Nothing was read, polled or sent.</p>`);
  const keys = Object.entries({ ...toneNames, before: "the time before" }).map(
    ([kind, name]) => html`<li><span class="key ${kind}"></span> ${name}</li>`,
  );
  const drawn = (["reads", "polls", "deliveries"] as const).map((what) =>
    plot(what, period, spans),
  );
  return section(heading, html`<ul class="legend">${keys}</ul><div class="plots">${drawn}</div>`);
}

/** One period as bars, the newest at the right, with the one before it as a line and a table of the outcomes. */
function plot(what: Plotted, period: Period, found: readonly Span[]): Html {
  const { spans } = periods[period];
  const own = found.filter((span) => span.what === what && span.outcome in outcomesOf[what]);
  const bars = Array.from({ length: 2 * spans }, (_, ago) => heightsOf(what, own, ago));
  const [now, before] = [bars.slice(0, spans), bars.slice(spans)];
  const words = describe(period, { now, before });
  const id = `plot-${what}-${period}`;
  const names = periodNames[period];
  const most = Math.max(1, ...bars.map(total));
  return html`<figure class="plot"><figcaption><strong>${titles[what]}</strong> <span>${words.now}</span>
<span class="soft">${words.before}</span></figcaption>
<svg viewBox="0 0 ${width} ${height}" preserveAspectRatio="none" role="img" aria-labelledby="${id}" aria-describedby="${id}-more">
<title id="${id}">${titles[what]}, the last ${names.length}</title>
<desc id="${id}-more">${words.now}. ${words.before}. ${words.most}.</desc>
<line class="ground" x1="0" x2="${width}" y1="${height - 0.5}" y2="${height - 0.5}"/>
${now.map((heights, ago) => bar(heights, { ago, period, most }))}
<polyline class="before" points="${before.map((heights, ago) => pointOf(heights, { ago, spans, most })).join(" ")}"/></svg>
<p class="axis soft"><span>${names.first}</span><span>${words.most}</span><span>${names.last}</span></p>
${table(what, period, own)}</figure>`;
}

function heightsOf(what: Plotted, own: readonly Span[], ago: number): Heights {
  const heights: Heights = { good: 0, warn: 0, bad: 0 };
  for (const span of own)
    if (span.ago === ago) heights[outcomesOf[what][span.outcome]?.[0] ?? "bad"] += span.times;
  return heights;
}

function total({ good, warn, bad }: Heights): number {
  return good + warn + bad;
}

function sum(bars: readonly Heights[], of: (heights: Heights) => number): number {
  return bars.reduce((all, heights) => all + of(heights), 0);
}

function describe(
  period: Period,
  { now, before }: { now: readonly Heights[]; before: readonly Heights[] },
): { now: string; before: string; most: string } {
  const all = sum(now, total);
  const { length, each } = periodNames[period];
  const share = (sum(now, ({ good }) => good) / all) * 100;
  return {
    now: all === 0 ? "none" : `${number(all)}, ${formatShare(share)} ${toneNames.good}`,
    before: `${number(sum(before, total))} in the ${length} before`,
    most: `at most ${number(Math.max(...now.map(total)))} ${each}`,
  };
}

interface Place {
  ago: number;
  most: number;
}

function bar(
  heights: Heights,
  { ago, most, period }: Place & { period: Period },
): Html | undefined {
  if (total(heights) === 0) return undefined;
  const { spans } = periods[period];
  const step = width / spans;
  const x = round((spans - 1 - ago) * step + 1);
  const names = periodNames[period];
  let top = height;
  const parts = tones.map((tone) => {
    const own = scale(heights[tone], most);
    top -= own;
    return (
      own > 0 &&
      html`<rect class="${tone}" x="${x}" y="${round(top)}" width="${round(step - 2)}" height="${own}"/>`
    );
  });
  const counts = tones.map((tone) => `${number(heights[tone])} ${toneNames[tone]}`).join(", ");
  const when = ago === 0 ? names.now : `${ago} ${names.ago}`;
  return html`<g><title>${when}: ${counts}</title>${parts}</g>`;
}

/** The middle of the bar that the point is compared with. */
function pointOf(heights: Heights, { ago, most, spans }: Place & { spans: number }): string {
  const x = ((spans - ago - 0.5) * width) / spans;
  return `${round(x)},${round(height - scale(total(heights), most))}`;
}

/** What has happened is seen, however little it is. */
function scale(count: number, most: number): number {
  return count === 0 ? 0 : Math.max(1, round((count / most) * (height - margin)));
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}

function table(what: Plotted, period: Period, own: readonly Span[]): Html | undefined {
  if (own.length === 0) return undefined;
  const { length } = periodNames[period];
  const { spans } = periods[period];
  const timesOf = (name: string, from: number): number =>
    own
      .filter((span) => span.outcome === name && span.ago >= from && span.ago < from + spans)
      .reduce((all, { times }) => all + times, 0);
  const rows = Object.entries(outcomesOf[what])
    .filter(([outcome]) => own.some((span) => span.outcome === outcome))
    .map(
      ([outcome, [, name]]) =>
        html`<tr><th scope="row">${name}</th><td>${number(timesOf(outcome, 0))}</td><td>${number(timesOf(outcome, spans))}</td></tr>`,
    );
  return html`<details class="outcomes"><summary>By outcome</summary><table>
<thead><tr><th scope="col">Outcome</th><th scope="col">${length}</th><th scope="col">${length} before</th></tr></thead>
<tbody>${rows}</tbody></table></details>`;
}
