import { z } from "zod";
import type { Session } from "../contract.ts";
import { ProviderBug } from "../errors.ts";

const person = z.object({ sub: z.string(), name: z.string(), email: z.string() });

/** Who approved, and what they gave, before it is clear which organisation is meant. */
const grant = z.object({
  accessToken: z.string(),
  /** Works once: each refresh gives another one. */
  refreshToken: z.string(),
  expiresAt: z.iso.datetime(),
  person,
});

const xeroSession = grant.extend({
  /** The organisation. The tokens open all organisations that the person has connected. */
  tenantId: z.string(),
});

export type XeroGrant = z.output<typeof grant>;
export type XeroSession = z.output<typeof xeroSession>;

export function parseSession(session: Session): XeroSession {
  const { data } = xeroSession.safeParse(session);
  if (!data) throw new ProviderBug("the stored session does not have this adapter's shape");
  return data;
}

export function parseGrant(state: Session): XeroGrant {
  const { data } = grant.safeParse(state);
  if (!data) throw new ProviderBug("the kept challenge does not have this adapter's shape");
  return data;
}
