import {
  chmodSync,
  closeSync,
  copyFileSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readdirSync,
  readlinkSync,
  statSync,
  symlinkSync,
} from "node:fs";
import { join, relative } from "node:path";

/**
 * Copies a folder so that every account can use the copy, whatever modes the original has. Hard links are taken
 * where they serve: a thousand small files are slow to write and quick to link.
 */
export function copyTree(from: string, to: string): void {
  makeFolder(to);
  for (const entry of readdirSync(from, { recursive: true, withFileTypes: true })) {
    const source = join(entry.parentPath, entry.name);
    const target = join(to, relative(from, source));
    if (entry.isDirectory()) makeFolder(target);
    else if (entry.isSymbolicLink()) symlinkSync(readlinkSync(source), target);
    else if (!isHardLinked(source, target)) copyFile(source, target);
  }
}

function makeFolder(path: string): void {
  mkdirSync(path, { recursive: true });
  chmodSync(path, 0o755);
}

function isHardLinked(source: string, target: string): boolean {
  const isReadableByAll = (statSync(source).mode & 0o004) !== 0;
  if (!isReadableByAll) return false;
  try {
    linkSync(source, target);
    return true;
  } catch {
    // Another file system, or a file of another owner: the caller copies instead.
    return false;
  }
}

function copyFile(source: string, target: string): void {
  copyFileSync(source, target);
  chmodSync(target, (statSync(source).mode & 0o100) === 0 ? 0o644 : 0o755);
  const file = openSync(target, "r");
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}
