import { appendFileSync, readFileSync, renameSync, statSync } from "node:fs";

const maxBytes = 1024 * 1024;
const lastLineCount = 10;

/**
 * Returns a function that appends to the log, which only our own account can read. A full log becomes
 * `<path>.1` and replaces the one before it.
 */
export function openServerLog(path: string): (text: string) => void {
  let size = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
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

export function readLastLines(path: string): string {
  try {
    return readFileSync(path, "utf8").trimEnd().split("\n").slice(-lastLineCount).join("\n");
  } catch {
    return "(there is no log)";
  }
}
