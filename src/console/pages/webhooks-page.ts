import { html, type Html, type HtmlValue } from "../../platform/html/index.ts";
import type { Delivery, DeliveryAttempt, FailingReceiver } from "../../webhooks/index.ts";
import { texts, type Done } from "../texts/shared.ts";
import { delivery as ofDelivery, signature, webhooks as words } from "../texts/webhooks.ts";
import { describeDeliveryError } from "../problems/explain-problem.ts";
import type { Viewer } from "../viewer.ts";
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

export interface ShownDeliveries {
  deliveries: readonly Delivery[];
  failing: readonly FailingReceiver[];
  client: string | undefined;
  isFailed: boolean;
  next: string | undefined;
  clients: readonly Choice[];
}

export function webhooksPage(viewer: Viewer, shown: ShownDeliveries, names: Names): Html {
  const { deliveries, failing, client, isFailed, next } = shown;
  const state = isFailed ? "failed" : undefined;
  const body = html`<p><a href="${path}/signature">${signature.title}</a></p>
${
  failing.length > 0 &&
  section(
    words.failing,
    list(
      failing.map((each) => receiverEntry(each, names)),
      "",
    ),
  )
}
<section><h2>${words.deliveries}</h2>${renderSearch(viewer, shown)}
${list(deliveries.map(deliveryEntry), words.none)}
${nextPage(next && withQuery(path, { client, state, before: next }))}</section>`;
  return renderPage({
    title: words.title,
    lead: words.lead,
    body,
    viewer,
    section: "webhooks",
    isLive: next === undefined,
  });
}

function renderSearch(viewer: Viewer, { client, isFailed, clients }: ShownDeliveries): Html {
  return html`<form method="get" action="${path}" class="search" aria-label="${words.deliveries}">
${viewer.clientId === undefined && select("client", words.client, { choices: [{ value: "", label: words.allClients }, ...clients], chosen: client })}
${select("state", words.state, {
  choices: [
    { value: "", label: words.all },
    { value: "failed", label: words.givenUp },
  ],
  chosen: isFailed ? "failed" : "",
})}
<button>${words.show}</button></form>`;
}

function receiverEntry(receiver: FailingReceiver, names: Names): Entry {
  const { kind, clientId, status, since, attempts } = receiver;
  return {
    title: html`${names.client(clientId) ?? clientId} · ${words.kinds[kind]}`,
    href: `${consolePath}/clients/${clientId}`,
    pills: pill(words.receivers[status], "bad"),
    facts: [
      since === null ? undefined : html`${texts.since} ${time(since)}`,
      `${counted(attempts, texts.attempts)} ${words.atLast}`,
      describeResult(receiver),
    ],
  };
}

export function deliveryEntry(delivery: Delivery): Entry {
  const { id, eventType, createdAt, attempts } = delivery;
  return {
    title: eventType ?? words.kinds.employees,
    href: `${consolePath}/deliveries/${id}`,
    pills: deliveryPill(delivery),
    facts: [
      html`${words.made} ${time(createdAt)}`,
      eventType === null ? describeChanges(delivery) : undefined,
      counted(attempts, texts.attempts),
      describeResult(delivery),
    ],
  };
}

function deliveryPill({ status, attempts }: Delivery): Html {
  if (status === "delivered") return pill(words.states.delivered, "good");
  if (status === "failed") return pill(words.states.failed, "bad");
  return attempts > 0 ? pill(words.states.triedAgain, "warn") : pill(words.states.pending);
}

function describeChanges({ added, removed, updated }: Delivery): string {
  const { changes: said } = words;
  return `${number(added)} ${said.added}, ${number(updated)} ${said.updated}, ${number(removed)} ${said.removed}`;
}

function describeResult({
  lastStatus,
  lastError,
}: Pick<Delivery, "lastStatus" | "lastError">): string | undefined {
  if (lastStatus !== null) return `${words.lastAnswer} ${lastStatus}`;
  return lastError === null ? undefined : `${words.last} ${describeDeliveryError(lastError)}`;
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
  const { facts: said } = ofDelivery;
  const body = html`${done && html`<p class="notice good" role="status">${texts.done[done]}</p>`}
${facts([
  [said.state, deliveryPill(delivery)],
  [said.createdAt, time(createdAt)],
  [said.settledAt, time(settledAt, ofDelivery.notYet)],
  [
    said.nextAttemptAt,
    time(nextAttemptAt, status === "pending" ? ofDelivery.resumed : ofDelivery.noAttempt),
  ],
  ...(delivery.eventType === null ? [[said.changes, describeChanges(delivery)] as const] : []),
  [said.id, html`<code>${id}</code>`],
])}
${actions(
  action(viewer, {
    address: `${consolePath}/deliveries/${id}/replay`,
    label: ofDelivery.sendAgain,
    asks: ofDelivery.sendAgainAsks,
  }),
  tokenId !== null &&
    html`<a class="button" href="${consolePath}/connections/${tokenId}">${ofDelivery.connection}</a>`,
)}
${section(ofDelivery.attempts, list(attempts.map(attemptEntry), ofDelivery.noAttempts))}
${advice(delivery)}`;
  return renderPage({
    title: delivery.eventType ?? words.kinds.employees,
    lead: leadOf(delivery),
    body,
    viewer,
    section: "webhooks",
    isLive: true,
  });
}

function attemptEntry({ number: count, at, durationMs, status, reason }: DeliveryAttempt): Entry {
  return {
    title: `${ofDelivery.attempt} ${count}`,
    pills:
      reason === "ok"
        ? pill(`HTTP ${status}`, "good")
        : pill(status === null ? ofDelivery.noAnswer : `HTTP ${status}`, "bad"),
    facts: [
      time(at),
      `${number(durationMs)} ms`,
      reason === "ok" ? undefined : describeDeliveryError(reason),
    ],
  };
}

function leadOf({ status, lastStatus, lastError }: Delivery): string {
  if (status === "delivered") return ofDelivery.taken;
  const last =
    lastStatus === null
      ? lastError === null
        ? ""
        : ofDelivery.lastFailed(describeDeliveryError(lastError))
      : ofDelivery.lastAnswer(lastStatus);
  return status === "failed" ? `${ofDelivery.givenUp}${last}` : `${ofDelivery.waits}${last}`;
}

/** What the receiver has to do. What it said may quote people's data, so it is not shown here. */
function advice({ status, lastStatus, id }: Delivery): HtmlValue {
  if (status === "delivered" || lastStatus === null) return undefined;
  return html`<p class="soft">The receiver has to answer with a status of 2xx. The beginning of what it said is in the
answer of <code>GET /2023-03-01/management/deliveries/${id}</code> as <code>last_reply</code>: it may quote data of people, so it isn’t shown here.</p>`;
}
