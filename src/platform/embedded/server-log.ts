import { appendFileSync, readFileSync, renameSync, statSync } from "node:fs";

const maxBytes = 1024 * 1024;
const lastLineCount = 10;

/**
 * Returns a function that appends to the log, which only our own account can read. A full log becomes
 * `<path>.1` and replaces the one before it.
 */
export function openServerLog(path: string): (text: string) => void {
  let size = sizeOfLog(path);
  return (text) => {
    try {
      if (size > maxBytes) {
        renameSync(path, `${path}.1`);
        size = 0;
      }
      appendFileSync(path, text, { mode: 0o600 });
      size += Buffer.byteLength(text);
    } catch {
      // The line is lost: a full disk must not end the server.
    }
  };
}

export function sizeOfLog(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}

/** Of what was written since the log was so large. A log that is smaller is another one. */
export function readLastLines(path: string, since: number): string {
  try {
    const bytes = readFileSync(path);
    const written = bytes.subarray(since > bytes.length ? 0 : since).toString();
    return written.trimEnd().split("\n").slice(-lastLineCount).join("\n");
  } catch {
    return "(there is no log)";
  }
}
