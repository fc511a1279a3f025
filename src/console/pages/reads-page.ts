import { html, type Html } from "../../platform/html/index.ts";
import type { Read } from "../../reading/index.ts";
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

type Outcome = NonNullable<Read["outcome"]>;

const outcomes: Readonly<Record<Outcome, { title: string; tone: Tone; told: string }>> = {
  stored: { title: "Stored", tone: "good", told: "Its data is stored." },
  unavailable: {
    title: "Provider gave no answer",
    tone: "bad",
    told: "The provider was away or too busy. Whoever asks again begins a new read.",
  },
  broken: {
    title: "Answer could not be used",
    tone: "bad",
    told: "The answer of the provider was not of the form that its adapter knows. The log has a line with this read.",
  },
  unsupported: {
    title: "Not there",
    tone: "plain",
    told: "The provider, or this account, doesn’t have the data.",
  },
  forbidden: { title: "Right missing", tone: "warn", told: "The account may not read the data." },
  refused: {
    title: "Sign-in ended",
    tone: "bad",
    told: "The provider no longer accepts the sign-in.",
  },
};

export function outcomePill(outcome: Outcome): Html {
  const { title, tone } = outcomes[outcome];
  return pill(title, tone);
}

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
  const tab = (value: ReadFilter, label: string): Html =>
    html`<li><a href="${withQuery(path, { state: value })}"${value === filter && html` aria-current="true"`}>${label}</a></li>`;
  const body = html`<nav aria-label="Which reads"><ul class="tabs">${tab("pending", "Running and waiting")}${tab("failed", "Failed")}</ul></nav>
${list(
  reads.map((read) => readEntry(read, system(read.provider))),
  filter === "pending" ? "Nothing is being read now." : "No read failed lately.",
)}${nextPage(next && withQuery(path, { state: filter, before: next }))}${isCut && html`<p class="soft">Only the first ${number(reads.length)} are listed.</p>`}`;
  return renderPage({
    title: "Reads",
    lead: "What is fetched from the providers. The reads of one connection are at the connection.",
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
      html`asked for ${time(requestedAt)}`,
      settledAt === null ? undefined : html`ended ${time(settledAt)}`,
      counted(records, ["record", "records"]),
    ],
  };
}

function readPill({ state, outcome, leaseUntil, waits }: Read): Html {
  if (state === "pending") {
    if (leaseUntil !== null) return pill("Running");
    return pill(waits > 0 ? "Waits for the quota" : "Waits");
  }
  return outcome ? outcomePill(outcome) : pill("Ended");
}

export function readPage(
  viewer: Viewer,
  read: Read,
  { system, tokenId }: { system: string; tokenId: string | undefined },
): Html {
  const body = html`${facts([
    ["State", readPill(read)],
    [
      "Asked for",
      html`${time(read.requestedAt)}, ${read.requests === 1 ? "once" : `${number(read.requests)} times`}`,
    ],
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
    title: `${system} · ${read.resource}`,
    lead: read.outcome ? outcomes[read.outcome].told : "It has not ended yet.",
    body,
    viewer,
    section: "reads",
    isLive: true,
  });
}
