import type { LogOutContext, Session } from "../contract.ts";
import { AuthError, ProviderBug } from "../errors.ts";
import { readReply, toFailure } from "./odoo-reply.ts";
import { parseSession } from "./odoo-session.ts";

/** Each sign-in has a session of its own, so no other access to the account loses its own. */
export async function logOut(context: LogOutContext, session: Session): Promise<void> {
  const parsed = parseSession(session);
  if ("key" in parsed) return;
  const http = context.http(parsed.url, { cookies: parsed.cookies });
  const response = await http.request({
    method: "POST",
    url: `${parsed.url}/web/session/destroy`,
    json: { jsonrpc: "2.0", method: "call", params: {} },
    isIdempotent: true,
  });
  // A server with several databases answers 404 when the cookie names none of them.
  if (response.status === 404) return;
  const reply = readReply(response);
  if (!reply) throw new ProviderBug("the answer is not JSON-RPC");
  if (!("fault" in reply)) return;
  const failure = toFailure(reply.fault, "res.users");
  const isEnded = failure instanceof AuthError && failure.code === "reauthentication_required";
  if (!isEnded) throw failure;
}
