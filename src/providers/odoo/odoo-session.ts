import { z } from "zod";
import type { Session } from "../contract.ts";
import { ProviderBug } from "../errors.ts";

const odooSession = z.strictObject({
  /** The origin alone. */
  url: z.string(),
  database: z.string(),
  /** The client's exported jar. */
  cookies: z.string(),
  uid: z.int(),
});

/** What is kept of a sign-in. The password is not. */
export type OdooSession = z.output<typeof odooSession>;

export function parseSession(session: Session): OdooSession {
  const { data } = odooSession.safeParse(session);
  if (!data) throw new ProviderBug("the session is not one of this adapter");
  return data;
}

const jar = z.object({
  cookies: z.array(
    z.object({ key: z.string(), value: z.string(), lastAccessed: z.string().optional() }),
  ),
});

/**
 * Whether a jar is worth storing in place of the stored one. Odoo gives a session a new cookie every few hours, and the old
 * one then dies within minutes. It also lets a cookie live for a week after its last use, which the jar has to be told.
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
