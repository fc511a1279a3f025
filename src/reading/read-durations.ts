import type { Pool } from "../platform/db/index.ts";
import type { Read } from "./read.ts";
import { recordDurations } from "./read-store.ts";

type Kind = Pick<Read, "provider" | "mode" | "resource">;

/**
 * How long the reads of this process took, until it is saved: all reads of a kind share one row, for which they would
 * wait in turn.
 */
export class ReadDurations {
  readonly #pool: Pool;
  readonly #noted = new Map<string, { kind: Kind; ms: number; count: number }>();

  constructor(pool: Pool) {
    this.#pool = pool;
  }

  note({ provider, mode, resource }: Kind, ms: number): void {
    const key = `${provider} ${mode} ${resource}`;
    const known = this.#noted.get(key) ?? { kind: { provider, mode, resource }, ms: 0, count: 0 };
    this.#noted.set(key, { ...known, ms: known.ms + ms, count: known.count + 1 });
  }

  async save(): Promise<void> {
    for (const [key, { kind, ms, count }] of this.#noted) {
      this.#noted.delete(key);
      await recordDurations(this.#pool, kind, { meanMs: ms / count, count });
    }
  }
}
