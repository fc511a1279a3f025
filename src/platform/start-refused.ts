/** The service cannot start, and the operator can mend it: the message says what is wrong and what to do. */
export class StartRefused extends Error {
  override readonly name = "StartRefused";
}
