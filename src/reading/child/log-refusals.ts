import { watchRefusals } from "../../platform/belt/index.ts";
import { providerPackages, type LocatedPackage } from "../../providers/index.ts";
import type { ChildLog } from "./child-log.ts";
import { runningCall } from "./known-secrets.ts";

/** A package that tries the same again and again is told once. */
const mostLines = 100;

/** Tells the operator which package was refused what, and where in its code. The path that it tried may be data. */
export function logRefusals(log: ChildLog, packages: readonly LocatedPackage[]): void {
  const told = new Set<string>();
  watchRefusals(({ what, error }) => {
    const name = findOwner(error, packages) ?? runningCall.getStore()?.package ?? "rollcall";
    const at = providerPackages.findPlace(error);
    const line = JSON.stringify([name, what, at]);
    if (told.has(line) || told.size >= mostLines) return;
    told.add(line);
    log.warn(
      { package: name, refused: what, ...(at !== undefined && { at }) },
      "a provider package was refused what no adapter may do",
    );
  });
}

/** The package whose code stands first among the calls. */
function findOwner({ stack = "" }: Error, packages: readonly LocatedPackage[]): string | undefined {
  for (const line of stack.split("\n"))
    for (const { name, code } of packages)
      if (code.some((path) => line.includes(path))) return name;
  return undefined;
}
