import { isProviderFailure, type ProviderLog } from "../providers/index.ts";

/** A text that an adapter made for somebody, and what kind it is. */
export interface Saying {
  where: string;
  text: string;
}

/** What an adapter said: its log, its errors and its questions, as they came, with nothing hidden. */
export class Sayings {
  readonly all: Saying[] = [];

  /** Where the adapter logs. */
  readonly log = {
    child: (): ProviderLog => ({
      debug: (fields, message) => this.note("a line of the log", describeLine(fields, message)),
      warn: (fields, message) => this.note("a line of the log", describeLine(fields, message)),
    }),
  };

  note(where: string, text: string): void {
    this.all.push({ where, text });
  }

  /** Does the work. An error of it is noted and goes on. */
  async hear<Result>(work: () => Promise<Result>): Promise<Result> {
    try {
      return await work();
    } catch (error) {
      if (isProviderFailure(error)) this.note("the message of an error", error.message);
      if (isProviderFailure(error) && error.kind === "field")
        this.note("the sentence at a field", error.explanation);
      throw error;
    }
  }
}

function describeLine(fields: object, message: string): string {
  return `${message} ${JSON.stringify(fields)}`;
}
