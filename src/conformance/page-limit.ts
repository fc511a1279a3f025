import { NotConforming } from "./expect-failure.ts";

/** A fake is on this machine, so its pages come fast. */
const longestPageMs = 10_000;

/** Gives up a read that gives no page for long, with a sentence for its developer. */
export class PageLimit {
  readonly #abort = new AbortController();
  readonly #resource: string;
  #timer: NodeJS.Timeout | undefined;

  constructor(resource: string) {
    this.#resource = resource;
    this.begin();
  }

  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  begin(): void {
    this.end();
    this.#timer = setTimeout(
      () =>
        this.#abort.abort(
          new NotConforming(
            `the read of ${this.#resource} gave no page for ${longestPageMs / 1_000} seconds: a promise in it does not settle`,
          ),
        ),
      longestPageMs,
    );
  }

  end(): void {
    clearTimeout(this.#timer);
  }
}
