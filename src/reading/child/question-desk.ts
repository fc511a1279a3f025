import type { Question, ReadServices } from "../call-services.ts";

/** A sign-in has no session to renew and no pages to keep. */
export type CallServices = Pick<ReadServices, "quotas"> & Partial<ReadServices>;

/** Answers the questions of one call of a child process, and ends what is left of it at the end of the call. */
export class QuestionDesk {
  readonly #services: CallServices;
  readonly #closing = new AbortController();
  readonly #tickets = new Map<number, { end(): void }>();
  #lastTicket = 0;

  constructor(services: CallServices) {
    this.#services = services;
  }

  async answer(question: Question): Promise<unknown> {
    const { quotas, renewSession, keep } = this.#services;
    switch (question.kind) {
      case "draw":
        return this.#keepTicket(await quotas.draw(question.draws, this.#closing.signal));
      case "pause":
        return await quotas.pause(question.draws, question.seconds);
      case "renew":
        return await renewSession?.(question.version);
      case "keep":
        return await keep?.(question.pages);
    }
  }

  endTicket(ticket: number): void {
    this.#tickets.get(ticket)?.end();
    this.#tickets.delete(ticket);
  }

  close(): void {
    this.#closing.abort();
    for (const ticket of this.#tickets.keys()) this.endTicket(ticket);
  }

  #keepTicket(ticket: { end(): void }): number {
    this.#lastTicket += 1;
    this.#tickets.set(this.#lastTicket, ticket);
    if (this.#closing.signal.aborted) this.endTicket(this.#lastTicket);
    return this.#lastTicket;
  }
}
