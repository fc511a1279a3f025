import { html, type Html } from "../../platform/html/index.ts";
import { periods, type Period, type Plotted, type Span } from "../counts/count-store.ts";
import { plots as said } from "../texts/plots.ts";
import { formatShare, number } from "./pieces.ts";

const width = 384;
const height = 64;
/** Free above the highest bar. */
const margin = 4;

type Tone = "good" | "warn" | "bad";
const tones: readonly Tone[] = ["good", "warn", "bad"];

/** From the bottom of a bar to its top. Other outcomes end nothing, such as a wait for a quota: they are in no bar. */
const toneOf: Readonly<Record<Plotted, Readonly<Record<string, Tone>>>> = {
  reads: {
    stored: "good",
    refused: "warn",
    forbidden: "warn",
    unsupported: "warn",
    unavailable: "bad",
    broken: "bad",
  },
  polls: {
    baseline: "good",
    unchanged: "good",
    changed: "good",
    refused: "warn",
    forbidden: "warn",
    unsupported: "warn",
    unavailable: "bad",
    broken: "bad",
  },
  deliveries: { delivered: "good", postponed: "warn", failed: "bad", suspended: "bad" },
};

type Heights = Record<Tone, number>;

/** One period as bars, the newest at the right, with the one before it as a line and a table of the outcomes. */
export function plot(what: Plotted, period: Period, found: readonly Span[]): Html {
  const { spans } = periods[period];
  const own = found.filter((span) => span.what === what && span.outcome in toneOf[what]);
  const bars = Array.from({ length: 2 * spans }, (_, ago) => heightsOf(what, own, ago));
  const [now, before] = [bars.slice(0, spans), bars.slice(spans)];
  const words = describe(period, { now, before });
  const id = `plot-${what}-${period}`;
  const { titles, periods: names } = said;
  const most = Math.max(1, ...bars.map(total));
  return html`<figure class="plot"><figcaption><strong>${titles[what]}</strong> <span>${words.now}</span>
<span class="soft">${words.before}</span></figcaption>
<svg viewBox="0 0 ${width} ${height}" preserveAspectRatio="none" role="img" aria-labelledby="${id}" aria-describedby="${id}-more">
<title id="${id}">${titles[what]}, ${names[period].title}</title>
<desc id="${id}-more">${words.now}. ${words.before}. ${words.most}.</desc>
<line class="ground" x1="0" x2="${width}" y1="${height - 0.5}" y2="${height - 0.5}"/>
${now.map((heights, ago) => bar(heights, { ago, period, most }))}
<polyline class="before" points="${before.map((heights, ago) => pointOf(heights, { ago, spans, most })).join(" ")}"/></svg>
<p class="axis soft"><span>${names[period].first}</span><span>${words.most}</span><span>${names[period].last}</span></p>
${table(what, period, own)}</figure>`;
}

function heightsOf(what: Plotted, own: readonly Span[], ago: number): Heights {
  const heights: Heights = { good: 0, warn: 0, bad: 0 };
  for (const span of own)
    if (span.ago === ago) heights[toneOf[what][span.outcome] ?? "bad"] += span.times;
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
  const names = said.periods[period];
  const share = (sum(now, ({ good }) => good) / all) * 100;
  return {
    now: all === 0 ? said.nothing : `${number(all)}, ${formatShare(share)} ${said.tones.good}`,
    before: `${number(sum(before, total))} ${names.before}`,
    most: `${said.most} ${number(Math.max(...now.map(total)))} ${names.each}`,
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
  const { tones: names, periods: words } = said;
  let top = height;
  const parts = tones.map((tone) => {
    const own = scale(heights[tone], most);
    top -= own;
    return (
      own > 0 &&
      html`<rect class="${tone}" x="${x}" y="${round(top)}" width="${round(step - 2)}" height="${own}"/>`
    );
  });
  const counts = tones.map((tone) => `${number(heights[tone])} ${names[tone]}`).join(", ");
  const when = ago === 0 ? words[period].now : `${ago} ${words[period].ago}`;
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
  const { outcomes, outcome, show, periods: names } = said;
  const { spans } = periods[period];
  const timesOf = (name: string, from: number): number =>
    own
      .filter((span) => span.outcome === name && span.ago >= from && span.ago < from + spans)
      .reduce((all, { times }) => all + times, 0);
  const rows = Object.keys(toneOf[what])
    .filter((name) => own.some((span) => span.outcome === name))
    .map(
      (name) =>
        html`<tr><th scope="row">${outcomes[what][name] ?? name}</th><td>${number(timesOf(name, 0))}</td><td>${number(timesOf(name, spans))}</td></tr>`,
    );
  return html`<details class="outcomes"><summary>${show}</summary><table>
<thead><tr><th scope="col">${outcome}</th><th scope="col">${names[period].column}</th><th scope="col">${names[period].columnBefore}</th></tr></thead>
<tbody>${rows}</tbody></table></details>`;
}
