import { randomBytes } from "node:crypto";
import { describe, expect, test } from "vitest";
import type { RecordOf, Resource } from "../../src/model/index.ts";
import { decompress } from "../../src/platform/compression.ts";
import { decodeRecords } from "../../src/platform/packed-list.ts";
import { MacKey } from "../../src/platform/crypto/index.ts";
import type { SourceRecord } from "../../src/providers/source-records.ts";
import { eachIndexEntry } from "../../src/reading/records/employee-index.ts";
import { RecordList } from "../../src/reading/records/record-list.ts";

const keys = { idKey: new MacKey(randomBytes(32)), fingerprintKey: new MacKey(randomBytes(32)) };
const trickyTexts = ["plain", "Zoë", "東京", "😀👩‍👩‍👧", "\u2028\u2029", '},{"', "]", "[", '"', "\\"];

async function listOf<R extends Resource>(
  resource: R,
  sources: readonly SourceRecord<R>[],
): Promise<RecordList<R>> {
  const list = new RecordList<R>({
    ...keys,
    resource,
    parameters: "",
    asked: {},
  });
  await list.add(sources);
  return list;
}

const groups = (count: number): SourceRecord<"groups">[] =>
  Array.from({ length: count }, (_, position) => ({
    remote_id: `g${String(position).padStart(5, "0")}`,
    name: trickyTexts[position % trickyTexts.length] ?? "",
  }));
const employees = (count: number): SourceRecord<"employees">[] =>
  Array.from({ length: count }, (_, position) => ({
    remote_id: `e${String(position).padStart(5, "0")}`,
    last_name: trickyTexts[position % trickyTexts.length] ?? "",
    employment_status: position % 2 === 0 ? "active" : null,
  }));

describe("the body of a list", () => {
  test.each([0, 1, 2, 99, 100, 101, 999])("of %i records is one JSON array", async (count) => {
    const { body, index, packedList } = await (await listOf("groups", groups(count))).encode();
    const records = JSON.parse((await decompress(body)).toString()) as RecordOf<"groups">[];
    expect(records.map(({ remote_id: remoteId, name }) => ({ remote_id: remoteId, name }))).toEqual(
      groups(count),
    );
    expect([index, packedList]).toEqual([null, null]);
  });

  test("holds short records and long ones, whatever memory they share", async () => {
    const lengths = [10, 300_000, 700_000, 10, ...Array<number>(20).fill(60_000), 10];
    const sources = groups(lengths.length).map((group, position) => ({
      ...group,
      name: `${position} `.repeat(lengths[position] ?? 0).slice(0, lengths[position]),
    }));
    const { body, bodyBytes } = await (await listOf("groups", sources)).encode();
    const plain = await decompress(body);
    const records = JSON.parse(plain.toString()) as RecordOf<"groups">[];
    expect(records.map(({ name }) => name)).toEqual(sources.map(({ name }) => name));
    expect(bodyBytes).toBe(plain.length);
  });

  test("of employees has an index of where each stands", async () => {
    const list = await listOf("employees", employees(500));
    const { body, index } = await list.encode();
    const plain = await decompress(body);
    const entries = [...eachIndexEntry(index ?? Buffer.alloc(0))];
    expect(entries).toHaveLength(500);
    for (const { id, status, start, end } of entries) {
      const record = JSON.parse(plain.toString("utf8", start, end)) as RecordOf<"employees">;
      expect(record.id).toBe(id.toString("base64url"));
      expect(record.employment_status).toBe(status);
    }
  });
});

const versionOf = async (sources: readonly SourceRecord<"employees">[]): Promise<string> =>
  (await listOf("employees", sources)).version();

describe("the version of a list", () => {
  test("does not depend on the order in which the records came", async () => {
    const everybody = employees(50);
    expect(await versionOf(everybody.toReversed())).toBe(await versionOf(everybody));
  });

  test("is another one when a record changed, came or left", async () => {
    const everybody = employees(50);
    const [first, ...others] = everybody;
    const versions = await Promise.all(
      [
        everybody,
        others,
        [...everybody, ...employees(51).slice(-1)],
        [{ ...first!, last_name: "Other" }, ...others],
      ].map(versionOf),
    );
    expect(new Set(versions).size).toBe(4);
  });
});

const entries = (list = ""): string[] => list.match(/.{32}/g) ?? [];

test("the packed list differs for the employee who changed, and for nobody else", async () => {
  const everybody = employees(40);
  const changed = everybody.map((employee, position) =>
    position === 7 ? { ...employee, last_name: "Other" } : employee,
  );
  const [before, after] = await Promise.all(
    [everybody, changed].map(async (sources) =>
      (await (await listOf("employees", sources)).encode()).packedList!.toString("hex"),
    ),
  );
  expect(entries(after).filter((entry) => !entries(before).includes(entry))).toHaveLength(1);
});

const filledPerson = (position: number): SourceRecord<"employees"> => ({
  remote_id: `e${position}`,
  first_name: "Ada",
  last_name: "",
  job_title: position < 11 ? "Clerk" : null,
  avatar: position < 9 ? "https://example.com/a.png" : null,
  date_of_birth: "1985-07-30",
  bank_account: { iban: "DE00" },
  tax_id: "1",
  ethnicity: "mixed",
  dependents: [{ name: "Bea", relationship: null }],
  home_location: { street_address: null, locality: position < 10 ? "Bath" : null },
  employments: [{ pay_rate: null }, { pay_rate: position < 12 ? 0 : null }],
  custom_fields: { shirt: position < 13 ? "M" : null },
});

const filledPeople = (count: number): SourceRecord<"employees">[] =>
  Array.from({ length: count }, (_, position) => filledPerson(position));

describe("what is filled of a list", () => {
  const sensitive =
    "bank_account date_of_birth dependents emergency_contacts ethnicity tax_id".split(" ");

  test("is counted by fields, and said without a number below ten", async () => {
    const { records, fields } = (await listOf("employees", filledPeople(14))).filled();
    expect(records).toBe(14);
    expect(fields).toMatchObject({
      id: 14,
      first_name: 14,
      last_name: "none",
      job_title: 11,
      avatar: "some",
      home_location: 10,
      work_location: "none",
      groups: "none",
      employments: 12,
      "employments.pay_rate": 12,
      "employments.currency": "none",
      custom_fields: 13,
    });
    const few = (await listOf("employees", filledPeople(9))).filled();
    expect(new Set(Object.values(few.fields))).toEqual(new Set(["some", "none"]));
  });

  test("does not tell of bank accounts, tax ids, birthdays, ethnicity and relatives", async () => {
    const { fields } = (await listOf("employees", filledPeople(14))).filled();
    expect(sensitive.filter((name) => name in fields)).toEqual([]);
    const companies = Array.from({ length: 10 }, (_, at) => ({ remote_id: `${at}`, tax_id: "1" }));
    expect((await listOf("company", companies)).filled().fields).toHaveProperty("tax_id", 10);
  });

  test("is the same of a list that runs before kept, and of one that is carried over", async () => {
    const whole = await listOf("employees", filledPeople(14));
    const first = await listOf("employees", filledPeople(10));
    first.mark();
    const resumed = await listOf("employees", filledPeople(14).slice(10));
    await resumed.restore((await first.pack()).records);
    expect(resumed.filled()).toEqual(whole.filled());
    const { body, index } = await whole.encode();
    const changed = await listOf("employees", [filledPerson(13)]);
    await changed.carryOver({ body, index: index ?? Buffer.alloc(0) }, new Set(["e0"]));
    expect(changed.filled()).toEqual(
      (await listOf("employees", filledPeople(14).slice(1))).filled(),
    );
  });

  test("leaves out the one of two people with one id who is left out", async () => {
    const twice = [...filledPeople(12), { ...filledPerson(0), first_name: "Eve" }];
    const list = await listOf("employees", twice);
    expect([list.filled().records, list.filled().fields["id"]]).toEqual([12, 12]);
  });
});

/** Its hours are longer than it is. */
const longSheet = (remoteId: string, day: string): SourceRecord<"timesheets"> => ({
  remote_id: remoteId,
  employee_remote_id: "e1",
  start_time: `${day}T09:02:00Z`,
  end_time: `${day}T17:00:00Z`,
  hours_worked: 8,
});

test("a shift that is shorter than its hours is in the range of its day alone, without its times", async () => {
  const list = new RecordList<"timesheets">({
    ...keys,
    resource: "timesheets",
    parameters: "",
    asked: { range: { start: "2025-01-01", end: "2025-01-31" } },
    isCompared: true,
  });
  await list.add([longSheet("later", "2026-11-03"), longSheet("inside", "2025-01-03")]);
  const { body, records } = await list.encode();
  expect(JSON.parse((await decompress(body)).toString())).toMatchObject([
    { remote_id: "inside", start_time: null, end_time: null, hours_worked: 8 },
  ]);
  expect(decodeRecords(records!).values().toArray()).toMatchObject([
    { firstDay: 20_250_103, lastDay: 20_250_103 },
  ]);
});
