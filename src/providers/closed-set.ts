import {
  HttpRateLimited,
  HttpServerError,
  HttpTimeout,
  HttpTooLarge,
  HttpUnreachable,
  InvalidTarget,
  TargetRefused,
} from "../platform/outbound/index.ts";
import { isTimeout } from "../platform/with-timeout.ts";
import { isProviderFailure, ProviderBug, ProviderDown, ProviderRateLimited } from "./errors.ts";

/** Rejects when the signal fires, so that an adapter that ignores it cannot block its worker. */
export async function untilAborted<Result>(
  work: Promise<Result>,
  signal: AbortSignal,
): Promise<Result> {
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const abort = (): void => reject(signal.reason);
  work.catch(() => undefined);
  if (signal.aborted) throw signal.reason;
  signal.addEventListener("abort", abort, { once: true });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener("abort", abort);
  }
}

/** Every failure of the work is one of the contract's errors, or the reason of its caller. */
export async function inClosedSet<Result>(
  signal: AbortSignal,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw toClosedSet(signal.aborted ? signal.reason : error, signal);
  }
}

export function inClosedSetSync<Result>(work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    throw toClosedSet(error, neverAborted);
  }
}

const neverAborted = new AbortController().signal;

/** An abort that is not a timeout keeps its reason, which belongs to the caller. */
function toClosedSet(error: unknown, signal: AbortSignal): unknown {
  if (isProviderFailure(error)) return error;
  if (isTimeout(error)) return new ProviderDown("the provider took too long");
  if (signal.aborted) return error;
  if (error instanceof InvalidTarget)
    return Object.assign(
      new ProviderBug("the adapter made a request to what is no URL of its client"),
      {
        cause: error,
      },
    );
  if (error instanceof HttpRateLimited) return new ProviderRateLimited(error.afterSeconds);
  if (
    error instanceof HttpServerError ||
    error instanceof HttpUnreachable ||
    error instanceof HttpTimeout ||
    error instanceof TargetRefused
  ) {
    return Object.assign(new ProviderDown("the provider did not answer as it should"), {
      cause: error,
    });
  }
  if (error instanceof HttpTooLarge)
    return Object.assign(new ProviderBug("the provider's answer is too large"), { cause: error });
  return Object.assign(new ProviderBug("the adapter failed"), { cause: error });
}
