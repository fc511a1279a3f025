import { lstatSync, unlinkSync } from "node:fs";
import module from "node:module";
import { dirname } from "node:path";

/** Whether this process was started with a belt. */
export function wearsBelt(): boolean {
  return "permission" in process && process.permission !== undefined;
}

/**
 * Gives up what the start of a belted process needed. Its own modules are kept compiled before. To be called when they
 * are loaded, and before anything else is.
 */
export function fastenBelt(): void {
  module.flushCompileCache();
  const folder = module.getCompileCacheDir();
  // Node writes there again when the process ends, whatever it is permitted. See `openCompileCache`.
  if (folder !== undefined && isLink(dirname(folder))) unlinkSync(dirname(folder));
  const { permission } = process as unknown as { permission: { drop(scope: string): void } };
  for (const scope of ["fs.write", "worker"]) permission.drop(scope);
}

function isLink(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() ?? false;
}
