/** A provider or its package cannot be used. The message is for the operator: what is wrong, and what to do. */
export class InvalidProvider extends Error {
  override readonly name = "InvalidProvider";
}

/** A module of the package has a syntax error. Node tells its place only where it ends a process. */
export class UnreadablePackage extends InvalidProvider {
  readonly file: string;

  constructor(message: string, file: string) {
    super(message);
    this.file = file;
  }
}
