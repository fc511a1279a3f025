import { residentBytes } from "./process-tree.ts";

interface Sample {
  atMs: number;
  byProcess: ReadonlyMap<number, number>;
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
      this.#samples.push({ atMs: performance.now(), byProcess: residentBytes(pids()) });
    };
    sample();
    this.#timer = setInterval(sample, everyMs);
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  get latest(): number {
    return totalOf(this.#samples.at(-1));
  }

  /** The most since a moment of `performance.now()`. */
  peak(sinceMs = 0): number {
    return this.#since(sinceMs).reduce((most, sample) => Math.max(most, totalOf(sample)), 0);
  }

  /** Bytes a minute since a moment, of the process that grows most. */
  growthPerMinute(sinceMs: number): number {
    return Math.max(...this.growths(sinceMs).values());
  }

  /**
   * Bytes a minute since a moment, of each process that lives all of that time and a tenth of it before: a young one
   * still loads. The least of each tenth of the time counts, because garbage comes and goes, and of the slopes between
   * each two of them the middle one.
   */
  growths(sinceMs: number): Map<number, number> {
    const lengthMs = this.#windowMs(sinceMs);
    return new Map(
      [...this.leasts(sinceMs)].map(([pid, least]) => [pid, growthOf(least, lengthMs)]),
    );
  }

  /** The least of each tenth of the time, of each process that lives all of it and a tenth before. */
  leasts(sinceMs: number): Map<number, number[]> {
    const samples = this.#since(sinceMs);
    const lengthMs = this.#windowMs(sinceMs);
    const [first, last] = [this.#since(sinceMs - lengthMs).at(0), samples.at(-1)];
    const lasting = [...(first?.byProcess.keys() ?? [])].filter((pid) => last?.byProcess.has(pid));
    return new Map(lasting.map((pid) => [pid, leastOf(pid, samples, { sinceMs, lengthMs })]));
  }

  #windowMs(sinceMs: number): number {
    return ((this.#samples.at(-1)?.atMs ?? 0) - sinceMs) / windows;
  }

  #since(sinceMs: number): Sample[] {
    return this.#samples.filter(({ atMs }) => atMs >= sinceMs);
  }
}

function totalOf(sample: Sample | undefined): number {
  return [...(sample?.byProcess.values() ?? [])].reduce((sum, bytes) => sum + bytes, 0);
}

function leastOf(
  pid: number,
  samples: readonly Sample[],
  { sinceMs, lengthMs }: { sinceMs: number; lengthMs: number },
): number[] {
  const least = Array.from({ length: windows }, () => Infinity);
  for (const { atMs, byProcess } of samples) {
    const index = Math.min(windows - 1, Math.floor((atMs - sinceMs) / lengthMs));
    least[index] = Math.min(least[index] ?? Infinity, byProcess.get(pid) ?? Infinity);
  }
  return least;
}

function growthOf(least: readonly number[], lengthMs: number): number {
  const slopes = least.flatMap((bytes, index) =>
    least.slice(index + 1).map((later, distance) => (later - bytes) / ((distance + 1) * lengthMs)),
  );
  const inOrder = slopes.filter(Number.isFinite).sort((a, b) => a - b);
  return (inOrder[Math.floor(inOrder.length / 2)] ?? 0) * minuteMs;
}

export function formatMegabytes(bytes: number): string {
  return `${(bytes / 1_000_000).toFixed(0)} MB`;
}
