import type { ListedProcess } from "../../keys/index.ts";
import { html, type Html, type HtmlValue } from "../../platform/html/index.ts";
import type { ProviderRegistry } from "../../providers/index.ts";
import type { FailingReads } from "../../reading/index.ts";
import type { ProviderFigures } from "../counts/describe-providers.ts";
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

const whySignInsFail: Readonly<Record<string, string>> = {
  incorrect_username_or_password: "wrong name, password or key",
  incorrect_mfa_or_otp: "wrong second factor",
  reauthentication_required: "the session had ended",
  additional_account_setup_required: "the account has to be set up further",
  captcha_challenge: "it asked for a captcha",
  insufficient_permission: "the account lacks the rights",
  field: "a field was refused",
  choice: "something else was chosen",
  unapproved: "not approved elsewhere",
  "other-account": "another account than before",
  throttled: "too many attempts",
  unavailable: "the provider gave no answer",
  unsupported: "the provider lacks what is needed",
  broken: "the answer could not be used",
  interrupted: "cut off on our side",
};

export function providersPage(
  viewer: Viewer,
  declarations: readonly Declaration[],
  {
    failing,
    isCut,
    figures,
  }: { failing: readonly FailingReads[]; isCut: boolean; figures: readonly ProviderFigures[] },
): Html {
  const titles = new Map(declarations.map(({ name, title }) => [name, title]));
  const lines = figures.map((each) => describeFigures(each, titles.get(each.provider)));
  const sections = declarations.map((declaration) => {
    const { name, title, guide, modes, isSimulated } = declaration;
    const troubled = failing.filter(({ provider }) => provider === name);
    const pills = describeHealth(troubled, isCut);
    const offered = Object.entries(modes).map(([mode, { resources }]) => ({
      title: mode,
      facts: [Object.keys(resources).toSorted().join(", ")],
    }));
    return html`<section id="${name}"><h3>${title}</h3><p class="pills">${pills}</p>
${troubled.length > 0 && list(troubled.map(describeTrouble), "")}
${list(offered, "")}
<p>${guide !== undefined && html`<a href="${guide}">The guide: what to type, and which rights it needs</a>`}
${isSimulated && html`<a href="/docs/sandbox">The guide of the sandbox</a>`}</p></section>`;
  });
  return renderPage({
    title: "Providers",
    lead: "The systems that can be connected, what each gives, and how its reads do now.",
    body: html`${section("The last 24 hours", list(lines, "Nothing was read, and nobody signed in."))}
<section><h2>What each gives</h2><div class="cards">${sections}</div></section>`,
    viewer,
    section: "providers",
  });
}

function describeFigures(figures: ProviderFigures, title: string | undefined): Entry {
  const { provider, reads, successPercent, medianSeconds, p95Seconds, quotaShare } = figures;
  const { signIns, failedSignIns } = figures;
  const why = failedSignIns.map(
    ({ why: code, times }) => `${number(times)} failed: ${whySignInsFail[code] ?? code}`,
  );
  return {
    title: title ?? provider,
    href: title === undefined ? undefined : `#${provider}`,
    facts: [
      counted(reads, ["read", "reads"]),
      successPercent !== undefined && `${formatShare(successPercent)} with success`,
      medianSeconds !== undefined && `half within ${duration(medianSeconds)}`,
      p95Seconds !== undefined && `95 of 100 within ${duration(p95Seconds)}`,
      quotaShare !== undefined &&
        `${Math.round(quotaShare * 100)} % of a quota in use at most, in this hour and the one before`,
      signIns > 0 && counted(signIns, ["sign-in", "sign-ins"]),
      ...why,
    ],
  };
}

/** Behind very many reads that failed may be others, which were not looked at. */
function describeHealth(troubled: readonly FailingReads[], isCut: boolean): HtmlValue {
  if (troubled.length > 0) return pill("Reads fail", "bad");
  return isCut
    ? pill("Not known: too many reads of others fail")
    : pill("No read failed within two hours", "good");
}

function describeTrouble({ resource, outcome, reads, since }: FailingReads) {
  return {
    title: `${resource}: ${outcome === "unavailable" ? "no answer" : "the answer could not be used"}`,
    facts: [counted(reads, ["read", "reads"]), html`since ${time(since)}`],
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
  const body = html`${facts([
    ["Version of this process", version],
    ["Newest migration", html`<code>${migration}</code>`],
    ["Active master key", html`<code>${activeKey}</code>`],
    [
      "Former keys",
      formerKeys.length === 0
        ? "all are retired"
        : formerKeys.map(({ id }) => html`<code>${id}</code> `),
    ],
  ])}
${section("Processes", list(processes.map(describeProcess), "No process has told within a minute that it runs."))}
${renderQueues(shown)}
${renderSchedules(shown)}
${renderSessions(shown, actions)}
<p class="soft">What is wrong with the set-up of a machine says <code>npx rollcall doctor</code>.</p>`;
  return renderPage({
    title: "System",
    lead: "What runs, and what this service is made of.",
    body,
    viewer,
    section: "system",
    isLive: true,
  });
}

function describeProcess({ id, role, version, startedAt, seenAt }: ListedProcess) {
  return {
    title: `role ${role}`,
    facts: [
      version ?? "an earlier version",
      startedAt === null ? undefined : html`started ${time(startedAt)}`,
      html`seen ${time(seenAt)}`,
      html`<code>${id}</code>`,
    ],
  };
}

function renderQueues({ queues }: ShownSystem): Html {
  if (queues === undefined)
    return section(
      "Queue",
      html`<p class="empty">The queue can’t be asked now. Work that waits is found again by the workers.</p>`,
    );
  const entries = queues.map(({ name, waiting, active, delayed }) => ({
    title: name,
    facts: [`${number(waiting)} waiting`, `${number(active)} running`, `${number(delayed)} later`],
  }));
  return section("Queue", list(entries, "There is no queue."));
}

function renderSchedules({ processes }: ShownSystem): Html {
  const entries = processes.flatMap(({ role, schedules }) =>
    schedules.map(({ schedule, everySeconds, succeededAt }) => ({
      title: schedule,
      facts: [
        `role ${role}`,
        `every ${interval(everySeconds)}`,
        html`succeeded ${time(succeededAt, "not yet")}`,
      ],
    })),
  );
  return section("Schedules", list(entries, "No worker has told what it repeats."));
}

/** As it was set: nothing is rounded. */
function interval(seconds: number): string {
  if (seconds % 3_600 === 0) return `${number(seconds / 3_600)} h`;
  return seconds % 60 === 0 ? `${number(seconds / 60)} min` : `${number(seconds)} s`;
}

function renderSessions({ sessions }: ShownSystem, actions: HtmlValue): Html {
  const entries = sessions.map(({ clientId, name, createdAt, expiresAt }) => ({
    title: html`<bdi>${name}</bdi>`,
    pills: pill(clientId === null ? "Operator" : "Developer"),
    facts: [
      clientId === null ? undefined : html`<code>${clientId}</code>`,
      html`since ${time(createdAt)}`,
      html`until ${time(expiresAt)}`,
    ],
  }));
  return section("Who is signed in here", list(entries, "Nobody."), actions);
}
