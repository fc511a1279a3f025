import type { ReadAnswer } from "../records/read-answer.ts";
import type { AnswerHead, ListPart } from "./messages.ts";

/** An answer as it comes in pieces. */
export class ReceivedAnswer {
  readonly #head: AnswerHead;
  readonly #parts: Record<ListPart, Buffer | null>;
  readonly #payruns: { id: string; remoteId: string }[] = [];

  constructor(head: AnswerHead) {
    this.#head = head;
    const allocate = (part: ListPart): Buffer | null => {
      const bytes = head.list?.[part] ?? null;
      return bytes === null ? null : Buffer.allocUnsafe(bytes);
    };
    this.#parts = {
      body: allocate("body"),
      index: allocate("index"),
      packedList: allocate("packedList"),
      records: allocate("records"),
    };
  }

  addPiece(part: ListPart, offset: number, bytes: Uint8Array): void {
    this.#parts[part]?.set(bytes, offset);
  }

  addPayruns(payruns: ReadAnswer["payruns"]): void {
    this.#payruns.push(...payruns);
  }

  /** The whole answer, when all of it is here. */
  get(): ReadAnswer {
    const { list, ...rest } = this.#head;
    const { body, ...others } = this.#parts;
    return {
      ...rest,
      list: list && body ? { body, bodyBytes: list.bodyBytes, ...others } : null,
      payruns: this.#payruns,
    };
  }
}
