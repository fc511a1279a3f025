import type { Client } from "../../clients/index.ts";
import { html, type Html } from "../../platform/html/index.ts";
import type { Viewer } from "../viewer.ts";
import { doneNotice, type Done } from "./done.ts";
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

/** Of the fields of the forms, also where one is refused. */
export const clientLabels = {
  name: "Name",
  redirect_uris: "Redirect addresses",
  webhook_uri: "Webhook address",
  event_uri: "Event address",
  purpose: "Purpose",
  privacy_url: "Privacy policy",
  support_url: "Help for end users",
  brand_color: "Colour",
} as const;

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
    pills: client.isUsed ? statePill(client) : pill("Not used: its row was changed", "bad"),
    facts: [html`<code>${client.clientId}</code>`, html`since ${time(client.createdAt)}`],
  }));
  const state = areEnded ? "ended" : undefined;
  const others = areEnded
    ? html`<a class="button" href="${path}">Clients that have not ended</a>`
    : html`<a class="button" href="${path}?state=ended">Ended clients</a>`;
  const body = html`<p><a class="button primary" href="${path}/new">Make a client</a> ${others}</p>
${list(entries, areEnded ? "No client has ended." : "There is no client yet.")}${nextPage(next && withQuery(path, { state, before: next }))}`;
  return renderPage({
    title: areEnded ? "Ended clients" : "Clients",
    lead: "The applications that read data through this service.",
    body,
    viewer,
    section: "clients",
  });
}

function statePill({ endedAt, emptiedAt }: Client): Html | undefined {
  if (!endedAt) return undefined;
  return emptiedAt ? pill("Ended") : pill("Being ended", "warn");
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
${input("name", clientLabels.name, { value: values["name"], hint: "End users read it when they sign in.", attributes: html` required maxlength="100"` })}
${redirectField(values["redirect_uris"])}
${checkbox("require_pkce", "Refuse sign-in links without PKCE", values["require_pkce"] === "on")}
<button class="primary">Make the client</button></form>`;
  return renderPage({ title: "Make a client", body, viewer, section: "clients" });
}

function redirectField(value: string | undefined): Html {
  return html`<div class="field"><label for="redirect_uris">${clientLabels.redirect_uris}</label>
<textarea id="redirect_uris" name="redirect_uris" rows="3" required aria-describedby="redirect_uris-hint">${value ?? ""}</textarea>
<p class="hint" id="redirect_uris-hint">One a line. A sign-in leads back to one of them alone, byte for byte.</p></div>`;
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
  const body = html`${doneNotice(done)}
${typed?.problem !== undefined && refusal(typed.problem)}
${facts([
  ["Client id", html`<code>${clientId}</code>`],
  ["Made", time(client.createdAt)],
  [
    "Secrets",
    client.secrets.length === 1
      ? "1, which signs webhooks"
      : `${client.secrets.length}, of which the newest signs webhooks`,
  ],
  ["Webhooks", receiverPill(statuses.employees)],
  ["Events", receiverPill(statuses.events)],
  ["Fields switched off", client.fieldsOff.length === 0 ? "none" : client.fieldsOff.join(", ")],
])}
${actions(
  html`<a class="button" href="${consolePath}/connections?client=${clientId}">Its connections</a>`,
  html`<a class="button" href="${consolePath}/webhooks?client=${clientId}">Its deliveries</a>`,
  html`<a class="button" href="${consolePath}/try?client=${clientId}">Try it with the sandbox</a>`,
)}
${section("Settings", settingsForm(viewer, client, typed))}
${section(
  "Secret",
  html`<p class="soft">A new secret signs webhooks from now on. The latest two others stay valid, so that you can change it without a gap.</p>`,
  action(viewer, {
    address: `${path}/${clientId}/rotate`,
    label: "Make a new secret",
    asks: "The new secret is shown once. Other sessions of this client’s developers in the console end.",
  }),
)}
${viewer.clientId === undefined && endSection(viewer, clientId, count)}`;
  return renderPage({ title: client.name, body, viewer, section: "clients" });
}

function endSection(viewer: Viewer, clientId: string, count: number): Html {
  return section(
    "End",
    html`<p class="soft">An application that is no longer used. Its name stays for the audit record.</p>`,
    action(viewer, {
      address: `${path}/${clientId}/end`,
      label: "End this client",
      asks: `The client ends for good: its secrets and tokens are refused at once, and its connections, now ${number(count)}, are disconnected.`,
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
  const body = html`${doneNotice(done)}
${facts([
  ["Client id", html`<code>${clientId}</code>`],
  ["State", statePill(client)],
  ["Made", time(client.createdAt)],
  ["Ended", endedAt && time(endedAt)],
  ["Connections that are left", number(count)],
])}
${actions(html`<a class="button" href="${consolePath}/audit?client=${clientId}">Its audit entries</a>`)}`;
  return renderPage({ title: client.name, body, viewer, section: "clients" });
}

function receiverPill(status: Statuses["employees"]): Html {
  if (status === null) return html`<span class="soft">no address</span>`;
  return status === "active"
    ? pill("Active", "good")
    : pill(status === "gone" ? "Gone" : "Paused", "bad");
}

function settingsForm(viewer: Viewer, client: Client, typed: TypedClient | undefined): Html {
  const values = typed?.values ?? valuesOf(client);
  return html`<form method="post" action="${path}/${client.clientId}" class="stack wide-fields">
<input type="hidden" name="form_token" value="${viewer.formToken}">
<input type="hidden" name="revision" value="${values["revision"]}">
${input("name", clientLabels.name, { value: values["name"], attributes: html` required maxlength="100"` })}
${redirectField(values["redirect_uris"])}
${input("webhook_uri", clientLabels.webhook_uri, { value: values["webhook_uri"], hint: "Where changed employees are sent. Empty: nothing is sent." })}
${input("event_uri", clientLabels.event_uri, { value: values["event_uri"], hint: "Where events are sent. Empty: nothing is sent." })}
${input("purpose", clientLabels.purpose, { value: values["purpose"], hint: "What the data is for, as end users read it.", attributes: html` maxlength="200"` })}
${input("privacy_url", clientLabels.privacy_url, { value: values["privacy_url"] })}
${input("support_url", clientLabels.support_url, { value: values["support_url"], hint: "An https address, or mailto: with an address of e-mail." })}
${input("brand_color", clientLabels.brand_color, { value: values["brand_color"], hint: "Such as #8A1F5A. Buttons of your sign-in pages have it, where the operator allows it." })}
${viewer.clientId === undefined && checkbox("require_pkce", "Refuse sign-in links without PKCE", values["require_pkce"] === "on")}
${checkbox("allow_sandbox", "Let end users sign in to the sandbox in prod", values["allow_sandbox"] === "on")}
<button class="primary">Save</button></form>`;
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
  const body = html`<div class="field"><label for="client_id">Client id</label>
<input id="client_id" class="copy" readonly value="${client.clientId}"></div>
<div class="field"><label for="client_secret">Client secret</label>
<input id="client_secret" class="copy" readonly value="${secret}"></div>
<p class="soft">Keep the secret where only your server reads it. It isn’t shown again.</p>
<p><a class="button" href="${path}/${client.clientId}">To the client</a></p>`;
  return renderPage({
    title: client.name,
    lead: "These are the credentials of the application.",
    body,
    viewer,
    section: "clients",
  });
}
