import { randomBytes } from "node:crypto";
import { setImmediate as nextTurn } from "node:timers/promises";
import { text as readText } from "node:stream/consumers";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { gunzipSync, inflateSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { resourceRecords, type EmploymentStatus, type RecordOf } from "../../src/model/index.ts";
import { compress, decompress } from "../../src/platform/compression.ts";
import { encodeEmployeeIndex } from "../../src/reading/records/employee-index.ts";
import { packedId } from "../../src/platform/packed-list.ts";
import { cutEmployees, cutVariant, type Variant } from "../../src/sync/snapshot-body.ts";

setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc") as () => void;

type Employee = RecordOf<"employees">;

const statuses = ["active", "inactive", "pending", "leave"] as const;
/** One, two, three and four bytes of UTF-8, and what would end a record if it were looked for. */
const trickyTexts = [
  "plain",
  "Zoë",
  "東京",
  "😀👩‍👩‍👧",
  "\u2028\u2029",
  "a\0b",
  '},{"employment_status":"active"',
  "]",
  "[",
  '"',
  "\\",
  "\ud800",
  "",
];

function employee(name: string, status: EmploymentStatus | null): Employee {
  const id = randomBytes(16).toString("base64url");
  return resourceRecords.employees.parse({
    id,
    remote_id: id,
    first_name: "",
    last_name: name,
    display_full_name: name,
    employment_status: status,
    home_location: {},
    work_location: {},
    employments: [],
    groups: [],
  });
}

function encode(employees: readonly Employee[]): { body: Buffer; index: Buffer } {
  const texts = employees.map((employee) => JSON.stringify(employee));
  return {
    body: Buffer.from(`[${texts.join(",")}]`),
    index: encodeEmployeeIndex(
      employees.map(({ id, employment_status: status }, position) => ({
        id,
        status,
        bytes: Buffer.byteLength(texts[position] ?? ""),
      })),
    ),
  };
}

/** Of buffers that are no garbage. */
function heldBytes(): number {
  collect();
  return process.memoryUsage().arrayBuffers;
}

const pieceBytes = 61;

/** The part of a body that comes whole, which is the same as that of one that comes in small pieces. */
async function cut(body: Buffer, index: Buffer, variant: Variant): Promise<string | undefined> {
  const inPieces = Array.from({ length: Math.ceil(body.length / pieceBytes) }, (_, position) =>
    body.subarray(position * pieceBytes, (position + 1) * pieceBytes),
  );
  const read = async (pieces: Buffer[]): Promise<string | undefined> => {
    const parts = cutVariant(pieces, index, variant);
    return parts && (await readText(parts));
  };
  const whole = await read([body]);
  expect(await read(inPieces)).toBe(whole);
  return whole;
}

const shortId = ({ id }: Employee): string => packedId(Buffer.from(id, "base64url"));

describe("cutEmployees", () => {
  test("finds each of many in a compressed list, byte for byte", async () => {
    const everybody = Array.from({ length: 3_000 }, (_, position) =>
      employee(`${trickyTexts[position % trickyTexts.length]}${position}`, null),
    );
    const { body, index } = encode(everybody);
    const compressed = await compress(body, "br");
    for (const wanted of [everybody, everybody.filter((_, position) => position % 97 === 0)]) {
      const found = await cutEmployees({ body: compressed, index }, new Set(wanted.map(shortId)));
      expect([...found.values()]).toEqual(wanted.map((person) => JSON.stringify(person)));
      expect([...found.keys()]).toEqual(wanted.map(shortId));
    }
  });

  test("keeps what it finds and not what lies between", async () => {
    // Far more than what other tests of this process let go of, or take, meanwhile.
    const large = "x".repeat(250_000);
    const everybody = Array.from({ length: 100 }, (_, position) => ({
      ...employee(String(position), null),
      notes: position % 2 === 0 ? "found" : large,
    }));
    const { body, index } = encode(everybody);
    const compressed = await compress(body, "br");
    const wanted = new Set(everybody.filter(({ notes }) => notes === "found").map(shortId));
    // What the compression left is given up in a later turn.
    for (let turn = 0; turn < 3; turn += 1) {
      heldBytes();
      await nextTurn();
    }
    const before = heldBytes();
    const held: number[] = [];
    const cutting = cutEmployees({ body: compressed, index }, wanted);
    const done = cutting.then(() => true);
    // To collect what is garbage takes longer than many turns, as the files of a worker share its heap. What was found to
    // be garbage is given up by the next turn.
    for (let turn = 0; !(await Promise.race([done, nextTurn(false)])); turn += 1) {
      if (turn % 16 > 1) continue;
      const bytes = heldBytes() - before;
      if (turn % 16 === 1) held.push(bytes);
    }
    expect((await cutting).size).toBe(50);
    expect(held.length).toBeGreaterThan(1);
    expect(Math.max(...held)).toBeLessThan(body.length / 5);
  });

  test("finds nobody who is not there", async () => {
    const { body, index } = encode([employee("a", null)]);
    const found = await cutEmployees(
      { body: await compress(body, "br"), index },
      new Set([shortId(employee("b", null))]),
    );
    expect(found.size).toBe(0);
  });
});

describe("cutVariant", () => {
  const mixed = trickyTexts.flatMap((text) =>
    [...statuses, null].map((status) => employee(text, status)),
  );

  test.each(statuses)("cuts out those who are %s, byte for byte", async (status) => {
    const { body, index } = encode(mixed);
    expect(await cut(body, index, { employmentStatus: status })).toBe(
      JSON.stringify(mixed.filter(({ employment_status: own }) => own === status)),
    );
  });

  test("nobody of that status, or nobody at all, is an empty array", async () => {
    for (const employees of [
      [],
      [employee("a", null)],
      [employee("a", "active"), employee("b", null)],
    ]) {
      const { body, index } = encode(employees);
      expect(await cut(body, index, { employmentStatus: "leave" })).toBe("[]");
    }
  });

  test.each<[string, Employee[]]>([
    ["only the first", [employee("a", "leave"), employee("b", "active")]],
    ["only the last", [employee("a", "active"), employee("b", "leave")]],
    ["all", [employee("a", "leave"), employee("é", "leave"), employee("😀", "leave")]],
    ["a single person", [employee("a", "leave")]],
    [
      "across the turns in which the body is made",
      Array.from({ length: 600 }, (_, position) =>
        employee(`é${position}`, position % 249 === 0 ? "leave" : "active"),
      ),
    ],
  ])("%s", async (_name, employees) => {
    const { body, index } = encode(employees);
    expect(await cut(body, index, { employmentStatus: "leave" })).toBe(
      JSON.stringify(employees.filter(({ employment_status: own }) => own === "leave")),
    );
  });

  test("one person is cut out by id, whatever stands before and behind", async () => {
    const { body, index } = encode(mixed);
    for (const person of mixed)
      expect(await cut(body, index, { employeeId: person.id })).toBe(JSON.stringify(person));
  });

  test.each(["", "x", "AAAAAAAAAAAAAAAAAAAAAA", "\0", "😀", "*"])(
    "there is nobody with the id %j",
    async (employeeId) => {
      for (const employees of [[], mixed]) {
        const { body, index } = encode(employees);
        expect(await cut(body, index, { employeeId })).toBeUndefined();
      }
    },
  );
});

describe("compress", () => {
  test.each([
    ["nothing", ""],
    ["an empty array", "[]"],
    ["every kind of character", JSON.stringify(trickyTexts)],
    ["a million characters", "x".repeat(1_000_000)],
  ])("%s comes back the same in every encoding", async (_name, text) => {
    const body = Buffer.from(text);
    expect((await decompress(await compress(body, "br"))).equals(body)).toBe(true);
    expect(gunzipSync(await compress(body, "gzip")).equals(body)).toBe(true);
    expect(inflateSync(await compress(body, "deflate")).equals(body)).toBe(true);
    expect((await compress(body, "identity")).equals(body)).toBe(true);
  });
});
