import type { Keyring } from "../platform/crypto/index.ts";
import {
  deleteInBatches,
  queryRow,
  transaction,
  type Pool,
  type Queryable,
} from "../platform/db/index.ts";

/**
 * Counts among all attempts at the account, and among the attempts at the account from one network. Each is a
 * keyed digest in base64url.
 */
export interface SignInAttempt {
  account: string;
  source: string;
}

interface SignInThrottleDependencies {
  pool: Pool;
  keyring: Keyring;
}

/** People mistype: this many refusals do not slow the next attempt. */
const freeRefusalsOfSource = 3;
const freeRefusalsOfAccount = 20;
const maxPauseSeconds = 60;
const forgetAfterSeconds = 3_600;

/**
 * Slows down repeated failed attempts at an account. Each refusal makes the next attempt wait longer, up to a
 * minute, however many attempts come at once and from however many networks. Nobody is locked out: the first
 * attempt from a network without a refusal does not wait for the attempts of others.
 */
export class SignInThrottle {
  readonly #dependencies: SignInThrottleDependencies;

  constructor(dependencies: SignInThrottleDependencies) {
    this.#dependencies = dependencies;
  }

  /** `account` names the account at the provider in one spelling. */
  identify(provider: string, account: readonly string[], network: string): SignInAttempt {
    const { keyring } = this.#dependencies;
    const digest = (...more: string[]): string =>
      keyring
        .digest(keyring.activeKeyId, JSON.stringify([provider, account, ...more]))
        .toString("base64url");
    return { account: digest(), source: digest(network) };
  }

  /**
   * An admitted attempt counts as refused until `withdraw` or `recordSuccess`. Another one has to ask again after
   * the time that is returned.
   */
  async admit({ account, source }: SignInAttempt): Promise<"admitted" | { afterSeconds: number }> {
    return await transaction(this.#dependencies.pool, async (tx) => {
      const ofSource = await this.#count(tx, source, {
        freeRefusals: freeRefusalsOfSource,
        skipsWait: false,
      });
      if (ofSource === undefined) return { afterSeconds: await this.#findWait(tx, source) };
      const ofAccount = await this.#count(tx, account, {
        freeRefusals: freeRefusalsOfAccount,
        skipsWait: ofSource === 1,
      });
      if (ofAccount !== undefined) return "admitted";
      await this.#uncount(tx, source);
      return { afterSeconds: await this.#findWait(tx, account) };
    });
  }

  /** The attempt was not made, or it ended without a refusal. */
  async withdraw({ account, source }: SignInAttempt): Promise<void> {
    for (const digest of [source, account]) await this.#uncount(this.#dependencies.pool, digest);
  }

  /** Also clears the earlier refusals of this network. */
  async recordSuccess({ account, source }: SignInAttempt): Promise<void> {
    const { pool } = this.#dependencies;
    await pool.query("delete from sign_in_throttle where digest = $1", [bytesOf(source)]);
    await this.#uncount(pool, account);
  }

  async removeOld(signal?: AbortSignal): Promise<void> {
    const { pool } = this.#dependencies;
    await deleteInBatches(async (limit) => {
      const { rowCount } = await pool.query(
        `delete from sign_in_throttle where digest in (
           select digest from sign_in_throttle where forget_at <= service_now()
           order by forget_at limit $1 for update skip locked)`,
        [limit],
      );
      return rowCount ?? 0;
    }, signal);
  }

  /** The number of refusals with this attempt. Undefined when the attempt has to wait. */
  async #count(
    tx: Queryable,
    digest: string,
    { freeRefusals, skipsWait }: { freeRefusals: number; skipsWait: boolean },
  ): Promise<number | undefined> {
    const row = await queryRow<{ refusals: number }>(
      tx,
      `insert into sign_in_throttle as t (digest, refusals, next_attempt_at, forget_at)
       values ($1, 1, service_now(), service_now() + make_interval(secs => $2))
       on conflict (digest) do update
         set refusals = case when t.forget_at <= service_now() then 1 else t.refusals + 1 end,
             forget_at = excluded.forget_at,
             next_attempt_at = case
               when t.next_attempt_at > service_now() then t.next_attempt_at
               else service_now() + make_interval(secs => case
                 when t.forget_at <= service_now() or t.refusals + 1 <= $3 then 0
                 else least($4, power(2, least(t.refusals + 1 - $3, 16)))
               end)
             end
         where t.next_attempt_at <= service_now() or $5
       returning refusals`,
      [bytesOf(digest), forgetAfterSeconds, freeRefusals, maxPauseSeconds, skipsWait],
    );
    return row?.refusals;
  }

  /** In seconds. */
  async #findWait(tx: Queryable, digest: string): Promise<number> {
    const row = await queryRow<{ seconds: number }>(
      tx,
      `select extract(epoch from next_attempt_at - service_now())::float8 as seconds from sign_in_throttle
       where digest = $1`,
      [bytesOf(digest)],
    );
    return Math.max(0, row?.seconds ?? 0);
  }

  async #uncount(db: Queryable, digest: string): Promise<void> {
    await db.query(
      `update sign_in_throttle set refusals = refusals - 1, next_attempt_at = service_now()
       where digest = $1 and refusals > 0`,
      [bytesOf(digest)],
    );
  }
}

function bytesOf(digest: string): Buffer {
  return Buffer.from(digest, "base64url");
}
