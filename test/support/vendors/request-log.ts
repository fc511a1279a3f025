export interface SeenRequest {
  /** Milliseconds since 1970, so that it compares with the clocks of other processes. */
  at: number;
  /** The model and method, or the path. */
  kind: string;
  /** The user name of the session, or nothing before the sign-in. */
  account: string;
}

export interface RequestCounts {
  total: number;
  byKind: Record<string, number>;
  /** Reads of the employees from the first page on. */
  readsBegun: number;
  /** Reads of the employees that came to their last page. */
  readsCompleted: number;
}

const mostKept = 500_000;

/** What a vendor was asked, and when. Old requests are forgotten, their counts are not. */
export class RequestLog {
  readonly #requests: SeenRequest[] = [];
  readonly #counts = new Map<string, RequestCounts>();

  note(account: string, kind: string): void {
    if (this.#requests.length < mostKept) this.#requests.push({ at: Date.now(), kind, account });
    for (const counts of this.#countsOf(account)) {
      counts.total += 1;
      counts.byKind[kind] = (counts.byKind[kind] ?? 0) + 1;
    }
  }

  noteRead(account: string, what: "readsBegun" | "readsCompleted"): void {
    for (const counts of this.#countsOf(account)) counts[what] += 1;
  }

  /** Of one account, or of all. */
  counts(account = ""): RequestCounts {
    return this.#counts.get(account) ?? noCounts();
  }

  times(account?: string): number[] {
    return this.#requests
      .filter((seen) => account === undefined || seen.account === account)
      .map(({ at }) => at);
  }

  reset(): void {
    this.#requests.length = 0;
    this.#counts.clear();
  }

  /** Those of the account and those of all. */
  #countsOf(account: string): RequestCounts[] {
    return [...new Set(["", account])].map((key) => {
      const known = this.#counts.get(key) ?? noCounts();
      this.#counts.set(key, known);
      return known;
    });
  }
}

function noCounts(): RequestCounts {
  return { total: 0, byKind: {}, readsBegun: 0, readsCompleted: 0 };
}
