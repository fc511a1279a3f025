/** Large enough that the allocator gives it back to the system when it is freed. */
const blockBytes = 512 * 1024;
/** More than this has memory of its own, so that little of a block is left unused. */
const mostShared = blockBytes / 8;

/** Buffers that share a few large blocks of memory, so that those of a large list leave no gaps when they are freed. */
export class RecordMemory {
  #block = Buffer.alloc(0);
  #taken = 0;

  take(bytes: number): Buffer {
    if (bytes > mostShared) return Buffer.allocUnsafeSlow(bytes);
    if (this.#taken + bytes > this.#block.length) {
      this.#block = Buffer.allocUnsafeSlow(blockBytes);
      this.#taken = 0;
    }
    return this.#block.subarray(this.#taken, (this.#taken += bytes));
  }
}
