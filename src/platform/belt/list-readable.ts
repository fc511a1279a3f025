import { existsSync, readdirSync, realpathSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";

/** The code of this program, as it is written or as it is built. */
const source = resolve(import.meta.dirname, "../..");
const program = dirname(source);
const hostsFile = "/etc/hosts";

/**
 * What a belted process may read: the code of this program, the given files, of each given folder what is not hidden,
 * and the packages that all of them can import. What is withheld is left out wherever it is. Links are followed. The
 * hosts file says where names are.
 */
export function listReadable(code: readonly string[], withheld: readonly string[] = []): string[] {
  const kept = [...withheld, join(program, ".env")].map(toRealPath);
  const given = code.map(toRealPath);
  return [
    ...new Set([
      hostsFile,
      source,
      ...given.flatMap((path) => listOpen(path, kept)),
      ...[source, ...given].flatMap(listModulesFor),
    ]),
  ];
}

function listOpen(path: string, withheld: readonly string[]): string[] {
  if (withheld.includes(path)) return [];
  const entries = listEntries(path);
  if (!entries) return [path];
  return entries
    .filter((name) => !name.startsWith("."))
    .map((name) => join(path, name))
    .flatMap((entry) =>
      withheld.some((one) => isWithin(one, entry)) ? listOpen(entry, withheld) : [entry],
    );
}

/** Undefined for what is no folder. */
function listEntries(path: string): string[] | undefined {
  try {
    return readdirSync(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOTDIR") return undefined;
    throw error;
  }
}

/** Where Node looks for packages that code of the path imports. */
function listModulesFor(path: string): string[] {
  const folders = [join(path, "node_modules")];
  for (let at = path; dirname(at) !== at; at = dirname(at))
    folders.push(join(dirname(at), "node_modules"));
  return folders.filter((folder) => existsSync(folder));
}

function isWithin(path: string, folder: string): boolean {
  const way = relative(folder, path);
  return way === "" || !way.startsWith("..");
}

function toRealPath(path: string): string {
  return existsSync(path) ? realpathSync(path) : resolve(path);
}
