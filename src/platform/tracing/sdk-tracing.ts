import {
  isSpanContextValid,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
  type Context,
  type Span as OpenTelemetrySpan,
  type SpanContext,
  type Tracer,
} from "@opentelemetry/api";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-proto";
import { resourceFromAttributes } from "@opentelemetry/resources";
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
  type SpanExporter,
} from "@opentelemetry/sdk-trace";
import type { Log } from "../log.ts";
import { withTimeout } from "../with-timeout.ts";
import { OutageLog } from "../outage-log.ts";
import {
  beginOutsideOfSpans,
  type Attributes,
  type OpenedTracing,
  type SamplerName,
  type Span,
  type SpanStart,
  type TracingSettings,
} from "./spans.ts";

const stopMs = 1_000;
/** Longer than any id. A longer text is no id, and is cut. */
const longestValue = 100;
const sampledFlag = 1;
const traceparentForm = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/;

const kinds = {
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  producer: SpanKind.PRODUCER,
  consumer: SpanKind.CONSUMER,
  internal: SpanKind.INTERNAL,
} as const;

/** By the names of OpenTelemetry. */
const samplers = {
  always_on: () => new AlwaysOnSampler(),
  always_off: () => new AlwaysOffSampler(),
  traceidratio: (ratio: number) => new TraceIdRatioBasedSampler(ratio),
  parentbased_always_on: () => new ParentBasedSampler({ root: new AlwaysOnSampler() }),
  parentbased_always_off: () => new ParentBasedSampler({ root: new AlwaysOffSampler() }),
  parentbased_traceidratio: (ratio: number) =>
    new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(ratio) }),
} satisfies Record<SamplerName, unknown>;

/**
 * The SDK without anything that is made by itself: no instrumentation, no global provider. Its batches are bounded, and
 * nobody waits for the collector.
 */
export class SdkTracing implements OpenedTracing {
  readonly isOn = true;
  readonly #provider: TracerProvider;
  readonly #tracer: Tracer;
  #outage: OutageLog | undefined;

  constructor({ url, headers, resource, sampler, ratio }: TracingSettings) {
    const exporter = this.#telling(new OTLPTraceExporter({ url, headers: { ...headers } }));
    this.#provider = new TracerProvider({
      resource: resourceFromAttributes(withoutAbsent(resource)),
      sampler: samplers[sampler](ratio),
      spanProcessors: [new BatchSpanProcessor({ exporter })],
      spanLimits: { attributeValueLengthLimit: longestValue },
    });
    this.#tracer = this.#provider.getTracer("rollcall");
  }

  complainTo(log: Log): void {
    this.#outage = new OutageLog(log, "the collector of traces");
  }

  #telling(exporter: OTLPTraceExporter): SpanExporter {
    return {
      // A socket to the collector and the next timer are of no span.
      export: (spans, done) =>
        beginOutsideOfSpans(() =>
          exporter.export(spans, (result) => {
            if (result.error) this.#outage?.failed(result.error);
            else this.#outage?.recovered();
            done(result);
          }),
        ),
      forceFlush: () => exporter.forceFlush(),
      shutdown: () => exporter.shutdown(),
    };
  }

  begin(start: SpanStart, parent: string | null): Span {
    const remote = parent === null ? undefined : readTraceparent(parent);
    const context = remote ? trace.setSpanContext(ROOT_CONTEXT, remote) : ROOT_CONTEXT;
    return beginSpan(this.#tracer, start, context);
  }

  async flush(): Promise<void> {
    await this.#provider.forceFlush();
  }

  async stop(): Promise<void> {
    // What the collector does not take until then is lost.
    await withTimeout(stopMs, () => this.#provider.shutdown()).catch((error: unknown) =>
      this.#outage?.failed(error),
    );
  }
}

/** Undefined for a text of another form. */
function readTraceparent(text: string): SpanContext | undefined {
  const [, traceId = "", spanId = "", flags = ""] = traceparentForm.exec(text) ?? [];
  const found = { traceId, spanId, traceFlags: parseInt(flags, 16) & sampledFlag, isRemote: true };
  return isSpanContextValid(found) ? found : undefined;
}

function beginSpan(
  tracer: Tracer,
  { name, kind = "internal", attributes = {} }: SpanStart,
  context: Context,
  startTime?: number,
): Span {
  const options = { kind: kinds[kind], attributes: withoutAbsent(attributes) };
  const span = tracer.startSpan(
    name,
    startTime === undefined ? options : { ...options, startTime },
    context,
  );
  return wrap(tracer, span);
}

function wrap(tracer: Tracer, span: OpenTelemetrySpan): Span {
  const { traceId, spanId, traceFlags } = span.spanContext();
  const flags = (traceFlags & sampledFlag).toString(16).padStart(2, "0");
  return {
    traceparent: `00-${traceId}-${spanId}-${flags}`,
    logFields: { trace_id: traceId, span_id: spanId },
    set: (attributes) => void span.setAttributes(withoutAbsent(attributes)),
    fail: (type) => {
      span.setAttribute("error.type", type);
      span.setStatus({ code: SpanStatusCode.ERROR });
    },
    begin: (start, startedMs) =>
      beginSpan(tracer, start, trace.setSpan(ROOT_CONTEXT, span), startedMs),
    end: (endedMs) => span.end(endedMs),
  };
}

function withoutAbsent(attributes: Attributes): Record<string, string | number | boolean> {
  return Object.fromEntries(
    Object.entries(attributes).flatMap(([name, value]) =>
      value === undefined || value === null ? [] : [[name, value] as const],
    ),
  );
}
