import { html, type Html } from "../../platform/html/index.ts";
import { assets } from "../assets.ts";
import type { Viewer } from "../viewer.ts";
import { renderPage } from "./layout.ts";

const openssl = `printf '%s.%s.%s' "$WEBHOOK_ID" "$WEBHOOK_TIMESTAMP" "$(cat body.json)" |
  openssl dgst -sha256 -hmac "$CLIENT_SECRET" -binary | base64`;

/** Not a form: what is typed is sent nowhere, with a script or without. */
export function signaturePage(viewer: Viewer): Html {
  const body = html`<p>A webhook is signed with the newest secret of the client, and with the others that are still valid:
the HMAC-SHA256 of <code>id.time.body</code> in base64, in the header <code>webhook-signature</code> behind <code>v1,</code>.
A webhook about employees has the HMAC of the body alone too, in hexadecimal digits, in <code>x-service-api-signature</code>.</p>
<div data-signature hidden>
<p class="soft">Paste what your server received. It is computed in this page, and nothing is sent.</p>
${field("id", "webhook-id")}${field("timestamp", "webhook-timestamp")}${field("signature", "webhook-signature, or x-service-api-signature")}
<div class="field"><label for="sig-secret">Client secret</label><input id="sig-secret" type="password" data-value="secret" autocomplete="off"></div>
<div class="field"><label for="sig-body">Body, as it arrived</label><textarea id="sig-body" rows="6" data-value="body" spellcheck="false"></textarea></div>
<p><button type="button" class="primary">Compare</button></p>
<p role="status"></p></div>
<section><h2>In a terminal</h2>
<p class="soft">This prints what stands behind <code>v1,</code>. The file has the body byte for byte, without a line break at its end.</p>
<pre tabindex="0"><code>${openssl}</code></pre>
<p><a href="/docs/webhooks">The guide has receivers to copy</a></p></section>`;
  return renderPage({
    title: "My signature doesn’t match",
    lead: "Which part differs: the secret, the time, or the body.",
    body,
    viewer,
    section: "webhooks",
    script: assets.signature.path,
  });
}

function field(name: string, label: string): Html {
  return html`<div class="field"><label for="sig-${name}">${label}</label><input id="sig-${name}" data-value="${name}" autocomplete="off" spellcheck="false"></div>`;
}
