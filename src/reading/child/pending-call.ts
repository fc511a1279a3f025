import { rememberSpan } from "../../platform/tracing/index.ts";
import { isTimeout } from "../../platform/with-timeout.ts";
import { fromPlainFailure, isProviderFailure, toPlainFailure } from "../../providers/index.ts";
import { ProcessDied, type ReadCallbacks } from "../adapters.ts";
import type { Call, FromChild, ToChild } from "./messages.ts";
import { isLimit, type ProcessEnd } from "./process-end.ts";
import { QuestionDesk, type CallServices } from "./questions.ts";
import { ReceivedAnswer } from "./answer-pieces.ts";
import type { VendorRequest } from "./vendor-requests.ts";

export type CallOptions = Pick<ReadCallbacks, "signal"> &
  Partial<Omit<ReadCallbacks, "services">> & {
    services: CallServices;
    onVendorRequest?: (request: VendorRequest) => void;
  };

/** A child that does not end an aborted call within this time is not waited for. */
const abortGraceMs = 1_000;

/** One call of a child process, as its parent sees it. */
export class PendingCall {
  readonly result: Promise<unknown>;
  /** Runs what is heard of the call in the span that it was begun in. */
  readonly inSpan = rememberSpan();
  readonly #id: number;
  readonly #call: Call;
  readonly #options: CallOptions;
  readonly #send: (message: ToChild) => void;
  readonly #settle = Promise.withResolvers<unknown>();
  readonly #desk: QuestionDesk;
  #hasBegun = false;
  #answer: ReceivedAnswer | undefined;
  #graceTimer: NodeJS.Timeout | undefined;
  /** What the child has in memory for it. */
  heldBytes = 0;

  constructor(id: number, call: Call, options: CallOptions, send: (message: ToChild) => void) {
    this.#id = id;
    this.#call = call;
    this.#options = options;
    this.#send = send;
    this.#desk = new QuestionDesk(options.services);
    const { signal } = options;
    const onAbort = (): void => this.#abort();
    signal.addEventListener("abort", onAbort, { once: true });
    this.result = this.#settle.promise.finally(() => {
      clearTimeout(this.#graceTimer);
      this.#desk.close();
      signal.removeEventListener("abort", onAbort);
    });
  }

  begin(): void {
    this.#hasBegun = true;
    this.#send({ type: "call", id: this.#id, call: this.#call });
  }

  receive(message: Extract<FromChild, { id: number }>): void {
    switch (message.type) {
      case "session":
        this.#options.onSession?.(message.session);
        break;
      case "ask":
        void this.#answerQuestion(message);
        break;
      case "request":
        this.#options.onVendorRequest?.(message.request);
        break;
      case "end-ticket":
        this.#desk.endTicket(message.ticket);
        break;
      case "progress":
        this.heldBytes = message.heldBytes;
        this.#options.onProgress?.(message.progress);
        break;
      case "head":
        this.#answer = new ReceivedAnswer(message.head);
        break;
      case "piece":
        this.#answer?.addPiece(message.part, message.offset, message.bytes);
        break;
      case "payruns":
        this.#answer?.addPayruns(message.payruns);
        break;
      case "done":
        this.#settle.resolve(this.#answer ? this.#answer.get() : message.result);
        break;
      case "failed":
        this.#fail(fromPlainFailure(message.failure));
        break;
    }
  }

  /** The process ended. Only a call that had begun can be the cause. */
  end(end: ProcessEnd, { isAlone, isSmall }: { isAlone: boolean; isSmall: boolean }): void {
    const isBlamed = this.#hasBegun && ((isLimit(end) && !isSmall) || isAlone);
    this.#fail(new ProcessDied(end.explanation, isBlamed));
  }

  /**
   * Answers a question of the child. A failure of the service itself ends the call: it says nothing about the adapter.
   */
  async #answerQuestion({ number, question }: Extract<FromChild, { type: "ask" }>): Promise<void> {
    const id = this.#id;
    try {
      const result = await this.#desk.answer(question);
      this.#send({ type: "reply", id, number, result });
    } catch (error) {
      if (!isProviderFailure(error)) {
        this.#send({ type: "abort", id, isTimeout: false });
        this.#fail(error as Error);
        return;
      }
      this.#send({ type: "reply", id, number, failure: toPlainFailure(error) });
    }
  }

  /** The child says how an aborted call ended, and sends the session that it saved. */
  #abort(): void {
    const isTimeout = this.#isTimeout();
    if (!this.#hasBegun) return this.#fail(this.#tookTooLong());
    this.#send({ type: "abort", id: this.#id, isTimeout });
    this.#graceTimer = setTimeout(() => this.#fail(this.#tookTooLong()), abortGraceMs);
  }

  /** An aborted call ends with its caller's own reason, unless it took too long: that is a failure. */
  #fail(error: Error): void {
    const { signal } = this.#options;
    this.#settle.reject(signal.aborted && !this.#isTimeout() ? (signal.reason as Error) : error);
  }

  #isTimeout(): boolean {
    return isTimeout(this.#options.signal.reason);
  }

  #tookTooLong(): Error {
    const message = "the provider took too long";
    return fromPlainFailure({ kind: "down", message, description: { type: "ProviderDown" } });
  }
}
