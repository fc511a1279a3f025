import { noTracing, type OpenedTracing, type TracingSettings } from "./spans.ts";

/** Without settings nothing of the SDK is loaded. */
export async function openTracing(settings: TracingSettings | undefined): Promise<OpenedTracing> {
  if (!settings) return { ...noTracing, complainTo: () => undefined, flush: async () => undefined };
  const { SdkTracing } = await import("./sdk-tracing.ts");
  return new SdkTracing(settings);
}
