import { z } from "zod";
import type { Session } from "../contract.ts";
import { ProviderBug } from "../errors.ts";

/** The label before `.bamboohr.com`. */
const domain = z.string();

const keySession = z.strictObject({
  domain,
  key: z.string(),
  /** Whether BambooHR lets a key list employees. */
  canListEmployees: z.boolean(),
});

const tokenSession = z.strictObject({
  domain,
  accessToken: z.string(),
  /** Works once: a refresh gives another one. */
  refreshToken: z.string().optional(),
  expiresAt: z.string(),
  /** Names the account for as long as it is signed in. */
  account: z.array(z.string()),
});

export type KeySession = z.output<typeof keySession>;
export type TokenSession = z.output<typeof tokenSession>;
export type BambooSession = KeySession | TokenSession;

const bambooSession = z.union([keySession, tokenSession]);

export function parseSession(session: Session): BambooSession {
  return parse(bambooSession, session);
}

export function parseTokenSession(session: Session): TokenSession {
  return parse(tokenSession, session);
}

function parse<Schema extends z.ZodType>(schema: Schema, session: Session): z.output<Schema> {
  const { data } = schema.safeParse(session);
  if (data === undefined)
    throw new ProviderBug("the stored session does not have this adapter's shape");
  return data;
}

export function originOf(companyDomain: string): string {
  return `https://${companyDomain}.bamboohr.com`;
}

/** A key is the user name of Basic; BambooHR ignores the password. */
export function authorizationOf(session: BambooSession): string {
  return "key" in session
    ? `Basic ${Buffer.from(`${session.key}:x`).toString("base64")}`
    : `Bearer ${session.accessToken}`;
}
