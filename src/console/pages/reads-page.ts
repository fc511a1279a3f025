import { html, type Html } from "../../platform/html/index.ts";
import type { Read } from "../../reading/index.ts";
import { reads as words } from "../texts/reads.ts";
import { texts } from "../texts/shared.ts";
import type { Viewer } from "../viewer.ts";
import type { Names } from "./problems-page.ts";
import { consolePath, renderPage } from "./layout.ts";
import {
  counted,
  facts,
  list,
  nextPage,
  number,
  pill,
  time,
  withQuery,
  type Entry,
  type Tone,
} from "./pieces.ts";

const path = `${consolePath}/reads`;

export type ReadFilter = "pending" | "failed";

const tones: Readonly<Record<NonNullable<Read["outcome"]>, Tone>> = {
  stored: "good",
  unavailable: "bad",
  broken: "bad",
  unsupported: "plain",
  forbidden: "warn",
  refused: "bad",
};

export function readsPage(
  viewer: Viewer,
  {
    reads,
    filter,
    next,
    isCut,
  }: {
    reads: readonly Read[];
    filter: ReadFilter;
    next: string | undefined;
    /** There are more, without a page of their own. */
    isCut: boolean;
  },
  system: Names["system"],
): Html {
  const tab = (value: ReadFilter): Html =>
    html`<li><a href="${withQuery(path, { state: value })}"${value === filter && html` aria-current="true"`}>${words.tabs[value]}</a></li>`;
  const body = html`<nav aria-label="${words.which}"><ul class="tabs">${tab("pending")}${tab("failed")}</ul></nav>
${list(
  reads.map((read) => readEntry(read, system(read.provider))),
  words.none[filter],
)}${nextPage(next && withQuery(path, { state: filter, before: next }))}${isCut && html`<p class="soft">${words.isCut(number(reads.length))}</p>`}`;
  return renderPage({
    title: words.title,
    lead: words.lead,
    body,
    viewer,
    section: "reads",
    isLive: next === undefined,
  });
}

/** `system` is the name of the provider as people read it. */
export function readEntry(read: Read, system: string): Entry {
  const { id, resource, parameters, requestedAt, settledAt, records } = read;
  return {
    title: html`${system} · ${resource}${parameters !== "" && html` · ${parameters}`}`,
    href: `${path}/${id}`,
    pills: readPill(read),
    facts: [
      html`${words.askedFor} ${time(requestedAt)}`,
      settledAt === null ? undefined : html`${words.ended} ${time(settledAt)}`,
      counted(records, texts.records),
    ],
  };
}

function readPill({ state, outcome, leaseUntil, waits }: Read): Html {
  if (state === "pending") {
    if (leaseUntil !== null) return pill(words.states.running);
    return pill(waits > 0 ? words.states.waitsForQuota : words.states.waits);
  }
  return outcome ? pill(words.outcomes[outcome][0], tones[outcome]) : pill(words.states.ended);
}

export function readPage(
  viewer: Viewer,
  read: Read,
  { system, tokenId }: { system: string; tokenId: string | undefined },
): Html {
  const told = read.outcome && words.outcomes[read.outcome][1];
  const { facts: said } = words;
  const body = html`${facts([
    [said.state, readPill(read)],
    [
      said.requestedAt,
      html`${time(read.requestedAt)}, ${read.requests === 1 ? words.once : `${number(read.requests)} ${words.times}`}`,
    ],
    [said.settledAt, time(read.settledAt, words.notYet)],
    [said.dueAt, time(read.dueAt, words.noRun)],
    [said.tries, number(read.tries)],
    [said.waits, number(read.waits)],
    [said.deaths, number(read.deaths)],
    [said.providerRequests, number(read.providerRequests)],
    [said.pages, number(read.pages)],
    [said.records, number(read.records)],
    [said.bytes, number(read.bytes)],
    ...(read.refusedFields === null
      ? []
      : [[said.refusedFields, html`<code>${read.refusedFields.join(", ")}</code>`] as const]),
    [said.id, html`<code>${read.id}</code>`],
  ])}
${tokenId !== undefined && html`<p><a class="button" href="${consolePath}/connections/${tokenId}">${words.connection}</a></p>`}`;
  return renderPage({
    title: `${system} · ${read.resource}`,
    lead: told ?? words.notEnded,
    body,
    viewer,
    section: "reads",
    isLive: true,
  });
}
