import { z } from "zod";
import type { ProviderHttp } from "../../platform/outbound/index.ts";
import type { Session, SignInContext, SignInResult } from "../contract.ts";
import { AuthError, ProviderBug } from "../errors.ts";
import { isSessionExpired, readReply } from "./odoo-reply.ts";
import type { OdooSession } from "./odoo-session.ts";

const path = "/web/login/totp";

/** `cookies` names a session that still needs the code of the second factor. `csrfToken` belongs to it. */
const challengeState = z.strictObject({
  url: z.string(),
  database: z.string(),
  cookies: z.string(),
  csrfToken: z.string(),
});
const sessionInfo = z.object({ uid: z.int().positive() });

/** Opens Odoo's page for the second factor, once: where codes go by e-mail, opening it sends one. */
export async function askSecondFactor(
  http: ProviderHttp,
  { url, database }: { url: string; database: string },
): Promise<SignInResult> {
  const page = await http.request({ url: url + path, isIdempotent: false });
  const csrfToken = findCsrfToken(page.text());
  if (page.status !== 200 || csrfToken === null)
    throw new ProviderBug("the page for the second factor is not there");
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
  // The token is refused when the session that waits for the code is gone.
  if (response.status === 400) throw new AuthError("reauthentication_required");
  if (response.status !== 303 && response.status !== 302)
    throw new ProviderBug("the page for the second factor answers as none does");
  const uid = await readUserId(http, url);
  return { session: { url, database, cookies: http.exportCookies(), uid } satisfies OdooSession };
}

/** The redirect is the same for a session that is signed in and for one that has to start over. */
async function readUserId(http: ProviderHttp, url: string): Promise<number> {
  const response = await http.request({
    method: "POST",
    url: `${url}/web/session/get_session_info`,
    json: { jsonrpc: "2.0", method: "call", params: {} },
    isIdempotent: true,
  });
  const reply = readReply(response);
  if (reply && "fault" in reply && isSessionExpired(reply.fault))
    throw new AuthError("reauthentication_required");
  const { data } = sessionInfo.safeParse(reply && "result" in reply ? reply.result : undefined);
  if (!data) throw new ProviderBug("the session does not say whose it is");
  return data.uid;
}

function findCsrfToken(html: string): string | null {
  const input = /<input[^>]*name="csrf_token"[^>]*>/.exec(html)?.[0] ?? "";
  return /value="([^"]+)"/.exec(input)?.[1] ?? null;
}
