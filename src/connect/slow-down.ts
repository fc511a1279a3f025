import type { Keyring } from "../platform/crypto/index.ts";
import { addSeconds, type Clock } from "../platform/clock.ts";
import type { Pool } from "../platform/db/index.ts";
import type { FormField } from "../providers/index.ts";

/** So many refusals cost nothing: people mistype. */
const freeRefusals = 3;
const longestPauseSeconds = 60;
const forgottenAfterSeconds = 3_600;

/**
 * Guessing at an account gets slower with every refusal, up to a minute a try, and never locks it: the one who knows the
 * password waits no longer than that.
 */
export class SlowDown {
  readonly #dependencies: { pool: Pool; clock: Clock; keyring: Keyring };

  constructor(dependencies: { pool: Pool; clock: Clock; keyring: Keyring }) {
    this.#dependencies = dependencies;
  }

  /** What names the account: the provider and what was typed that is not secret. Undefined when all of it is secret. */
  account(provider: string, fields: readonly FormField[], answers: Readonly<Record<string, string>>): Buffer | undefined {
    const named = fields.filter(({ isSecret }) => !isSecret).map(({ name }) => [name, (answers[name] ?? "").trim().toLowerCase()]);
    const { keyring } = this.#dependencies;
    return named.length > 0 ? keyring.digest(keyring.activeKeyId, JSON.stringify([provider, ...named])) : undefined;
  }

  /** When the account may be tried; undefined for at once. */
  async nextTry(account: Buffer): Promise<Date | undefined> {
    const { pool, clock } = this.#dependencies;
    const { rows } = await pool.query<{ next_try_at: Date }>("select next_try_at from sign_in_refusals where account_digest = $1 and next_try_at > $2", [account, clock.now()]);
    return rows[0]?.next_try_at;
  }

  async refused(account: Buffer): Promise<void> {
    const { pool, clock } = this.#dependencies;
    const now = clock.now();
    await pool.query(
      `insert into sign_in_refusals as r (account_digest, refusals, next_try_at, forget_at) values ($1, 1, $2, $3)
       on conflict (account_digest) do update
         set refusals = case when r.forget_at <= $2 then 1 else r.refusals + 1 end, forget_at = $3,
             next_try_at = $2::timestamptz + make_interval(secs => case when r.forget_at <= $2 or r.refusals + 1 <= $4 then 0
               else least($5, power(2, r.refusals + 1 - $4)) end)`,
      [account, now, addSeconds(now, forgottenAfterSeconds), freeRefusals, longestPauseSeconds],
    );
  }

  async succeeded(account: Buffer): Promise<void> {
    await this.#dependencies.pool.query("delete from sign_in_refusals where account_digest = $1", [account]);
  }

  async forget(): Promise<void> {
    const { pool, clock } = this.#dependencies;
    await pool.query("delete from sign_in_refusals where forget_at <= $1", [clock.now()]);
  }
}
