import { appendFileSync, renameSync, statSync } from "node:fs";

const limitBytes = 1024 * 1024;

/** Returns a function that appends to a file only our account can read; beside it at most one older file is kept. */
export function openBoundedLog(path: string): (text: string) => void {
  let size = sizeOf(path);
  return (text) => {
    try {
      if (size > limitBytes) {
        renameSync(path, `${path}.1`);
        size = 0;
      }
      appendFileSync(path, text, { mode: 0o600 });
      size += Buffer.byteLength(text);
    } catch {
      // A full disk must not end the server; the line is lost.
    }
  };
}

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}
