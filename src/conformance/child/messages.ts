import type { ProgramSubject } from "../../providers/index.ts";
import type { Recording } from "../../recordings/index.ts";
import type { Check } from "../list-checks.ts";

/** What is to be checked. */
export type Subject = ProgramSubject & { recording?: Recording };

export type DescribedCheck = Omit<Check, "run">;

/** How a check ended, in words for who runs it. */
export interface CheckResult {
  result: "passed" | "left out" | "failed";
  note: string;
  /** How the provider failed, in the same words wherever it fails so. */
  cause?: string;
}

export type FromChecks =
  { type: "checks"; checks: readonly DescribedCheck[] } | { type: "result"; result: CheckResult };
