import { html, type Html } from "../../platform/html/index.ts";
import { explainProblem } from "../problems/explain-problem.ts";
import type { EndedProblem } from "../problems/find-ended.ts";
import type { Viewer } from "../viewer.ts";
import { consolePath, renderPage } from "./layout.ts";
import { duration, list, nextPage, pill, time, withQuery, type Entry } from "./pieces.ts";
import { describeCount, type Names } from "./problems-page.ts";

export const endedPath = `${consolePath}/problems/ended`;

export function endedPage(
  viewer: Viewer,
  { problems: found, next }: { problems: readonly EndedProblem[]; next: string | undefined },
  names: Names,
): Html {
  const entries = found.map((problem) => describeEnded(viewer, problem, names));
  const body = html`${list(entries, "Nothing has ended within 30 days.")}${nextPage(next && withQuery(endedPath, { before: next }))}
<p><a class="button" href="${consolePath}/problems">What is wrong now</a></p>`;
  return renderPage({
    title: "Ended problems",
    lead: "What was wrong within 30 days and has ended, the newest end first. Each sentence is of the time when it was so.",
    body,
    viewer,
    section: "problems",
  });
}

function describeEnded(viewer: Viewer, problem: EndedProblem, names: Names): Entry {
  const { clientId, tokenId, reference, since, endedAt } = problem;
  const client = viewer.clientId === undefined ? names.client(clientId) : undefined;
  const seconds = since && (endedAt.getTime() - since.getTime()) / 1_000;
  return {
    title: explainProblem(problem, names.system(problem.provider)).what,
    href: tokenId === null ? undefined : `${consolePath}/connections/${tokenId}`,
    pills: seconds !== null && pill(`lasted ${duration(seconds)}`),
    facts: [
      reference === null ? undefined : html`<bdi>${reference}</bdi>`,
      html`from ${time(since)}`,
      html`to ${time(endedAt)}`,
      describeCount(problem),
      client && html`for <bdi>${client}</bdi>`,
    ],
  };
}
