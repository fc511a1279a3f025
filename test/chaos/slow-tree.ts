import { readFileSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { listTree } from "./process-tree.ts";

const lookEveryMs = 20;
/** Of the processor time in /proc. */
const ticksPerSecond = 100;
/** What the tree did not use in a busy moment of the machine it may use later, up to this much. */
const mostSavedMs = 200;

/** Keeps a process and all that it starts to a part of one core, by signals that stop and continue them. */
export class SlowTree {
  readonly #root: number;
  readonly #part: number;
  readonly #running: Promise<void>;
  #isOver = false;
  #usedMs = 0;

  constructor(root: number, part: number) {
    this.#root = root;
    this.#part = part;
    this.#running = this.#run();
  }

  /** The processor time of the tree so far. */
  get usedMs(): number {
    return this.#usedMs;
  }

  /** The tree runs as fast as it can from now on. */
  async end(): Promise<void> {
    this.#isOver = true;
    await this.#running;
  }

  async #run(): Promise<void> {
    let lookedAt = performance.now();
    let savedMs = 0;
    while (!this.#isOver) {
      const tree = listTree([this.#root]);
      const usedMs = tree.reduce((sum, pid) => sum + processorMs(pid), 0);
      const now = performance.now();
      const usedNowMs = Math.max(0, usedMs - this.#usedMs);
      savedMs = Math.min(mostSavedMs, savedMs + (now - lookedAt) * this.#part) - usedNowMs;
      lookedAt = now;
      this.#usedMs = Math.max(this.#usedMs, usedMs);
      signal(tree, savedMs > 0 ? "SIGCONT" : "SIGSTOP");
      await delay(lookEveryMs);
    }
    signal(listTree([this.#root]), "SIGCONT");
  }
}

/** Of the process, and of those that it started and that have ended. */
function processorMs(pid: number): number {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
    return (ticks * 1_000) / ticksPerSecond;
  } catch {
    return 0;
  }
}

function signal(pids: readonly number[], name: NodeJS.Signals): void {
  for (const pid of pids)
    try {
      process.kill(pid, name);
    } catch {
      // It has ended meanwhile.
    }
}
