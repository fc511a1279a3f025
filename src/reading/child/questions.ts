import type { NumberedSession } from "../../connections/index.ts";
import { fromPlainFailure, ProviderBug, type RequestQuotas } from "../../providers/index.ts";
import type { KeptPages, Question, ReadServices } from "../call-services.ts";
import type { QuestionReply, SendToParent } from "./messages.ts";

/** The questions of one call to the service, and its answers. */
export class Questions implements ReadServices {
  readonly #id: number;
  readonly #send: SendToParent;
  readonly #open = new Map<number, PromiseWithResolvers<unknown>>();
  #last = 0;

  constructor(id: number, send: SendToParent) {
    this.#id = id;
    this.#send = send;
  }

  readonly quotas: RequestQuotas = {
    draw: async (draws) => {
      const ticket = (await this.#ask({ kind: "draw", draws })) as number;
      return { end: () => void this.#send({ type: "end-ticket", id: this.#id, ticket }) };
    },
    pause: async (draws, seconds) => void (await this.#ask({ kind: "pause", draws, seconds })),
  };

  async renewSession(version: number): Promise<NumberedSession> {
    return (await this.#ask({ kind: "renew", version })) as NumberedSession;
  }

  async keep(pages: KeptPages): Promise<void> {
    await this.#ask({ kind: "keep", pages });
  }

  receive(question: number, reply: QuestionReply): void {
    const open = this.#open.get(question);
    this.#open.delete(question);
    if ("failure" in reply) open?.reject(fromPlainFailure(reply.failure));
    else open?.resolve(reply.result);
  }

  /** The call has ended: nobody answers any more. */
  end(): void {
    for (const open of this.#open.values()) {
      open.promise.catch(() => undefined);
      open.reject(new ProviderBug("the adapter asked something after the end of its call"));
    }
    this.#open.clear();
  }

  async #ask(question: Question): Promise<unknown> {
    const number = (this.#last += 1);
    const open = Promise.withResolvers<unknown>();
    this.#open.set(number, open);
    await this.#send({ type: "ask", id: this.#id, number, question });
    return await open.promise;
  }
}

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
