import { z } from "zod";
import type { Session } from "../contract.ts";
import { ProviderBug } from "../errors.ts";

const odooSession = z.strictObject({
  /** Only the origin. */
  url: z.string(),
  database: z.string(),
  /** The exported cookies of the HTTP client. */
  cookies: z.string(),
  uid: z.int(),
});

/** What is stored of a sign-in. The password is not. */
export type OdooSession = z.output<typeof odooSession>;

export function parseSession(session: Session): OdooSession {
  const { data } = odooSession.safeParse(session);
  if (!data) throw new ProviderBug("the stored session does not have this adapter's shape");
  return data;
}

const jar = z.object({
  cookies: z.array(
    z.object({ key: z.string(), value: z.string(), lastAccessed: z.string().optional() }),
  ),
});

/**
 * Whether the current cookies have to replace the stored ones. Odoo gives a session a new cookie
 * every few hours, and the old one then expires within minutes. A cookie also expires a week after
 * its last use, so the day of the last use has to be stored as well.
 */
export function hasNewerCookie(current: string, stored: string): boolean {
  const [now, before] = [readSessionCookie(current), readSessionCookie(stored)];
  return (
    now?.value !== before?.value ||
    now?.lastAccessed?.slice(0, 10) !== before?.lastAccessed?.slice(0, 10)
  );
}

function readSessionCookie(cookies: string) {
  return jar.parse(JSON.parse(cookies)).cookies.find(({ key }) => key === "session_id");
}
