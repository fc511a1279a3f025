import { z } from "zod";
import type { Session } from "../contract.ts";
import { ProviderBug } from "../errors.ts";

const staffologySession = z.strictObject({
  key: z.string(),
  /** Whose key it is. */
  userId: z.string(),
  /** The one employer that the person chose. A key often sees many. */
  employerId: z.string(),
});

export type StaffologySession = z.output<typeof staffologySession>;

export function parseSession(session: Session): StaffologySession {
  const { data } = staffologySession.safeParse(session);
  if (!data) throw new ProviderBug("the stored session does not have this adapter's shape");
  return data;
}
