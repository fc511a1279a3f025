import { html, type Html } from "../../platform/html/index.ts";
import type { Read } from "../../reading/index.ts";
import type { Viewer } from "../viewer.ts";
import { consolePath, renderPage } from "./layout.ts";
import {
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

const outcomes: Readonly<Record<NonNullable<Read["outcome"]>, readonly [string, Tone, string]>> = {
  stored: ["Stored", "good", "Its data is stored."],
  unavailable: [
    "Provider gave no answer",
    "bad",
    "The provider was away or too busy. Whoever asks again begins a new read.",
  ],
  broken: [
    "Answer could not be used",
    "bad",
    "The answer of the provider was not of the form that its adapter knows. The log has a line with this read.",
  ],
  unsupported: ["Not there", "plain", "The provider, or this account, doesn’t have the data."],
  forbidden: ["Right missing", "warn", "The account may not read the data."],
  refused: ["Sign-in ended", "bad", "The provider no longer accepts the sign-in."],
};

export function readsPage(
  viewer: Viewer,
  { reads, filter, next }: { reads: readonly Read[]; filter: ReadFilter; next: string | undefined },
): Html {
  const tab = (value: ReadFilter, label: string): Html =>
    html`<li><a href="${withQuery(path, { state: value })}"${value === filter && html` aria-current="true"`}>${label}</a></li>`;
  const empty = filter === "pending" ? "Nothing is being read now." : "No read failed lately.";
  const body = html`<nav aria-label="Which reads"><ul class="tabs">${tab("pending", "Running and waiting")}${tab("failed", "Failed")}</ul></nav>
${list(reads.map(readEntry), empty)}${nextPage(next && withQuery(path, { state: filter, before: next }))}`;
  return renderPage({
    title: "Reads",
    lead: "What is fetched from the providers. The reads of one connection are at the connection.",
    body,
    viewer,
    section: "reads",
    isLive: next === undefined,
  });
}

export function readEntry(read: Read): Entry {
  const { id, provider, resource, parameters, requestedAt, settledAt, records } = read;
  return {
    title: html`${provider} · ${resource}${parameters !== "" && html` · ${parameters}`}`,
    href: `${path}/${id}`,
    pills: readPill(read),
    facts: [
      html`asked for ${time(requestedAt)}`,
      settledAt === null ? undefined : html`ended ${time(settledAt)}`,
      `${number(records)} ${records === 1 ? "record" : "records"}`,
    ],
  };
}

function readPill({ state, outcome, leaseUntil, waits }: Read): Html {
  if (state === "pending") {
    if (leaseUntil !== null) return pill("Running");
    return pill(waits > 0 ? "Waits for the quota" : "Waits");
  }
  const [text, tone] = outcome ? outcomes[outcome] : ["Ended", "plain" as const];
  return pill(text, tone);
}

export function readPage(viewer: Viewer, read: Read, tokenId: string | undefined): Html {
  const told = read.outcome && outcomes[read.outcome][2];
  const body = html`${facts([
    ["State", readPill(read)],
    ["Asked for", html`${time(read.requestedAt)}, ${number(read.requests)} times`],
    ["Ended", time(read.settledAt, "not yet")],
    ["Next run", time(read.dueAt, "none")],
    ["Failed runs", number(read.tries)],
    ["Waits in a row", number(read.waits)],
    ["Processes it ended", number(read.deaths)],
    ["Requests at the provider", number(read.providerRequests)],
    ["Pages", number(read.pages)],
    ["Records", number(read.records)],
    ["Bytes", number(read.bytes)],
    ...(read.refusedFields === null
      ? []
      : [["Missing or wrong", html`<code>${read.refusedFields.join(", ")}</code>`] as const]),
    ["Read id", html`<code>${read.id}</code>`],
  ])}
${tokenId !== undefined && html`<p><a class="button" href="${consolePath}/connections/${tokenId}">The connection</a></p>`}`;
  return renderPage({
    title: `${read.provider} · ${read.resource}`,
    lead: told ?? "It has not ended yet.",
    body,
    viewer,
    section: "reads",
    isLive: true,
  });
}
