import { describe, expect, test } from "vitest";
import { modeOfScopes, resourcesOfScopes, scopes } from "../../src/model/index.ts";

test("the scopes are those that the specification enumerates", () => {
  expect(scopes).toEqual([
    "/2023-03-01/official/company",
    "/2023-03-01/official/employee",
    "/2023-03-01/official/employees",
    "/2023-03-01/official/groups",
    "/2023-03-01/official/identity",
    "/2023-03-01/official/time-off-balances",
    "/2023-03-01/official/time-off-entries",
    "/2023-03-01/official/timesheets",
    "/2023-03-01/official/work-locations",
    "/2023-03-01/xhr/company",
    "/2023-03-01/xhr/employee",
    "/2023-03-01/xhr/employees",
    "/2023-03-01/xhr/groups",
    "/2023-03-01/xhr/identity",
    "/2023-03-01/xhr/payruns",
    "/2023-03-01/xhr/payruns/:payrun_id",
    "/2023-03-01/xhr/time-off-balances",
    "/2023-03-01/xhr/time-off-entries",
    "/2023-03-01/xhr/timesheets",
    "/2023-03-01/xhr/work-locations",
  ]);
});

describe("what a set of scopes reads", () => {
  test("is each resource once, and nothing for identity", () => {
    expect(
      resourcesOfScopes([
        "/2023-03-01/xhr/employee",
        "/2023-03-01/xhr/employees",
        "/2023-03-01/xhr/identity",
        "/2023-03-01/xhr/payruns/:payrun_id",
      ]),
    ).toEqual(["employees", "payslips"]);
  });

  test("has a mode when all of them are of it", () => {
    expect(modeOfScopes(["/2023-03-01/xhr/company", "/2023-03-01/xhr/groups"])).toBe("xhr");
    expect(modeOfScopes(["/2023-03-01/official/company"])).toBe("official");
    expect(
      modeOfScopes(["/2023-03-01/official/company", "/2023-03-01/xhr/company"]),
    ).toBeUndefined();
    expect(modeOfScopes([])).toBeUndefined();
  });
});
