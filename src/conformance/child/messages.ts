import type { LocatedPackage, PlainRefusal } from "../../providers/index.ts";
import type { Recording } from "../../recordings/index.ts";
import type { Check } from "../list-checks.ts";

/** What is to be checked. */
export interface Subject {
  name: string;
  registered: readonly LocatedPackage[];
  /** The package that the name may be. */
  named?: LocatedPackage;
  recording?: Recording;
}

export type DescribedCheck = Omit<Check, "run">;

/** How a check ended, in words for who runs it. */
export interface CheckResult {
  result: "passed" | "left out" | "failed";
  note: string;
  /** How the provider failed, in the same words wherever it fails so. */
  cause?: string;
}

export type FromChecks =
  | { type: "loaded" }
  /** No provider and no package has the name. */
  | { type: "unknown" }
  | { type: "unusable"; refusal: PlainRefusal }
  | { type: "failed"; message: string }
  | { type: "checks"; checks: readonly DescribedCheck[] }
  | { type: "result"; result: CheckResult }
  /** The package was refused what no adapter may do. */
  | { type: "refused"; what: string; place: string | undefined }
  | { type: "done" };
