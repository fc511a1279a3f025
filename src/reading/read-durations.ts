import { queryRow, type Pool } from "../platform/db/index.ts";
import type { Read } from "./read.ts";

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

  /** Into a moving mean in which the newest read counts a fifth, and so many reads accordingly more. */
  async save(): Promise<void> {
    for (const [key, { kind, ms, count }] of this.#noted) {
      this.#noted.delete(key);
      const { provider, mode, resource } = kind;
      await this.#pool.query(
        `insert into read_durations as d (provider, mode, resource, mean_ms) values ($1, $2, $3, $4)
         on conflict (provider, mode, resource)
         do update set mean_ms = excluded.mean_ms + (d.mean_ms - excluded.mean_ms) * $5`,
        [provider, mode, resource, ms / count, 0.8 ** count],
      );
    }
  }
}

/** How long reads of this kind usually take, in milliseconds; undefined before the first one. */
export async function findUsualDuration(
  pool: Pool,
  { provider, mode, resource }: Kind,
): Promise<number | undefined> {
  const row = await queryRow<{ meanMs: number }>(
    pool,
    `select mean_ms as "meanMs" from read_durations where provider = $1 and mode = $2 and resource = $3`,
    [provider, mode, resource],
  );
  return row?.meanMs;
}
