import type { SpanExporter } from "@opentelemetry/sdk-trace";
import type { Log } from "../log.ts";
import { beginOutsideOfSpans } from "./spans.ts";

const complainEveryMs = 60_000;

/** Tells that the collector does not take spans, once a minute at most, and that it takes them again. */
export class CollectorExporter implements SpanExporter {
  readonly #exporter: SpanExporter;
  #log: Log | undefined;
  #complainedAt = -Infinity;
  #isToldAway = false;
  /** Spans that were lost since the last line. */
  #lost = 0;

  constructor(exporter: SpanExporter) {
    this.#exporter = exporter;
  }

  complainTo(log: Log): void {
    this.#log = log;
  }

  export(...[spans, done]: Parameters<SpanExporter["export"]>): void {
    // A socket to the collector and the next timer are of no span.
    beginOutsideOfSpans(() =>
      this.#exporter.export(spans, (result) => {
        if (result.error) this.complain(result.error, spans.length);
        else this.#recover();
        done(result);
      }),
    );
  }

  /** What the collector said stands in no line: an answer of somebody else may hold anything. */
  complain(error: unknown, spans = 0): void {
    this.#lost += spans;
    const now = performance.now();
    if (now - this.#complainedAt < complainEveryMs) return;
    this.#complainedAt = now;
    this.#isToldAway = true;
    this.#log?.warn(
      { err: error, spans: this.#lost },
      "the collector of traces takes no spans; these are lost, and nobody waits for it",
    );
    this.#lost = 0;
  }

  #recover(): void {
    if (this.#isToldAway) this.#log?.info("the collector of traces takes spans again");
    this.#isToldAway = false;
  }

  async forceFlush(): Promise<void> {
    await this.#exporter.forceFlush?.();
  }

  async shutdown(): Promise<void> {
    await this.#exporter.shutdown();
  }
}
