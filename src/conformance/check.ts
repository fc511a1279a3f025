import type { Checkable, Scenario } from "../providers/index.ts";
import type { CheckContext, Trial } from "./trial.ts";
import type { UsualReads } from "./usual-reads.ts";

/** One thing that every provider has to do. */
export type CheckDefinition = TriedCheck | LookingCheck;

interface DescribedCheck {
  name: string;
  /** What the provider has to do. */
  title: string;
  scenario: Scenario;
  /** Why this provider has nothing to check here; undefined when it has. */
  leftOutFor?(subject: Checkable): string | undefined;
}

/** It does something to a provider beside a fake of its own. */
export interface TriedCheck extends DescribedCheck {
  /** Throws what is wrong. Returns why there was nothing to check, when that is seen only then. */
  run(trial: Trial, context: CheckContext): Promise<string | void>;
}

/** It looks at what is read once for all such checks. */
interface LookingCheck extends DescribedCheck {
  scenario: "usual";
  /** The same of what was read. */
  look(usual: UsualReads, context: CheckContext): string | void | Promise<string | void>;
}

export const hasNoEmployees = ({ adapter }: Checkable): string | undefined =>
  adapter.resources.employees ? undefined : "it has no employees";

/** The resource that shows how a provider behaves: employees, when it has them. */
export function mainResource({ resources }: Trial): Trial["resources"][number] {
  const [first] = resources;
  if (first === undefined) throw new Error("the provider has no resource");
  return resources.includes("employees") ? "employees" : first;
}
