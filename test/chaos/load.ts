import { setTimeout as delay } from "node:timers/promises";
import type { Stage } from "./stage.ts";

/** What one request was, and how it ended: a status, or 0 with the reason why there is none. */
export interface Answer {
  what: string;
  status: number;
  message?: string;
}

/** Callers that ask one request after the other until the load is over. Each answer is held to what is allowed. */
export class Load {
  readonly counts = new Map<string, number>();
  readonly notAllowed: string[] = [];
  slowestMs = 0;
  readonly #isAllowed: (answer: Answer) => boolean;
  readonly #signal: AbortSignal;
  readonly #callers: Promise<void>[] = [];
  #isOver = false;

  constructor({ signal }: Stage, isAllowed: (answer: Answer) => boolean) {
    this.#signal = signal;
    this.#isAllowed = isAllowed;
  }

  /** So many callers. `ask` gets the turn of its caller. */
  begin(callers: number, ask: (turn: number) => Promise<Answer>, pauseMs = 0): void {
    for (let caller = 0; caller < callers; caller += 1)
      this.#callers.push(this.#call(caller, callers, ask, pauseMs));
  }

  async end(): Promise<void> {
    this.#isOver = true;
    await Promise.all(this.#callers);
    this.#signal.throwIfAborted();
  }

  get total(): number {
    return [...this.counts.values()].reduce((sum, count) => sum + count, 0);
  }

  /** The part of the answers that had one of these statuses. */
  shareOf(statuses: readonly number[]): number {
    const found = [...this.counts].filter(([what]) =>
      statuses.some((status) => what.endsWith(` ${status}`)),
    );
    return found.reduce((sum, [, count]) => sum + count, 0) / Math.max(1, this.total);
  }

  /** How many answers had each status, and the first few that are not allowed. */
  describe(): string {
    const byStatus = new Map<string, number>();
    for (const [what, count] of this.counts) {
      const status = what.slice(what.lastIndexOf(" ") + 1);
      byStatus.set(status, (byStatus.get(status) ?? 0) + count);
    }
    const statuses = [...byStatus].map(([status, count]) => `${count} × ${status}`).join(", ");
    const wrong = Map.groupBy(this.notAllowed, (each) => each);
    const shown = [...wrong].slice(0, 4).map(([each, { length }]) => `${length} × ${each}`);
    return shown.length === 0 ? statuses : `${statuses}; not allowed: ${shown.join(", ")}`;
  }

  note(answer: Answer, tookMs = 0): void {
    const { what, status, message = "" } = answer;
    const name = `${what} ${status}`;
    this.counts.set(name, (this.counts.get(name) ?? 0) + 1);
    this.slowestMs = Math.max(this.slowestMs, tookMs);
    if (!this.#isAllowed(answer)) this.notAllowed.push(`${name} ${message}`.trim().slice(0, 120));
  }

  async #call(
    caller: number,
    callers: number,
    ask: (turn: number) => Promise<Answer>,
    pauseMs: number,
  ): Promise<void> {
    for (let turn = caller; !this.#isOver && !this.#signal.aborted; turn += callers) {
      const startedAt = performance.now();
      const answer = await ask(turn).catch((error: unknown): Answer => ({
        what: "no answer",
        status: 0,
        message: String(error),
      }));
      if (this.#signal.aborted) return;
      this.note(answer, performance.now() - startedAt);
      await delay(pauseMs);
    }
  }
}
