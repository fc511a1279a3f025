import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createPool, type Pool } from "../../src/platform/db/index.ts";
import { LeasedWork, LeaseTable, type Leased } from "../../src/platform/leases/index.ts";
import { createLog } from "../../src/platform/log.ts";
import { createTestDatabase, type TestDatabase } from "../support/database.ts";
import { Gate } from "../support/stub-provider.ts";
import { untilTrue } from "../support/until-true.ts";
import { TestClock } from "../support/test-clock.ts";

interface Row extends Leased {
  client: string;
  origin: string;
}
type Shares = ConstructorParameters<typeof LeaseTable>[0]["shares"];

const log = createLog({ level: "silent" });
const clock = new TestClock();

let database: TestDatabase;
let pool: Pool;
beforeAll(async () => {
  database = await createTestDatabase();
  clock.lead(database);
  pool = createPool({ databaseUrl: database.url, max: 8, patienceMs: 60_000, log });
  await pool.query(`create table errands (
    id uuid primary key, run integer not null default 0, due_at timestamptz, lease_until timestamptz,
    client text not null, origin text not null, is_slow boolean not null)`);
});
afterAll(async () => {
  await pool.end();
  await database.drop();
});
beforeEach(() => pool.query("delete from errands"));

function createTable(shares: Shares = [], from: Pool = pool): LeaseTable<Row> {
  return new LeaseTable<Row>({
    pool: from,
    table: "errands",
    fairBy: "client",
    shares,
    order: "due_at, id",
    columns: "t.id, run, client, origin",
  });
}

/** The pool, which notes the text of every statement of its clients. */
function countingPool(texts: string[]): Pool {
  const connect = async (): Promise<unknown> => {
    const client = await pool.connect();
    const query = (statement: string | { text: string }): unknown => {
      texts.push(typeof statement === "string" ? statement : statement.text);
      return client.query(statement as string);
    };
    return { query, release: () => client.release() };
  };
  return { connect } as unknown as Pool;
}

interface Errands {
  client?: string;
  origin?: string;
  isSlow?: boolean;
  dueIn?: number;
}

async function insert(count: number, errands: Errands = {}): Promise<string[]> {
  const { client = "a", origin = "", isSlow = false, dueIn = 0 } = errands;
  const dueAt = new Date(clock.now().getTime() + dueIn * 1000);
  const ids = Array.from({ length: count }, () => randomUUID());
  await pool.query(
    `insert into errands (id, due_at, client, origin, is_slow) select id, $2, $3, $4, $5 from unnest($1::uuid[]) id`,
    [ids, dueAt, client, origin, isSlow],
  );
  return ids;
}

async function claimAll(table: LeaseTable<Row>): Promise<Row[]> {
  const claimed: Row[] = [];
  for (let row = await table.claim(); row; row = await table.claim()) claimed.push(row);
  return claimed;
}

describe("a claim", () => {
  test("gives rows that are due and not leased, the oldest first, each once", async () => {
    const [later] = await insert(1, { dueIn: -1 });
    const [first] = await insert(1, { dueIn: -2 });
    await insert(1, { dueIn: 1 });
    expect((await claimAll(createTable())).map(({ id, run }) => [id, run])).toEqual([
      [first, 1],
      [later, 1],
    ]);
  });

  test("takes the clients in turn, however many rows one of them has", async () => {
    await insert(50, { client: "a", dueIn: -60 });
    await insert(2, { client: "b" });
    await insert(3, { client: "c" });
    const table = createTable();
    const claimed = [];
    for (let count = 0; count < 8; count += 1) claimed.push((await table.claim())?.client);
    expect(claimed).toEqual(["a", "b", "c", "a", "b", "c", "a", "c"]);
  });

  test("passes over a client whose share is full", async () => {
    await insert(50, { client: "a", dueIn: -60 });
    await insert(3, { client: "b" });
    const claimed = await claimAll(createTable([{ column: "client", limit: 2 }]));
    expect(claimed.map(({ client }) => client)).toEqual(["a", "b", "a", "b"]);
  });

  test("passes over a row whose share is full for another one of its client", async () => {
    await insert(3, { origin: "x", dueIn: -60 });
    await insert(1, { origin: "y" });
    const claimed = await claimAll(createTable([{ column: "origin", limit: 1 }]));
    expect(claimed.map(({ origin }) => origin)).toEqual(["x", "y"]);
  });
});

describe("what a claim costs", () => {
  test("one statement goes on after the last turn and begins again, in one transaction", async () => {
    await insert(2, { client: "a" });
    await insert(1, { client: "b" });
    const texts: string[] = [];
    const counted = countingPool(texts);
    const table = createTable([], counted);
    for (const client of ["a", "b", "a", undefined])
      expect((await table.claim())?.client).toBe(client);
    const words = texts.map((text) => /^\w+/.exec(text.trim())?.[0]);
    expect(words).toEqual(Array.from({ length: 4 }, () => ["begin", "with", "commit"]).flat());
  });
});

describe("a share", () => {
  test.each<[string, Shares, Errands[], number[]]>([
    ["of a column", [{ column: "origin", limit: 2 }], [{ origin: "x" }, { origin: "y" }], [2, 2]],
    ["has no limit for the empty value", [{ column: "origin", limit: 2 }], [{ origin: "" }], [5]],
    [
      "limits the values that it names alone",
      [{ column: "origin", limit: { x: 1 } }],
      [{ origin: "x" }, { origin: "y" }],
      [1, 5],
    ],
    [
      "that names no value limits nothing",
      [{ column: "origin", limit: {} }],
      [{ origin: "x" }],
      [5],
    ],
    [
      "with a condition counts and limits those that meet it alone",
      [{ column: "client", limit: 1, where: "is_slow" }],
      [{ isSlow: true }, { isSlow: false }],
      [1, 5],
    ],
    [
      "without a column counts all rows",
      [{ limit: 3 }],
      [{ client: "a" }, { client: "b" }],
      [2, 1],
    ],
    [
      "without a column and with a condition counts all that meet it",
      [{ limit: 3, where: "is_slow" }],
      [{ client: "a", isSlow: true }, { client: "b", isSlow: true }, { client: "c" }],
      [2, 1, 5],
    ],
    [
      "holds beside the others",
      [
        { column: "client", limit: 4 },
        { column: "origin", limit: 3 },
        { column: "client", limit: 1, where: "is_slow" },
      ],
      [{ origin: "x" }, { origin: "y", isSlow: true }],
      [3, 1],
    ],
  ])("%s", async (_case, shares, groups, expected) => {
    const ids: string[][] = [];
    for (const group of groups) ids.push(await insert(5, group));
    const claimed = new Set((await claimAll(createTable(shares))).map(({ id }) => id));
    expect(ids.map((group) => group.filter((id) => claimed.has(id)).length)).toEqual(expected);
  });

  test("is free again when a lease is given back, and full when it is claimed", async () => {
    await insert(3);
    const table = createTable([{ column: "client", limit: 1 }]);
    const [first] = await claimAll(table);
    expect(await claimAll(table)).toEqual([]);
    clock.advance(1);
    await table.release(first!);
    const [second, ...others] = await claimAll(table);
    expect([second?.id === first?.id, others]).toEqual([false, []]);
  });

  test("is never exceeded, however many processes claim at once", async () => {
    for (const origin of ["x", "y", "z"]) await insert(30, { origin });
    const shares = [
      { column: "origin", limit: 4 },
      { column: "client", limit: 10 },
    ];
    const processes = Array.from({ length: 6 }, () => createTable(shares));
    const claimed = (await Promise.all(processes.map(claimAll))).flat();
    expect(claimed).toHaveLength(10);
    expect(new Set(claimed.map(({ id }) => id)).size).toBe(10);
    for (const origin of ["x", "y", "z"])
      expect(claimed.filter((row) => row.origin === origin).length).toBeLessThanOrEqual(4);
  });
});

describe("a lease", () => {
  test("that nobody renews ends, and the next run has the next number", async () => {
    const [id] = await insert(1);
    const table = createTable();
    await claimAll(table);
    clock.advance(9);
    expect([await table.releaseExpired(), await claimAll(table)]).toEqual([0, []]);
    clock.advance(1);
    expect(await table.releaseExpired()).toBe(1);
    expect(await claimAll(table)).toMatchObject([{ id, run: 2 }]);
  });

  test("that is renewed does not end", async () => {
    await insert(1);
    const table = createTable();
    const claimed = await claimAll(table);
    clock.advance(9);
    expect(await table.renew(claimed)).toEqual([]);
    clock.advance(9);
    expect(await table.releaseExpired()).toBe(0);
  });

  test("of an older run cannot be given back", async () => {
    await insert(1);
    const table = createTable();
    const [older] = await claimAll(table);
    clock.advance(10);
    await table.releaseExpired();
    await claimAll(table);
    await table.release(older!);
    expect(await table.count()).toEqual({ leased: 1, waiting: 0 });
  });

  test.each<[string, (row: Row) => Promise<unknown>]>([
    ["deleted", ({ id }) => pool.query("delete from errands where id = $1", [id])],
    [
      "settled",
      ({ id }) =>
        pool.query("update errands set lease_until = null, due_at = null where id = $1", [id]),
    ],
    ["overtaken", ({ id }) => pool.query("update errands set run = run + 1 where id = $1", [id])],
  ])("has ended when its row is %s: a renewal tells that one alone", async (_case, end) => {
    await insert(3);
    const table = createTable();
    const claimed = await claimAll(table);
    await end(claimed[1]!);
    expect(await table.renew(claimed)).toEqual([claimed[1]!.id]);
  });

  test("whose row somebody else has locked is not renewed, and has not ended", async () => {
    await insert(2);
    const table = createTable();
    const claimed = await claimAll(table);
    const other = await pool.connect();
    try {
      await other.query("begin");
      await other.query("select from errands where id = $1 for update", [claimed[0]!.id]);
      clock.advance(9);
      expect(await table.renew(claimed)).toEqual([]);
      clock.advance(9);
      expect(await table.releaseExpired()).toBe(0);
      await other.query("rollback");
    } finally {
      other.release();
    }
    expect(await table.releaseExpired()).toBe(1);
  });
});

function createWork(
  places: number,
  run: (row: Row, signal: AbortSignal) => Promise<void>,
  table = createTable(),
) {
  return new LeasedWork<Row>({ table, name: "errands", places, log, run });
}
const settle = async ({ id, run }: Row): Promise<void> =>
  void (await pool.query(
    "update errands set lease_until = null, due_at = null where id = $1 and run = $2",
    [id, run],
  ));

describe("the work of a process", () => {
  test("has no more runs than places, and a freed place takes the next row", async () => {
    await insert(20);
    const gate = new Gate();
    const work = createWork(3, async (row) => {
      await gate.pass();
      await settle(row);
    });
    await work.claimAll();
    expect(await createTable().count()).toEqual({ leased: 3, waiting: 17 });
    gate.open();
    await work.drained();
    expect(await createTable().count()).toEqual({ leased: 0, waiting: 0 });
  });

  test("stops a run whose lease has ended", async () => {
    await insert(1);
    const gate = new Gate();
    const stopped = Promise.withResolvers<string>();
    const work = createWork(1, async (_row, signal) => {
      signal.addEventListener("abort", () => stopped.resolve(String(signal.reason)));
      await gate.pass();
    });
    work.start();
    await gate.reached;
    await pool.query("delete from errands");
    expect(await stopped.promise).toContain("the lease has ended");
    gate.open();
    await work.stop(1_000);
  });

  test("gives back at its end the leases of runs that take too long", async () => {
    await insert(2);
    const work = createWork(2, async (_row, signal) => {
      await new Promise((resolve) => signal.addEventListener("abort", resolve, { once: true }));
    });
    await work.claimAll();
    await work.stop(10);
    expect(await createTable().count()).toEqual({ leased: 0, waiting: 2 });
  });

  test("stops a run that a newer one overtakes in the same process, and renews the newer one", async () => {
    const [id] = await insert(1);
    const signals: AbortSignal[] = [];
    const gates = [new Gate(), new Gate()] as const;
    const work = createWork(2, async (row, signal) => {
      signals.push(signal);
      await gates[row.run - 1]?.pass();
      await settle(row);
    });
    await work.claimAll();
    clock.advance(10);
    await createTable().releaseExpired();
    await work.claimAll();
    gates[0].open();
    expect(signals.map(({ aborted }) => aborted)).toEqual([true, false]);
    clock.advance(9);
    work.start();
    const leaseUntil = async (): Promise<Date> =>
      (
        await pool.query<{ until: Date }>(
          "select lease_until as until from errands where id = $1",
          [id],
        )
      ).rows[0]!.until;
    await untilTrue(
      "it is renewed",
      async () => (await leaseUntil()) > new Date(clock.now().getTime() + 9_000),
    );
    gates[1].open();
    await work.stop(1_000);
    expect(await createTable().count()).toEqual({ leased: 0, waiting: 0 });
  });

  test.each(["before", "after"])(
    "goes on with the runs that nobody overtook when it stood still %s it renewed its leases",
    async (moment) => {
      await insert(1);
      const runs: number[] = [];
      const gate = new Gate();
      const table = createTable();
      const renew = table.renew.bind(table);
      table.renew = async (...given) => {
        const ended = await renew(...given);
        if (moment === "after") clock.advance(10);
        return ended;
      };
      const run = async (row: Row): Promise<void> => {
        runs.push(row.run);
        await gate.pass();
        await settle(row);
      };
      const work = createWork(2, run, table);
      await work.claimAll();
      if (moment === "before") clock.advance(10);
      await work.sweep();
      gate.open();
      await work.drained();
      expect(runs).toEqual([1]);
    },
  );

  test("takes over from a killed process what that one took over from it, while its own run still winds down", async () => {
    await insert(1);
    const runs: number[] = [];
    const gate = new Gate();
    const work = createWork(2, async (row) => {
      runs.push(row.run);
      if (row.run === 1) await gate.pass();
      await settle(row);
    });
    await work.claimAll();
    const killed = createTable();
    clock.advance(10);
    await killed.releaseExpired();
    expect((await killed.claim())?.run).toBe(2);
    await work.sweep();
    clock.advance(10);
    await work.sweep();
    gate.open();
    await work.drained();
    expect(runs).toEqual([1, 3]);
  });

  test.each<[string, (work: LeasedWork<Row>) => Promise<void>]>([
    ["is drained", (work) => work.drained()],
    ["stops", (work) => work.stop(60_000)],
  ])("%s when the runs have ended, also those that a newer one overtook", async (_case, end) => {
    await insert(1);
    const gates = [new Gate(), new Gate()] as const;
    const ended: number[] = [];
    const work = createWork(2, async (row) => {
      await gates[row.run - 1]?.pass();
      await settle(row);
      ended.push(row.run);
    });
    await work.claimAll();
    clock.advance(10);
    await createTable().releaseExpired();
    await work.claimAll();
    const ending = end(work);
    gates[1].open();
    await untilTrue("the newer one has ended", () => ended.length === 1);
    setImmediate(() => gates[0].open());
    await ending;
    expect(ended).toEqual([2, 1]);
  });

  test("makes a run again that failed, when its lease has ended", async () => {
    await insert(1);
    const runs: number[] = [];
    const work = createWork(1, async (row) => {
      runs.push(row.run);
      if (row.run === 1) throw new Error("fails");
      await settle(row);
    });
    await work.drained();
    clock.advance(10);
    await work.drained();
    expect(runs).toEqual([1, 2]);
  });
});

test("of what the clients share, one client leaves a place to the others", async () => {
  await insert(9, { client: "a", origin: "x" });
  const [neighbour] = await insert(1, { client: "b", origin: "x" });
  const claimed = await claimAll(
    createTable([
      { column: "origin", limit: 4 },
      { column: "origin", limit: 3, isPerTurn: true },
    ]),
  );
  expect(claimed.map(({ client }) => client).sort()).toEqual(["a", "a", "a", "b"]);
  expect(claimed.map(({ id }) => id)).toContain(neighbour);
});
