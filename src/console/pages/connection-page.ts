import type { HistoryEntry } from "../../events/index.ts";
import { html, type Html, type HtmlValue } from "../../platform/html/index.ts";
import type { Read } from "../../reading/index.ts";
import type { TokenState } from "../../tokens/index.ts";
import type { Delivery } from "../../webhooks/index.ts";
import type { Resource } from "../../model/index.ts";
import { connection as words, happened, linkMade } from "../texts/connections.ts";
import { texts, type Done } from "../texts/shared.ts";
import type { Viewer } from "../viewer.ts";
import { renderFilled, type ShownFields } from "./filled-fields.ts";
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
  type Tone,
} from "./pieces.ts";
import { deliveryEntry } from "./webhooks-page.ts";
import { readEntry } from "./reads-page.ts";

export interface ShownConnection {
  clientId: string;
  clientName: string | undefined;
  system: string;
  /** Of the sandbox. */
  isSimulated: boolean;
  state: TokenState;
  history: readonly HistoryEntry[];
  deliveries: readonly Delivery[];
  reads: readonly Read[];
  /** Which can be read now by a button. */
  readable: readonly string[];
  filled: ReadonlyMap<Resource, ShownFields>;
}

const tones = { active: "good", reauthentication_required: "bad", disconnected: "plain" } as const;

export function connectionPage(
  viewer: Viewer,
  shown: ShownConnection,
  done: Done | undefined,
): Html {
  const { state, system, clientId, clientName, history, deliveries, reads } = shown;
  const { facts: said } = words;
  const status = pill(words.statuses[state.status], tones[state.status]);
  const client = viewer.clientId === undefined ? (clientName ?? clientId) : undefined;
  const body = html`${done && html`<p class="notice good" role="status">${texts.done[done]}</p>`}
${facts([
  [said.state, html`${status} <span class="together">${texts.since} ${time(state.since)}</span>`],
  [said.reference, state.reference ?? html`<span class="soft">${words.noReference}</span>`],
  ...(client === undefined
    ? []
    : [[said.client, html`<a href="${consolePath}/clients/${clientId}">${client}</a>`] as const]),
  [said.mode, state.mode],
  [said.tokenId, html`<code>${state.token}</code>`],
  [said.createdAt, time(state.created_at)],
])}
${state.valid && renderActions(viewer, shown)}
${
  state.valid &&
  section(
    words.data,
    list(
      state.resources.map((each) => resourceEntry(shown, each)),
      words.noData,
    ),
  )
}
${section(words.history, timeline(history))}
${section(
  words.reads,
  list(
    reads.map((each) => readEntry(each, system)),
    words.noReads,
  ),
)}
${section(words.webhooks, list(deliveries.map(deliveryEntry), words.noWebhooks))}`;
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
  { state, readable, system, isSimulated }: ShownConnection,
): Html {
  const at = `${consolePath}/connections/${state.token}`;
  const isRefused = state.status === "reauthentication_required";
  const fields = html`<label class="inline">${words.resource} <select name="resource">${readable.map(
    (resource) => html`<option>${resource}</option>`,
  )}</select></label>`;
  return actions(
    readable.length > 0 &&
      !isRefused &&
      action(viewer, { address: `${at}/read`, label: words.readNow, fields }),
    isSimulated &&
      !isRefused &&
      action(viewer, { address: `${at}/webhook`, label: words.sendWebhook }),
    action(viewer, {
      address: `${at}/link`,
      label: words.makeLink,
      isMain: isRefused,
    }),
    action(viewer, {
      address: `${at}/disconnect`,
      label: words.disconnect,
      asks: words.disconnectAsks(system),
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
      readAt !== null && html`${words.read} ${time(readAt)}`,
      readAt === null && outcome !== null && words.nothingStored,
      readAt === null || records === null ? undefined : counted(records, texts.records),
      took === null
        ? undefined
        : `${words.took} ${took < 10 ? took.toFixed(1) : Math.round(took)} s`,
      next === null ? undefined : html`${words.next} ${time(next)}`,
      found.waits_until === null ? undefined : html`${words.waitsUntil} ${time(found.waits_until)}`,
    ],
    more: html`${
      limited.length > 0 && html`<p class="soft">${words.limited} ${limited.join(", ")}.</p>`
    }${renderFilled(filled.get(resource))}`,
  };
}

type Outcome = keyof typeof words.outcomes;
const outcomeTones: Readonly<Record<Outcome, Tone>> = {
  stored: "good",
  unavailable: "bad",
  broken: "bad",
  unsupported: "plain",
  forbidden: "warn",
  refused: "bad",
};

function resourcePill(state: TokenState, found: ResourceState): HtmlValue {
  const { resource, outcome, state: work, waits_for: waitsFor } = found;
  if (state.forbidden.includes(resource)) return pill(words.outcomes.forbidden, "warn");
  if (state.unsupported.includes(resource)) return pill(words.outcomes.unsupported, "plain");
  if (work === "running") return pill(words.isRead, "plain");
  if (waitsFor !== null) return pill(words.waits[waitsFor], "plain");
  return outcome === null
    ? pill(words.notRead, "plain")
    : pill(words.outcomes[outcome], outcomeTones[outcome]);
}

const bad = new Set(["connection.reauthentication_required", "data.failed", "provider.degraded"]);

function timeline(history: readonly HistoryEntry[]): Html {
  if (history.length === 0) return html`<p class="empty">${words.noHistory}</p>`;
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
    ...(gained.length > 0 ? [`${words.gained} ${gained.join(", ")}`] : []),
    ...(lost.length > 0 ? [`${words.lost} ${lost.join(", ")}`] : []),
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
  const body = html`<div class="field"><label for="link">${linkMade.link}</label>
<input id="link" class="copy" readonly value="${url}"></div>
<p class="soft">${linkMade.worksUntil} ${time(expiresAt)}. ${linkMade.once}</p>
<p><a class="button" href="${consolePath}/connections/${tokenId}">${linkMade.back}</a></p>`;
  return renderPage({
    title: linkMade.title,
    lead: linkMade.lead,
    body,
    viewer,
    section: "connections",
  });
}
