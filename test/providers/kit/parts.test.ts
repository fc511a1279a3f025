import { describe, expect, test } from "vitest";
import { inParts } from "../../../src/providers/kit/days.ts";
import { oneByOne } from "../../../src/providers/kit/one-by-one.ts";

describe("a range in parts", () => {
  const range = { start: "2023-11-20", end: "2025-03-01" };

  test("of years ends each with the year", () => {
    expect([...inParts(range, "years")]).toEqual([
      { start: "2023-11-20", end: "2023-12-31", cursor: { start: "2024-01-01" } },
      { start: "2024-01-01", end: "2024-12-31", cursor: { start: "2025-01-01" } },
      { start: "2025-01-01", end: "2025-03-01", cursor: undefined },
    ]);
  });

  test.each([
    ["2023-11-20", ["2023-11-20"]],
    ["2023-11-26", ["2023-11-20"]],
    ["2023-11-27", ["2023-11-20", "2023-11-27"]],
    ["2023-11-19", []],
  ])("of weeks up to %s begins with %j", (end, starts) => {
    const parts = [...inParts({ start: range.start, end }, { days: 7 })];
    expect(parts.map(({ start }) => start)).toEqual(starts);
    expect(parts.at(-1)?.end).toBe(starts.length > 0 ? end : undefined);
    expect(parts.at(-1)?.cursor).toBeUndefined();
  });

  test("goes on from the cursor of a part", () => {
    const [first] = inParts(range, "years");
    const left = [...inParts(range, "years", first?.cursor)];
    expect(left.map(({ start }) => start)).toEqual(["2024-01-01", "2025-01-01"]);
  });
});

/** Reads these ids two at once, and stops at a failure. */
const readAll = async (cursor: object | undefined, failing?: string) => {
  const asked: string[] = [];
  const pages: { records: readonly string[]; cursor: object }[] = [];
  const read = async (id: string): Promise<string[]> => {
    asked.push(id);
    if (id === failing) throw new Error(`no ${id}`);
    return [`record of ${id}`];
  };
  const options = { atOnce: 2, cursor: cursor as undefined };
  try {
    for await (const page of oneByOne(["10", "2", "9", "1", "11"], options, read)) pages.push(page);
  } catch (error) {
    return { asked, pages, error };
  }
  return { asked, pages };
};

describe("one by one", () => {
  test("is in the order of the ids, with where to go on", async () => {
    const { asked, pages } = await readAll(undefined);
    expect(asked).toEqual(["1", "2", "9", "10", "11"]);
    expect(pages).toEqual([
      { records: ["record of 1", "record of 2"], cursor: { after: "2", done: [] } },
      { records: ["record of 9", "record of 10"], cursor: { after: "10", done: [] } },
      { records: ["record of 11"], cursor: { after: "11", done: [] } },
    ]);
  });

  test.each([
    ["9", ["record of 10"], ["9", "11"]],
    ["10", ["record of 9"], ["10", "11"]],
    ["1", ["record of 2"], ["1", "9", "10", "11"]],
  ])(
    "gives what was read beside a failure of %s, and asks for it no more",
    async (id, records, left) => {
      const { error, pages } = await readAll(undefined, id);
      expect(error).toEqual(new Error(`no ${id}`));
      expect(pages.at(-1)?.records).toEqual(records);
      const again = await readAll(pages.at(-1)?.cursor);
      expect(again.asked).toEqual(left);
    },
  );
});
