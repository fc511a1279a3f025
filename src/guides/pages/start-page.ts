import { html, type Html } from "../../platform/html/index.ts";
import { addressOf, guideGroups } from "../catalog.ts";
import { nameOfService, renderPage, type Site } from "./layout.ts";

/** The demo client of local mode, without its secret. */
export interface Demo {
  baseUrl: string;
  clientId: string;
  redirectUri: string;
  sandboxToken: string;
  /** The file with all credentials of the demo. */
  file: string;
}

/** The page at `/`. In local mode it leads through the demo, and elsewhere to the documentation. */
export function startPage(site: Site, baseUrl: string, local?: { demo: Demo | undefined }): Html {
  const body = local
    ? html`<h1>Rollcall is running</h1>
<p class="lead">One HTTP API for the employee and payroll data that companies keep in HR and payroll systems. This is
the service on your own machine, with a simulated provider to try it on.</p>
<div class="cards">${tryCard()}${local.demo && readCard(local.demo)}${local.demo && clientCard(local.demo)}${cards()}</div>`
    : html`<h1>${nameOfService(site.operatorName)}</h1>
<p class="lead">One HTTP API for the employee and payroll data that companies keep in HR and payroll systems. Your
users sign in once, and your application reads normalized data.</p>
<p class="actions"><a class="button" href="/docs/quickstart">Quickstart</a>
<a class="button second" href="/docs/reference">API reference</a></p>
<div class="cards">${requestCard(baseUrl)}${cards()}</div>`;
  return renderPage(site, {
    address: "/",
    title: "Start",
    body,
    shape: "start",
  });
}

function tryCard(): Html {
  return html`<section class="card first"><h2>Try the sign-in</h2>
<p>The example application sends you through the hosted sign-in as the demo client and shows what comes back. Choose
the provider Sandbox and sign in as <code>user_good</code> with any password.</p>
<p class="actions"><a class="button" href="/connect/example">Try the sign-in</a></p></section>`;
}

function readCard({ baseUrl, file }: Demo): Html {
  const quoted = `'${file.replaceAll("'", String.raw`'\''`)}'`;
  return html`<section class="card wide"><h2>Read data without a sign-in</h2>
<p>The sandbox token reads the data of a simulated company. It is <code>sandbox_token</code> in
<code>${file}</code>.</p>
<pre tabindex="0"><code>TOKEN=$(sed -n 's/.*"sandbox_token": "\\(.*\\)".*/\\1/p' ${quoted})
curl -i ${baseUrl}/2023-03-01/xhr/employees -H "Authorization: Bearer $TOKEN" -H 'Prefer: wait=20'</code></pre>
</section>`;
}

function requestCard(baseUrl: string): Html {
  return html`<section class="card wide"><h2>A request</h2>
<p>The employees of a connected account, with the access token that your server got for it. The answer has the same
shape whatever the system is.</p>
<pre tabindex="0"><code>curl ${baseUrl}/2023-03-01/xhr/employees \\
  -H "Authorization: Bearer $TOKEN" -H 'Prefer: wait=20'</code></pre>
<p><a href="/docs/quickstart">The quickstart</a> gets you a token.</p></section>`;
}

function clientCard({ clientId, redirectUri, file }: Demo): Html {
  return html`<section class="card wide"><h2>The demo client</h2>
<dl class="facts"><dt><code>client_id</code></dt><dd><code>${clientId}</code></dd>
<dt><code>redirect_uri</code></dt><dd><code>${redirectUri}</code></dd>
<dt><code>client_secret</code></dt><dd>in <code>${file}</code></dd></dl></section>`;
}

function cards(): Html {
  const groups = guideGroups.map(({ title, guides }) => {
    const links = guides.map(
      (guide) => html`<li><a href="${addressOf(guide)}">${guide.title}</a></li>`,
    );
    return html`<section class="card"><h2>${title}</h2><ul>${links}</ul></section>`;
  });
  return html`${groups}
<section class="card"><h2>API reference</h2><ul>
<li><a href="/docs/reference">Every operation, with samples, to try in the browser</a></li>
<li><a href="/openapi.json">OpenAPI description</a></li></ul></section>
<section class="card"><h2>Status</h2><ul>
<li><a href="/readyz">Ready to serve requests (JSON)</a></li>
<li><a href="/healthz">Process is running (JSON)</a></li></ul></section>`;
}
