import { html, type Html } from "../../platform/html/index.ts";
import type { RefusalKind } from "../organisation/sign-in-refusal.ts";
import { refused, signIn as said } from "../texts/sign-in.ts";
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
  const command = isLocal ? said.localCommand : said.hostedCommand;
  const body = html`${problem !== undefined && refusal(problem)}
${page.hasOrganisation && organisationLink(page)}
${takesClients ? clientForm(page) : html`<p>${said.off}</p>`}
<p class="soft">${said.operator}<code>${command}</code></p>`;
  return renderPage({ title: said.title, body });
}

/** A link and no form: the policy of the page lets no form lead to another site. */
function organisationLink({ to }: SignInPage): Html {
  const address = withQuery(`${consolePath}/oidc`, { to });
  return html`<section><p class="soft">${said.ofOrganisation}</p>
<p><a class="button primary" href="${address}">${said.organisation}</a></p></section>`;
}

function clientForm({ formToken, to, clientId = "" }: SignInPage): Html {
  return html`<p class="soft">${said.client}</p>
<form method="post" action="${consolePath}/sign-in" class="stack">
<input type="hidden" name="form_token" value="${formToken}">
<input type="hidden" name="to" value="${to}">
<label for="client_id">${said.clientId}</label>
<input id="client_id" name="client_id" value="${clientId}" autocomplete="username" autocapitalize="none" spellcheck="false" required>
<label for="client_secret">${said.secret}</label>
<input id="client_secret" name="client_secret" type="password" autocomplete="current-password" required>
<button class="primary">${said.submit}</button>
</form>`;
}

/** To look at the page uses nothing up. */
export function linkPage({ formToken, link }: { formToken: string; link: string }): Html {
  const body = html`<p class="soft">${said.link}</p>
<form method="post" action="${consolePath}/sign-in/link">
<input type="hidden" name="form_token" value="${formToken}">
<input type="hidden" name="link" value="${link}">
<button class="primary">${said.confirm}</button></form>`;
  return renderPage({ title: said.title, body });
}

export function usedLinkPage({ isLocal }: { isLocal: boolean }): Html {
  const command = isLocal ? said.localCommand : said.hostedCommand;
  return renderPage({
    title: said.usedTitle,
    body: html`<p>${said.used}<code>${command}</code></p>`,
  });
}

/** Why the sign-in by the organisation ended without a session. */
export function refusedPage(kind: RefusalKind, { reference }: { reference: string }): Html {
  const { title, again, reference: referenceLabel } = refused;
  const body = html`<p>${refused[kind]}</p>
<p><a class="button" href="${consolePath}/sign-in">${again}</a></p>
<p class="soft">${referenceLabel}<bdi>${reference}</bdi></p>`;
  return renderPage({ title, body });
}
