/**
 * Ends a run whose read is no longer its own: a newer run has begun, or the connection is gone or was
 * signed in to again. It is no failure.
 */
export class RunOvertaken extends Error {
  override readonly name = "RunOvertaken";
  override readonly message = "the read is no longer this run's";
}
