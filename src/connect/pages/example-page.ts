import type { ClientId } from "../../model/index.ts";
import { html, type Html } from "../../platform/html/index.ts";
import { renderPage, type PageContext } from "./layout.ts";

export interface Example {
  baseUrl: string;
  clientId: ClientId;
  redirectUri: string;
}

interface LinkChoice {
  providers: readonly { name: string; title: string }[];
  scopes: readonly string[];
  state: string;
}

/** For developers, in local mode: a form that builds a sign-in link. */
export function examplePage(
  context: PageContext,
  { clientId, redirectUri }: Example,
  { providers, scopes, state }: LinkChoice,
): Html {
  const options = providers.map(
    ({ name, title }) => html`<option value="${name}">${title}</option>`,
  );
  const body = html`<p class="asks">This page plays the part of your application. It sends you through the
hosted sign-in as the demo client, and shows what comes back.</p>
<form method="get" action="/connect">
<input type="hidden" name="client_id" value="${clientId}">
<input type="hidden" name="redirect_uri" value="${redirectUri}">
<input type="hidden" name="mode" value="xhr">
<input type="hidden" name="response_type" value="code">
<input type="hidden" name="scope" value="${scopes.join(" ")}">
<div class="field"><label for="provider">Provider</label>
<select id="provider" name="provider">${options}</select></div>
<div class="field"><label for="state">State</label>
<input id="state" name="state" value="${state}" aria-describedby="state-help">
<p class="help" id="state-help">Comes back as it is.</p></div>
<button class="primary">Connect</button>
</form>`;
  return renderPage({ ...context, title: "Connect an account", body, isForDevelopers: true });
}

/** Shows the parameters of the redirect and the next step. A code is of use once, to whoever began. */
export function exampleReturnPage(
  context: PageContext,
  { baseUrl, clientId, redirectUri }: Example,
  { returned, isOwn }: { returned: readonly (readonly [string, string])[]; isOwn: boolean },
): Html {
  const code = returned.find(([name]) => name === "code")?.[1];
  const tokenUrl = `${baseUrl}/2023-03-01/management/token`;
  const parameters = returned.map(
    ([name, value]) => html`<dt><code>${name}</code></dt><dd><code>${value}</code></dd>`,
  );
  const exchange = html`<form method="post" action="/connect/example/exchange">
<input type="hidden" name="code" value="${code}"><button class="primary">Exchange it now</button></form>`;
  const body = html`<p>The end user was sent back to your redirect address with:</p>
<dl class="returned">${parameters}</dl>
${
  code !== undefined &&
  !isOwn &&
  html`<p>The link was not made by this page. If a terminal asks for the <code>code</code>, paste it there: a code can be
exchanged once.</p>`
}
${
  code !== undefined &&
  html`<h2>Exchange it for an access token</h2>
<p>On your server, within five minutes. The secret is in <code>demo.json</code> of the state folder.</p>
<pre class="command"><code>curl ${tokenUrl} -H 'Content-Type: application/json' -d '{
  "client_id": "${clientId}",
  "client_secret": "…",
  "grant_type": "authorization_code",
  "code": "${code}",
  "redirect_uri": "${redirectUri}" }'</code></pre>
${isOwn ? exchange : html`<details><summary>Exchange it here instead</summary>${exchange}</details>`}`
}
<p><a href="/connect/example">Start again</a></p>`;
  return renderPage({ ...context, title: "What came back", body, isForDevelopers: true });
}

export function exampleTokenPage(
  context: PageContext,
  { baseUrl }: Example,
  {
    status,
    reply,
    accessToken,
  }: { status: number; reply: string; accessToken: string | undefined },
): Html {
  const headers = `-H 'Authorization: Bearer ${accessToken}' -H 'Prefer: wait=20'`;
  const body = html`<p>The exchange answered ${status}:</p>
<pre class="command"><code>${reply}</code></pre>
${
  accessToken !== undefined &&
  html`<h2>Read data with it</h2>
<pre class="command"><code>curl -i ${baseUrl}/2023-03-01/xhr/employees ${headers}</code></pre>`
}
<p><a href="/connect/example">Start again</a></p>`;
  return renderPage({ ...context, title: "The access token", body, isForDevelopers: true });
}
