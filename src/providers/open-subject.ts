import { openPackage, type LocatedPackage } from "./locate-package.ts";

/** What is tried under a name, before anything of it is loaded. */
export interface OpenedSubject {
  registered: LocatedPackage[];
  /** The package that the name may be. */
  named?: LocatedPackage;
  /** Folders and files of all of them. */
  code: string[];
  /** Why the name is no package, which says what to do when nothing else has the name. */
  error?: Error;
}

/** Throws InvalidProvider for a registered package that is not there. */
export function openSubject(name: string, packages: readonly string[]): OpenedSubject {
  const registered = packages.map((one) => openPackage(one));
  try {
    const named = openPackage(name);
    return { registered, named, code: codeOf([...registered, named]) };
  } catch (error) {
    return { registered, code: codeOf(registered), error: error as Error };
  }
}

function codeOf(packages: readonly LocatedPackage[]): string[] {
  return packages.flatMap(({ code }) => code);
}
