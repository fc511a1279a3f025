import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const folders = [
  `/usr/lib/${process.arch === "arm64" ? "aarch64" : "x86_64"}-linux-gnu/faketime`,
  "/usr/lib/faketime",
  "/usr/lib64/faketime",
  "/usr/local/lib/faketime",
];
const library = folders
  .map((each) => join(each, "libfaketime.so.1"))
  .find((file) => existsSync(file));

/** How long a process may take to see that its clock has leapt. */
export const leapSeenMs = 1_100;

/** The clock of one process, which leaps while the process runs. Its monotonic clock stays as it is. */
export class FakedClock {
  static readonly isInstalled = library !== undefined;
  readonly env: Record<string, string>;
  readonly #file: string;

  constructor(folder: string, name: string) {
    const file = join(folder, name);
    this.#file = file;
    this.leapTo(0);
    this.env = {
      LD_PRELOAD: library ?? "",
      FAKETIME_TIMESTAMP_FILE: file,
      FAKETIME_CACHE_DURATION: "1",
      FAKETIME_DONT_FAKE_MONOTONIC: "1",
    };
  }

  /** So many seconds ahead of the clock of the machine, from the next second on. */
  leapTo(seconds: number): void {
    writeFileSync(this.#file, `${seconds < 0 ? "" : "+"}${seconds}s\n`);
  }
}
