import type { Checkable, Scenario } from "../providers/index.ts";
import type { Trial } from "./trial.ts";

/** One thing that every provider has to do. */
export interface CheckDefinition {
  name: string;
  /** What the provider has to do. */
  title: string;
  scenario: Scenario;
  /** Why this provider has nothing to check here; undefined when it has. */
  leftOutFor?(subject: Checkable): string | undefined;
  /** Throws what is wrong. Returns why there was nothing to check, when that is seen only then. */
  run(trial: Trial, context: CheckContext): Promise<string | void>;
}

export interface CheckContext {
  subject: Checkable;
  signal: AbortSignal;
}

export const hasNoEmployees = ({ definition, mode }: Checkable): string | undefined =>
  definition.modes[mode]?.resources.employees ? undefined : "it has no employees";

/** The resource that shows how a provider behaves: employees, when it has them. */
export function mainResource({ resources }: Trial): Trial["resources"][number] {
  const [first] = resources;
  if (first === undefined) throw new Error("the provider has no resource");
  return resources.includes("employees") ? "employees" : first;
}
