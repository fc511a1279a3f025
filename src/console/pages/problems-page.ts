import { html, type Html, type HtmlValue } from "../../platform/html/index.ts";
import { explainProblem } from "../problems/explain-problem.ts";
import type { Problem, ProblemList } from "../problems/problem.ts";
import { counted as counts, ended, problems as words, signInEnded } from "../texts/problems.ts";
import { texts } from "../texts/shared.ts";
import type { Viewer } from "../viewer.ts";
import { consolePath, renderPage } from "./layout.ts";
import { action, counted, list, number, pill, time, type Entry } from "./pieces.ts";

/** How the names of providers and clients are shown. */
export interface Names {
  system: (provider: string | null) => string;
  client: (clientId: string | null) => string | undefined;
}

export function problemsPage(viewer: Viewer, found: ProblemList, names: Names): Html {
  const { problems, isCut } = found;
  const lead =
    problems.length === 0 ? words.none : words.lead(countedSoFar(found), problems.length === 1);
  const body = html`${renderProblems(viewer, problems, names)}
${isCut && html`<p class="soft">${words.cut} <a href="${consolePath}/connections">${texts.navigation.connections}</a>${words.cutEnd}</p>`}
<p><a class="button" href="${consolePath}/problems/ended">${ended.link}</a></p>`;
  return renderPage({ title: words.title, lead, body, viewer, section: "problems", isLive: true });
}

/** There may be more than are listed. */
function countedSoFar({ problems, isCut }: ProblemList): string {
  return `${number(problems.length)}${isCut ? "+" : ""}`;
}

export function renderProblems(viewer: Viewer, problems: readonly Problem[], names: Names): Html {
  const entries = problems.map((problem) => describeEntry(viewer, problem, names));
  return list(entries, words.none);
}

function describeEntry(viewer: Viewer, problem: Problem, names: Names): Entry {
  const { what, todo } = explainProblem(problem, names.system(problem.provider));
  const { clientId, reference, tokenId, since, until } = problem;
  const client = viewer.clientId === undefined ? names.client(clientId) : undefined;
  const isBearable = problem.turn === "vendor" || problem.kind === "fields_limited";
  const tone = isBearable ? "warn" : "bad";
  return {
    title: what,
    pills: pill(words.turns[problem.turn], tone),
    facts: [
      reference === null ? tokenId && html`<code>${tokenId}</code>` : html`<bdi>${reference}</bdi>`,
      since === null ? undefined : html`${texts.since} ${time(since)}`,
      until === null ? undefined : html`${texts.until} ${time(until)}`,
      describeCount(problem),
      client && html`${words.for} <bdi>${client}</bdi>`,
    ],
    more: html`<p class="todo">${todo}</p>${remedy(viewer, problem)}`,
  };
}

/** How often, as far as a problem of the kind has a number. */
export function describeCount({ kind, times }: Problem): string | undefined {
  if (kind === "sign_in_ended")
    return times === 1 ? signInEnded.once : `${number(times)} ${signInEnded.often}`;
  const several = counts[kind];
  return several && counted(times, several);
}

/** The button or link that does what there is to do. */
function remedy(viewer: Viewer, problem: Problem): HtmlValue {
  const { kind, tokenId, clientId, provider } = problem;
  const at = `${consolePath}/connections/${tokenId}`;
  switch (kind) {
    case "sign_in_ended":
      return html`<div class="actions">${action(viewer, { address: `${at}/link`, label: words.makeLink, isMain: true })}
<a class="button" href="${at}">${words.connection}</a></div>`;
    case "right_missing":
    case "fields_limited":
      return html`<div class="actions"><a class="button" href="${at}">${words.connection}</a>${guideLink(provider)}</div>`;
    case "provider_away":
    case "answers_broken":
      return html`<div class="actions"><a class="button" href="${consolePath}/reads?state=failed">${words.reads}</a>${guideLink(provider)}</div>`;
    case "quota_used_up":
    case "reads_late":
    case "polls_late":
      return html`<div class="actions"><a class="button" href="${consolePath}/reads">${words.reads}</a></div>`;
    case "receiver_failing":
    case "receiver_stopped":
      return html`<div class="actions"><a class="button" href="${consolePath}/webhooks?client=${clientId}">${words.deliveries}</a></div>`;
    case "no_worker":
    case "older_process":
    case "key_not_retired":
      return html`<div class="actions"><a class="button" href="${consolePath}/system">${words.system}</a></div>`;
  }
}

function guideLink(provider: string | null): HtmlValue {
  return (
    provider !== null &&
    provider !== "sandbox" &&
    html`<a class="button" href="${consolePath}/providers#${provider}">${words.provider}</a>`
  );
}
