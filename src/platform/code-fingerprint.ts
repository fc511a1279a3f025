import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";

const sourceDir = resolve(import.meta.dirname, "..");

/** Changes with the code of this program and these further files. Data derived by other code is derived again. */
export function codeFingerprint(files: readonly string[]): string {
  const hash = createHash("sha256").update(process.version);
  const sources = readdirSync(sourceDir, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  );
  const paths = sources.map((entry) => join(entry.parentPath, entry.name)).sort();
  for (const path of [...paths, ...files]) hash.update(path).update(readFileSync(path));
  return hash.digest("base64url");
}
