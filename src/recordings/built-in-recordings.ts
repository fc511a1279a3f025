import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { readRecording } from "./recording-folder.ts";
import type { Recording } from "./recording.ts";

/** Recordings of invented companies, by which the built-in providers are checked. `npm run recordings` makes them. */
export const builtInFolder = join(import.meta.dirname, "built-in");

/** One for each mode of a built-in provider. Empty for any other name. */
export function findBuiltInRecordings(provider: string): Recording[] {
  if (!existsSync(builtInFolder)) return [];
  return readdirSync(builtInFolder)
    .filter((name) => name.startsWith(`${provider}-`))
    .map((name) => readRecording(join(builtInFolder, name)));
}
