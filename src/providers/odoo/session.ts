import { z } from "zod";
import type { Session } from "../contract.ts";
import { ProviderBug } from "../errors.ts";

const account = {
  /** Only the origin. */
  url: z.string(),
  uid: z.int(),
  /** The one that was chosen of several. Without it, all that the account may work in. */
  companyId: z.int().exactOptional(),
  /** The companies that it could work in at the sign-in, when all of them are read. */
  companyIds: z.array(z.int()).exactOptional(),
};
const personSession = z.strictObject({
  ...account,
  database: z.string(),
  /** The exported cookies of the HTTP client. */
  cookies: z.string(),
});
const keySession = z.strictObject({
  ...account,
  /** Null where the server has one database and does not tell its name. */
  database: z.string().nullable(),
  key: z.string(),
});
const odooSession = z.union([personSession, keySession]);

/** What is stored of a person's sign-in. The password is not. */
export type PersonSession = z.output<typeof personSession>;
export type KeySession = z.output<typeof keySession>;
export type OdooSession = z.output<typeof odooSession>;

export function parseSession(session: Session): OdooSession {
  const { data } = odooSession.safeParse(session);
  if (!data) throw new ProviderBug("the stored session does not have this adapter's shape");
  return data;
}

/**
 * The user of a database, by number: Odoo tells logins apart by the case of their letters, and people do
 * not.
 */
export function toAccountOfSession(session: Session): readonly string[] {
  const { database, uid } = parseSession(session);
  return [database ?? "", String(uid)];
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
  return describeCookie(current) !== describeCookie(stored);
}

/** The value of the session's cookie, and the day of its last use. */
function describeCookie(cookies: string): string {
  const found = jar.parse(JSON.parse(cookies)).cookies.find(({ key }) => key === "session_id");
  return `${found?.value} ${found?.lastAccessed?.slice(0, 10)}`;
}
