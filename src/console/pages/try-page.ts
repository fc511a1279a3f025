import { html, type Html, type HtmlValue } from "../../platform/html/index.ts";
import { connection } from "../texts/connections.ts";
import { trying as words } from "../texts/try.ts";
import type { Viewer } from "../viewer.ts";
import { consolePath, renderPage } from "./layout.ts";
import { action, facts, number, section, select, type Choice } from "./pieces.ts";

const path = `${consolePath}/try`;

/** The scenarios of the sandbox that most people look for first; `docs/sandbox.md` has all. */
export const triedScenarios: readonly Choice[] = Object.entries(words.scenarios).map(
  ([value, label]) => ({ value, label }),
);

/** For operators with the clients to choose from; for developers without. */
export function tryPage(
  viewer: Viewer,
  clients: readonly Choice[],
  client: string | undefined,
): Html {
  const isChosen = viewer.clientId !== undefined;
  const form = html`<form method="post" action="${path}" class="stack wide-fields">
<input type="hidden" name="form_token" value="${viewer.formToken}">
${!isChosen && select("client", words.client, { choices: clients, chosen: client })}
${select("scenario", words.scenario, { choices: triedScenarios, chosen: "user_good" })}
<button class="primary">${words.connect}</button></form>`;
  const nobody = html`<p class="empty">${words.noClient} <a href="${consolePath}/clients/new">${words.makeClient}</a></p>`;
  return renderPage({
    title: words.title,
    lead: words.lead,
    body: isChosen || clients.length > 0 ? form : nobody,
    viewer,
    section: "try",
  });
}

/** A connection that was made just now. Its token is shown this once. */
export interface TriedConnection {
  tokenId: string;
  accessToken: string;
  clientId: string;
  publicUrl: string;
  /** Undefined while its employees are still being read, or when they were not read. */
  employees: number | undefined;
  hasWebhooks: boolean;
}

export function triedPage(viewer: Viewer, tried: TriedConnection): Html {
  const { tokenId, accessToken, clientId, employees, hasWebhooks } = tried;
  const address = `${consolePath}/connections/${tokenId}`;
  const body = html`<div class="field"><label for="access_token">${words.token}</label>
<input id="access_token" class="copy" readonly value="${accessToken}"></div>
<p class="soft">${words.once}</p>
${facts([
  [words.connection, html`<a href="${address}"><code>${tokenId}</code></a>`],
  [
    words.first,
    employees === undefined
      ? html`<span class="soft">${words.unread}</span>`
      : `${number(employees)} ${words.employees}`,
  ],
])}
${section(words.calls, renderCalls(tried))}
${section(words.webhook, renderWebhook(viewer, { address, clientId, hasWebhooks }))}
<p><a class="button" href="${path}">${words.again}</a></p>`;
  return renderPage({ title: words.made, body, viewer, section: "try" });
}

/** The same call three ways, each with the token, to be copied as it stands. */
function renderCalls({ publicUrl, accessToken, tokenId, clientId }: TriedConnection): HtmlValue {
  const calls = [
    [
      "curl",
      `curl '${publicUrl}/2023-03-01/xhr/employees' -H 'prefer: wait=20' \\
  -H 'authorization: Bearer ${accessToken}'`,
    ],
    [
      words.typescript,
      `import { env } from "node:process";
import { Rollcall } from "@rollcall/client";

const rollcall = new Rollcall({
  url: "${publicUrl}",
  clientId: "${clientId}",
  clientSecret: env.ROLLCALL_CLIENT_SECRET,
});
const connection = rollcall.connection({
  token: "${tokenId}",
  access_token: "${accessToken}",
});
console.log(await connection.employees());`,
    ],
    [
      words.python,
      `from rollcall_client import Connection

url = "${publicUrl}"
token = "${accessToken}"
with Connection(url, token) as connection:
    print(connection.list_employees().data)`,
    ],
  ] as const;
  return calls.map(
    ([name, code]) => html`<h3>${name}</h3>
<pre tabindex="0"><code>${code}</code></pre>`,
  );
}

function renderWebhook(
  viewer: Viewer,
  { address, clientId, hasWebhooks }: { address: string; clientId: string; hasWebhooks: boolean },
): Html {
  if (!hasWebhooks)
    return html`<p>${words.noAddress} <a href="${consolePath}/clients/${clientId}">${words.setAddress}</a></p>`;
  const send = action(viewer, { address: `${address}/webhook`, label: connection.sendWebhook });
  return html`<p>${words.hasAddress}</p>${send}`;
}
