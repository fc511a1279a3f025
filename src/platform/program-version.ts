import { existsSync, readFileSync } from "node:fs";

/** The version of this program, as its package says. */
export function readProgramVersion(): string {
  const manifest = readFileSync(new URL("../../package.json", import.meta.url), "utf8");
  return (JSON.parse(manifest) as { version: string }).version;
}

/** The revision of the source that an image was made of. Empty where the program runs from its sources. */
export function readProgramRevision(): string {
  const file = new URL("../../REVISION", import.meta.url);
  return existsSync(file) ? readFileSync(file, "utf8").trim() : "";
}
