import type { Resource } from "../../model/index.ts";
import type { CheckContext, CheckResult } from "../contract.ts";
import { AuthError, OperationNotSupported, type FieldError } from "../errors.ts";
import { eachAtOnce } from "./rest.ts";

/** A small request that shows whether the account may read these resources. */
export interface Probe {
  resources: readonly Resource[];
  ask: () => Promise<unknown>;
}

const probesAtOnce = 4;

interface HowToAsk {
  /** How many probes run at once: one where an answer can replace the session. */
  atOnce?: number;
  /**
   * What somebody is told who may read nothing of what is asked for: a sentence that names the right. Without it, they
   * are told that a right is missing.
   */
  ofNothing?: () => FieldError | AuthError;
}

/**
 * What the account cannot read, from one request for each right. Only those of resources that will be read are made. A
 * probe that fails for another reason says nothing of a right: its resources count as readable, and the reads will tell.
 * A session that has ended refuses the sign-in, and so does a system of which no probe is answered, and an account that
 * may read nothing of what is asked for.
 */
export async function findRights(
  { resources: wanted, log, signal }: Pick<CheckContext, "resources" | "log" | "signal">,
  probes: readonly Probe[],
  {
    atOnce = probesAtOnce,
    ofNothing = () => new AuthError("insufficient_permission"),
  }: HowToAsk = {},
): Promise<CheckResult> {
  const needed = probes.filter((probe) =>
    probe.resources.some((resource) => wanted.includes(resource)),
  );
  const unsupported: Resource[] = [];
  const forbidden: Resource[] = [];
  let unclear = 0;
  await eachAtOnce(needed, atOnce, async ({ resources, ask }) => {
    try {
      await ask();
    } catch (error) {
      if (error instanceof OperationNotSupported) unsupported.push(...resources);
      else if (isPermissionMissing(error)) forbidden.push(...resources);
      else {
        unclear += 1;
        if (error instanceof AuthError || signal.aborted || unclear === needed.length) throw error;
        log.warn({ resources }, "whether the account may read these could not be found out");
      }
    }
  });
  const isReadable = (resource: Resource) => ![...unsupported, ...forbidden].includes(resource);
  if (forbidden.length > 0 && !wanted.some(isReadable)) throw ofNothing();
  return { unsupported: [...new Set(unsupported)], forbidden: [...new Set(forbidden)] };
}

/** Whether the account may not read what it was asked for. */
export function isPermissionMissing(error: unknown): boolean {
  return error instanceof AuthError && error.code === "insufficient_permission";
}

/** What it gives; `otherwise` where the system, or the account, lacks it. A right that is missing is an error. */
export async function whereThere<Result>(
  ask: () => Promise<Result>,
  otherwise: Result,
): Promise<Result> {
  try {
    return await ask();
  } catch (error) {
    if (error instanceof OperationNotSupported) return otherwise;
    throw error;
  }
}

/** What it gives; undefined where the account lacks it, or may not read it. */
export async function whereReadable<Result>(
  ask: () => Promise<Result>,
): Promise<Result | undefined> {
  try {
    return await ask();
  } catch (error) {
    if (isPermissionMissing(error) || error instanceof OperationNotSupported) return undefined;
    throw error;
  }
}
