import type { ListedProcess } from "../../keys/index.ts";
import { html, type Html, type HtmlValue } from "../../platform/html/index.ts";
import type { ProviderRegistry } from "../../providers/index.ts";
import type { FailingReads } from "../../reading/index.ts";
import type { ProviderFigures } from "../counts/describe-providers.ts";
import { providers as words } from "../texts/providers.ts";
import { texts } from "../texts/shared.ts";
import { system as ofSystem } from "../texts/system.ts";
import type { Viewer } from "../viewer.ts";
import { renderPage } from "./layout.ts";
import {
  counted,
  duration,
  facts,
  formatShare,
  list,
  number,
  pill,
  section,
  time,
  type Entry,
} from "./pieces.ts";

type Declaration = ReturnType<ProviderRegistry["list"]>[number];

export function providersPage(
  viewer: Viewer,
  declarations: readonly Declaration[],
  { failing, figures }: { failing: readonly FailingReads[]; figures: readonly ProviderFigures[] },
): Html {
  const titles = new Map(declarations.map(({ name, title }) => [name, title]));
  const lines = figures.map((each) => describeFigures(each, titles.get(each.provider)));
  const sections = declarations.map((declaration) => {
    const { name, title, guide, modes, isSimulated } = declaration;
    const troubled = failing.filter(({ provider }) => provider === name);
    const pills = describeHealth(troubled);
    const offered = Object.entries(modes).map(([mode, { resources }]) => ({
      title: mode,
      facts: [Object.keys(resources).toSorted().join(", ")],
    }));
    return html`<section id="${name}"><h3>${title}</h3><p class="pills">${pills}</p>
${troubled.length > 0 && list(troubled.map(describeTrouble), "")}
${list(offered, "")}
<p>${guide === undefined ? undefined : html`<a href="${guide}">${words.guide}</a>`}${isSimulated && html`<a href="/docs/sandbox">${words.sandboxGuide}</a>`}</p></section>`;
  });
  return renderPage({
    title: words.page,
    lead: words.lead,
    body: html`${section(words.title, list(lines, words.none))}
<section><h2>${words.gives}</h2><div class="cards">${sections}</div></section>`,
    viewer,
    section: "providers",
  });
}

function describeFigures(figures: ProviderFigures, title: string | undefined): Entry {
  const { provider, reads, successPercent, medianSeconds, p95Seconds, quotaShare } = figures;
  const { signIns, failedSignIns } = figures;
  const why = failedSignIns.map(
    ({ why: code, times }) => `${number(times)} ${words.failed}: ${words.why[code] ?? code}`,
  );
  return {
    title: title ?? provider,
    href: title === undefined ? undefined : `#${provider}`,
    facts: [
      counted(reads, texts.reads),
      successPercent !== undefined && `${formatShare(successPercent)} ${words.success}`,
      medianSeconds !== undefined && `${words.median} ${duration(medianSeconds)}`,
      p95Seconds !== undefined && `${words.p95} ${duration(p95Seconds)}`,
      quotaShare !== undefined && `${Math.round(quotaShare * 100)} % ${words.quota}`,
      signIns > 0 && counted(signIns, words.signIns),
      ...why,
    ],
  };
}

function describeHealth(troubled: readonly FailingReads[]): HtmlValue {
  return troubled.length === 0 ? pill(words.well, "good") : pill(words.readsFail, "bad");
}

function describeTrouble({ resource, outcome, reads, since }: FailingReads) {
  return {
    title: `${resource}: ${outcome === "unavailable" ? words.noAnswer : words.broken}`,
    facts: [counted(reads, texts.reads), html`${texts.since} ${time(since)}`],
  };
}

export interface ShownSystem {
  version: string;
  migration: string;
  processes: readonly ListedProcess[];
  activeKey: string;
  formerKeys: readonly { id: string; addedAt: Date }[];
  queues: readonly { name: string; waiting: number; active: number; delayed: number }[] | undefined;
  sessions: readonly { clientId: string | null; name: string; createdAt: Date; expiresAt: Date }[];
}

export function systemPage(viewer: Viewer, shown: ShownSystem, actions: HtmlValue): Html {
  const { version, migration, processes, activeKey, formerKeys } = shown;
  const { facts: said } = ofSystem;
  const body = html`${facts([
    [said.version, version],
    [said.migration, html`<code>${migration}</code>`],
    [said.activeKey, html`<code>${activeKey}</code>`],
    [
      said.formerKeys,
      formerKeys.length === 0
        ? ofSystem.allRetired
        : formerKeys.map(({ id }) => html`<code>${id}</code> `),
    ],
  ])}
${section(ofSystem.processes, list(processes.map(describeProcess), ofSystem.noProcesses))}
${renderQueues(shown)}
${renderSchedules(shown)}
${renderSessions(shown, actions)}
<p class="soft">${ofSystem.doctor} <code>npx rollcall doctor</code>.</p>`;
  return renderPage({
    title: ofSystem.title,
    lead: ofSystem.lead,
    body,
    viewer,
    section: "system",
    isLive: true,
  });
}

function describeProcess({ id, role, version, startedAt, seenAt }: ListedProcess) {
  return {
    title: `${ofSystem.role} ${role}`,
    facts: [
      version ?? ofSystem.earlierVersion,
      startedAt === null ? undefined : html`${ofSystem.started} ${time(startedAt)}`,
      html`${ofSystem.seen} ${time(seenAt)}`,
      html`<code>${id}</code>`,
    ],
  };
}

function renderQueues({ queues }: ShownSystem): Html {
  if (queues === undefined)
    return section(ofSystem.queue, html`<p class="empty">${ofSystem.queueUnknown}</p>`);
  const entries = queues.map(({ name, waiting, active, delayed }) => ({
    title: name,
    facts: [
      `${number(waiting)} ${ofSystem.waiting}`,
      `${number(active)} ${ofSystem.running}`,
      `${number(delayed)} ${ofSystem.later}`,
    ],
  }));
  return section(ofSystem.queue, list(entries, ofSystem.noQueue));
}

function renderSchedules({ processes }: ShownSystem): Html {
  const entries = processes.flatMap(({ role, schedules }) =>
    schedules.map(({ schedule, everySeconds, succeededAt }) => ({
      title: schedule,
      facts: [
        `${ofSystem.role} ${role}`,
        `${ofSystem.every} ${interval(everySeconds)}`,
        html`${ofSystem.succeeded} ${time(succeededAt, ofSystem.notYet)}`,
      ],
    })),
  );
  return section(ofSystem.schedules, list(entries, ofSystem.noSchedules));
}

/** As it was set: nothing is rounded. */
function interval(seconds: number): string {
  if (seconds % 3_600 === 0) return `${number(seconds / 3_600)} h`;
  return seconds % 60 === 0 ? `${number(seconds / 60)} min` : `${number(seconds)} s`;
}

function renderSessions({ sessions }: ShownSystem, actions: HtmlValue): Html {
  const entries = sessions.map(({ clientId, name, createdAt, expiresAt }) => ({
    title: html`<bdi>${name}</bdi>`,
    pills: pill(clientId === null ? texts.operator : texts.developer),
    facts: [
      clientId === null ? undefined : html`<code>${clientId}</code>`,
      html`${texts.since} ${time(createdAt)}`,
      html`${texts.until} ${time(expiresAt)}`,
    ],
  }));
  return section(ofSystem.sessions, list(entries, ofSystem.noSessions), actions);
}
