// Traces: what a request led to, from the API over a worker to a provider and a receiver, as spans with times. They go
// to a collector by the official SDK, which is loaded when the operator names one. A span has ids, states and counts:
// never a value of a record, a statement, a query, a header or an address. Any room may call.
export { openTracing } from "./open-tracing.ts";
export {
  beginOutsideOfSpans,
  currentTraceparent,
  describeCurrentSpan,
  enterSpan,
  noTracing,
  rememberSpan,
  runInSpan,
  setOnCurrentSpan,
  withSpan,
  type Span,
  type SpanStart,
  type Tracing,
  type TracingSettings,
} from "./spans.ts";
