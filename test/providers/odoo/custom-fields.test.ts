import { afterEach, describe, expect, it } from "vitest";
import {
  listAddedFields,
  readAddedFields,
  toCustomFields,
} from "../../../src/providers/odoo/custom-fields.ts";
import { closeAll, Customer, startFakeOdoo } from "../../support/odoo-customer.ts";
import { odooTables, odooUsers } from "../../support/odoo-desk-data.ts";

afterEach(closeAll);

const property = { name: "a1b2c3", string: "T-shirt" };

describe("a property of employees", () => {
  it.each<[string, object, unknown]>([
    ["a text", { type: "char", value: "L" }, "L"],
    ["an empty text", { type: "char", value: false }, null],
    ["a number", { type: "integer", value: 0 }, 0],
    ["a tick", { type: "boolean", value: false }, false],
    ["a day", { type: "date", value: "2026-03-02" }, "2026-03-02"],
    ["a choice", { type: "selection", value: "l", selection: [["l", "Large"]] }, "Large"],
    ["a choice that is gone", { type: "selection", value: "x", selection: [["l", "Large"]] }, null],
    [
      "tags",
      {
        type: "tags",
        value: ["b", "x"],
        tags: [
          ["a", "Red", 1],
          ["b", "Blue", 2],
        ],
      },
      ["Blue"],
    ],
    ["a record", { type: "many2one", value: [3, "Depot"] }, "Depot"],
    [
      "records",
      {
        type: "many2many",
        value: [
          [3, "Depot"],
          [4, "Dock"],
        ],
      },
      ["Depot", "Dock"],
    ],
  ])("that is %s has its value under its label", (_, fields, expected) => {
    expect(toCustomFields({}, [{ ...property, ...fields }])).toEqual({ "T-shirt": expected });
  });

  it("that has the label of another one has its name too, and one without a label is left out", () => {
    const properties = [
      { ...property, type: "char", value: "L" },
      { name: "d4", string: "T-shirt", type: "char", value: "M" },
      { name: "e5", type: "char", value: "gone" },
      { name: "f6", string: "A line", type: "separator" },
    ];
    expect(toCustomFields({}, properties)).toEqual({
      "T-shirt": "L",
      "T-shirt (d4)": "M",
    });
  });
});

describe("a property whose label is no plain name", () => {
  it.each([
    ["constructor", "constructor"],
    ["toString", "toString"],
    ["__proto__", "__proto__ (a1b2c3)"],
    ["x_one", "x_one (a1b2c3)"],
    ["company", "company (a1b2c3)"],
  ])("%s is kept as %s, beside the others", (string, name) => {
    const properties = [{ ...property, string, type: "tags", value: ["a"], tags: [["a", "Red"]] }];
    const fields = { x_one: "L", company: { remote_id: "2", name: "Zweite GmbH" } };
    expect(Object.entries(toCustomFields(fields, properties)!)).toEqual([
      ["x_one", "L"],
      ["company", { remote_id: "2", name: "Zweite GmbH" }],
      [name, ["Red"]],
    ]);
  });
});

describe("a field that the company added", () => {
  it("is one of one value", () => {
    const fields = {
      x_studio_size: { type: "char" },
      x_picture: { type: "binary" },
      x_lines: { type: "one2many" },
      name: { type: "char" },
    };
    expect(listAddedFields(fields)).toEqual([{ name: "x_studio_size", type: "char" }]);
  });

  it.each<[string, unknown, unknown]>([
    ["char", "L", "L"],
    ["char", false, null],
    ["boolean", false, false],
    ["float", 1.5, 1.5],
    ["many2one", [3, "Depot"], "Depot"],
    ["many2one", false, null],
  ])("of the type %s with %j is %j", (type, value, expected) => {
    expect(readAddedFields({ id: 1, x_one: value }, [{ name: "x_one", type }])).toEqual({
      x_one: expected,
    });
  });
});

it("is read with the employees, and there is nothing without one", async () => {
  const tables = odooTables();
  tables["hr.employee"]![0] = {
    ...tables["hr.employee"]![0]!,
    x_studio_size: "L",
    employee_properties: [{ ...property, type: "char", value: "blue" }],
  };
  const users = odooUsers;
  const read = async (companyFields: Record<string, string[]>) => {
    const fake = await startFakeOdoo({ version: 19, users, tables, companyFields });
    const customer = new Customer(fake.origin);
    const people = await customer.read("employees", await customer.signIn());
    return people.map(({ custom_fields }) => custom_fields);
  };
  expect(await read({ "hr.employee": ["x_studio_size:char"] })).toEqual([
    { x_studio_size: "L", "T-shirt": "blue" },
    { x_studio_size: null },
  ]);
  expect(await read({})).toEqual([{ "T-shirt": "blue" }, null]);
});
