import { z } from "zod";
import type { Session } from "../contract.ts";
import { ProviderBug } from "../errors.ts";

const personioSession = z.strictObject({
  clientId: z.string(),
  /** Personio has no refresh token: new tokens are asked for with the secret. */
  clientSecret: z.string(),
  /** Each version of the API has a token of its own. */
  v1: z.string(),
  v2: z.string(),
  expiresAt: z.iso.datetime(),
  /** Its legal entities, when the credential may read them. */
  company: z.strictObject({ ids: z.array(z.string()), name: z.string().nullable() }).nullable(),
});

export type PersonioSession = z.output<typeof personioSession>;

export function parseSession(session: Session): PersonioSession {
  const { data } = personioSession.safeParse(session);
  if (!data) throw new ProviderBug("the stored session does not have this adapter's shape");
  return data;
}
