import { fileURLToPath } from "node:url";
import { providerPackages, type NamedProvider } from "../providers/index.ts";
import type { Recording } from "../recordings/index.ts";
import type { CheckResult, DescribedCheck, FromChecks } from "./child/messages.ts";

export interface CheckListener {
  onChecks(checks: readonly DescribedCheck[]): void;
  /** Called for each of them, in their order. */
  onResult(result: CheckResult): void;
  onRefused(what: string, place: string | undefined): void;
}

const entry = fileURLToPath(new URL("./child/entry.ts", import.meta.url));

/** Checks a provider, beside a recording instead of the fake of its package if there is one, as `runProgram` says. */
export async function checkInChild(
  named: NamedProvider & { recording?: Recording },
  listener: CheckListener,
): Promise<void> {
  await providerPackages.runProgram<FromChecks>(entry, named, {
    onRefused: (what, place) => listener.onRefused(what, place),
    onTold: (told) => {
      if (told.type === "checks") listener.onChecks(told.checks);
      else listener.onResult(told.result);
    },
  });
}
