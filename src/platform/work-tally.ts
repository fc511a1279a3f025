/** Work of one kind that ended in the same way, at a provider where it has one. */
export interface Work {
  what: "reads" | "polls" | "deliveries" | "sign-ins" | "durations" | "quotas";
  /** Empty for that of all clients together. */
  clientId: string;
  provider: string;
  outcome: string;
}

export type CountedWork = Work & { times: number };

/** In seconds. A duration is counted at the first one that it does not exceed, and beyond them all at "more". */
export const durationSteps = [0.1, 0.25, 0.5, 1, 2, 5, 10, 20, 40, 80, 160, 320, 640, 1_800, 3_600];

export function stepOf(seconds: number): string {
  return String(durationSteps.find((step) => seconds <= step) ?? "more");
}

/** What this process did since somebody took it: as many entries as there are kinds of work that was done. */
export class WorkTally {
  #counted = new Map<string, CountedWork>();

  /** Counts it for its client, and for all together. */
  add(work: Work): void {
    this.#add(work, 1);
    if (work.clientId !== "") this.#add({ ...work, clientId: "" }, 1);
  }

  take(): CountedWork[] {
    const taken = [...this.#counted.values()];
    this.#counted = new Map();
    return taken;
  }

  /** What was taken is taken with the next. */
  giveBack(taken: readonly CountedWork[]): void {
    for (const { times, ...work } of taken) this.#add(work, times);
  }

  #add(work: Work, times: number): void {
    const key = JSON.stringify([work.what, work.clientId, work.provider, work.outcome]);
    const known = this.#counted.get(key);
    if (known) known.times += times;
    else this.#counted.set(key, { ...work, times });
  }
}
