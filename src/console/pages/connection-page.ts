import type { HistoryEntry } from "../../events/index.ts";
import { html, type Html, type HtmlValue } from "../../platform/html/index.ts";
import type { Read } from "../../reading/index.ts";
import type { TokenState } from "../../tokens/index.ts";
import type { Delivery } from "../../webhooks/index.ts";
import type { Resource } from "../../model/index.ts";
import type { Viewer } from "../viewer.ts";
import { renderFilled, type ShownFields } from "./filled-fields.ts";
import { doneNotice, type Done } from "./done.ts";
import { consolePath, renderPage } from "./layout.ts";
import {
  action,
  actions,
  counted,
  facts,
  list,
  pill,
  section,
  time,
  type Entry,
} from "./pieces.ts";
import { deliveryEntry } from "./webhooks-page.ts";
import { outcomePill, readEntry } from "./reads-page.ts";

export interface ShownConnection {
  clientId: string;
  clientName: string | undefined;
  system: string;
  /** Of the sandbox. */
  isSimulated: boolean;
  /** Everybody may use it: nobody signs in to it anew, or ends it. */
  isShared: boolean;
  state: TokenState;
  history: readonly HistoryEntry[];
  deliveries: readonly Delivery[];
  reads: readonly Read[];
  /** Which can be read now by a button. */
  readable: readonly string[];
  filled: ReadonlyMap<Resource, ShownFields>;
}

const statuses = {
  active: ["Active", "good"],
  reauthentication_required: ["Sign-in ended", "bad"],
  disconnected: ["Disconnected", "plain"],
} as const;

export function connectionPage(
  viewer: Viewer,
  shown: ShownConnection,
  done: Done | undefined,
): Html {
  const { state, system, clientId, clientName, history, deliveries, reads } = shown;
  const [status, tone] = statuses[state.status];
  const client = viewer.clientId === undefined ? (clientName ?? clientId) : undefined;
  const body = html`${doneNotice(done)}
${facts([
  ["State", html`${pill(status, tone)} <span class="together">since ${time(state.since)}</span>`],
  ["Reference", state.reference ?? html`<span class="soft">none</span>`],
  ...(client === undefined
    ? []
    : [["Client", html`<a href="${consolePath}/clients/${clientId}">${client}</a>`] as const]),
  ["Mode", state.mode],
  ["Token id", html`<code>${state.token}</code>`],
  ["Connected", time(state.created_at)],
])}
${state.valid && renderActions(viewer, shown)}
${
  state.valid &&
  section(
    "Data",
    list(
      state.resources.map((each) => resourceEntry(shown, each)),
      "The token covers no data.",
    ),
  )
}
${section("What happened", timeline(history))}
${section(
  "Reads",
  list(
    reads.map((each) => readEntry(each, system)),
    "Nothing was read yet.",
  ),
)}
${section("Webhooks", list(deliveries.map(deliveryEntry), "Nothing was sent about this connection."))}`;
  return renderPage({
    title: `${system}${state.reference === null ? "" : ` · ${state.reference}`}`,
    body,
    viewer,
    section: "connections",
    isLive: true,
  });
}

function renderActions(
  viewer: Viewer,
  { state, readable, system, isSimulated, isShared }: ShownConnection,
): Html {
  const at = `${consolePath}/connections/${state.token}`;
  const isRefused = state.status === "reauthentication_required";
  const fields = html`<label class="inline">Resource <select name="resource">${readable.map(
    (resource) => html`<option>${resource}</option>`,
  )}</select></label>`;
  return actions(
    readable.length > 0 &&
      !isRefused &&
      action(viewer, { address: `${at}/read`, label: "Read now", fields }),
    isSimulated &&
      !isRefused &&
      action(viewer, { address: `${at}/webhook`, label: "Send a test webhook" }),
    !isShared &&
      action(viewer, {
        address: `${at}/link`,
        label: "Make a link to sign in again",
        isMain: isRefused,
      }),
    !isShared &&
      action(viewer, {
        address: `${at}/disconnect`,
        label: "Disconnect",
        asks: `The token ends for good, and everything stored of this account at ${system} is deleted. The end user would have to sign in anew.`,
        isDanger: true,
      }),
  );
}

type ResourceState = TokenState["resources"][number];

function resourceEntry({ state, filled }: ShownConnection, found: ResourceState): Entry {
  const { resource, read_at: readAt, records, took_seconds: took, next_read_at: next } = found;
  const { outcome } = found;
  const limited = state.limited[resource] ?? [];
  return {
    title: resource,
    pills: resourcePill(state, found),
    facts: [
      readAt !== null && html`read ${time(readAt)}`,
      readAt === null && outcome !== null && "nothing is stored",
      readAt === null || records === null ? undefined : counted(records, ["record", "records"]),
      took === null ? undefined : `took ${took < 10 ? took.toFixed(1) : Math.round(took)} s`,
      next === null ? undefined : html`next ${time(next)}`,
      found.waits_until === null ? undefined : html`waits until ${time(found.waits_until)}`,
    ],
    more: html`${
      limited.length > 0 &&
      html`<p class="soft">The account may not read these fields, so they are null: ${limited.join(", ")}.</p>`
    }${renderFilled(filled.get(resource))}`,
  };
}

const waits = {
  place: "Waits for its turn",
  quota: "Waits for the quota",
  provider: "Is tried again",
} as const;

function resourcePill(state: TokenState, found: ResourceState): HtmlValue {
  const { resource, outcome, state: work, waits_for: waitsFor } = found;
  if (state.forbidden.includes(resource)) return outcomePill("forbidden");
  if (state.unsupported.includes(resource)) return outcomePill("unsupported");
  if (work === "running") return pill("Is being read", "plain");
  if (waitsFor !== null) return pill(waits[waitsFor], "plain");
  return outcome === null ? pill("Not read yet", "plain") : outcomePill(outcome);
}

/** By the type of its event. A type that is not here is shown by its name. */
const happened: Readonly<Record<string, string>> = {
  "connection.created": "The end user signed in, and the code was exchanged",
  "connection.reauthentication_required": "The provider ended the sign-in",
  "connection.healed": "The end user signed in again",
  "connection.rights_changed": "The rights of the account changed",
  "connection.ended": "The token ended",
  "data.ready": "Data that a caller waited for was stored",
  "data.failed": "Data that a caller waited for could not be read",
  "data.changed": "A poll found changes",
  "provider.degraded": "Many reads of the provider failed",
  "provider.recovered": "Reads of the provider succeeded again",
};
const bad = new Set(["connection.reauthentication_required", "data.failed", "provider.degraded"]);

function timeline(history: readonly HistoryEntry[]): Html {
  if (history.length === 0) return html`<p class="empty">Nothing within 30 days.</p>`;
  return html`<ol class="timeline">${history.map(
    ({
      type,
      data,
      at,
    }) => html`<li${bad.has(type) && html` class="bad"`}><p>${happened[type] ?? type}${describeData(data)}</p>
<p class="soft">${time(at)}</p></li>`,
  )}</ol>`;
}

/** Names of resources and codes alone. What else an event tells stays where it is. */
function describeData(data: Readonly<Record<string, unknown>>): HtmlValue {
  const gained = namesOf(data["gained"]);
  const lost = namesOf(data["lost"]);
  const parts = [
    ...namesOf(data["resource"]),
    ...namesOf(data["error"]),
    ...(gained.length > 0 ? [`gained ${gained.join(", ")}`] : []),
    ...(lost.length > 0 ? [`lost ${lost.join(", ")}`] : []),
  ];
  return parts.length > 0 && html`: ${parts.join(", ")}`;
}

function namesOf(value: unknown): string[] {
  return [value]
    .flat()
    .filter(
      (each): each is string => typeof each === "string" && /^[a-z][a-z_-]{0,60}$/.test(each),
    );
}

/** The one time that a link is shown. */
export function linkMadePage(
  viewer: Viewer,
  { url, expiresAt, tokenId }: { url: string; expiresAt: Date; tokenId: string },
): Html {
  const body = html`<div class="field"><label for="link">The link</label>
<input id="link" class="copy" readonly value="${url}"></div>
<p class="soft">It works once, until ${time(expiresAt)}. It isn’t shown again.</p>
<p><a class="button" href="${consolePath}/connections/${tokenId}">Back to the connection</a></p>`;
  return renderPage({
    title: "A link to sign in again",
    lead: "Send it to the end user. After the sign-in the same token works on, and this connection heals by itself.",
    body,
    viewer,
    section: "connections",
  });
}
