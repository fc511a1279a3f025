import { existsSync, readFileSync, readdirSync } from "node:fs";
import { createHash } from "node:crypto";
import { join, resolve } from "node:path";

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

const sourceDir = resolve(import.meta.dirname, "..");
/** The digest of the program's own code, which stays the same while it runs. */
let ofProgram: string | undefined;

/** Changes with the code of this program and these further files. Data derived by other code is derived again. */
export function digestCode(files: readonly string[]): string {
  ofProgram ??= digestFiles(listSources());
  return digestFiles(files, ofProgram);
}

function listSources(): string[] {
  const sources = readdirSync(sourceDir, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  );
  return sources.map((entry) => join(entry.parentPath, entry.name)).sort();
}

function digestFiles(paths: readonly string[], first: string = process.version): string {
  const hash = createHash("sha256").update(first);
  for (const path of paths) hash.update(path).update(readFileSync(path));
  return hash.digest("base64url");
}
