import { existsSync, readFileSync, readdirSync, rmSync, symlinkSync } from "node:fs";
import { createRequire } from "node:module";
import { basename, dirname, join } from "node:path";
import { canReach, type Account } from "./state-folder.ts";
import { copyTree } from "./copy-tree.ts";
import { renameDurably } from "./durable-rename.ts";
import { EmbeddedPostgresError } from "./embedded-postgres-error.ts";

export interface Binaries {
  postgres: string;
  initdb: string;
  /** Data folders of one major version cannot be opened by another. */
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

/**
 * The installed binaries where they lie, or a copy in `home` when they are of no use there: the account cannot reach
 * them, or the links between libraries are missing because npm did not run the package's install script.
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
    throw new EmbeddedPostgresError(
      `There are no Postgres binaries for ${platform} (the package @embedded-postgres/${platform} is not installed). ` +
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

/** A copy is made once and again only when it got out of reach: hard links share later changes of mode with the original. */
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
  copyTree(join(installed.folder, "native"), join(draft, "native"));
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
