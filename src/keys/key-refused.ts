/** What an operator asked for a key cannot be done now. The message says why and what to do. */
export class KeyRefused extends Error {
  readonly code: string;
  constructor(message: string, code = "refused") {
    super(message);
    this.code = code;
  }
}
