import type { Client } from "../../clients/index.ts";
import { html, type Html } from "../../platform/html/index.ts";
import {
  client as words,
  clientEnd as end,
  clientFields as fields,
  clientHints as hints,
  clients as ofList,
  secretMade,
} from "../texts/clients.ts";
import { texts, type Done } from "../texts/shared.ts";
import type { Viewer } from "../viewer.ts";
import { consolePath, renderPage } from "./layout.ts";
import {
  action,
  actions,
  checkbox,
  facts,
  input,
  list,
  nextPage,
  number,
  pill,
  refusal,
  section,
  time,
  withQuery,
} from "./pieces.ts";

const path = `${consolePath}/clients`;

type Statuses = Record<"employees" | "events", "active" | "paused" | "gone" | null>;

type ListedClient = Client & { isUsed: boolean };

/** Those that have not ended, or those that have. */
export function clientsPage(
  viewer: Viewer,
  {
    listed,
    areEnded,
    next,
  }: { listed: readonly ListedClient[]; areEnded: boolean; next: string | undefined },
): Html {
  const entries = listed.map((client) => ({
    title: html`<bdi>${client.name}</bdi>`,
    href: `${path}/${client.clientId}`,
    pills: client.isUsed ? statePill(client) : pill(ofList.unused, "bad"),
    facts: [html`<code>${client.clientId}</code>`, html`${texts.since} ${time(client.createdAt)}`],
  }));
  const state = areEnded ? "ended" : undefined;
  const others = areEnded
    ? html`<a class="button" href="${path}">${ofList.others}</a>`
    : html`<a class="button" href="${path}?state=ended">${ofList.ended}</a>`;
  const body = html`<p><a class="button primary" href="${path}/new">${ofList.make}</a> ${others}</p>
${list(entries, areEnded ? ofList.noneEnded : ofList.none)}${nextPage(next && withQuery(path, { state, before: next }))}`;
  return renderPage({
    title: areEnded ? ofList.ended : ofList.title,
    lead: ofList.lead,
    body,
    viewer,
    section: "clients",
  });
}

function statePill({ endedAt, emptiedAt }: Client): Html | undefined {
  if (!endedAt) return undefined;
  return emptiedAt ? pill(end.states.ended) : pill(end.states.isEnding, "warn");
}

/** What was typed into a form that was refused, and why. */
export interface TypedClient {
  values: Readonly<Record<string, string>>;
  problem?: string | undefined;
}

export function newClientPage(viewer: Viewer, { values, problem }: TypedClient): Html {
  const body = html`${problem !== undefined && refusal(problem)}
<form method="post" action="${path}" class="stack wide-fields">
<input type="hidden" name="form_token" value="${viewer.formToken}">
${input("name", fields.name, { value: values["name"], hint: hints.name, attributes: html` required maxlength="100"` })}
${redirectField(values["redirect_uris"])}
${checkbox("require_pkce", fields.require_pkce, values["require_pkce"] === "on")}
<button class="primary">${words.make}</button></form>`;
  return renderPage({ title: ofList.make, body, viewer, section: "clients" });
}

function redirectField(value: string | undefined): Html {
  return html`<div class="field"><label for="redirect_uris">${fields.redirect_uris}</label>
<textarea id="redirect_uris" name="redirect_uris" rows="3" required aria-describedby="redirect_uris-hint">${value ?? ""}</textarea>
<p class="hint" id="redirect_uris-hint">${hints.redirect_uris}</p></div>`;
}

export function clientPage(
  viewer: Viewer,
  {
    client,
    statuses,
    count,
    done,
    typed,
  }: {
    client: Client;
    statuses: Statuses;
    /** Of its connections. */
    count: number;
    done: Done | undefined;
    typed: TypedClient | undefined;
  },
): Html {
  const { clientId } = client;
  const { facts: said } = words;
  const body = html`${done && html`<p class="notice good" role="status">${texts.done[done]}</p>`}
${typed?.problem !== undefined && refusal(typed.problem)}
${facts([
  [said.id, html`<code>${clientId}</code>`],
  [said.createdAt, time(client.createdAt)],
  [
    said.secrets,
    client.secrets.length === 1 ? words.oneSecret : `${client.secrets.length}, ${words.secrets}`,
  ],
  [said.webhooks, receiverPill(statuses.employees)],
  [said.events, receiverPill(statuses.events)],
  [said.fieldsOff, client.fieldsOff.length === 0 ? words.noFieldsOff : client.fieldsOff.join(", ")],
])}
${actions(
  html`<a class="button" href="${consolePath}/connections?client=${clientId}">${words.connections}</a>`,
  html`<a class="button" href="${consolePath}/webhooks?client=${clientId}">${words.deliveries}</a>`,
  html`<a class="button" href="${consolePath}/try?client=${clientId}">${words.trySandbox}</a>`,
)}
${section(words.settings, settingsForm(viewer, client, typed))}
${section(
  words.secret,
  html`<p class="soft">${words.secretLead}</p>`,
  action(viewer, {
    address: `${path}/${clientId}/rotate`,
    label: words.newSecret,
    asks: words.newSecretAsks,
  }),
)}
${viewer.clientId === undefined && endSection(viewer, clientId, count)}`;
  return renderPage({ title: client.name, body, viewer, section: "clients" });
}

function endSection(viewer: Viewer, clientId: string, count: number): Html {
  return section(
    end.title,
    html`<p class="soft">${end.lead}</p>`,
    action(viewer, {
      address: `${path}/${clientId}/end`,
      label: end.submit,
      asks: end.asks(number(count)),
      isDanger: true,
    }),
  );
}

/** Of one that is being ended, or has been. There is nothing to do with it any more. */
export function endedClientPage(
  viewer: Viewer,
  { client, count, done }: { client: Client; count: number; done: Done | undefined },
): Html {
  const { clientId, endedAt } = client;
  const body = html`${done && html`<p class="notice good" role="status">${texts.done[done]}</p>`}
${facts([
  [words.facts.id, html`<code>${clientId}</code>`],
  [end.facts.state, statePill(client)],
  [words.facts.createdAt, time(client.createdAt)],
  [end.facts.endedAt, endedAt && time(endedAt)],
  [end.facts.left, number(count)],
])}
${actions(html`<a class="button" href="${consolePath}/audit?client=${clientId}">${end.audit}</a>`)}`;
  return renderPage({ title: client.name, body, viewer, section: "clients" });
}

function receiverPill(status: Statuses["employees"]): Html {
  if (status === null) return html`<span class="soft">${words.noAddress}</span>`;
  return pill(words.receivers[status], status === "active" ? "good" : "bad");
}

function settingsForm(viewer: Viewer, client: Client, typed: TypedClient | undefined): Html {
  const values = typed?.values ?? valuesOf(client);
  return html`<form method="post" action="${path}/${client.clientId}" class="stack wide-fields">
<input type="hidden" name="form_token" value="${viewer.formToken}">
<input type="hidden" name="revision" value="${values["revision"]}">
${input("name", fields.name, { value: values["name"], attributes: html` required maxlength="100"` })}
${redirectField(values["redirect_uris"])}
${input("webhook_uri", fields.webhook_uri, { value: values["webhook_uri"], hint: hints.webhook_uri })}
${input("event_uri", fields.event_uri, { value: values["event_uri"], hint: hints.event_uri })}
${input("purpose", fields.purpose, { value: values["purpose"], hint: hints.purpose, attributes: html` maxlength="200"` })}
${input("privacy_url", fields.privacy_url, { value: values["privacy_url"] })}
${input("support_url", fields.support_url, { value: values["support_url"], hint: hints.support_url })}
${input("brand_color", fields.brand_color, { value: values["brand_color"], hint: hints.brand_color })}
${viewer.clientId === undefined && checkbox("require_pkce", fields.require_pkce, values["require_pkce"] === "on")}
${checkbox("allow_sandbox", fields.allow_sandbox, values["allow_sandbox"] === "on")}
<button class="primary">${words.save}</button></form>`;
}

function valuesOf(client: Client): Record<string, string> {
  return {
    revision: String(client.revision),
    name: client.name,
    redirect_uris: client.redirectUris.join("\n"),
    webhook_uri: client.webhookUri ?? "",
    event_uri: client.eventUri ?? "",
    purpose: client.purpose ?? "",
    privacy_url: client.privacyUrl ?? "",
    support_url: client.supportUrl ?? "",
    brand_color: client.brandColor ?? "",
    require_pkce: client.requirePkce ? "on" : "",
    allow_sandbox: client.allowSandbox ? "on" : "",
  };
}

/** The one time that a secret is shown. */
export function secretPage(viewer: Viewer, client: Client, secret: string): Html {
  const body = html`<div class="field"><label for="client_id">${secretMade.id}</label>
<input id="client_id" class="copy" readonly value="${client.clientId}"></div>
<div class="field"><label for="client_secret">${secretMade.secret}</label>
<input id="client_secret" class="copy" readonly value="${secret}"></div>
<p class="soft">${secretMade.keep}</p>
<p><a class="button" href="${path}/${client.clientId}">${secretMade.back}</a></p>`;
  return renderPage({
    title: client.name,
    lead: secretMade.lead,
    body,
    viewer,
    section: "clients",
  });
}
