/** A provider or its package cannot be used. The message is for the operator: what is wrong, and what to do. */
export class InvalidProvider extends Error {
  override readonly name = "InvalidProvider";
}
