import { html, type Html, type HtmlValue } from "../../platform/html/index.ts";
import type { Delivery, DeliveryAttempt, FailingReceiver } from "../../webhooks/index.ts";
import { describeDeliveryError } from "../problems/explain-problem.ts";
import type { Viewer } from "../viewer.ts";
import { doneNotice, type Done } from "./done.ts";
import { consolePath, renderPage } from "./layout.ts";
import {
  action,
  actions,
  counted,
  facts,
  list,
  nextPage,
  number,
  pill,
  section,
  select,
  time,
  withQuery,
  type Choice,
  type Entry,
} from "./pieces.ts";
import type { Names } from "./problems-page.ts";

const path = `${consolePath}/webhooks`;
const kinds = { employees: "Changed employees", events: "Events" } as const;
const receivers = { active: "Failing", gone: "Gone", paused: "Paused" } as const;

export interface ShownDeliveries {
  deliveries: readonly Delivery[];
  failing: readonly FailingReceiver[];
  areMoreFailing: boolean;
  client: string | undefined;
  isFailed: boolean;
  next: string | undefined;
  clients: readonly Choice[];
}

export function webhooksPage(viewer: Viewer, shown: ShownDeliveries, names: Names): Html {
  const { deliveries, failing, areMoreFailing, client, isFailed, next } = shown;
  const state = isFailed ? "failed" : undefined;
  const body = html`<p><a href="${path}/signature">My signature doesn’t match</a></p>
${
  failing.length > 0 &&
  section(
    "Receivers that fail",
    list(
      failing.map((each) => receiverEntry(each, names)),
      "",
    ),
    areMoreFailing &&
      html`<p class="soft">Only the first ${number(failing.length)} are listed. Choose a client for its own.</p>`,
  )
}
<section><h2>Deliveries</h2>${renderSearch(viewer, shown)}
${list(deliveries.map(deliveryEntry), "Nothing was sent.")}
${nextPage(next && withQuery(path, { client, state, before: next }))}</section>`;
  return renderPage({
    title: "Webhooks",
    lead: "What is sent to the clients’ servers, the newest first.",
    body,
    viewer,
    section: "webhooks",
    isLive: next === undefined,
  });
}

function renderSearch(viewer: Viewer, { client, isFailed, clients }: ShownDeliveries): Html {
  return html`<form method="get" action="${path}" class="search" aria-label="Deliveries">
${viewer.clientId === undefined && select("client", "Client", { choices: [{ value: "", label: "All clients" }, ...clients], chosen: client })}
${select("state", "State", {
  choices: [
    { value: "", label: "All" },
    { value: "failed", label: "Given up" },
  ],
  chosen: isFailed ? "failed" : "",
})}
<button>Show</button></form>`;
}

function receiverEntry(receiver: FailingReceiver, names: Names): Entry {
  const { kind, clientId, status, since, attempts } = receiver;
  return {
    title: html`${names.client(clientId) ?? clientId} · ${kinds[kind]}`,
    href: `${consolePath}/clients/${clientId}`,
    pills: pill(receivers[status], "bad"),
    facts: [
      since === null ? undefined : html`since ${time(since)}`,
      `${counted(attempts, ["attempt", "attempts"])} at the last delivery`,
      describeResult(receiver),
    ],
  };
}

export function deliveryEntry(delivery: Delivery): Entry {
  const { id, eventType, createdAt, attempts } = delivery;
  return {
    title: eventType ?? kinds.employees,
    href: `${consolePath}/deliveries/${id}`,
    pills: deliveryPill(delivery),
    facts: [
      html`made ${time(createdAt)}`,
      eventType === null ? describeChanges(delivery) : undefined,
      counted(attempts, ["attempt", "attempts"]),
      describeResult(delivery),
    ],
  };
}

function deliveryPill({ status, attempts }: Delivery): Html {
  if (status === "delivered") return pill("Delivered", "good");
  if (status === "failed") return pill("Given up", "bad");
  return attempts > 0 ? pill("Tried again", "warn") : pill("Pending");
}

function describeChanges({ added, removed, updated }: Delivery): string {
  return `${number(added)} added, ${number(updated)} updated, ${number(removed)} removed`;
}

function describeResult({
  lastStatus,
  lastError,
}: Pick<Delivery, "lastStatus" | "lastError">): string | undefined {
  if (lastStatus !== null) return `last answer HTTP ${lastStatus}`;
  return lastError === null ? undefined : `last: ${describeDeliveryError(lastError)}`;
}

export function deliveryPage(
  viewer: Viewer,
  {
    delivery,
    attempts,
    done,
  }: { delivery: Delivery; attempts: readonly DeliveryAttempt[]; done: Done | undefined },
): Html {
  const { id, tokenId, status, createdAt, settledAt, nextAttemptAt } = delivery;
  const body = html`${doneNotice(done)}
${facts([
  ["State", deliveryPill(delivery)],
  ["Made", time(createdAt)],
  ["Ended", time(settledAt, "not yet")],
  [
    "Next attempt",
    time(nextAttemptAt, status === "pending" ? "when the receiver is resumed" : "none"),
  ],
  ...(delivery.eventType === null ? [["Changes", describeChanges(delivery)] as const] : []),
  ["Delivery id", html`<code>${id}</code>`],
])}
${actions(
  action(viewer, {
    address: `${consolePath}/deliveries/${id}/replay`,
    label: "Send again",
    asks: `${describeReplay(delivery)} A receiver that was paused or gone is resumed.`,
  }),
  tokenId !== null &&
    html`<a class="button" href="${consolePath}/connections/${tokenId}">The connection</a>`,
)}
${section("Attempts", list(attempts.map(attemptEntry), "There was no attempt yet."))}
${advice(delivery)}`;
  return renderPage({
    title: delivery.eventType ?? kinds.employees,
    lead: leadOf(delivery),
    body,
    viewer,
    section: "webhooks",
    isLive: true,
  });
}

/** What was taken since is not undone by older news. */
function describeReplay({ eventType }: Delivery): string {
  const same = "The same bytes are sent again under the same id.";
  return eventType === null
    ? `${same} If another webhook of the connection waits, that one is tried at once instead. If the receiver has taken a later one, these employees are sent as they are now, under a new id.`
    : same;
}

function attemptEntry({ number: count, at, durationMs, status, reason }: DeliveryAttempt): Entry {
  return {
    title: `Attempt ${count}`,
    pills:
      reason === "ok"
        ? pill(`HTTP ${status}`, "good")
        : pill(status === null ? "No answer" : `HTTP ${status}`, "bad"),
    facts: [
      time(at),
      `${number(durationMs)} ms`,
      reason === "ok" ? undefined : describeDeliveryError(reason),
    ],
  };
}

function leadOf({ status, lastStatus, lastError }: Delivery): string {
  if (status === "delivered") return "The receiver has taken it.";
  const last =
    lastStatus === null
      ? lastError === null
        ? ""
        : ` The last attempt failed: ${describeDeliveryError(lastError)}.`
      : ` The receiver answered the last attempt with HTTP ${lastStatus}.`;
  return status === "failed"
    ? `It was given up.${last}`
    : `It waits for the receiver to take it.${last}`;
}

/** What the receiver has to do. What it said may quote people's data, so it is not shown here. */
function advice({ status, lastStatus, eventType, id }: Delivery): HtmlValue {
  if (status === "delivered" || lastStatus === null) return undefined;
  // Of an event no reply is kept.
  if (eventType !== null)
    return html`<p class="soft">The receiver has to answer with a status of 2xx.</p>`;
  return html`<p class="soft">The receiver has to answer with a status of 2xx. The beginning of what it said is in the
answer of <code>GET /2023-03-01/management/deliveries/${id}</code> as <code>last_reply</code>: it may quote data of people, so it isn’t shown here.</p>`;
}
