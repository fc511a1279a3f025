/** Calls `tell` every so often while the work goes on. */
export async function tellWhile<Result>(
  everyMs: number,
  tell: () => void,
  work: () => Promise<Result>,
): Promise<Result> {
  const telling = setInterval(tell, everyMs);
  try {
    return await work();
  } finally {
    clearInterval(telling);
  }
}
