import { describe, expect, test } from "vitest";
import { joinSql, sql, sqlText } from "../../src/platform/db/index.ts";

const statement = (id: string, first: string, second: string) => {
  const conditions = [
    sql`id = ${{ id }}`,
    sql`id in (${{ first, second }})`,
    sql`parent = ${{ id }}`,
  ];
  return sql`select ${sqlText("name")} from rows where ${joinSql(conditions, " or ")}`.toQuery();
};

describe("a statement of pieces", () => {
  test("has a number for each name, wherever it stands", () => {
    const { text, values } = statement("a", "b", "c");
    expect([text, values]).toEqual([
      "select name from rows where id = $1 or id in ($2, $3) or parent = $1",
      ["a", "b", "c"],
    ]);
  });

  test("has one text and one plan for all values", () => {
    const [first, second] = [statement("a", "b", "c"), statement("$1", "' or true", "")];
    expect([second.text, second.name]).toEqual([first.text, first.name]);
  });

  test("is refused when a name has two values", () => {
    const pieces = sql`${sql`a = ${{ id: 1 }}`} and ${sql`b = ${{ id: 2 }}`}`;
    expect(() => pieces.toQuery()).toThrow("the parameter id has two values");
  });
});
