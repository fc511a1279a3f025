import { appendFileSync, existsSync, readFileSync } from "node:fs";

/** What a run has found, a line each, so that one that was stopped goes on where it was. */
export class KeptLines<Found> {
  readonly #file: string;

  constructor(file: string) {
    this.#file = file;
  }

  read(): Found[] {
    if (!existsSync(this.#file)) return [];
    const lines = readFileSync(this.#file, "utf8").trim().split("\n");
    return lines.filter((line) => line !== "").map((line) => JSON.parse(line) as Found);
  }

  add(found: Found): void {
    appendFileSync(this.#file, `${JSON.stringify(found)}\n`);
  }
}
