import type { ReadAnswer } from "../records/read-answer.ts";
import { listParts, type AnswerHead, type ListPart, type SendToParent } from "./messages.ts";

const pieceBytes = 256 * 1024;
const payrunsAtOnce = 1_000;

/** Sends an answer so that neither process stands still, however large it is. */
export async function sendAnswer(
  send: SendToParent,
  id: number,
  { list, payruns, ...rest }: ReadAnswer,
  signal: AbortSignal,
): Promise<void> {
  const sizes = list && {
    body: list.body.length,
    bodyBytes: list.bodyBytes,
    index: list.index?.length ?? null,
    packedList: list.packedList?.length ?? null,
    records: list.records?.length ?? null,
  };
  await send({ type: "head", id, head: { ...rest, list: sizes } });
  for (const part of listParts) {
    const bytes = list?.[part] ?? Buffer.alloc(0);
    for (let offset = 0; offset < bytes.length; offset += pieceBytes) {
      signal.throwIfAborted();
      const piece = bytes.subarray(offset, offset + pieceBytes);
      await send({ type: "piece", id, part, offset, bytes: piece });
    }
  }
  for (let start = 0; start < payruns.length; start += payrunsAtOnce)
    await send({ type: "payruns", id, payruns: payruns.slice(start, start + payrunsAtOnce) });
}

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
