import { z } from "zod";
import type { ProviderHttp } from "../../platform/outbound/index.ts";
import { AuthError, ProviderBug } from "../errors.ts";
import { isSessionExpired, readReply } from "./odoo-reply.ts";

const text = z.string().min(1).nullable().catch(null);
export const userContext = z.object({ lang: text, tz: text });
const sessionInfo = z.object({
  uid: z.int().positive(),
  user_context: userContext.catch({ lang: null, tz: null }),
});

/** What Odoo knows of the account of a session. */
export interface SessionInfo {
  uid: number;
  /** Of the account's interface, such as `de_DE`. */
  language: string | null;
  /** Such as `Europe/Berlin`. Null when the account has none. */
  timeZone: string | null;
}

export async function readSessionInfo(http: ProviderHttp, url: string): Promise<SessionInfo> {
  const response = await http.request({
    method: "POST",
    url: `${url}/web/session/get_session_info`,
    json: { jsonrpc: "2.0", method: "call", params: {} },
    isIdempotent: true,
  });
  const reply = readReply(response);
  // A server with several databases answers 404 when the cookie names none of them.
  const isEnded = reply
    ? "fault" in reply && isSessionExpired(reply.fault)
    : response.status === 404;
  if (isEnded) throw new AuthError("reauthentication_required");
  const { data } = sessionInfo.safeParse(reply && "result" in reply ? reply.result : undefined);
  if (!data) throw new ProviderBug("Odoo's session information has no user id");
  return toSessionInfo(data.uid, data.user_context);
}

export function toSessionInfo(
  uid: number,
  { lang, tz }: z.output<typeof userContext>,
): SessionInfo {
  return { uid, language: lang, timeZone: tz };
}
