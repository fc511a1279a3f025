import type { Audit } from "../audit/index.ts";
import type { BoundRows, BoundSince, BoundTable } from "../platform/bound-rows.ts";
import type { SteadyClock } from "../platform/clock.ts";
import type { Keyring } from "../platform/crypto/index.ts";
import {
  transaction,
  type OlderPrograms,
  type Pool,
  type Queryable,
  queryRow,
  queryRows,
} from "../platform/db/index.ts";
import type { Log } from "../platform/log.ts";

interface BindingsDependencies {
  pool: Pool;
  clock: SteadyClock;
  log: Log;
  audit: Audit;
  olderPrograms: OlderPrograms;
  boundRows: readonly BoundRows[];
}

/** A process that does not bind rows itself hears of the moment within this time. */
const lookEveryMs = 15_000;

/**
 * Since when every row of a table has to be bound. Each moment is signed by the key of the audit record, so that nobody
 * without the service's keys makes one, and the service's role of the database cannot take one away.
 */
export class Bindings implements BoundSince {
  readonly #dependencies: BindingsDependencies;
  readonly #required = new Set<BoundTable>();
  /** The transaction in which the upgrade of a table began. */
  readonly #upgrades = new Map<BoundTable, string>();
  #lookedAtMs = -Infinity;

  constructor(dependencies: BindingsDependencies) {
    this.#dependencies = dependencies;
  }

  /** For the first start on a database every row is bound from the beginning. The caller holds the lock of the keys. */
  async begin(tx: Queryable, { isFirstStart }: { isFirstStart: boolean }): Promise<void> {
    await this.load(tx);
    for (const { table } of this.#dependencies.boundRows) {
      if (this.#required.has(table) || this.#upgrades.has(table)) continue;
      await this.#insert(tx, table, isFirstStart ? "bound" : "upgrade");
    }
    await this.load(tx);
  }

  /** Reads the stored moments. One that is not ours shows that somebody else writes here: then all rows are checked. */
  async load(db: Queryable): Promise<void> {
    const { audit, log, clock } = this.#dependencies;
    this.#lookedAtMs = clock.elapsedMs();
    for (const moment of await listMoments(db)) {
      const { table, kind, xid } = moment;
      const isOurs = audit.key.isMoment(moment);
      if (!isOurs)
        log.error(
          { table },
          "a signed moment was changed by somebody else; every row has to be bound",
        );
      if (kind === "bound" || !isOurs) this.#required.add(table);
      else this.#upgrades.set(table, xid);
    }
  }

  requires(table: BoundTable): boolean {
    if (this.#required.has(table)) return true;
    this.#lookSoon();
    return false;
  }

  /** Binds rows of an earlier version, and ends that when none of its programs can write any more. */
  async bindEarlier(keyring: Keyring): Promise<void> {
    const { pool, boundRows, olderPrograms } = this.#dependencies;
    const unfinished = boundRows.filter(({ table }) => !this.#required.has(table));
    if (unfinished.length === 0) return;
    for (const rows of unfinished) {
      const upgrade = this.#upgrades.get(rows.table);
      if (upgrade !== undefined) await rows.bindUnchanged(pool, keyring, upgrade);
    }
    if (!(await olderPrograms.areGone())) return;
    for (const rows of unfinished) await this.#require(rows);
  }

  /** The rows that are not bound, of the tables in which a row may still be so. */
  async countUnbound(): Promise<{ table: BoundTable; rows: number }[]> {
    const { pool, boundRows } = this.#dependencies;
    const unfinished = boundRows.filter(({ table }) => !this.#required.has(table));
    return await Promise.all(
      unfinished.map(async ({ table, countUnbound }) => ({
        table,
        rows: await countUnbound(pool),
      })),
    );
  }

  async #require({ table, countUnbound }: BoundRows): Promise<void> {
    const { pool, audit, log } = this.#dependencies;
    const unbound = await transaction(
      pool,
      async (tx) => {
        await this.load(tx);
        if (this.#required.has(table)) return undefined;
        await this.#insert(tx, table, "bound");
        const rows = await countUnbound(tx);
        await audit.record(tx, "rows.bound", { detail: { table, unbound: rows } });
        return rows;
      },
      { lock: "binding moments" },
    );
    this.#required.add(table);
    if (unbound === undefined) return;
    log.info({ table, unbound }, "from now on every row of the table has to be bound");
  }

  /** Inserts the moment of this transaction. */
  async #insert(tx: Queryable, table: BoundTable, kind: Moment["kind"]): Promise<void> {
    const { audit, clock } = this.#dependencies;
    const row = await queryRow<{ xid: string }>(tx, "select pg_current_xact_id()::text as xid");
    const moment = { table, kind, xid: row?.xid ?? "", at: clock.now() };
    await tx.query(
      "insert into binding_moments (table_name, kind, xid, at, mac) values ($1, $2, $3, $4, $5)",
      [table, kind, moment.xid, moment.at, audit.key.signMoment(moment)],
    );
  }

  #lookSoon(): void {
    const { pool, clock, log } = this.#dependencies;
    if (clock.elapsedMs() - this.#lookedAtMs < lookEveryMs) return;
    this.#lookedAtMs = clock.elapsedMs();
    this.load(pool).catch((error: unknown) =>
      log.debug({ err: error }, "the moments could not be read; they are read again"),
    );
  }
}

/** When the upgrade of a table began, or since when each of its rows has to be bound. */
interface Moment {
  table: BoundTable;
  kind: "upgrade" | "bound";
  /** The transaction of that moment. */
  xid: string;
  at: Date;
  mac: Buffer;
}

async function listMoments(db: Queryable): Promise<Moment[]> {
  return await queryRows<Moment>(
    db,
    `select table_name as "table", kind, xid::text, at, mac from binding_moments order by kind desc`,
  );
}
