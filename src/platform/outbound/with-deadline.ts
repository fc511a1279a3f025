/**
 * Runs one piece of work that ends by itself, after `timeoutMs` with the error of `timedOut`, or with the reason of the
 * outer signal, whichever is first. The signal handed to the work is aborted in the last two cases.
 */
export async function withDeadline<T>(
  timeoutMs: number,
  outer: AbortSignal | undefined,
  timedOut: () => Error,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  outer?.throwIfAborted();
  const controller = new AbortController();
  const { promise: cutShort, reject } = Promise.withResolvers<never>();
  const cut = (reason: unknown): void => {
    reject(reason);
    controller.abort(reason);
  };
  const onAbort = (): void => cut(outer?.reason);
  const timer = setTimeout(() => cut(timedOut()), timeoutMs);
  outer?.addEventListener("abort", onAbort, { once: true });
  try {
    return await Promise.race([work(controller.signal), cutShort]);
  } finally {
    clearTimeout(timer);
    outer?.removeEventListener("abort", onAbort);
  }
}
