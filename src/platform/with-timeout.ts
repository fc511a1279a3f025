/**
 * After this process stood still, a timer can fire before an answer that arrived meanwhile is read. So
 * the time is counted in steps, and a standstill of the process costs only one of them.
 */
const steps = 5;

/** Whether a signal fired because a time was over, by the name that `AbortSignal.timeout` gives. */
export function isTimeout(reason: unknown): boolean {
  return reason instanceof DOMException && reason.name === "TimeoutError";
}

export interface TimeoutOptions {
  /** Ends the wait early, with the signal's own reason. */
  signal?: AbortSignal | undefined;
  /** The error to throw when the time is over. */
  timedOut?: () => Error;
}

/**
 * Waits for the work, but no longer than `ms`. When the time is over or the outer signal fires, the wait
 * ends at once and the signal of the work is aborted. Work that ignores its signal goes on, and its
 * result is dropped.
 */
export async function withTimeout<Result>(
  ms: number,
  work: (signal: AbortSignal) => Promise<Result>,
  { signal: outer, timedOut = () => new Error("timed out") }: TimeoutOptions = {},
): Promise<Result> {
  outer?.throwIfAborted();
  const controller = new AbortController();
  const { promise: cutShort, reject } = Promise.withResolvers<never>();
  const cut = (reason: Error): void => {
    reject(reason);
    controller.abort(reason);
  };
  const onAbort = (): void => cut(outer?.reason as Error);
  let timer: NodeJS.Timeout | undefined;
  const wait = (left: number): void => {
    timer = setTimeout(() => (left > 1 ? wait(left - 1) : cut(timedOut())), ms / steps);
  };
  wait(steps);
  outer?.addEventListener("abort", onAbort, { once: true });
  try {
    return await Promise.race([work(controller.signal), cutShort]);
  } finally {
    clearTimeout(timer);
    outer?.removeEventListener("abort", onAbort);
  }
}
