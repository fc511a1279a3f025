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
