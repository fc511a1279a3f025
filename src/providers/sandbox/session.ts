import { z } from "zod";
import { authErrorCodes, type AuthErrorCode } from "../../model/index.ts";
import type { Session } from "../contract.ts";

const sandboxSession = z.object({
  /** The user name, which selects the scenario. */
  user: z.string(),
  /** The number of simulated hours that passed. */
  hour: z.int().nonnegative(),
  /** Every fetch is refused with this code until the end user signs in again. */
  failure: z.enum(authErrorCodes).optional(),
  /** When a fetch was told to wait. */
  limitedAtMs: z.number().optional(),
});

export type SandboxSession = z.output<typeof sandboxSession>;

export function readSession(session: Session): SandboxSession {
  return sandboxSession.parse(session);
}

/** A new sign-in continues at the hour of the session that it replaces, without its failure. */
export function startSession(user: string, previous: Session | undefined): Session {
  return { user, hour: previous ? readSession(previous).hour : 0 };
}

/** Adds one simulated hour: the next fetch finds one person added, one removed and two updated. */
export function advanceSandbox(session: Session): Session {
  return { ...session, hour: readSession(session).hour + 1 };
}

/** Makes every fetch fail with this code until the end user signs in again. */
export function failSandbox(session: Session, code: AuthErrorCode): Session {
  return { ...session, failure: code };
}
