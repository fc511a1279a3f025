import { Counter, Registry, collectDefaultMetrics } from "prom-client";

/** Counters of this process. Labels are enumerated words, never ids. */
export class Metrics {
  readonly registry = new Registry();
  readonly limitsCountedInProcess = this.#counter("rollcall_rate_limits_fallback_total", "Requests counted in this process because Redis was away.");
  readonly fetches = this.#counter("rollcall_fetches_total", "Fetches settled or postponed, by outcome.", ["provider", "resource", "outcome"]);
  readonly nulledFields = this.#counter("rollcall_nulled_fields_total", "Optional fields set to null because the provider's value was not valid.", ["provider", "resource", "field"]);

  collectDefaults(): void {
    collectDefaultMetrics({ register: this.registry });
  }

  #counter(name: string, help: string, labelNames: string[] = []): Counter {
    return new Counter({ name, help, labelNames, registers: [this.registry] });
  }
}
