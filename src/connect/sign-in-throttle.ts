import { addSeconds, type Clock } from "../platform/clock.ts";
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
  clock: Clock;
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
   * An admitted attempt counts as refused until `withdraw` or `recordSuccess`. Another one has to ask again at
   * the time that is returned.
   */
  async admit({ account, source }: SignInAttempt): Promise<"admitted" | { retryAt: Date }> {
    return await transaction(this.#dependencies.pool, async (tx) => {
      const ofSource = await this.#count(tx, source, {
        freeRefusals: freeRefusalsOfSource,
        skipsWait: false,
      });
      if (ofSource === undefined) return { retryAt: await this.#findNextAttemptAt(tx, source) };
      const ofAccount = await this.#count(tx, account, {
        freeRefusals: freeRefusalsOfAccount,
        skipsWait: ofSource === 1,
      });
      if (ofAccount !== undefined) return "admitted";
      await this.#uncount(tx, source);
      return { retryAt: await this.#findNextAttemptAt(tx, account) };
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
    const { pool, clock } = this.#dependencies;
    const now = clock.now();
    await deleteInBatches(async (limit) => {
      const { rowCount } = await pool.query(
        `delete from sign_in_throttle where digest in (
           select digest from sign_in_throttle where forget_at <= $1
           order by forget_at limit $2 for update skip locked)`,
        [now, limit],
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
    const now = this.#dependencies.clock.now();
    const row = await queryRow<{ refusals: number }>(
      tx,
      `insert into sign_in_throttle as t (digest, refusals, next_attempt_at, forget_at) values ($1, 1, $2, $3)
       on conflict (digest) do update
         set refusals = case when t.forget_at <= $2 then 1 else t.refusals + 1 end,
             forget_at = $3,
             next_attempt_at = case
               when t.next_attempt_at > $2 then t.next_attempt_at
               else $2::timestamptz + make_interval(secs => case
                 when t.forget_at <= $2 or t.refusals + 1 <= $4 then 0
                 else least($5, power(2, least(t.refusals + 1 - $4, 16)))
               end)
             end
         where t.next_attempt_at <= $2 or $6
       returning refusals`,
      [
        bytesOf(digest),
        now,
        addSeconds(now, forgetAfterSeconds),
        freeRefusals,
        maxPauseSeconds,
        skipsWait,
      ],
    );
    return row?.refusals;
  }

  async #findNextAttemptAt(tx: Queryable, digest: string): Promise<Date> {
    const row = await queryRow<{ nextAttemptAt: Date }>(
      tx,
      `select next_attempt_at as "nextAttemptAt" from sign_in_throttle where digest = $1`,
      [bytesOf(digest)],
    );
    return row?.nextAttemptAt ?? this.#dependencies.clock.now();
  }

  async #uncount(db: Queryable, digest: string): Promise<void> {
    await db.query(
      `update sign_in_throttle set refusals = refusals - 1, next_attempt_at = $2
       where digest = $1 and refusals > 0`,
      [bytesOf(digest), this.#dependencies.clock.now()],
    );
  }
}

function bytesOf(digest: string): Buffer {
  return Buffer.from(digest, "base64url");
}
