import fs from "node:fs";
import type { DestinationStream } from "pino";

const batchBytes = 4_096;
/** What waits while nothing can be written, such as on a full disk. The lines after it are dropped. */
const mostWaitingBytes = 8_000_000;
const longestWaitMs = 100;
/** At the end of the process, for a reader that is behind. */
const lastWaitMs = 1_000;
const lookAgainMs = 10;
const nothing = Buffer.alloc(0);

/**
 * Lines are written together, a tenth of a second later at most. A process that is killed loses that much, and one that
 * has nothing to tell does nothing. A full disk ends nothing, and keeps no process from its end, where pino's own
 * destination tries for ever.
 */
export function openBatches(descriptor = 1): DestinationStream & { flushSync: () => void } {
  const batches = new Batches(descriptor);
  process.once("exit", () => batches.flushSync());
  return batches;
}

class Batches {
  readonly #descriptor: number;
  #lines: string[] = [];
  /** What could not be written yet. It comes before the lines. */
  #left: Buffer = nothing;
  /** Of all that waits, and of what is being written. */
  #bytes = 0;
  #isWriting = false;
  #hasFailed = false;
  #hasReader = true;
  #isTimed = false;

  constructor(descriptor: number) {
    this.#descriptor = descriptor;
  }

  write(line: string): void {
    const bytes = Buffer.byteLength(line);
    if (!this.#hasReader || this.#bytes + bytes > mostWaitingBytes) return;
    this.#lines.push(line);
    this.#bytes += bytes;
    if (this.#bytes >= batchBytes && !this.#hasFailed) this.#writeNext();
    else this.#writeSoon();
  }

  /** Pino calls it after a fatal line, too. What is being written goes on. */
  flushSync(): void {
    const endMs = performance.now() + lastWaitMs;
    let batch = this.#takeBatch();
    while (this.#hasReader && batch.length > 0)
      try {
        const written = fs.writeSync(this.#descriptor, batch);
        this.#bytes -= written;
        batch = batch.subarray(written);
      } catch (error) {
        if (codeOf(error) !== "EAGAIN" || performance.now() >= endMs) break;
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, lookAgainMs);
      }
    this.#left = batch;
  }

  #writeSoon(): void {
    if (this.#isTimed) return;
    this.#isTimed = true;
    const write = (): void => {
      this.#isTimed = false;
      this.#writeNext();
    };
    setTimeout(write, longestWaitMs).unref();
  }

  #writeNext(): void {
    if (this.#isWriting || !this.#hasReader || this.#bytes === 0) return;
    const batch = this.#takeBatch();
    this.#isWriting = true;
    fs.write(this.#descriptor, batch, (error, bytes) => {
      this.#isWriting = false;
      this.#hasFailed = error !== null;
      this.#hasReader = codeOf(error) !== "EPIPE";
      const written = error ? 0 : bytes;
      this.#bytes -= written;
      this.#left = Buffer.concat([batch.subarray(written), this.#left]);
      if (this.#bytes >= batchBytes && !this.#hasFailed) this.#writeNext();
      else if (this.#bytes > 0) this.#writeSoon();
    });
  }

  #takeBatch(): Buffer {
    const batch = Buffer.concat([this.#left, Buffer.from(this.#lines.splice(0).join(""))]);
    this.#left = nothing;
    return batch;
  }
}

function codeOf(error: unknown): string | undefined {
  return (error as NodeJS.ErrnoException | null)?.code;
}
