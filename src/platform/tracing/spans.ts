import { AsyncLocalStorage } from "node:async_hooks";
import { describeError } from "../describe-error.ts";
import type { Log } from "../log.ts";

/** Ids, states and counts. What is undefined is left out. */
export type Attributes = Readonly<Record<string, string | number | boolean | null | undefined>>;

export interface SpanStart {
  /** One of few: what tells one from another is an attribute. */
  name: string;
  kind?: "server" | "client" | "producer" | "consumer" | "internal";
  attributes?: Attributes;
}

/** Something that takes time, as a part of a trace. */
export interface Span {
  /** By which another process goes on with the trace, as W3C Trace Context writes it. */
  readonly traceparent: string | null;
  /** What a log line has of it. */
  readonly logFields: Readonly<Record<string, string>>;
  set(attributes: Attributes): void;
  /** `type` is one of few. */
  fail(type: string): void;
  begin(start: SpanStart, startedMs?: number): Span;
  end(endedMs?: number): void;
}

/** Where traces begin. What is in them is made by `withSpan`. */
export interface Tracing {
  readonly isOn: boolean;
  /**
   * The first span of this process for a request or a job, which whoever began it ends. It goes on with the trace of
   * `parent`; without one, or with one that is not valid, it begins a trace. A span around it does not count.
   */
  begin(start: SpanStart, parent: string | null): Span;
  /** Gives what is left to the collector, for a second at most. */
  stop(): Promise<void>;
}

export type SamplerName =
  | "always_on"
  | "always_off"
  | "traceidratio"
  | "parentbased_always_on"
  | "parentbased_always_off"
  | "parentbased_traceidratio";

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

const noSpan: Span = {
  traceparent: null,
  logFields: {},
  set: () => undefined,
  fail: () => undefined,
  begin: () => noSpan,
  end: () => undefined,
};

/** Nobody is told anything. */
export const noTracing: Tracing = {
  isOn: false,
  begin: () => noSpan,
  stop: async () => undefined,
};

/** The span of the running code. While tracing is off nothing is ever in it. */
const current = new AsyncLocalStorage<Span>();

/** Does the work as a part of the span that it is called in. Outside of one it is done as it is. */
export function withSpan<Result>(
  start: SpanStart,
  work: (span: Span) => Promise<Result>,
): Promise<Result> {
  const around = current.getStore();
  return around ? endAfter(around.begin(start), work) : work(noSpan);
}

/** Does a job as the first span of this process for it. */
export async function runInSpan<Result>(
  tracing: Tracing,
  { parent, ...start }: SpanStart & { parent: string | null },
  work: (span: Span) => Promise<Result>,
): Promise<Result> {
  return tracing.isOn ? await endAfter(tracing.begin(start, parent), work) : await work(noSpan);
}

async function endAfter<Result>(
  span: Span,
  work: (span: Span) => Promise<Result>,
): Promise<Result> {
  try {
    return await current.run(span, () => work(span));
  } catch (error) {
    // Its name alone: what it says may be data.
    span.fail(describeError(error).type);
    throw error;
  } finally {
    span.end();
  }
}

/** Runs what follows in the span, such as the next step of a request. */
export function enterSpan<Result>(span: Span, work: () => Result): Result {
  return current.run(span, work);
}

/** Makes what lives longer than the caller, such as a process, a socket or a timer: what it does later is of no span. */
export function beginOutsideOfSpans<Result>(make: () => Result): Result {
  return current.getStore() ? current.exit(make) : make();
}

export function setOnCurrentSpan(attributes: Attributes): void {
  current.getStore()?.set(attributes);
}

/** For a row that another process goes on with. Null outside of a span. */
export function currentTraceparent(): string | null {
  return current.getStore()?.traceparent ?? null;
}

/** For log lines. */
export function describeCurrentSpan(): Readonly<Record<string, string>> {
  return current.getStore()?.logFields ?? {};
}

/** For whoever hears later of what is a part of the span of the running code: runs a function in that span. */
export function rememberSpan(): (work: () => void) => void {
  const span = current.getStore();
  return span ? (work) => current.run(span, work) : (work) => work();
}
