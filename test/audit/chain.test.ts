import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "pg";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { AuditChain, verifyRecord } from "../../src/audit/index.ts";
import { AuditKey } from "../../src/audit/audit-key.ts";
import { insertEntries } from "../../src/audit/store.ts";
import { buildProgram } from "../../src/cli/build-program.ts";
import { DataKey } from "../../src/platform/crypto/index.ts";
import { rollcall, type CommandResult } from "../support/command-line.ts";
import { createTestDatabase } from "../support/database.ts";
import { createHarness, exchangeBody, signIn, type Harness } from "../support/harness.ts";

const tables = ["audit_entries", "audit_links", "audit_head"];
const masterKey = (): string => `test:${randomBytes(32).toString("base64")}`;

let harness: Harness;
let folder: string;
let kept: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "rollcall-audit-"));
  harness = await createHarness();
  await harness.connect();
  await link();
  await copyTables("older");
  await harness.connect();
  await link();
  kept = join(folder, "kept.jsonl");
  const exported = await rollcall(["audit", "export"], harness.environment);
  writeFileSync(kept, exported.stdout);
  await copyTables("whole");
  // Whoever owns the tables can do so.
  await harness.database.query(`drop trigger audit_entries_append_only on audit_entries;
    drop trigger audit_links_append_only on audit_links`);
});
afterAll(async () => {
  await harness.close();
  rmSync(folder, { recursive: true });
});

const link = () => newChain(harness).link();

/** As of a worker that starts. */
const newChain = ({ services }: Harness) => new AuditChain(services, services.olderPrograms);

async function copyTables(name: string): Promise<void> {
  for (const table of tables)
    await harness.database.query(`create table ${name}_${table} as select * from ${table}`);
}

async function putBack(name: string): Promise<void> {
  for (const table of tables)
    await harness.database.query(`delete from ${table};
      insert into ${table} overriding system value select * from ${name}_${table}`);
}

type Result = Pick<CommandResult, "code" | "stdout" | "stderr">;

const verify = (...words: string[]) => runCommand(["audit", "verify", "--json", ...words]);
const reportOf = ({ stdout }: Result) => JSON.parse(stdout) as { findings: { message: string }[] };
const messagesOf = (result: Result): string[] =>
  reportOf(result).findings.map(({ message }) => message);

/** As `rollcall` does, in this process: a start for each would cost a second. */
async function runCommand(words: string[]): Promise<Result> {
  const [stdout, stderr]: string[][] = [[], []];
  const spies = [
    vi.spyOn(process.stdout, "write").mockImplementation((text) => stdout!.push(String(text)) > 0),
    vi.spyOn(process.stderr, "write").mockImplementation((text) => stderr!.push(String(text)) > 0),
  ];
  for (const [name, value] of Object.entries(harness.environment)) vi.stubEnv(name, value);
  try {
    const program = await buildProgram({ isJson: words.includes("--json"), words });
    await program.parseAsync(words, { from: "user" });
    return {
      code: Number(process.exitCode ?? 0),
      stdout: stdout!.join(""),
      stderr: stderr!.join(""),
    };
  } finally {
    for (const spy of spies) spy.mockRestore();
    vi.unstubAllEnvs();
    process.exitCode = undefined;
  }
}

/** An entry under the key of another database. */
async function insertForeign(): Promise<void> {
  const foreign = new AuditKey("foreign", new DataKey(randomBytes(32)));
  await insertEntries(harness.services.pool, {
    action: "token.issued",
    detail: "{}",
    at: harness.clock.now(),
    subjects: [{ clientId: "client", oneTimeKey: foreign.makeOneTimeKey() }],
  });
}

const columns = "at, action, client_id, token_id, connection_id, detail, nonce, mac";
const lastTwo = "(select position from audit_links order by position desc limit 2)";

test("a record that nobody has touched is intact, and the export proves it later", async () => {
  const result = await verify("--checkpoint", kept);
  expect([result.code, result.stderr]).toEqual([0, ""]);
  const [{ count }] = (await harness.database.query(
    "select count(*)::integer as count from audit_entries",
  )) as [{ count: number }];
  expect(count).toBeGreaterThan(6);
  expect(reportOf(result)).toMatchObject({
    linked: count,
    unlinked: 0,
    without_mac: 0,
    checkpoints: 1,
    findings: [],
  });
});

describe("audit verify finds", () => {
  test.each<[string, () => Promise<unknown>, RegExp]>([
    [
      "an edit",
      () => harness.database.query("update audit_entries set client_id = 'other' where id = 3"),
      /entry 3 does not agree with its MAC/,
    ],
    [
      "an insert",
      () =>
        harness.database.query(
          "insert into audit_entries (at, action, client_id) values (now(), 'token.issued', 'client')",
        ),
      /entry \d+ has no MAC: this service has not written it/,
    ],
    [
      "a delete",
      () => harness.database.query("delete from audit_entries where id = 4"),
      /entry 4 at position 4 is missing/,
    ],
    [
      "a delete of an entry with its link",
      () =>
        harness.database.query(`delete from audit_entries where id = 4;
          delete from audit_links where entry_id = 4`),
      /the positions 4 to 4 are missing/,
    ],
    [
      "another order",
      () =>
        harness.database
          .query(`update audit_links set entry_id = -entry_id where position in (2, 3);
          update audit_links set entry_id = 5 - position where position in (2, 3)`),
      /position 2 \(entry 3\) does not follow the position before it/,
    ],
    [
      "entries that change places",
      () =>
        harness.database.query(`update audit_entries e set (${columns}) =
          (select ${columns} from audit_entries o where o.id = 5 - e.id) where id in (2, 3)`),
      /entry 2 does not agree with its MAC/,
    ],
    [
      "a duplicate",
      () =>
        harness.database.query(
          `insert into audit_entries (${columns}) select ${columns} from audit_entries where id = 5`,
        ),
      /the entries 5, \d+ repeat each other/,
    ],
    [
      "a tail that was cut off",
      () =>
        harness.database.query(`delete from audit_entries where id in (
            select entry_id from audit_links where position in ${lastTwo});
          delete from audit_links where position in ${lastTwo}`),
      /the chain ends at position \d+, and audit_head says \d+: its tail was cut off/,
    ],
    [
      "a tail that was cut off, and the end moved to it",
      () =>
        harness.database.query(`delete from audit_entries where id in (
            select entry_id from audit_links where position in ${lastTwo});
          delete from audit_links where position in ${lastTwo};
          update audit_head set (position, chain) = (
            select position, chain from audit_links order by position desc limit 1)`),
      /the row of audit_head does not agree with its MAC/,
    ],
    [
      "emptied tables",
      () => harness.database.query("delete from audit_entries; delete from audit_links"),
      /the chain ends at position 0, and audit_head says \d+: its tail was cut off/,
    ],
    [
      "emptied tables, with the end of the chain",
      () =>
        harness.database.query(
          "delete from audit_entries; delete from audit_links; delete from audit_head",
        ),
      /the table audit_head is empty/,
    ],
    ["rows of another database", insertForeign, /entry \d+ does not agree with its MAC/],
  ])("%s", async (_name, manipulate, message) => {
    await manipulate();
    const result = await verify();
    await putBack("whole");
    expect(result.code).toBe(1);
    expect(messagesOf(result)).toContainEqual(expect.stringMatching(message));
    expect(result.stderr).toContain('"findings"');
  });

  test("an older copy of everything, against a checkpoint that was kept elsewhere, and not without", async () => {
    await putBack("older");
    const alone = await verifyRecord({ ...harness.services, key: harness.services.audit.key }, []);
    const result = await verify("--checkpoint", kept);
    await putBack("whole");
    expect(alone.findings).toEqual([]);
    expect(result.code).toBe(1);
    expect(messagesOf(result)).toEqual([
      expect.stringMatching(
        /the checkpoint of .* is not in the chain, which ends at \d+: an older/,
      ),
    ]);
  });

  test("a checkpoint that somebody made", async () => {
    const line = JSON.parse(
      (await runCommand(["audit", "export", "--only-checkpoint"])).stdout,
    ) as { checkpoint: { position: number } };
    line.checkpoint.position -= 1;
    const forged = join(folder, "forged.json");
    writeFileSync(forged, JSON.stringify(line));
    expect(messagesOf(await verify("--checkpoint", forged))).toEqual([
      expect.stringContaining("is of another database or key"),
    ]);
  });

  test("a wrong key, of the configuration or of the table", async () => {
    const environment = { ...harness.environment, MASTER_KEYS: masterKey() };
    const wrong = await rollcall(["audit", "verify"], environment);
    expect([wrong.code, wrong.stderr]).toEqual([
      1,
      expect.stringContaining("is another one than the test that this database uses"),
    ]);
    await harness.database.query("update audit_keys set wrapped_key = wrapped_key || '\\x00'");
    const changed = await verify();
    await harness.database.query(
      "update audit_keys set wrapped_key = substr(wrapped_key, 1, length(wrapped_key) - 1)",
    );
    expect([changed.code, changed.stderr]).toEqual([
      1,
      expect.stringContaining("The key of the audit record in the table audit_keys does not open"),
    ]);
  });
});

describe("the end of the chain", () => {
  test("is told in the log, and a log is a file of checkpoints", async () => {
    harness.logLines.length = 0;
    await newChain(harness).logCheckpoint();
    const log = join(folder, "log.jsonl");
    writeFileSync(log, ["{}", ...harness.logLines].join("\n"));
    expect(reportOf(await verify("--checkpoint", log))).toMatchObject({
      checkpoints: 1,
      findings: [],
    });
  });

  test("does not go back unnoticed under a process that links", async () => {
    const chain = newChain(harness);
    await harness.createClient();
    await chain.link();
    await putBack("older");
    await harness.createClient();
    await expect(chain.link()).rejects.toThrow(
      /ends at position \d+, and this process has seen it reach \d+/,
    );
    await putBack("whole");
  });

  test("that somebody changed gets no more links, and is not exported", async () => {
    await harness.database.query("update audit_head set position = position - 1");
    await harness.createClient();
    await expect(link()).rejects.toThrow("the table audit_head was changed");
    expect(await runCommand(["audit", "export"])).toMatchObject({
      code: 1,
      stdout: "",
      stderr: expect.stringContaining("The end of the audit record was changed"),
    });
    await putBack("whole");
  });

  test("after a restore that was recorded: what is lost is known, and nothing else", async () => {
    await putBack("older");
    const restored = await runCommand(["database", "restored", "--checkpoint", kept, "--json"]);
    expect(restored.code).toBe(0);
    await link();
    const result = await verify("--checkpoint", kept);
    expect([result.code, reportOf(result)]).toMatchObject([
      0,
      { findings: [], checkpoints_lost_by_restores: 1 },
    ]);
    // It is restored to the same place again, without a record of that.
    await putBack("older");
    expect((await verify("--checkpoint", kept)).code).toBe(1);
    await putBack("whole");
  });
});

const entriesOf = async (count: number): Promise<void> => {
  const { audit, pool } = harness.services;
  await audit.recordAll(
    pool,
    "sandbox.changed",
    Array.from({ length: count }, () => ({})),
  );
};
const check = () =>
  verifyRecord({ pool: harness.services.pool, key: harness.services.audit.key }, []);

describe("linking", () => {
  test("is done once by many processes that do it at the same time", async () => {
    await entriesOf(2_500);
    await Promise.all(Array.from({ length: 6 }, link));
    await link();
    expect(await check()).toMatchObject({ findings: [], unlinked: 0 });
  });

  test("takes entries in the order of their commits, and verify says what is not linked and since when", async () => {
    const { audit, pool } = harness.services;
    const slow = await pool.connect();
    await slow.query("begin");
    await audit.record(slow, "sandbox.changed", {});
    await entriesOf(3);
    await link();
    await slow.query("commit");
    slow.release();
    expect(await check()).toMatchObject({
      findings: [],
      unlinked: 1,
      unlinkedSince: harness.clock.now(),
    });
    harness.clock.advance(7);
    expect(await newChain(harness).unlinkedAge()).toBe(7);
    await link();
    expect(await check()).toMatchObject({ findings: [], unlinked: 0 });
    expect(await newChain(harness).unlinkedAge()).toBe(0);
  });

  test("makes no exchange and no disconnect wait", async () => {
    const owner = await harness.createClient();
    const signedIn = [];
    for (let index = 0; index < 10; index += 1)
      signedIn.push(await signIn(harness.services, { client: owner }));
    const linker = await harness.services.pool.connect();
    await linker.query("begin; lock table audit_links in share row exclusive mode");
    await linker.query("select 1 from audit_head for update");
    const replies = await Promise.all(
      signedIn.map((each) =>
        harness.http.post("/2023-03-01/management/token", { json: exchangeBody(each) }),
      ),
    );
    const [{ access_token: bearer }] = replies.map(({ body }) => body) as [
      { access_token: string },
    ];
    const ended = await harness.http.post("/2023-03-01/management/disconnect", { bearer });
    await linker.query("rollback");
    linker.release();
    expect(replies.map(({ status }) => status)).toEqual(Array.from({ length: 10 }, () => 201));
    expect(ended.status).toBe(200);
    await link();
    expect(await check()).toMatchObject({ findings: [], unlinked: 0 });
  });

  test("tells in the log of an entry that this service has not written", async () => {
    harness.logLines.length = 0;
    await insertForeign();
    await link();
    expect(harness.logLines.join("")).toContain("an audit entry has no valid MAC");
    await putBack("whole");
  });
});

describe("keys and versions", () => {
  test("after a rotation and a retirement every entry of before is proved", async () => {
    const database = await createTestDatabase();
    const [first, second] = ["k1", "k2"].map((name) => masterKey().replace("test", name));
    const before = await createHarness({ database, env: { MASTER_KEYS: first! } });
    await before.createClient();
    await newChain(before).link();
    const checkpoint = await newChain(before).makeCheckpoint();
    await before.close();
    const env = { ...before.environment, MASTER_KEYS: `${second},${first}` };
    const after = await createHarness({ database, env });
    await after.services.keys.rewrap(() => undefined);
    expect(await after.services.keys.retire("k1")).toBe(true);
    await after.close();
    const alone = await createHarness({ database, env: { ...env, MASTER_KEYS: second! } });
    await alone.createClient();
    await newChain(alone).link();
    const { pool, audit } = alone.services;
    const result = await verifyRecord({ pool, key: audit.key }, [checkpoint!]);
    expect(result).toMatchObject({ findings: [], unlinked: 0, withoutMac: 0 });
    expect(result.linked).toBeGreaterThan(5);
    await alone.close();
    await database.drop();
  });

  test("entries of an earlier version are told apart from those that somebody added later", async () => {
    const database = await createTestDatabase();
    const insertUnsigned = () =>
      database.query("insert into audit_entries (at, action) values (now(), 'client.created')");
    await insertUnsigned();
    const upgraded = await createHarness({ database });
    const { pool, audit } = upgraded.services;
    const check = () => verifyRecord({ pool, key: audit.key }, []);
    // What a process tells of itself decides nothing: the database sees its session, which has no name.
    const older = new Client({ connectionString: database.url });
    await older.connect();
    const chain = newChain(upgraded);
    /** Looks far, as once a minute. */
    const linkLater = async (): Promise<void> => {
      vi.spyOn(performance, "now").mockReturnValue((later += 100_000));
      upgraded.clock.advance(3_600);
      await chain.link();
      vi.restoreAllMocks();
    };
    let later = performance.now();
    await linkLater();
    await linkLater();
    await insertUnsigned();
    await linkLater();
    expect(await check()).toMatchObject({ findings: [], unlinked: 0, withoutMac: 2 });

    await older.end();
    await linkLater();
    await linkLater();
    await insertUnsigned();
    await linkLater();
    const { findings, withoutMac } = await check();
    expect(withoutMac).toBe(2);
    expect(findings).toMatchObject([{ kind: "foreign-entry" }]);
    await upgraded.close();
    await database.drop();
  });
});
