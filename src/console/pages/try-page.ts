import { html, type Html, type HtmlValue } from "../../platform/html/index.ts";
import type { Viewer } from "../viewer.ts";
import { consolePath, renderPage } from "./layout.ts";
import { action, facts, number, section, select, type Choice } from "./pieces.ts";

const path = `${consolePath}/try`;

/** The scenarios of the sandbox that most people look for first; `docs/sandbox.md` has all. */
export const triedScenarios: readonly Choice[] = [
  { value: "user_good", label: "All works" },
  { value: "user_fewer_fields", label: "The account may not read bank account and tax id" },
  { value: "user_fewer_rights", label: "The account may not read absences" },
  { value: "user_expired", label: "The sign-in has ended" },
  { value: "user_down", label: "The provider gives no answer" },
  { value: "user_empty", label: "A company without anybody" },
  { value: "user_large", label: "10,000 employees" },
];

/** For operators with the clients to choose from; for developers without. */
export function tryPage(
  viewer: Viewer,
  clients: readonly Choice[],
  client: string | undefined,
): Html {
  const isChosen = viewer.clientId !== undefined;
  const form = html`<form method="post" action="${path}" class="stack wide-fields">
<input type="hidden" name="form_token" value="${viewer.formToken}">
${!isChosen && select("client", "Client", { choices: clients, chosen: client })}
${select("scenario", "What happens", { choices: triedScenarios, chosen: "user_good" })}
<button class="primary">Connect the sandbox</button></form>`;
  const nobody = html`<p class="empty">There is no client yet. <a href="${consolePath}/clients/new">Make a client</a></p>`;
  return renderPage({
    title: "Try",
    lead: "A connection of the sandbox, which is a made-up company, its first data, and the calls that read it.",
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
  const body = html`<div class="field"><label for="access_token">Access token</label>
<input id="access_token" class="copy" readonly value="${accessToken}"></div>
<p class="soft">It isn’t shown again. Keep it as you would keep that of a real company.</p>
${facts([
  ["Connection", html`<a href="${address}"><code>${tokenId}</code></a>`],
  [
    "First data",
    employees === undefined
      ? html`<span class="soft">Not read yet. The calls below answer 202 until it is, or say why it can’t be.</span>`
      : `${number(employees)} employees were read`,
  ],
])}
${section("The same call", renderCalls(tried))}
${section("A webhook", renderWebhook(viewer, { address, clientId, hasWebhooks }))}
<p><a class="button" href="${path}">Try something else</a></p>`;
  return renderPage({ title: "The sandbox is connected", body, viewer, section: "try" });
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
      "TypeScript",
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
      "Python",
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
    return html`<p>The client has no address to send webhooks to. <a href="${consolePath}/clients/${clientId}">Set its webhook address</a></p>`;
  const send = action(viewer, { address: `${address}/webhook`, label: "Send a test webhook" });
  return html`<p>It is sent to the webhook address of the client.</p>${send}`;
}
