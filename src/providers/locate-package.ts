import { existsSync, readdirSync, readFileSync, realpathSync, statSync } from "node:fs";
import { dirname, isAbsolute, join, resolve, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { listFiles } from "../platform/list-files.ts";
import { InvalidProvider } from "./invalid-provider.ts";

/** Where a provider package is on the disk, without links. */
export interface LocatedPackage {
  /** As the operator names it. */
  name: string;
  /** What is loaded. */
  file: string;
  /** Folders and files that are its own. */
  code: readonly string[];
}

const codeFile = /\.[cm]?[jt]s$/;

const conditions = new Set(["node", "import", "module-sync", "default"]);

/** Throws InvalidProvider for a package that is not there. */
export function openPackage(name: string): LocatedPackage {
  const located = locatePackage(name);
  if (!existsSync(located))
    throw new InvalidProvider(
      `the provider package ${name} cannot be loaded: there is no file ${located}`,
    );
  const file = realpathSync(located);
  const folder = findFolderOf(file);
  return { name, file, code: folder === undefined ? listCodeBeside(file) : listLinked(folder) };
}

/** The folder that has a package.json: of the file, or else one above it. */
function findFolderOf(file: string): string | undefined {
  for (let folder = dirname(file); ; folder = dirname(folder)) {
    if (existsSync(join(folder, "package.json"))) return folder;
    if (dirname(folder) === folder) return undefined;
  }
}

/** The folder, and those of packages that it needs and that links lead to, as in a workspace. */
function listLinked(folder: string, known = new Set<string>()): string[] {
  known.add(folder);
  const manifest = join(folder, "package.json");
  const { dependencies = {} } = JSON.parse(readFileSync(manifest, "utf8")) as Manifest;
  for (const name of Object.keys(dependencies)) {
    const path = findManifest(name, folder);
    if (path === undefined) continue;
    const found = dirname(realpathSync(path));
    if (!found.split(sep).includes("node_modules") && !known.has(found)) listLinked(found, known);
  }
  return [...known];
}

/** Without a package.json, nothing says that the folder belongs to the package. */
function listCodeBeside(file: string): string[] {
  return readdirSync(dirname(file))
    .filter((name) => codeFile.test(name))
    .map((name) => join(dirname(file), name));
}

/**
 * The file of a provider package: of a package that the operator's project has, else of one beside Rollcall. A path,
 * of a file or of the folder of a package, is taken from the working directory. Throws InvalidProvider.
 */
export function locatePackage(name: string, workingDir = process.cwd()): string {
  if (isPath(name)) {
    const path = resolvePath(name, workingDir);
    return isFolder(path) ? entryOfFolder(name, path) : path;
  }
  const found = findInstalled(name, workingDir) ?? findInstalled(name, import.meta.dirname);
  if (found === undefined)
    throw new InvalidProvider(
      `the provider package ${name} is not installed: run \`npm install ${name}\` in ${workingDir}, or correct the name`,
    );
  return found;
}

/** All files of a package that is named or whose folder is, and the one file of another path. */
export function listPackageFiles(name: string, workingDir = process.cwd()): string[] {
  const file = locatePackage(name, workingDir);
  const folder = isPath(name) ? resolvePath(name, workingDir) : findFolderOf(file);
  return folder === undefined || !isFolder(folder) ? [file] : listFiles(folder).toSorted();
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
  dependencies?: Readonly<Record<string, string>>;
}

type Exports = string | null | readonly Exports[] | { readonly [key: string]: Exports };

/** Undefined when no folder above has the package. */
function findManifest(name: string, from: string): string | undefined {
  const packageName = name.split("/", name.startsWith("@") ? 2 : 1).join("/");
  for (let folder = from; ; folder = dirname(folder)) {
    const manifest = join(folder, "node_modules", packageName, "package.json");
    if (packageName !== "" && existsSync(manifest)) return manifest;
    if (dirname(folder) === folder) return undefined;
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
