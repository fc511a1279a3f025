import { html, type Html, type HtmlValue } from "../../platform/html/index.ts";
import { explainProblem } from "../problems/explain-problem.ts";
import type { Problem, ProblemCut, ProblemList } from "../problems/problem.ts";
import type { Viewer } from "../viewer.ts";
import { consolePath, renderPage } from "./layout.ts";
import { action, counted, list, number, pill, time, type Entry } from "./pieces.ts";

/** How the names of providers and clients are shown. */
export interface Names {
  system: (provider: string | null) => string;
  client: (clientId: string | null) => string | undefined;
}

const turns: Readonly<Record<Problem["turn"], string>> = {
  end_user: "End user’s turn",
  developer: "Developer’s turn",
  operator: "Operator’s turn",
  vendor: "Vendor’s turn",
};

/** What there may be several of. */
const counts: Readonly<Partial<Record<Problem["kind"], readonly [one: string, many: string]>>> = {
  fields_limited: ["field", "fields"],
  provider_away: ["read", "reads"],
  answers_broken: ["read", "reads"],
  quota_used_up: ["read waits", "reads wait"],
  receiver_failing: ["attempt", "attempts"],
  receiver_stopped: ["attempt", "attempts"],
  older_process: ["process", "processes"],
};

const cuts: Readonly<Record<ProblemCut, Html>> = {
  connections: html`There are more connections of a kind than a hundred. Find the others at <a href="${consolePath}/connections">Connections</a>, by their state.`,
  receivers: html`There are more receivers that fail than a hundred. The others are found by their client at <a href="${consolePath}/webhooks">Webhooks</a>.`,
  reads: html`More than a thousand reads fail or wait, and only so many were looked at: other providers may have problems that aren’t listed. Look at <a href="${consolePath}/reads?state=failed">the reads that failed</a>.`,
};

export function problemsPage(viewer: Viewer, found: ProblemList, names: Names): Html {
  const { problems, cut } = found;
  const lead =
    problems.length === 0
      ? "Nothing needs anybody."
      : `${countedSoFar(found)} ${problems.length === 1 ? "thing needs" : "things need"} somebody. Each ends by itself when its cause does.`;
  const body = html`${renderProblems(viewer, problems, names)}
${cut.map((of) => html`<p class="soft">${cuts[of]}</p>`)}
<p><a class="button" href="${consolePath}/problems/ended">What has ended</a></p>`;
  return renderPage({ title: "Problems", lead, body, viewer, section: "problems", isLive: true });
}

/** There may be more than are listed. */
function countedSoFar({ problems, cut }: ProblemList): string {
  return `${number(problems.length)}${cut.length > 0 ? "+" : ""}`;
}

export function renderProblems(viewer: Viewer, problems: readonly Problem[], names: Names): Html {
  const entries = problems.map((problem) => describeEntry(viewer, problem, names));
  return list(entries, "Nothing needs anybody.");
}

function describeEntry(viewer: Viewer, problem: Problem, names: Names): Entry {
  const { what, todo } = explainProblem(problem, names.system(problem.provider));
  const { clientId, reference, tokenId, since, until } = problem;
  const client = viewer.clientId === undefined ? names.client(clientId) : undefined;
  const isBearable = problem.turn === "vendor" || problem.kind === "fields_limited";
  const tone = isBearable ? "warn" : "bad";
  return {
    title: what,
    pills: pill(turns[problem.turn], tone),
    facts: [
      reference === null ? tokenId && html`<code>${tokenId}</code>` : html`<bdi>${reference}</bdi>`,
      since === null ? undefined : html`since ${time(since)}`,
      until === null ? undefined : html`until ${time(until)}`,
      describeCount(problem),
      client && html`for <bdi>${client}</bdi>`,
    ],
    more: html`<p class="todo">${todo}</p>${remedy(viewer, problem)}`,
  };
}

/** How often, as far as a problem of the kind has a number. */
export function describeCount({ kind, times }: Problem): string | undefined {
  if (kind === "sign_in_ended")
    return times === 1 ? "once within 30 days" : `${number(times)} times within 30 days`;
  const several = counts[kind];
  return several && counted(times, several);
}

/** The button or link that does what there is to do. */
function remedy(viewer: Viewer, problem: Problem): HtmlValue {
  const { kind, tokenId, clientId, provider } = problem;
  const at = `${consolePath}/connections/${tokenId}`;
  switch (kind) {
    case "sign_in_ended":
      return html`<div class="actions">${action(viewer, { address: `${at}/link`, label: "Make the link", isMain: true })}
<a class="button" href="${at}">The connection</a></div>`;
    case "right_missing":
    case "fields_limited":
      return html`<div class="actions"><a class="button" href="${at}">The connection</a>${guideLink(provider)}</div>`;
    case "provider_away":
    case "answers_broken":
      return html`<div class="actions"><a class="button" href="${consolePath}/reads?state=failed">The reads</a>${guideLink(provider)}</div>`;
    case "quota_used_up":
    case "reads_late":
    case "polls_late":
      return html`<div class="actions"><a class="button" href="${consolePath}/reads">The reads</a></div>`;
    case "receiver_failing":
    case "receiver_stopped":
      return html`<div class="actions"><a class="button" href="${consolePath}/webhooks?client=${clientId}">The deliveries</a></div>`;
    case "no_worker":
    case "older_process":
    case "key_not_retired":
      return html`<div class="actions"><a class="button" href="${consolePath}/system">The system</a></div>`;
  }
}

function guideLink(provider: string | null): HtmlValue {
  return (
    provider !== null &&
    provider !== "sandbox" &&
    html`<a class="button" href="${consolePath}/providers#${provider}">The provider</a>`
  );
}
