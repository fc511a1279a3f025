import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";

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
