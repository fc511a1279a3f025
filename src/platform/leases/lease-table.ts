import {
  joinSql,
  queryRow,
  queryRows,
  sql,
  sqlText,
  transaction,
  type Pool,
  type Sql,
} from "../db/index.ts";

/** What every row that is leased has. `run` counts its leases, so that a room can let the newest run alone settle it. */
export interface Leased {
  id: string;
  run: number;
}

/** Leases are renewed each second. Those of a killed process end within this time. */
const leaseSeconds = 10;
const mostCounted = 100_000;
const noLimit = "2147483647";

/** At most `limit` live leases have the same value in the column. An empty value has no limit. */
interface Share {
  /** Without a column, all rows together have the limit. */
  column?: string;
  /** One number for every value, or a number for each of some values. */
  limit: number | Readonly<Record<string, number>>;
  /** A condition on the row. Only rows that meet it count, and only they are limited. */
  where?: string;
  /** Only leases of the same value of `fairBy` count, so that one of them cannot take all that others share. */
  isPerTurn?: boolean;
}

export interface LeaseTableOptions {
  pool: Pool;
  /** A table with the columns id, due_at, lease_until and run. */
  table: string;
  /** The column whose values take turns, such as the client. It is text and not null. */
  fairBy: string;
  shares: readonly Share[];
  /** Which of the rows of one turn is first. */
  order: string;
  /**
   * Columns of which the rows of one turn have a few different values. Each of them is looked up by itself, so that those
   * of a full share of these columns cost one look-up, however many rows wait there. An index has them between `fairBy` and
   * what of `order` is none of them, which is one column then.
   */
  kinds?: readonly string[];
  /** What a claim sets besides the lease. */
  set?: string;
  /** The columns that a claim returns, with id and run. */
  columns: string;
}

/**
 * Work that is leased: a row is open while it has a `due_at`, and one run holds its lease until `lease_until`.
 * The live leases are the places. One statement counts them by each share and admits the next row, and the
 * values of `fairBy` take turns. Claims of all processes come one after another.
 */
export class LeaseTable<Row extends Leased> {
  readonly #options: LeaseTableOptions;
  /** The value of `fairBy` that had the last turn in this process. */
  #lastTurn = "";

  constructor(options: LeaseTableOptions) {
    this.#options = options;
  }

  /** The next row that is due and for which there is a place; undefined when there is none. */
  async claim(): Promise<Row | undefined> {
    const { pool, table } = this.#options;
    const statement = claimStatement(this.#options, this.#lastTurn).toQuery();
    const claimed = await transaction(
      pool,
      (tx) => queryRow<Row & { turn: string }>(tx, statement),
      { lock: `claim ${table}` },
    );
    if (!claimed) return undefined;
    const { turn, ...row } = claimed;
    this.#lastTurn = turn;
    return row as unknown as Row;
  }

  /** Renews the leases of these runs. Returns the ids of those that have ended: settled, overtaken or deleted. */
  async renew(runs: readonly Leased[]): Promise<string[]> {
    const { pool, table } = this.#options;
    const rows = await queryRows<{ id: string }>(
      pool,
      `with mine as (
         select * from unnest($1::uuid[], $2::integer[]) as m (id, run)
       ), renewed as (
         update ${table} t set lease_until = service_now() + make_interval(secs => $3) where t.id in (
           select l.id from ${table} l join mine using (id, run) where l.lease_until is not null
           for update of l skip locked)
       )
       select mine.id from mine left join ${table} t on t.id = mine.id and t.run = mine.run and t.lease_until is not null
       where t.id is null`,
      [runs.map(({ id }) => id), runs.map(({ run }) => run), leaseSeconds],
    );
    return rows.map(({ id }) => id);
  }

  /** Gives the lease back. The row is due again at once. Does nothing for a run that has ended. */
  async release({ id, run }: Leased): Promise<void> {
    const { pool, table } = this.#options;
    await pool.query(
      `update ${table} set lease_until = null, due_at = service_now()
       where id = $1 and run = $2 and lease_until is not null`,
      [id, run],
    );
  }

  /**
   * Ends the leases that nobody renewed, such as those of a killed process, but for those of the rows that the caller
   * works on. Returns how many they were.
   */
  async releaseExpired(except: readonly string[] = []): Promise<number> {
    const { pool, table } = this.#options;
    const { rowCount } = await pool.query(
      `update ${table} set lease_until = null where id in (
         select id from ${table} where lease_until <= service_now() and id <> all($1::uuid[]) for update skip locked)`,
      [except],
    );
    return rowCount ?? 0;
  }

  /** The live leases, and the rows that are due and wait for a place, of which it counts so many. */
  async count(): Promise<{ leased: number; waiting: number }> {
    const { pool, table } = this.#options;
    const row = await queryRow<{ leased: number; waiting: number }>(
      pool,
      `select (select count(*)::integer from ${table} where lease_until is not null) as leased,
         (select count(*)::integer from (
            select from ${table} where lease_until is null and due_at <= service_now() limit ${mostCounted}) waiting) as waiting`,
    );
    return row ?? { leased: 0, waiting: 0 };
  }
}

/**
 * `turns` walks along the values of `fairBy` that have an open row, one look-up in the index for each: from the one
 * after the last turn to the end, and from the beginning. The first value with a row that may run is taken. What is full is found once for each claim, not once for each row.
 */
function claimStatement(options: LeaseTableOptions, lastTurn: string): Sql {
  const { shares, set } = options;
  const table = sqlText(options.table);
  const fairBy = sqlText(options.fairBy);
  const counted = new Set([options.fairBy, ...shares.flatMap(({ column }) => column ?? [])]);
  const conditions = [...new Set(shares.flatMap(({ where }) => where ?? []))];
  const flags = conditions.map((where, index) => `(${where}) as meets_${index}`);
  const nextValue = (after: Sql): Sql =>
    sql`(select ${fairBy} from ${table} where lease_until is null and due_at <= service_now() and ${fairBy} > ${after}
       order by ${fairBy} limit 1)`;
  return sql`with recursive live as materialized (
       select ${sqlText([...counted, ...flags].join(", "))} from ${table} where lease_until is not null
     ), turns (value, lap) as (
       select ${nextValue(sql`${{ lastTurn }}`)}, 0
       union all
       select ${nextValue(sql`coalesce(turns.value, '')`)}, case when turns.value is null then 1 else turns.lap end
       from turns where turns.lap = 0 or turns.value <= ${{ lastTurn }}
     ), chosen as (
       select next.id as chosen_id, turns.value as turn from turns cross join lateral (
         ${options.kinds ? firstOfKinds(options, options.kinds, conditions) : firstOfTurn(options, conditions)}
       ) next limit 1
     )
     update ${table} t set lease_until = service_now() + make_interval(secs => ${{ leaseSeconds }}), run = t.run + 1
       ${sqlText(set === undefined ? "" : `, ${set}`)}
     from chosen where t.id = chosen_id
     returning turn, ${sqlText(options.columns)}`;
}

function firstOfTurn(options: LeaseTableOptions, conditions: readonly string[]): Sql {
  const { table, fairBy, order, shares } = options;
  return sql`select r.id from ${sqlText(table)} r
         where r.${sqlText(fairBy)} = turns.value and r.lease_until is null and r.due_at <= service_now()
           ${mayRun(shares, options, conditions)}
         order by ${sqlText(order)} limit 1 for update of r skip locked`;
}

/** The first row of each kind that may run is locked, and the first of them taken. */
function firstOfKinds(
  options: LeaseTableOptions,
  kinds: readonly string[],
  conditions: readonly string[],
): Sql {
  const { fairBy, order, shares } = options;
  const table = sqlText(options.table);
  const columns = sqlText(kinds.join(", "));
  const open = sqlText(`${fairBy} = turns.value and lease_until is null and due_at is not null`);
  const isOfKind = sqlText(kinds.map((column) => `r.${column} = kind.${column}`).join(" and "));
  const before = sqlText(kinds.map((column) => `before.${column}`).join(", "));
  const ofKind = shares.filter((share) => isShareOfKind(share, fairBy, kinds));
  const ofRow = shares.filter((share) => !ofKind.includes(share));
  return sql`with recursive kinds as (
           (select ${columns} from ${table} where ${open} order by ${columns} limit 1)
           union all
           select next.* from kinds before cross join lateral (
             select ${columns} from ${table} where ${open} and (${columns}) > (${before}) order by ${columns} limit 1) next
         )
         select first.id from (
           select ${columns} from kinds r where true ${mayRun(ofKind, options, conditions)}
         ) kind cross join lateral (
           select r.id, row (${sqlText(order)}) as place from ${table} r
           where ${open} and r.due_at <= service_now() and ${isOfKind} ${mayRun(ofRow, options, conditions)}
           order by ${sqlText(order)} limit 1 for update of r skip locked
         ) first order by place limit 1`;
}

/** Whether it is the same for all rows of one kind. */
function isShareOfKind(
  { column, where }: Share,
  fairBy: string,
  kinds: readonly string[],
): boolean {
  const isOfKind = (name: string): boolean => name === fairBy || kinds.includes(name);
  return [column, where].every((each) => each === undefined || isOfKind(each));
}

/** Of each share, that it has a place for the row `r`. */
function mayRun(
  shares: readonly Share[],
  options: LeaseTableOptions,
  conditions: readonly string[],
): Sql {
  return joinSql(
    shares.map((share) =>
      shareCondition(share, {
        index: options.shares.indexOf(share),
        fairBy: options.fairBy,
        conditions,
      }),
    ),
    "\n           ",
  );
}

function shareCondition(
  { column, limit, where, isPerTurn = false }: Share,
  { index, fairBy, conditions }: { index: number; fairBy: string; conditions: readonly string[] },
): Sql {
  const isExempt = sqlText(where === undefined ? "" : `not (${where}) or `);
  const meets = where === undefined ? "true" : `live.meets_${conditions.indexOf(where)}`;
  const counts = sqlText(isPerTurn ? `live.${fairBy} = turns.value and ${meets}` : meets);
  const limitOf = (value: Sql): Sql =>
    typeof limit === "number"
      ? sqlText(String(limit))
      : sql`coalesce((${{ [`limits_${index}`]: limit }}::jsonb ->> ${value})::integer, ${sqlText(noLimit)})`;
  if (column === undefined)
    return sql`and (${isExempt}(select count(*) from live where ${counts}) < ${limitOf(sqlText("''"))})`;
  const value = sqlText(column === fairBy ? "turns.value" : `r.${column}`);
  const ofLive = sqlText(`live.${column}`);
  return sql`and (${isExempt}${value} not in (select ${ofLive} from live where ${ofLive} <> '' and ${counts}
             group by ${ofLive} having count(*) >= ${limitOf(ofLive)}))`;
}
