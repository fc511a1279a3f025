import { html, type Html } from "../../platform/html/index.ts";
import type { RefusalKind } from "../organisation/sign-in-refusal.ts";
import { consolePath, renderPage } from "./layout.ts";
import { refusal, withQuery } from "./pieces.ts";

interface SignInPage {
  formToken: string;
  /** Where to go after it. */
  to: string;
  isLocal: boolean;
  takesClients: boolean;
  /** Whether operators sign in by OpenID Connect. */
  hasOrganisation: boolean;
  problem?: string | undefined;
  clientId?: string;
}

export function signInPage(page: SignInPage): Html {
  const { isLocal, takesClients, problem } = page;
  const body = html`${problem !== undefined && refusal(problem)}
${page.hasOrganisation && organisationLink(page)}
${takesClients ? clientForm(page) : html`<p>Developers can’t sign in here: the operator has switched that off.</p>`}
<p class="soft">You operate this service? Make a link that signs you in: <code>${commandOf({ isLocal })}</code></p>`;
  return renderPage({ title: "Sign in", body });
}

function commandOf({ isLocal }: { isLocal: boolean }): string {
  return isLocal ? "npx rollcall console" : "npx rollcall console link --name NAME";
}

/** A link and no form: the policy of the page lets no form lead to another site. */
function organisationLink({ to }: SignInPage): Html {
  const address = withQuery(`${consolePath}/oidc`, { to });
  return html`<section><p class="soft">For operators: by the sign-in of your organisation.</p>
<p><a class="button primary" href="${address}">Sign in with your organisation</a></p></section>`;
}

function clientForm({ formToken, to, clientId = "" }: SignInPage): Html {
  return html`<p class="soft">For developers: the id of your client, and one of its secrets.</p>
<form method="post" action="${consolePath}/sign-in" class="stack">
<input type="hidden" name="form_token" value="${formToken}">
<input type="hidden" name="to" value="${to}">
<label for="client_id">Client id</label>
<input id="client_id" name="client_id" value="${clientId}" autocomplete="username" autocapitalize="none" spellcheck="false" required>
<label for="client_secret">Client secret</label>
<input id="client_secret" name="client_secret" type="password" autocomplete="current-password" required>
<button class="primary">Sign in</button>
</form>`;
}

/** To look at the page uses nothing up. */
export function linkPage({ formToken, link }: { formToken: string; link: string }): Html {
  const body = html`<p class="soft">This link signs you in as an operator. It works once.</p>
<form method="post" action="${consolePath}/sign-in/link">
<input type="hidden" name="form_token" value="${formToken}">
<input type="hidden" name="link" value="${link}">
<button class="primary">Sign in to the console</button></form>`;
  return renderPage({ title: "Sign in", body });
}

export function usedLinkPage({ isLocal }: { isLocal: boolean }): Html {
  return renderPage({
    title: "This link doesn’t work any more",
    body: html`<p>It was used already, or its time is over. Make a new one: <code>${commandOf({ isLocal })}</code></p>`,
  });
}

const refusals: Readonly<Record<RefusalKind, string>> = {
  unreachable:
    "The sign-in of your organisation can’t be reached. Try again in a moment; a link from the command line works meanwhile.",
  issuer: "What answered isn’t the issuer that this service is set to.",
  client: "The sign-in of your organisation doesn’t take the id or the secret of this service.",
  state:
    "This sign-in was begun in another browser or window, or more than 10 minutes ago. Begin it again.",
  used: "This sign-in was used already. Begin it again.",
  declined: "The sign-in of your organisation didn’t let you in, or it was cancelled there.",
  code: "The sign-in of your organisation doesn’t take back what it sent you with: it was used already, or its time is over. Begin it again.",
  nonce: "The proof of who you are belongs to another sign-in. Begin it again.",
  expired: "The proof of who you are has expired, or a clock is wrong. Begin it again.",
  proof: "The proof of who you are isn’t valid.",
  unverified:
    "The sign-in of your organisation doesn’t say that your address of e-mail is verified.",
  unlisted: "Your organisation knows you, but you aren’t one of the operators of this service.",
};

/** Why the sign-in by the organisation ended without a session. */
export function refusedPage(kind: RefusalKind, { reference }: { reference: string }): Html {
  const body = html`<p>${refusals[kind]}</p>
<p><a class="button" href="${consolePath}/sign-in">To the sign-in</a></p>
<p class="soft">Reference: <bdi>${reference}</bdi></p>`;
  return renderPage({ title: "You’re not signed in", body });
}
