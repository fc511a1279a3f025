/** A command that cannot be carried out. The message is for a person, the code for a script. */
export class CommandFailure extends Error {
  readonly code: string;
  constructor(message: string, code = "failed") {
    super(message);
    this.code = code;
  }
}

/** The arguments of the command are not valid. */
export class UsageFailure extends CommandFailure {
  constructor(message: string) {
    super(message, "usage");
  }
}

export const exitCodes = { done: 0, failed: 1, usage: 2 } as const;
