import {
  closeSync,
  fsyncSync,
  linkSync,
  openSync,
  renameSync,
  rmSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname } from "node:path";

/** After it returns, the new name survives a power cut. */
export function renameDurably(from: string, to: string): void {
  renameSync(from, to);
  flush(dirname(to));
}

/** Readers find the old content or the new, even after a power cut. Only our own account can read it. */
export function replaceDurably(path: string, content: string): void {
  renameDurably(writeDraft(path, content), path);
}

/** Like `replaceDurably`, but an existing file stays. Of several callers at once, one creates the file. */
export function createDurably(path: string, content: string): void {
  const draft = writeDraft(path, content);
  try {
    linkSync(draft, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  } finally {
    unlinkSync(draft);
  }
  flush(dirname(path));
}

function writeDraft(path: string, content: string): string {
  const draft = `${path}.${process.pid}`;
  try {
    writeFlushed(draft, content);
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  }
  return draft;
}

/** Only our own account can read it. An error names the path: that of a write, which a full disk refuses, has none. */
export function writeFlushed(path: string, content: string): void {
  try {
    writeFileSync(path, content, { mode: 0o600, flush: true });
  } catch (error) {
    throw Object.assign(error as NodeJS.ErrnoException, { path });
  }
}

/** Of a file or a folder. */
export function flush(path: string): void {
  const opened = openSync(path, "r");
  try {
    fsyncSync(opened);
  } finally {
    closeSync(opened);
  }
}
