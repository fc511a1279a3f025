import { z } from "zod";
import { authErrorCodes, type AuthErrorCode } from "../../model/index.ts";
import type { Session } from "../contract.ts";

const sandboxSession = z.object({
  /** The name that was signed in with: it selects the scenario. */
  user: z.string(),
  /** How often the simulated hour was moved on. */
  hour: z.int().nonnegative(),
  /** What every fetch is refused with, until somebody signs in again. */
  failure: z.enum(authErrorCodes).optional(),
  /** When a fetch was last asked to wait, in milliseconds. */
  limitedAtMs: z.number().optional(),
});

export type SandboxSession = z.output<typeof sandboxSession>;

export function readSession(session: Session): SandboxSession {
  return sandboxSession.parse(session);
}

/** A new sign-in goes on at the hour of the one that it replaces, and leaves its failure behind. */
export function startSession(user: string, previous: Session | undefined): Session {
  return { user, hour: previous ? readSession(previous).hour : 0 };
}

/** Moves the simulated hour on: the next fetch finds one person added, one removed and two updated. */
export function advanceSandbox(session: Session): Session {
  return { ...session, hour: readSession(session).hour + 1 };
}

/** Makes every fetch fail with this code, until somebody signs in again. */
export function failSandbox(session: Session, code: AuthErrorCode): Session {
  return { ...session, failure: code };
}
