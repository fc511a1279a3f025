import { residentBytes } from "./process-tree.ts";

interface Sample {
  atMs: number;
  bytes: number;
}

const everyMs = 250;
const windows = 10;
const minuteMs = 60_000;

/** Samples the resident memory of all Node processes of a service. */
export class MemoryWatch {
  readonly #samples: Sample[] = [];
  readonly #timer: NodeJS.Timeout;

  constructor(pids: () => readonly number[]) {
    const sample = (): void => {
      this.#samples.push({ atMs: performance.now(), bytes: residentBytes(pids()) });
    };
    sample();
    this.#timer = setInterval(sample, everyMs);
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  get latest(): number {
    return this.#samples.at(-1)?.bytes ?? 0;
  }

  /** The most since a moment of `performance.now()`. */
  peak(sinceMs = 0): number {
    return Math.max(0, ...this.#since(sinceMs).map(({ bytes }) => bytes));
  }

  /**
   * Bytes a minute since a moment. The least of each tenth of that time counts, because garbage comes and goes, and
   * of the slopes between each two of them the middle one.
   */
  growthPerMinute(sinceMs: number): number {
    const samples = this.#since(sinceMs);
    const lengthMs = ((samples.at(-1)?.atMs ?? 0) - sinceMs) / windows;
    const least = Array.from({ length: windows }, (_, index) =>
      Math.min(
        ...samples
          .filter(({ atMs }) => Math.floor((atMs - sinceMs) / lengthMs) === index)
          .map(({ bytes }) => bytes),
      ),
    );
    const slopes = least.flatMap((bytes, index) =>
      least
        .slice(index + 1)
        .map((later, distance) => (later - bytes) / ((distance + 1) * lengthMs)),
    );
    const inOrder = slopes.filter(Number.isFinite).sort((a, b) => a - b);
    return (inOrder[Math.floor(inOrder.length / 2)] ?? 0) * minuteMs;
  }

  #since(sinceMs: number): Sample[] {
    return this.#samples.filter(({ atMs }) => atMs >= sinceMs);
  }
}

export function formatMegabytes(bytes: number): string {
  return `${(bytes / 1_000_000).toFixed(0)} MB`;
}
