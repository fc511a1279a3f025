/** A timer is due however long this process stood still, and fires before an answer that came meanwhile is read. */
const steps = 5;

/**
 * Waits so long and no longer: then it throws, and the promise goes on by itself. The time is counted in steps, so that a
 * while in which the process itself stood still is one of them at most.
 */
export async function within<Result>(promise: Promise<Result>, ms: number): Promise<Result> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_, reject) => {
    const wait = (left: number): void => {
      timer = setTimeout(
        () => (left > 1 ? wait(left - 1) : reject(new Error("timed out"))),
        ms / steps,
      );
    };
    wait(steps);
  });
  promise.catch(() => undefined);
  try {
    return await Promise.race([promise, timeout]);
  } finally {
    clearTimeout(timer);
  }
}
