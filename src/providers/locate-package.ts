import { globSync, readFileSync } from "node:fs";
import { findPackageJSON } from "node:module";
import { dirname, isAbsolute, join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const conditions = new Set(["node", "import", "module-sync", "default"]);

/**
 * The file of a provider package: of a package that the operator's project has, else of one beside Rollcall. A path
 * is taken from the working directory. Throws an error that says what to do.
 */
export function locatePackage(name: string, workingDir = process.cwd()): string {
  if (name.startsWith("file:")) return fileURLToPath(name);
  if (isPath(name)) return resolve(workingDir, name);
  const found =
    findInstalled(name, pathToFileURL(join(workingDir, "package.json")).href) ??
    findInstalled(name, import.meta.url);
  if (found === undefined)
    throw new Error(
      `the provider package ${name} is not installed: neither in ${workingDir} nor beside Rollcall`,
    );
  return found;
}

/** All files of a package that is named, and the one file of a path. */
export function listPackageFiles(name: string, workingDir = process.cwd()): string[] {
  const file = locatePackage(name, workingDir);
  const manifest = isPath(name) ? undefined : findPackageJSON(pathToFileURL(file));
  if (manifest === undefined) return [file];
  const folder = dirname(manifest);
  return globSync("**/*", { cwd: folder, exclude: ["**/node_modules"], withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .toSorted();
}

function isPath(name: string): boolean {
  return isAbsolute(name) || ["./", "../", "file:"].some((start) => name.startsWith(start));
}

function findInstalled(name: string, from: string): string | undefined {
  const path = findManifest(name, from);
  if (path === undefined) return undefined;
  const { exports, main } = JSON.parse(readFileSync(path, "utf8")) as Manifest;
  const words = name.split("/");
  const subpath = [".", ...words.slice(name.startsWith("@") ? 2 : 1)].join("/");
  const target =
    exports === undefined && subpath === "."
      ? (main ?? "index.js")
      : exports === undefined
        ? subpath
        : targetOf(exports, subpath);
  if (target === undefined) throw new Error(`the provider package ${name} does not export itself`);
  return join(dirname(path), target);
}

interface Manifest {
  exports?: Exports;
  main?: string;
}

type Exports = string | null | readonly Exports[] | { readonly [key: string]: Exports };

/** Undefined when no folder above has the package. */
function findManifest(name: string, from: string): string | undefined {
  try {
    return findPackageJSON(name, from);
  } catch {
    return undefined;
  }
}

function targetOf(exports: Exports, subpath: string): string | undefined {
  if (isKeyed(exports) && Object.keys(exports).some((key) => key.startsWith(".")))
    return firstTarget(exports[subpath] ?? null);
  return subpath === "." ? firstTarget(exports) : undefined;
}

/** The first target whose conditions hold, as Node chooses it. */
function firstTarget(target: Exports): string | undefined {
  if (typeof target === "string") return target;
  if (target === null) return undefined;
  const candidates = isKeyed(target)
    ? Object.entries(target).flatMap(([condition, inner]) =>
        conditions.has(condition) ? [inner] : [],
      )
    : target;
  for (const candidate of candidates) {
    const found = firstTarget(candidate);
    if (found !== undefined) return found;
  }
  return undefined;
}

function isKeyed(value: Exports): value is { readonly [key: string]: Exports } {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
