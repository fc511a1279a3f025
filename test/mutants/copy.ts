import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { projectDir } from "../support/program-environment.ts";

/** Where the copy, what reaches what, and the outcomes are. Git does not see it. */
export const workFolder = join(projectDir, ".mutants");
export const copyFolder = join(workFolder, "copy");

/** A copy of what is committed, with its packages. Whatever a run changes is changed there. */
export function prepareCopy(): void {
  const commit = git(projectDir, "rev-parse", "HEAD");
  if (!existsSync(copyFolder)) {
    mkdirSync(workFolder, { recursive: true });
    git(projectDir, "clone", "--quiet", projectDir, copyFolder);
  }
  git(copyFolder, "fetch", "--quiet");
  git(copyFolder, "checkout", "--quiet", "--force", commit);
  git(copyFolder, "clean", "--quiet", "--force", "-d");
  const packages = git(copyFolder, "rev-parse", "HEAD:package-lock.json");
  if (existsSync(installedFile()) && readFileSync(installedFile(), "utf8") === packages) return;
  execFileSync("npm", ["ci", "--prefer-offline", "--no-audit", "--no-fund"], {
    cwd: copyFolder,
    stdio: "ignore",
  });
  writeFileSync(installedFile(), packages);
}

export function restoreCopy(): void {
  git(copyFolder, "checkout", "--quiet", "--force", "HEAD");
  git(copyFolder, "clean", "--quiet", "--force", "-d");
}

export function changeInCopy(path: string, change: (text: string) => string | undefined): boolean {
  const file = join(copyFolder, path);
  const changed = existsSync(file) ? change(readFileSync(file, "utf8")) : undefined;
  if (changed === undefined) return false;
  writeFileSync(file, changed);
  return true;
}

function installedFile(): string {
  return join(copyFolder, "node_modules/.package-lock-id");
}

function git(folder: string, ...args: string[]): string {
  return execFileSync("git", args, { cwd: folder, encoding: "utf8" }).trim();
}
