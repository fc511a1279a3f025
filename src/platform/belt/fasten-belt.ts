import { lstatSync, unlinkSync } from "node:fs";
import { flushCompileCache, getCompileCacheDir } from "node:module";
import { dirname } from "node:path";

/**
 * Gives up what the start of a belted process needed. Its own modules are kept compiled before. To be called when they
 * are loaded, and before anything else is.
 */
export function fastenBelt(): void {
  flushCompileCache();
  const folder = getCompileCacheDir();
  // Node writes there again when the process ends, whatever it is permitted. See `openCompileCache`.
  if (folder !== undefined && isLink(dirname(folder))) unlinkSync(dirname(folder));
  const { permission } = process as unknown as { permission: { drop(scope: string): void } };
  for (const scope of ["fs.write", "worker"]) permission.drop(scope);
}

function isLink(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() ?? false;
}
