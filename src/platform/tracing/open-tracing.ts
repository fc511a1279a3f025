import { noTracing, type Attributes, type Tracing } from "./spans.ts";
import type { Log } from "../log.ts";
import type { SamplerName } from "./sdk-tracing.ts";

/** Without settings nothing of the SDK is loaded. */
export async function openTracing(settings: TracingSettings | undefined): Promise<OpenedTracing> {
  if (!settings) return { ...noTracing, complainTo: () => undefined, flush: async () => undefined };
  const { SdkTracing } = await import("./sdk-tracing.ts");
  return new SdkTracing(settings);
}

export interface TracingSettings {
  /** Where the collector takes traces. */
  url: string;
  /** They may hold a secret. */
  headers: Readonly<Record<string, string>>;
  sampler: SamplerName;
  /** The part of the traces that is kept, of the samplers that go by one. */
  ratio: number;
  /** What the process is. */
  resource: Attributes;
}

/** A tracing that tells its troubles as soon as there is a log. */
export interface OpenedTracing extends Tracing {
  complainTo(log: Log): void;
  /** Gives what has ended to the collector now. Rejects when it does not take it. */
  flush(): Promise<void>;
}
