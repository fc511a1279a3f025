import { describe, expect, test } from "vitest";
import { resourceRecords, type Resource } from "../../src/model/index.ts";
import { checkRecord } from "../../src/reading/records/check-record.ts";

type Data = Record<string, unknown>;

const valid: Record<Resource, Data> = {
  company: {},
  employees: {
    id: "1",
    remote_id: "1",
    first_name: "Ann",
    last_name: "Ant",
    display_full_name: "Ant",
    home_location: {},
    work_location: {},
    employments: [],
    groups: [],
  },
  groups: {},
  payruns: { id: "1", remote_id: "1" },
  payslips: {
    employee_id: "1",
    employee_remote_id: "1",
    payrun_id: "1",
    payrun_remote_id: "1",
    start_date: "2026-01-01",
    end_date: "2026-01-31",
    payment_date: "2026-01-28",
  },
  timesheets: {
    id: "1",
    remote_id: "1",
    employee_id: "1",
    employee_remote_id: "1",
    hours_worked: 8,
  },
  "time-off-entries": {
    id: "1",
    remote_id: "1",
    employee_id: "1",
    employee_remote_id: "1",
    amount: 1,
    unit: "days",
  },
  "time-off-balances": { employee_id: "1", employee_remote_id: "1" },
  "work-locations": {},
};

function check(resource: Resource, patch: Data): { record: Data | undefined; nulled: string[] } {
  const nulled: string[] = [];
  const record = checkRecord(resourceRecords[resource], { ...valid[resource], ...patch }, (path) =>
    nulled.push(path),
  ) as Data | undefined;
  return { record, nulled };
}

/** The value at a path such as `employments.0.pay_rate`. */
function at(record: unknown, path: string): unknown {
  return path.split(".").reduce((value, key) => (value as Data)[key], record);
}

describe("a record that is as the model says", () => {
  test.each(Object.keys(valid) as Resource[])(
    "of %s passes; what it leaves out is null, which is not told",
    (resource) => {
      const { record, nulled } = check(resource, {});
      expect(nulled).toEqual([]);
      const always = Object.keys(resourceRecords[resource].shape).filter(
        (field) => field !== "currency_code",
      );
      expect(Object.keys(record ?? {})).toEqual(always);
      expect(record).toMatchObject(
        Object.fromEntries(
          Object.entries(valid[resource]).filter(([, value]) => typeof value !== "object"),
        ),
      );
    },
  );

  test("loses the fields that the model does not have", () => {
    const { record, nulled } = check("groups", { name: "Sales", budget: 5, __typename: "Group" });
    expect([record, nulled]).toEqual([
      { id: null, remote_id: null, name: "Sales", type: null },
      [],
    ]);
  });

  test("keeps what its custom fields hold", () => {
    const custom = { size: "M", nested: { list: [1, null, "x"] } };
    expect(check("employees", { custom_fields: custom }).record?.["custom_fields"]).toEqual(custom);
  });

  test("is not changed itself", () => {
    const record = Object.freeze({
      ...valid.employees,
      gender: "x",
      home_location: Object.freeze({ country: "XX" }),
    });
    expect(checkRecord(resourceRecords.employees, record, () => undefined)).toBeDefined();
    expect(record).toMatchObject({ gender: "x", home_location: { country: "XX" } });
  });
});

describe("a bad optional field becomes null and is told by its path", () => {
  test.each<[Resource, Data, string]>([
    ["employees", { gender: "unknown" }, "gender"],
    ["employees", { gender: "MALE" }, "gender"],
    ["employees", { employee_number: 17 }, "employee_number"],
    ["employees", { date_of_birth: "2026-02-30" }, "date_of_birth"],
    ["employees", { date_of_birth: new Date(0) }, "date_of_birth"],
    ["employees", { start_date: "2026-01-01T00:00:00Z" }, "start_date"],
    ["employees", { start_date: "" }, "start_date"],
    ["employees", { employment_status: "retired" }, "employment_status"],
    ["employees", { avatar: "javascript:alert(1)" }, "avatar"],
    ["employees", { avatar: "data:image/png;base64,AA==" }, "avatar"],
    ["employees", { avatar: "picture.png" }, "avatar"],
    ["employees", { home_location: { country: "XX" } }, "home_location.country"],
    ["employees", { home_location: { country: "de" } }, "home_location.country"],
    ["employees", { work_location: { name: ["Berlin"] } }, "work_location.name"],
    ["employees", { work_location: { address: "Berlin" } }, "work_location.address"],
    ["employees", { manager: { id: "1", first_name: 5 } }, "manager.first_name"],
    ["employees", { manager: 5 }, "manager"],
    ["employees", { bank_account: "DE00" }, "bank_account"],
    ["employees", { employments: [{}, { pay_rate: "100" }] }, "employments.1.pay_rate"],
    ["employees", { employments: [{ pay_rate: Number.NaN }] }, "employments.0.pay_rate"],
    [
      "employees",
      { employments: [{ pay_rate: Number.POSITIVE_INFINITY }] },
      "employments.0.pay_rate",
    ],
    ["employees", { employments: [{ currency: "EUR" }] }, "employments.0.currency"],
    ["employees", { employments: [{ currency: "euro" }] }, "employments.0.currency"],
    ["employees", { employments: [{ pay_period: "year" }] }, "employments.0.pay_period"],
    ["employees", { groups: [{ name: "A", type: "squad" }] }, "groups.0.type"],
    ["employees", { dependents: "two" }, "dependents"],
    ["employees", { dependents: [{ name: "Bo" }, 5] }, "dependents"],
    [
      "employees",
      { emergency_contacts: [{ primary_contact: "yes" }] },
      "emergency_contacts.0.primary_contact",
    ],
    ["employees", { custom_fields: "none" }, "custom_fields"],
    ["employees", { custom_fields: [1] }, "custom_fields"],
    ["company", { address: [] }, "address"],
    ["company", { tax_id: 123 }, "tax_id"],
    ["payruns", { payment_date: "28.01.2026" }, "payment_date"],
    ["payruns", { state: "draft" }, "state"],
    ["payslips", { currency: "jpy" }, "currency"],
    ["payslips", { currency: "USD" }, "currency"],
    ["payslips", { gross_pay: "100.00" }, "gross_pay"],
    ["payslips", { id: 5 }, "id"],
    ["payslips", { earnings: [{ name: "Pay", amount: 1, hours: "8" }] }, "earnings.0.hours"],
    [
      "payslips",
      { taxes: [{ name: "Tax", amount: 1, employer_tax: "no" }] },
      "taxes.0.employer_tax",
    ],
    ["payslips", { deductions: [{ name: "Pension", amount: "1" }] }, "deductions"],
    ["payslips", { earnings: [{ name: "Pay", amount: 1 }, { amount: 1 }] }, "earnings"],
    ["timesheets", { start_time: "08:00" }, "start_time"],
    ["timesheets", { start_time: "2026-01-01T08:00:00" }, "start_time"],
    ["timesheets", { end_time: "2026-01-01T24:61:00Z" }, "end_time"],
    ["time-off-entries", { status: "done" }, "status"],
    ["time-off-entries", { policy_type: "sabbatical" }, "policy_type"],
    ["time-off-balances", { balance: "3" }, "balance"],
  ])("%s %o: %s", (resource, patch, path) => {
    const { record, nulled } = check(resource, patch);
    expect(nulled).toEqual([path]);
    expect(at(record, path)).toBeNull();
  });

  test("as many as there are, while the good ones stay", () => {
    const { record, nulled } = check("employees", {
      gender: 1,
      ethnicity: "x",
      first_name: "Ann",
      tax_id: {},
      home_location: { country: "XX", locality: "Bonn" },
    });
    expect(nulled.sort()).toEqual(["ethnicity", "gender", "home_location.country", "tax_id"]);
    expect(record).toMatchObject({
      gender: null,
      ethnicity: null,
      first_name: "Ann",
      tax_id: null,
      home_location: { country: null, locality: "Bonn" },
    });
  });

  test.each([49, 50, 51, 120])("also %i of them in one record", (count) => {
    const earnings = Array.from({ length: count }, () => ({ name: "Pay", amount: 1, hours: "8" }));
    const { record, nulled } = check("payslips", { earnings });
    expect(nulled).toHaveLength(count);
    expect(record?.["earnings"]).toEqual(earnings.map((line) => ({ ...line, hours: null })));
  });
});

describe("a record is refused without a field that must be there", () => {
  const required: Record<Resource, readonly string[]> = {
    company: [],
    employees: ["id", "remote_id", "first_name", "last_name", "display_full_name"],
    groups: [],
    payruns: ["id", "remote_id"],
    payslips: [
      "employee_id",
      "employee_remote_id",
      "payrun_id",
      "payrun_remote_id",
      "start_date",
      "end_date",
      "payment_date",
    ],
    timesheets: ["id", "remote_id", "employee_id", "employee_remote_id", "hours_worked"],
    "time-off-entries": ["id", "remote_id", "employee_id", "employee_remote_id", "amount", "unit"],
    "time-off-balances": ["employee_id", "employee_remote_id"],
    "work-locations": [],
  };
  const cases = Object.entries(required).flatMap(([resource, fields]) =>
    fields.map((field) => [resource as Resource, field] as const),
  );

  test.each(cases)("%s without %s", (resource, field) => {
    for (const value of [undefined, null, {}, []]) {
      const { record, nulled } = check(resource, { [field]: value });
      expect(record).toBeUndefined();
      expect(nulled).toEqual([]);
    }
  });

  test.each<[Resource, Data]>([
    ["timesheets", { hours_worked: "8" }],
    ["timesheets", { hours_worked: Number.NaN }],
    ["time-off-entries", { unit: "weeks" }],
    ["payslips", { start_date: "2026-02-30" }],
    ["employees", { remote_id: 5 }],
  ])("%s with a wrong one: %o", (resource, patch) => {
    expect(check(resource, patch).record).toBeUndefined();
  });

  test("also when there are bad optional fields", () => {
    expect(check("employees", { gender: 1, remote_id: null, tax_id: 5 }).record).toBeUndefined();
  });
});
