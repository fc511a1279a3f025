import { statfsSync } from "node:fs";
import { basename, dirname } from "node:path";
import { StartRefused } from "../start-refused.ts";
import type { StateFolder } from "./state-folder.ts";

const needed = "about 200 MB";

/** The refusal of a start whose program of Postgres said that there is no room. Undefined when it said no such thing. */
export function diskFull(
  { home }: Pick<StateFolder, "home">,
  program: string,
  output: string,
): StartRefused | undefined {
  if (!/No space left on device|Disk quota exceeded/.test(output)) return undefined;
  return new StartRefused(
    explainFull(home, `Postgres (${program}) could not write its data there`),
  );
}

/** The same for a file of ours that could not be used. Undefined when its disk has room. */
export function diskFullAt(path: string, cause: unknown): StartRefused | undefined {
  if (statfsSync(dirname(path)).bavail > 0) return undefined;
  return new StartRefused(explainFull(dirname(path), `${basename(path)} could not be used`), {
    cause,
  });
}

function explainFull(folder: string, what: string): string {
  return (
    `The disk of ${folder} is full: ${what}. Make room on it, ${needed} for a start, or choose another folder with ` +
    "STATE_DIR."
  );
}
