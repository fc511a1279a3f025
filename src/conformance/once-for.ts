import type { Checkable } from "../providers/index.ts";
import { type CheckContext, inTrial, type Trial } from "./trial.ts";

/**
 * Does something to a provider beside its fake in the scenario "usual", once for all checks that look at what came of
 * it. A failure is that of the check that came first: the next one tries it again.
 */
export function onceFor<Result>(
  work: (trial: Trial) => Promise<Result>,
): (context: CheckContext) => Promise<Result> {
  const known = new WeakMap<Checkable, Promise<Result>>();
  return async ({ subject, signal }) => {
    const result = known.get(subject) ?? inTrial(subject, "usual", signal, work);
    known.set(subject, result);
    try {
      return await result;
    } catch (error) {
      known.delete(subject);
      throw error;
    }
  };
}
