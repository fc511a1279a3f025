import { z } from "zod";
import type { ProviderHttp } from "../../platform/outbound/index.ts";
import type { Session, SignInContext, SignInResult } from "../contract.ts";
import { AuthError, ProviderBug } from "../errors.ts";
import { chooseCompany } from "./companies.ts";
import type { PersonSession } from "./session.ts";
import { readPersonInfo } from "./transports.ts";

const path = "/web/login/totp";

/** `cookies` names a session that still needs the code of the second factor. `csrfToken` belongs to it. */
const challengeState = z.strictObject({
  url: z.string(),
  database: z.string(),
  cookies: z.string(),
  csrfToken: z.string(),
});

/** Opens Odoo's page for the second factor, once: where codes go by e-mail, opening it sends one. */
export async function askSecondFactor(
  http: ProviderHttp,
  { url, database }: { url: string; database: string },
): Promise<SignInResult> {
  const page = await http.request({ url: url + path, isIdempotent: false });
  const csrfToken = findCsrfToken(page.text());
  if (page.status !== 200 || csrfToken === null)
    throw new ProviderBug("the page for the second factor has no form");
  const state = { url, database, cookies: http.exportCookies(), csrfToken } satisfies z.output<
    typeof challengeState
  >;
  return {
    challenge: {
      kind: "otp",
      prompt: "Code from your authenticator app or from the e-mail that Odoo sent you",
      state,
    },
  };
}

/** A wrong code leaves the state valid, so that the person can type another one. */
export async function answerSecondFactor(
  context: SignInContext,
  state: Session,
  otp: string,
): Promise<SignInResult> {
  const { url, database, cookies, csrfToken } = challengeState.parse(state);
  const http = context.http(url, { cookies });
  const response = await http.request({
    method: "POST",
    url: url + path,
    form: { csrf_token: csrfToken, totp_token: otp.trim() },
    isIdempotent: false,
  });
  if (response.status === 200) throw new AuthError("incorrect_mfa_or_otp");
  // Odoo refuses the CSRF token when the session that waits for the second factor has ended.
  if (response.status === 400) throw new AuthError("reauthentication_required");
  if (response.status !== 303 && response.status !== 302)
    throw new ProviderBug("the page for the second factor answers with an unknown status");
  // The redirect does not show whether the session is signed in or has to start again.
  const { uid } = await readPersonInfo(http, url);
  const session = { url, database, cookies: http.exportCookies(), uid } satisfies PersonSession;
  return await chooseCompany(context, session);
}

/**
 * The value of the page's first field `csrf_token`, or null. The page can be anybody's: each step goes on
 * from where the one before it stopped, so the time is linear.
 */
export function findCsrfToken(html: string): string | null {
  for (let start = html.indexOf("<input"); start !== -1;) {
    const end = html.indexOf(">", start);
    if (end === -1) return null;
    const input = html.slice(start + "<input".length, end);
    if (input.includes('name="csrf_token"')) return findValue(input);
    start = html.indexOf("<input", end);
  }
  return null;
}

function findValue(input: string): string | null {
  const opening = 'value="';
  for (let start = input.indexOf(opening); start !== -1;) {
    const from = start + opening.length;
    const end = input.indexOf('"', from);
    if (end > from) return input.slice(from, end);
    if (end === -1) return null;
    start = input.indexOf(opening, from);
  }
  return null;
}
