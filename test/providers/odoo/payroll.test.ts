import { afterEach, describe, expect, it } from "vitest";
import { toPayslip, type PayslipLine } from "../../../src/providers/odoo/payslips.ts";
import {
  isCategoryList,
  toKindsByCategory,
  toKindsByCode,
} from "../../../src/providers/odoo/payroll-categories.ts";
import { toPaidStates, toPayrun } from "../../../src/providers/odoo/payruns.ts";
import { OperationNotSupported } from "../../../src/providers/errors.ts";
import { readWhole, type ReadTask } from "../../../src/reading/records/index.ts";
import type { OdooRow } from "../../support/fake-odoo.ts";
import { closeAll, Customer, startFakeOdoo } from "../../support/odoo-customer.ts";
import { odooTables, odooUsers } from "../../support/odoo-desk-data.ts";

afterEach(closeAll);

const resources = ["payruns", "payslips"] as const;
const mapping = { today: "2026-03-02" };
/** As the module has them, with TAX and SSEE below DED as a company would add them. */
const categories: { id: number; code: string; parent_id: false | [number, string] }[] = [
  { id: 1, code: "BASIC", parent_id: false },
  { id: 2, code: "ALW", parent_id: false },
  { id: 3, code: "GROSS", parent_id: false },
  { id: 4, code: "DED", parent_id: false },
  { id: 5, code: "NET", parent_id: false },
  { id: 6, code: "COMP", parent_id: false },
  { id: 7, code: "HRA", parent_id: false },
  { id: 12, code: "Other", parent_id: false },
  { id: 13, code: "TAX", parent_id: [4, "Deduction"] },
  { id: 14, code: "SSEE", parent_id: [4, "Deduction"] },
  { id: 15, code: "LEVY", parent_id: [13, "Income tax"] },
];
const kindsOf = (typed?: string) => toKindsByCategory(categories, toKindsByCode(typed));

type Line = [
  category: number,
  code: string,
  name: string,
  quantity: number,
  total: number,
  isHidden?: boolean,
];
const toRows = (slip: number, lines: Line[]): OdooRow[] =>
  lines.map(([category, code, name, quantity, total, isHidden = false], index) => ({
    id: slip * 100 + index,
    slip_id: slip,
    category_id: category,
    code,
    name,
    sequence: index,
    quantity,
    total,
    appears_on_payslip: !isHidden,
    // Of the rule, which another company than the payslip's may have made.
    company_id: 2,
  }));

/** Rounded line by line, which makes the net pay of the lines a cent less than Odoo's. */
const german: Line[] = [
  [1, "BASIC", "Grundgehalt", 1, 3333.33],
  [2, "OT", "Überstunden", 0, 0],
  [3, "GROSS", "Brutto", 1, 3333.33],
  [12, "HELPER", "Hilfszeile", 1, 1, true],
  [13, "ITAX", "Lohnsteuer", 1, -616.67],
  [14, "KVAN", "Krankenversicherung", 1, -271.67],
  [6, "KVAG", "Krankenversicherung, Arbeitgeber", 1, 271.67],
  [12, "EXPENSE", "Reisekosten", 1, 42.5],
  [5, "NET", "Netto", 1, 2445],
];
const slip = {
  id: 19,
  employee_id: [11, "Nadia"],
  company_id: [1, "Ferme & Fils"],
  payslip_run_id: { id: 4, credit_note: false },
  date_from: "2026-02-01",
  date_to: "2026-02-28",
  state: "done",
  credit_note: false,
};

function map({
  lines = german,
  typed,
  currency = "eur",
  ...fields
}: { lines?: Line[]; typed?: string; currency?: string } & Record<string, unknown>) {
  const kinds = kindsOf(typed);
  const mapped: PayslipLine[] = toRows(19, lines).map((record) => ({
    record,
    kind: kinds.get(record["category_id"] as number) ?? null,
  }));
  return toPayslip({ ...slip, ...fields, lines: mapped, currency }, mapping);
}

describe("a payslip", () => {
  it("has every field, in cents, with Odoo's own sums", () => {
    expect(map({ typed: "SSEE=deduction, Other=reimbursement" })).toEqual({
      remote_id: "19",
      employee_remote_id: "11",
      payrun_remote_id: "batch-4",
      payrun_type: "regular",
      currency: "eur",
      gross_pay: 333_333,
      net_pay: 244_500,
      start_date: "2026-02-01",
      end_date: "2026-02-28",
      payment_date: "2026-02-28",
      earnings: [{ name: "Grundgehalt", amount: 333_333, hours: null }],
      contributions: [{ name: "Krankenversicherung, Arbeitgeber", amount: 27_167 }],
      deductions: [{ name: "Krankenversicherung", amount: 27_167 }],
      taxes: [{ name: "Lohnsteuer", amount: 61_667, employer_tax: false }],
      reimbursements: [{ name: "Reisekosten", amount: 4_250 }],
    });
  });

  it("has negative amounts and a run of its own as a refund, which Odoo gives as positive", () => {
    expect(map({ credit_note: true })).toMatchObject({
      payrun_remote_id: "payslip-19",
      payrun_type: "reversal",
      gross_pay: -333_333,
      net_pay: -244_500,
      earnings: [{ amount: -333_333 }],
      contributions: [{ amount: -27_167 }],
      deductions: [{ amount: -27_167 }],
      taxes: [{ amount: -61_667 }],
    });
  });

  it.each([
    ["in no batch", { payslip_run_id: null }, "payslip-19", "off_cycle"],
    ["a refund in no batch", { payslip_run_id: null, credit_note: true }, "payslip-19", "reversal"],
    [
      "a refund in a batch of refunds",
      { payslip_run_id: { id: 5, credit_note: true }, credit_note: true },
      "batch-5",
      "reversal",
    ],
  ])("that is %s has the run %s", (_, fields, payrun_remote_id, payrun_type) => {
    expect(map(fields)).toMatchObject({ payrun_remote_id, payrun_type });
  });

  it("has the days and the kind of its batch, so that both say the same", () => {
    const batch = { id: 4, credit_note: true, date_start: "2026-02-01", date_end: "2026-02-28" };
    const days = { date_from: "2026-02-10", date_to: "2026-02-20" };
    const ofRun = toPayrun({ kind: "batch", ...batch, paidStates: [] }, mapping);
    const { start_date, end_date, payment_date, type: payrun_type } = ofRun!;
    expect(map({ ...days, payslip_run_id: batch })).toMatchObject({
      start_date,
      end_date,
      payment_date,
      payrun_type,
      gross_pay: 333_333,
    });
    expect(map({ ...days, payslip_run_id: null })).toMatchObject({
      start_date: "2026-02-10",
      end_date: "2026-02-20",
      payment_date: "2026-02-20",
    });
  });

  it.each([
    [
      "a fraction of a cent",
      [[1, "BASIC", "a", 1, 234.375]] as Line[],
      { earnings: [{ amount: 23_438 }] },
    ],
    [
      "a float that no product hits",
      [[1, "BASIC", "a", 1, 1.005]] as Line[],
      { earnings: [{ amount: 101 }] },
    ],
    [
      "a line that Odoo hides and counts",
      [[2, "ALW", "a", 1, 5, true]] as Line[],
      { earnings: [{ amount: 500 }] },
    ],
    [
      "a line that Odoo hides and does not count",
      [[6, "C", "a", 1, 5, true]] as Line[],
      { contributions: [] },
    ],
    [
      "a category without a meaning",
      [[7, "HRA", "a", 1, 500]] as Line[],
      { earnings: [], reimbursements: [] },
    ],
    [
      "the same code in a category that has one",
      [[2, "HRA", "a", 1, 500]] as Line[],
      { earnings: [{ amount: 50_000 }] },
    ],
    [
      "a category two below one with a meaning",
      [[15, "LEVY", "a", 1, -7]] as Line[],
      { taxes: [{ amount: 700 }] },
    ],
    [
      "two sums",
      [
        [5, "NET", "a", 1, 9],
        [5, "ROUNDED", "b", 1, 10],
      ] as Line[],
      { net_pay: 900 },
    ],
    ["no line", [], { gross_pay: null, net_pay: null, earnings: [] }],
  ])("with %s", (_, lines, expected) => {
    expect(map({ lines })).toMatchObject(expected);
  });

  it.each([null, undefined, "9.50", Number.POSITIVE_INFINITY, 1e21])(
    "never counts the total %j as nothing",
    (total) => {
      const lines: Line[] = [[1, "BASIC", "a", 1, total as number]];
      expect(() => map({ lines })).toThrow(expect.objectContaining({ name: "ProviderBug" }));
    },
  );

  it.each([
    ["jpy", 350_000, 350_000],
    ["kwd", 1234.5, 1_234_500],
    ["chf", 1234.5, 123_450],
  ])("in %s, a gross pay of %d is %i minor units", (currency, total, minorUnits) => {
    const slipInCurrency = map({ currency, lines: [[3, "GROSS", "Gross", 1, total]] });
    expect(slipInCurrency?.gross_pay).toBe(minorUnits);
  });

  it.each(["chf", "gbp"])("of a company that pays in %j has its currency", (currency) => {
    expect(map({ currency })?.currency).toBe(currency);
  });

  it.each([
    ["cancelled", { state: "cancel" }],
    ["of nobody", { employee_id: false }],
  ])("is left out when it is %s", (_, fields) => {
    expect(map(fields)).toBeNull();
  });
});

describe("the categories of a connection", () => {
  it.each([
    ["", true],
    ["TAX=tax", true],
    [" inctax = TAX , Travel=reimbursement,", true],
    ["TAX", false],
    ["TAX=income", false],
    ["=tax", false],
    ["A=tax=b", false],
  ])("%j are a list: %j", (typed, expected) => {
    expect(isCategoryList(typed)).toBe(expected);
  });

  it.each([
    [
      "nothing",
      undefined,
      { BASIC: "earning", HRA: null, TAX: "tax", SSEE: "deduction", COMP: "contribution" },
    ],
    ["a category of their own", "hra=earning", { HRA: "earning" }],
    [
      "another meaning",
      "COMP=employer_tax, TAX=deduction",
      { COMP: "employer_tax", TAX: "deduction" },
    ],
    ["that one counts as nothing", "ALW=none", { ALW: "none" }],
  ])("say %s", (_, typed, expected) => {
    const byCode = Object.fromEntries(
      categories.map(({ id, code }) => [code, kindsOf(typed).get(id)]),
    );
    expect(byCode).toMatchObject(expected);
  });

  it("do not go round in circles", () => {
    const circle = [{ id: 1, code: "A", parent_id: [1, "A"] }];
    expect(toKindsByCategory(circle, toKindsByCode("")).get(1)).toBeNull();
  });
});

describe("a pay run", () => {
  const batch = { id: 4, state: "close", date_start: "2026-02-01", date_end: "2026-02-28" };
  const paidStates = toPaidStates(["draft", "close"]);

  it("of a batch is paid on the last day of its period", () => {
    expect(toPayrun({ kind: "batch", ...batch, paidStates }, mapping)).toEqual({
      remote_id: "batch-4",
      state: "paid",
      type: "regular",
      start_date: "2026-02-01",
      end_date: "2026-02-28",
      payment_date: "2026-02-28",
    });
  });

  it.each([
    ["open batch", "batch", { state: "draft" }, { state: "pending" }],
    ["batch of refunds", "batch", { credit_note: true }, { type: "reversal" }],
    [
      "payslip in no batch",
      "payslip",
      { state: "done", date_from: "2026-02-01", date_to: "2026-02-15" },
      { remote_id: "payslip-4", state: "paid", type: "off_cycle", end_date: "2026-02-15" },
    ],
    ["refund", "payslip", { state: "done", credit_note: true }, { type: "reversal" }],
    ["payslip that waits", "payslip", { state: "verify" }, { state: "pending" }],
    ["payslip with a payment order", "payslip", { state: "verify", paid: true }, { state: "paid" }],
  ] as const)("of a %s", (_, kind, fields, expected) => {
    expect(toPayrun({ kind, ...batch, ...fields, paidStates }, mapping)).toMatchObject(expected);
  });

  it("of a cancelled payslip is none", () => {
    expect(toPayrun({ kind: "payslip", id: 1, state: "cancel", paidStates }, mapping)).toBeNull();
  });

  it.each([
    [
      ["draft", "close"],
      ["close", "done"],
    ],
    [["draft", "verify", "done", "paid", "cancel"], ["paid"]],
    [["01_ready", "02_close", "03_paid"], ["03_paid"]],
  ])("is paid, where there are the states %j, in %j", (states, expected) => {
    expect(toPaidStates(states)).toEqual(expected);
  });
});

describe("reading payroll", () => {
  const period = { date_from: "2026-02-01", date_to: "2026-02-28" };
  const slipRow = (id: number, fields: object): OdooRow => ({
    id,
    employee_id: 11,
    company_id: 1,
    payslip_run_id: false,
    state: "done",
    credit_note: false,
    ...period,
    ...fields,
  });
  const payroll = (): Record<string, OdooRow[]> => ({
    "hr.payslip.run": [
      {
        id: 4,
        state: "close",
        date_start: "2026-02-01",
        date_end: "2026-02-28",
        credit_note: false,
      },
      {
        id: 5,
        state: "draft",
        date_start: "2026-03-01",
        date_end: "2026-03-31",
        credit_note: false,
      },
    ],
    "hr.payslip": [
      slipRow(19, { payslip_run_id: 4 }),
      slipRow(20, { payslip_run_id: 4, state: "cancel", employee_id: 12 }),
      slipRow(21, { credit_note: true }),
      slipRow(22, { payslip_run_id: 4, credit_note: true }),
      slipRow(23, { date_to: "2026-02-15", employee_id: 12 }),
      slipRow(24, { company_id: 2, employee_id: 12 }),
    ],
    "hr.payslip.line": [...toRows(19, german), ...toRows(22, german), ...toRows(21, [])],
    "hr.salary.rule.category": categories.map((category) => ({
      ...category,
      parent_id: category.parent_id === false ? false : category.parent_id[0],
    })),
  });
  const february = { range: { start: "2026-02-01", end: "2026-02-28" } };

  async function start(username?: string, rows = odooTables(payroll())) {
    const fake = await startFakeOdoo({ version: 19, users: odooUsers, tables: rows });
    const customer = new Customer(fake.origin, undefined, undefined, {
      resources,
      settings: { payroll_categories: "Other=reimbursement" },
    });
    return { fake, customer, session: await customer.signIn(username) };
  }

  it("gives the batches of the range, and the payslips that are runs of their own", async () => {
    const { customer, session } = await start();
    const runs = await customer.read("payruns", session, february);
    expect(runs.map(({ remote_id, type }) => [remote_id, type])).toEqual([
      ["batch-4", "regular"],
      ["payslip-21", "reversal"],
      ["payslip-23", "off_cycle"],
      ["payslip-24", "off_cycle"],
      ["payslip-22", "reversal"],
    ]);
  });

  it.each([
    ["batch-4", ["19"], 333_333],
    ["payslip-22", ["22"], -333_333],
    ["payslip-19", [], undefined],
    ["batch-99", [], undefined],
    ["nonsense", [], undefined],
  ])("gives the payslips of %s", async (payrunRemoteId, ids, gross) => {
    const { customer, session } = await start();
    const slips = await customer.read("payslips", session, { payrunRemoteId });
    expect(slips.map(({ remote_id }) => remote_id)).toEqual(ids);
    expect(slips[0]?.gross_pay).toBe(gross);
    for (const each of slips)
      expect(each).toMatchObject({ payrun_remote_id: payrunRemoteId, currency: "eur" });
  });

  it("fails when a line names none of the payslips that were asked for", async () => {
    const { fake, customer, session } = await start();
    fake.interfere = ({ model, method }) => {
      if (model !== "hr.payslip.line" || method !== "search_read") return undefined;
      const body = JSON.stringify({
        result: [{ id: 1, slip_id: false, category_id: [1, "Basic"], total: 5 }],
      });
      return { status: 200, headers: { "content-type": "application/json" }, body };
    };
    await expect(
      customer.read("payslips", session, { payrunRemoteId: "batch-4" }),
    ).rejects.toMatchObject({ name: "ProviderBug" });
  });

  it("fails when a payslip names none of the batches that were asked for", async () => {
    const { fake, customer, session } = await start();
    fake.interfere = ({ model, kwargs }) => {
      if (model !== "hr.payslip" || !JSON.stringify(kwargs).includes('"in"')) return undefined;
      const body = JSON.stringify({ result: [{ id: 19, payslip_run_id: [99, "Another"] }] });
      return { status: 200, headers: { "content-type": "application/json" }, body };
    };
    await expect(customer.read("payruns", session, february)).rejects.toMatchObject({
      name: "ProviderBug",
    });
  });

  it("tells the operator how many lines have a category that nothing gives a meaning", async () => {
    const { fake, customer, session } = await start();
    fake.tables["hr.payslip.line"]![0]!["category_id"] = 7;
    await customer.read("payslips", session, { payrunRemoteId: "batch-4" });
    expect(customer.logged.join("")).toMatch(/"lines":1,.*payslip lines are left out/);
  });

  it("makes other payslips of the same answers when the categories mean something else", async () => {
    const { customer, session } = await start();
    const key = new Uint8Array(32).fill(7);
    const task = {
      clientId: "acme",
      provider: "odoo",
      mode: "xhr" as const,
      resource: "payslips" as const,
      parameters: "",
      fetchParameters: { payrunRemoteId: "batch-4" },
      today: "2026-03-02",
      session,
      sessionVersion: 1,
      idKey: key,
      fingerprintKey: key,
      kept: undefined,
      base: undefined,
      bounds: { maxBytes: 1e7, maxListBytes: 1e7, maxRecords: 100, maxPageMs: 60_000 },
    };
    const read = async (categories: string, stored?: ReadTask["stored"]) =>
      await readWhole(
        customer.host,
        { ...task, settings: { payroll_categories: categories }, stored },
        { signal: customer.abort.signal, onPage: () => undefined, onSession: () => undefined },
      );
    const first = await read("");
    expect((await read("", first)).list).toBeNull();
    expect((await read("SSEE=tax", first)).list).not.toBeNull();
  });

  it("is refused to an officer, to whom Odoo gives the payslips of some people", async () => {
    const { customer, session } = await start("payroll@example.com");
    await expect(customer.inspect(session, ["company", ...resources])).resolves.toMatchObject({
      forbidden: resources,
    });
    await expect(customer.inspect(session)).rejects.toMatchObject({
      explanation: expect.stringContaining(
        "hr_payroll_community.group_hr_payroll_community_manager",
      ),
    });
    await expect(customer.read("payruns", session, february)).rejects.toMatchObject({
      code: "insufficient_permission",
    });
  });

  it("is not there without a payroll module, and is there once one is installed", async () => {
    const { fake, customer, session } = await start(undefined, odooTables());
    await expect(customer.inspect(session)).resolves.toMatchObject({ unsupported: resources });
    await expect(customer.read("payruns", session, february)).rejects.toBeInstanceOf(
      OperationNotSupported,
    );
    Object.assign(fake.tables, payroll());
    await expect(customer.read("payruns", session, february)).resolves.toHaveLength(5);
  });
});
