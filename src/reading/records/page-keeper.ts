import type { RequestQuotas } from "../../providers/index.ts";
import type { KeptPages, ReadServices } from "../call-services.ts";

/** The list whose records are kept. */
interface KeptList {
  /** The records up to here are packed by the next `pack`. */
  mark(): void;
  pack(): Promise<{ records: Buffer; count: number }>;
}

/** A page is kept so long after it came, and at the end of a run. A read that is faster keeps none. */
const keepAfterMs = 1_000;
/** Pages that cost so many requests of a quota are kept at once: to lose them would be to wait for them again. */
const preciousDraws = 5;

/** Where pages end that the read can go on behind. */
export type PagesEnd = Omit<KeptPages, "records" | "count">;

/** Keeps the pages of an unfinished read for its next run, as far as the adapter's cursors go. */
export class PageKeeper {
  readonly #keep: ReadServices["keep"] | undefined;
  readonly #list: KeptList;
  #kept: number;
  /** Where the pages that are not kept yet end, and how many pages there are up to it. */
  #end: PagesEnd | undefined;
  #draws = 0;
  #timer: NodeJS.Timeout | undefined;
  #keeping: Promise<void> = Promise.resolve();

  constructor(
    services: Pick<ReadServices, "keep"> | undefined,
    { list, keptPages }: { list: KeptList; keptPages: number },
  ) {
    this.#keep = services && ((pages) => services.keep(pages));
    this.#list = list;
    this.#kept = keptPages;
  }

  /** Counts what the pages cost. */
  countedBy(quotas: RequestQuotas): RequestQuotas {
    return {
      pause: quotas.pause,
      draw: async (draws, signal) => {
        const admitted = await quotas.draw(draws, signal);
        this.#draws += 1;
        return admitted;
      },
    };
  }

  /** `pages` are all until here. */
  note(end: PagesEnd): void {
    this.#end = end;
    this.#list.mark();
    if (this.#draws >= preciousDraws) {
      this.#draws = 0;
      return void this.flush().catch(() => undefined);
    }
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      this.flush().catch(() => undefined);
    }, keepAfterMs);
  }

  async flush(): Promise<void> {
    this.#keeping = this.#keeping.then(() => this.#keepNow());
    this.#keeping.catch(() => undefined);
    await this.#keeping;
  }

  /** The whole list is here: whether its parts were kept does not matter any more. */
  async stop(): Promise<void> {
    clearTimeout(this.#timer);
    await this.#keeping.catch(() => undefined);
  }

  async #keepNow(): Promise<void> {
    const end = this.#end;
    if (!this.#keep || !end) return;
    this.#end = undefined;
    const pages = end.pages - this.#kept;
    this.#kept = end.pages;
    await this.#keep({ ...end, pages, ...(await this.#list.pack()) });
  }
}
