import type { Keyring } from "../platform/crypto/index.ts";
import { addSeconds, type Clock } from "../platform/clock.ts";
import { transaction, type Pool, type Queryable } from "../platform/db/index.ts";
import type { FormField } from "../providers/index.ts";

/** A try at an account counts twice: with all tries at it, and with those that come from the same network. */
export interface Guess {
  account: Buffer;
  source: Buffer;
}

/** So many refusals cost nothing: people mistype. */
const freeOfSource = 3;
const freeOfAccount = 20;
const longestPauseSeconds = 60;
const forgottenAfterSeconds = 3_600;

/**
 * Guessing at an account gets slower with every refusal, up to a minute a try, however many tries come at once and from however
 * many networks. Nobody is locked out by it: the first try from a network that was not refused yet does not wait for the others.
 */
export class SlowDown {
  readonly #dependencies: { pool: Pool; clock: Clock; keyring: Keyring };

  constructor(dependencies: { pool: Pool; clock: Clock; keyring: Keyring }) {
    this.#dependencies = dependencies;
  }

  /** What names the account: the provider and what was typed that is not secret. Undefined when all of it is secret. */
  guess(
    provider: string,
    fields: readonly FormField[],
    answers: Readonly<Record<string, string>>,
    network: string,
  ): Guess | undefined {
    const named = fields
      .filter(({ isSecret }) => !isSecret)
      .map(({ name }) => [name, (answers[name] ?? "").trim().toLowerCase()]);
    const { keyring } = this.#dependencies;
    const digest = (...what: unknown[]): Buffer =>
      keyring.digest(keyring.activeKeyId, JSON.stringify([provider, named, ...what]));
    return named.length > 0 ? { account: digest(), source: digest(network) } : undefined;
  }

  /** Undefined when the try may be made now: then it counts as refused until it is told otherwise. Else when to ask again. */
  async take({ account, source }: Guess): Promise<Date | undefined> {
    return await transaction(this.#dependencies.pool, async (tx) => {
      const ofSource = await this.#count(tx, source, { free: freeOfSource, isWaitSpared: false });
      if (ofSource === undefined) return await this.#nextTry(tx, source);
      if (
        (await this.#count(tx, account, { free: freeOfAccount, isWaitSpared: ofSource === 1 })) !==
        undefined
      )
        return undefined;
      await this.#giveBack(tx, source);
      return await this.#nextTry(tx, account);
    });
  }

  /** The provider did not refuse it. */
  async notRefused({ account, source }: Guess): Promise<void> {
    for (const bucket of [source, account]) await this.#giveBack(this.#dependencies.pool, bucket);
  }

  async succeeded({ account, source }: Guess): Promise<void> {
    const { pool } = this.#dependencies;
    await pool.query("delete from sign_in_refusals where account_digest = $1", [source]);
    await this.#giveBack(pool, account);
  }

  async forget(): Promise<void> {
    const { pool, clock } = this.#dependencies;
    await pool.query("delete from sign_in_refusals where forget_at <= $1", [clock.now()]);
  }

  /** How many there are with this one; undefined when it has to wait. */
  async #count(
    tx: Queryable,
    bucket: Buffer,
    { free, isWaitSpared }: { free: number; isWaitSpared: boolean },
  ): Promise<number | undefined> {
    const now = this.#dependencies.clock.now();
    const { rows } = await tx.query<{ refusals: number }>(
      `insert into sign_in_refusals as r (account_digest, refusals, next_try_at, forget_at) values ($1, 1, $2, $3)
       on conflict (account_digest) do update
         set refusals = case when r.forget_at <= $2 then 1 else r.refusals + 1 end, forget_at = $3,
             next_try_at = case when r.next_try_at > $2 then r.next_try_at else $2::timestamptz + make_interval(secs =>
               case when r.forget_at <= $2 or r.refusals + 1 <= $4 then 0 else least($5, power(2, least(r.refusals + 1 - $4, 16))) end) end
         where r.next_try_at <= $2 or $6
       returning refusals`,
      [
        bucket,
        now,
        addSeconds(now, forgottenAfterSeconds),
        free,
        longestPauseSeconds,
        isWaitSpared,
      ],
    );
    return rows[0]?.refusals;
  }

  async #nextTry(tx: Queryable, bucket: Buffer): Promise<Date | undefined> {
    const { rows } = await tx.query<{ next_try_at: Date }>(
      "select next_try_at from sign_in_refusals where account_digest = $1",
      [bucket],
    );
    return rows[0]?.next_try_at;
  }

  async #giveBack(db: Queryable, bucket: Buffer): Promise<void> {
    await db.query(
      "update sign_in_refusals set refusals = refusals - 1, next_try_at = $2 where account_digest = $1 and refusals > 0",
      [bucket, this.#dependencies.clock.now()],
    );
  }
}
