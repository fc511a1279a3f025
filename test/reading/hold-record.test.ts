import { describe, expect, test } from "vitest";
import { resourceRecords, type RecordOf } from "../../src/model/index.ts";
import { holdRecord } from "../../src/reading/records/hold-record.ts";

type Payslip = RecordOf<"payslips">;

const example = resourceRecords.payslips.meta()?.["examples"] as Payslip[];
const slip = resourceRecords.payslips.parse(example[0]);
const run = { payrunRemoteId: slip.payrun_remote_id };
const lists = ["earnings", "deductions", "taxes", "reimbursements"] as const;
const nulls = Object.fromEntries(lists.map((list) => [list, null]));

function hold(patch: Partial<Payslip>, asked = run) {
  const nulled: string[] = [];
  const record = holdRecord("payslips", { ...slip, ...patch }, asked, (field) =>
    nulled.push(field),
  );
  return { record, nulled };
}

const line = (amount: number) => ({ name: "A line", amount });

describe("a payslip", () => {
  test("that adds up is as it was given", () => {
    expect(hold({})).toEqual({ record: slip, nulled: [] });
  });

  test.each<[string, Partial<Payslip>]>([
    ["has no gross pay", { gross_pay: null, net_pay: 1 }],
    ["has no net pay", { net_pay: null }],
    ["has no deductions that are known", { deductions: null }],
    ["has no taxes that are known", { taxes: null }],
    [
      "has no reimbursements that are known, and a larger net pay",
      { reimbursements: null, net_pay: slip.net_pay! + 900 },
    ],
    [
      "has taxes of the employer, whatever they are",
      { taxes: [...(slip.taxes ?? []), { ...line(9), employer_tax: true }] },
    ],
    ["has contributions, whatever they are", { contributions: [line(1e6)] }],
    ["is a minor unit beside its lines, which are rounded", { net_pay: slip.net_pay! + 1 }],
    [
      "is all negative, as a reversal is",
      {
        gross_pay: -100,
        net_pay: -80,
        earnings: [{ ...line(-100), hours: null }],
        deductions: [line(-20)],
        taxes: [],
        reimbursements: [],
      },
    ],
  ])("that %s keeps its lists", (_name, patch) => {
    expect(hold(patch)).toEqual({ record: { ...slip, ...patch }, nulled: [] });
  });

  test.each<[string, Partial<Payslip>]>([
    ["earnings are not the gross pay", { earnings: [{ ...line(47_000), hours: null }] }],
    ["totals are in major units", { gross_pay: 476.11, net_pay: 338.21 }],
    ["deductions are missing", { deductions: [] }],
    ["deductions are missing, and earnings unknown", { deductions: [], earnings: null }],
    [
      "deductions are missing, and reimbursements unknown, which would make more",
      { deductions: [], reimbursements: null },
    ],
    [
      "net pay is more than gross pay without the taxes, though deductions are unknown",
      { deductions: null, reimbursements: [], net_pay: slip.gross_pay! },
    ],
    [
      "tax of the employee is called the employer's",
      { taxes: (slip.taxes ?? []).map((tax) => ({ ...tax, employer_tax: true })) },
    ],
    [
      "tax of the employer is called the employee's",
      { taxes: (slip.taxes ?? []).map((tax) => ({ ...tax, employer_tax: false })) },
    ],
    ["reimbursements are taken off", { reimbursements: [line(-3540)] }],
  ])("whose %s keeps its totals alone, and is counted", (_name, patch) => {
    const { record, nulled } = hold(patch);
    expect(record).toEqual({ ...slip, ...patch, ...nulls });
    const given = { ...slip, ...patch };
    expect(nulled).toEqual(lists.filter((list) => given[list] !== null));
  });

  test("of another pay run than was asked for is refused", () => {
    expect(() => hold({ payrun_remote_id: "another" })).toThrow(
      "a payslip has another payrun_remote_id than the pay run asked for",
    );
  });
});

const refuse = (field: string): never => expect.unreachable(field);

describe("a period", () => {
  const run = {
    id: "r",
    remote_id: "1",
    state: null,
    type: null,
    start_date: "2026-03-01",
    end_date: "2026-03-31",
    payment_date: null,
  };
  const entry = {
    id: "e",
    remote_id: "1",
    employee_id: "e",
    employee_remote_id: "2",
    start_date: "2026-03-01",
    end_date: "2026-03-31",
    amount: 1,
    unit: "days" as const,
    status: null,
    employee_note: null,
    policy_id: null,
    policy_remote_id: null,
    policy_name: null,
    policy_type: null,
    remote_created_at: null,
    remote_modified_at: null,
  };

  test.each([
    ["of one day", { start_date: "2026-03-02", end_date: "2026-03-02" }],
    ["without an end", { end_date: null }],
  ])("%s is as it was given", (_name, patch) => {
    expect(holdRecord("payruns", { ...run, ...patch }, {}, refuse)).toEqual({ ...run, ...patch });
    const given = { ...entry, ...patch };
    expect(holdRecord("time-off-entries", given, {}, refuse)).toEqual(given);
  });

  test("that ends before it begins has no days, and is counted", () => {
    const nulled: string[] = [];
    const note = (field: string): void => void nulled.push(field);
    const turned = { start_date: "2026-04-01" };
    const none = { start_date: null, end_date: null };
    expect(holdRecord("payruns", { ...run, ...turned }, {}, note)).toEqual({ ...run, ...none });
    expect(holdRecord("time-off-entries", { ...entry, ...turned }, {}, note)).toEqual({
      ...entry,
      ...none,
    });
    expect(nulled).toEqual(["start_date", "end_date", "start_date", "end_date"]);
  });
});

describe("a timesheet", () => {
  const sheet = {
    id: "t",
    remote_id: "1",
    employee_id: "e",
    employee_remote_id: "2",
    start_time: "2026-03-02T09:00:00Z",
    end_time: "2026-03-02T17:30:00Z",
    hours_worked: 8.5,
    remote_created_at: null,
    remote_modified_at: null,
  };
  const times = { start_time: null, end_time: null };

  test.each<[string, Partial<typeof sheet>, object, string[]]>([
    ["as long as the shift", {}, {}, []],
    ["shorter, for breaks", { hours_worked: 7 }, {}, []],
    ["rounded up within a minute", { hours_worked: 8.51 }, {}, []],
    ["without an end", { end_time: null as unknown as string, hours_worked: 99 }, {}, []],
    ["in minutes", { hours_worked: 510 }, times, ["start_time", "end_time"]],
    [
      "of a shift that ends before it begins",
      { end_time: "2026-03-02T05:30:00Z" },
      times,
      ["start_time", "end_time"],
    ],
  ])("with hours %s", (_name, patch, change, expected) => {
    const nulled: string[] = [];
    const given = { ...sheet, ...patch };
    const held = holdRecord("timesheets", given, {}, (field) => nulled.push(field));
    expect(held).toEqual({ ...given, ...change });
    expect(nulled).toEqual(expected);
  });
});
