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
    `The disk of ${home} is full: Postgres (${program}) could not write its data there. Make room on it, ${needed} for ` +
      "a start, or choose another folder with STATE_DIR.",
  );
}
