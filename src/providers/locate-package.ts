import { existsSync, globSync, readFileSync, statSync } from "node:fs";
import { findPackageJSON } from "node:module";
import { dirname, isAbsolute, join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { InvalidProvider } from "./invalid-provider.ts";

const conditions = new Set(["node", "import", "module-sync", "default"]);

/**
 * The file of a provider package: of a package that the operator's project has, else of one beside Rollcall. A path,
 * of a file or of the folder of a package, is taken from the working directory. Throws InvalidProvider.
 */
export function locatePackage(name: string, workingDir = process.cwd()): string {
  if (isPath(name)) {
    const path = resolvePath(name, workingDir);
    return isFolder(path) ? entryOfFolder(name, path) : path;
  }
  const found =
    findInstalled(name, pathToFileURL(join(workingDir, "package.json")).href) ??
    findInstalled(name, import.meta.url);
  if (found === undefined)
    throw new InvalidProvider(
      `the provider package ${name} is not installed: run \`npm install ${name}\` in ${workingDir}, or correct the name`,
    );
  return found;
}

/** All files of a package that is named or whose folder is, and the one file of another path. */
export function listPackageFiles(name: string, workingDir = process.cwd()): string[] {
  const file = locatePackage(name, workingDir);
  const folder = isPath(name) ? resolvePath(name, workingDir) : folderOfPackage(file);
  if (folder === undefined || !isFolder(folder)) return [file];
  return globSync("**/*", { cwd: folder, exclude: ["**/node_modules"], withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .toSorted();
}

function isPath(name: string): boolean {
  const starts = ["./", "../", "file:"];
  return (
    isAbsolute(name) || [".", ".."].includes(name) || starts.some((start) => name.startsWith(start))
  );
}

function resolvePath(name: string, workingDir: string): string {
  return name.startsWith("file:") ? fileURLToPath(name) : resolve(workingDir, name);
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

function folderOfPackage(file: string): string | undefined {
  const manifest = findPackageJSON(pathToFileURL(file));
  return manifest === undefined ? undefined : dirname(manifest);
}

function entryOfFolder(name: string, folder: string): string {
  const manifest = join(folder, "package.json");
  if (!existsSync(manifest))
    throw new InvalidProvider(
      `the folder ${name} has no package.json: name the file that has the provider`,
    );
  return findEntry(name, manifest, ".");
}

function findInstalled(name: string, from: string): string | undefined {
  const path = findManifest(name, from);
  if (path === undefined) return undefined;
  const words = name.split("/");
  return findEntry(name, path, [".", ...words.slice(name.startsWith("@") ? 2 : 1)].join("/"));
}

function findEntry(name: string, manifest: string, subpath: string): string {
  const { exports, main } = JSON.parse(readFileSync(manifest, "utf8")) as Manifest;
  const target =
    exports === undefined && subpath === "."
      ? (main ?? "index.js")
      : exports === undefined
        ? subpath
        : targetOf(exports, subpath);
  if (target === undefined)
    throw new InvalidProvider(
      `the provider package ${name} does not export itself: its package.json needs \`"exports": "./index.js"\``,
    );
  return join(dirname(manifest), target);
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
