import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { Trial } from "../../src/conformance/trial.ts";
import type { Resource } from "../../src/model/index.ts";
import type { ProviderRequest, ProviderResponse } from "../../src/platform/outbound/index.ts";
import type { FetchParameters, MapContext, ReadContext } from "../../src/providers/contract.ts";
import { frappeHr } from "../../src/providers/frappe-hr/index.ts";
import { ProviderRegistry } from "../../src/providers/registry.ts";
import { sandbox } from "../../src/providers/sandbox/index.ts";
import type { SourceRecord } from "../../src/providers/source-records.ts";
import {
  ConnectVisitor,
  linkPath,
  textOf,
  workSignIns,
  type Seen,
} from "../support/connect-visitor.ts";
import { version } from "../support/data-endpoints.ts";
import { createHarness, exchangeBody, type Harness } from "../support/harness.ts";
import { SeededRandom } from "../support/seeded-random.ts";
import { FakeFrappe, frappeKey, frappeSecret, frappeUser } from "../support/vendors/fake-frappe.ts";
import { toSystem } from "../support/vendors/frappe-conformance.ts";
import { detail, frappeNow, person, slip, type Wire } from "../support/vendors/frappe-site.ts";
import { untilSettled, WaitingClock } from "../support/waiting-clock.ts";

let fake: FakeFrappe;
beforeEach(async () => {
  fake = await FakeFrappe.start();
});
afterEach(() => fake.stop());

const form = { url: "https://lind.example", key: frappeKey, secret: frappeSecret };
const refused = { code: "insufficient_permission" };
const cutFor = (applicable_for: string) => ({
  Company: [{ doc: "Lind Japan KK", applicable_for }],
});
const cutByCompany = { Company: [{ doc: "Lind Japan KK", applicable_for: null }] };

function createTrial(): Trial {
  const subject = { definition: frappeHr, mode: "xhr", adapter: frappeHr.modes.xhr };
  return new Trial(subject as never, toSystem(fake), AbortSignal.timeout(30_000));
}

describe("a list that Frappe cuts", () => {
  let trial: Trial;
  beforeEach(() => {
    trial = createTrial();
  });
  afterEach(() => trial.close());

  test("by user permissions is refused at the sign-in, at the key", async () => {
    fake.userPermissions = cutByCompany;
    await expect(trial.signIn()).rejects.toMatchObject({
      field: "key",
      explanation: expect.stringContaining("User permissions") as string,
    });
  });

  test("by user permissions for one kind is refused as well, and for a kind that is not read it is none", async () => {
    for (const doctype of ["Salary Structure Assignment", "Attendance", "Holiday List"]) {
      fake.userPermissions = cutFor(doctype);
      await expect(trial.signIn()).rejects.toMatchObject({ field: "key" });
    }
    fake.userPermissions = cutFor("Sales Invoice");
    await expect(trial.signIn()).resolves.toMatchObject({ unsupported: [], forbidden: [] });
  });

  test("is read by nobody once user permissions are given", async () => {
    await trial.signIn();
    fake.userPermissions = cutByCompany;
    for (const resource of trial.resources) {
      const parameters =
        resource === "payslips" ? { payrunRemoteId: "HR-PRUN-2026-00001" } : undefined;
      await expect(trial.read(resource, parameters && { parameters })).rejects.toMatchObject(
        refused,
      );
    }
  });

  test("because its rows are shared or the user's own is a missing right, before and after the sign-in", async () => {
    const name = "HR-EMP-00002";
    fake.forbidden = ["Employee", "Salary Slip"];
    fake.shared = { Employee: [name], "Salary Slip": ["Sal Slip/HR-EMP-00002/00001"] };
    fake.site.rows["Attendance"]?.splice(1, 1, {
      ...fake.site.rows["Attendance"][1],
      owner: frappeUser,
    });
    fake.owned = ["Attendance"];
    const { forbidden } = await trial.signIn();
    expect(forbidden?.toSorted()).toEqual(["employees", "payruns", "payslips", "timesheets"]);
    await expect(trial.read("employees")).rejects.toMatchObject(refused);
    await expect(trial.read("timesheets")).rejects.toMatchObject(refused);
  });

  test("is not read of a version that cannot tell shared rows", async () => {
    await trial.signIn();
    fake.methodsAbsent = ["frappe.client.get_doc_permissions"];
    await expect(trial.read("groups")).rejects.toThrow("does not tell whether a list is whole");
  });

  test("is whole though its first row was deleted since it was listed", async () => {
    await trial.signIn();
    let asked = 0;
    fake.interfere = ({ path }) => {
      if (!path.endsWith("get_doc_permissions")) return undefined;
      asked += 1;
      return asked === 1 ? { status: 404, body: "{}" } : undefined;
    };
    await expect(trial.read("groups")).resolves.toMatchObject({ records: { length: 3 } });
    fake.interfere = ({ path }) =>
      path.endsWith("get_doc_permissions") ? { status: 404, body: "{}" } : undefined;
    await expect(trial.read("groups")).rejects.toThrow("finds none of the Department");
  });

  test.each([
    ["Department", "employees"],
    ["Address", "company"],
  ] as const)("of %s, which %s is joined with, is a missing right too", async (only, resource) => {
    await trial.signIn();
    fake.userPermissions = { Company: [{ doc: "Lind & Sons A/S", applicable_for: only }] };
    await expect(trial.read(resource)).rejects.toMatchObject(refused);
  });
});

const probe = async () =>
  await frappeHr.modes.xhr?.origin?.probe?.(contextOf(), "https://lind.example");

describe("a site", () => {
  test.each([
    ["13.58.1", { refusal: expect.stringContaining("version 14") as string }],
    ["14.0.0", { version: "14.0.0" }],
    ["16.2.0-dev", { version: "16.2.0" }],
  ])("of version %s is found", async (told, expected) => {
    fake.version = told;
    expect(await probe()).toMatchObject(expected);
  });

  test.each([
    [{ status: 200, body: JSON.stringify({ message: "hello" }) }],
    [{ status: 404, body: JSON.stringify({ message: "15.1.2" }) }],
    [{ status: 200, headers: { "content-type": "text/html" }, body: "<html></html>" }],
  ])("is not what answers %j", async (answer) => {
    fake.interfere = () => answer;
    await expect(probe()).rejects.toMatchObject({ field: "url" });
  });

  test("without the app has no payroll, leave and attendance", async () => {
    const trial = createTrial();
    fake.absent = ["Salary Slip", "Payroll Entry", "Salary Component", "Attendance"];
    const { unsupported } = await trial.signIn();
    expect(unsupported.toSorted()).toEqual(["payruns", "payslips", "timesheets"]);
    await trial.close();
  });

  test.each([
    ["key", "a:b"],
    ["secret", "a b"],
    ["secret", "a\nb"],
    ["url", "nothing at all"],
  ])("takes no %s such as %j", (name, value) => {
    expect(frappeHr.modes.xhr?.form.safeParse({ ...form, [name]: value }).success).toBe(false);
    expect(frappeHr.modes.xhr?.form.safeParse(form).success).toBe(true);
  });

  test("to which the user is a guest refuses what was typed", async () => {
    const trial = createTrial();
    fake.users = { [`token ${frappeKey}:${frappeSecret}`]: "Guest" };
    await expect(trial.signIn()).rejects.toMatchObject({ code: "incorrect_username_or_password" });
    await trial.close();
  });
});

const session = { origin: form.url, key: form.key, secret: form.secret, user: frappeUser };

interface Run {
  requests: number;
  limited: readonly string[];
  next: object | undefined;
  present: readonly string[] | undefined;
}
let run: Run;

/** The fake without sockets. */
function contextOf({ settings = {}, now = frappeNow }: { settings?: object; now?: Date } = {}) {
  run = { requests: 0, limited: [], next: undefined, present: undefined };
  const given = { ...session, zone: fake.site.zone };
  const request = async ({
    url,
    query = {},
    headers = {},
  }: ProviderRequest): Promise<ProviderResponse> => {
    run.requests += 1;
    const asked = Object.fromEntries(
      Object.entries(query).map(([name, value]) => [name, String(value)]),
    );
    const path = decodeURIComponent(new URL(url).pathname);
    const answer = fake.answer({ method: "GET", path, query: asked, headers });
    if (answer === "cut-off") throw new Error("no socket");
    const text = answer.body ?? "";
    return {
      status: answer.status,
      headers: { "content-type": "application/json", ...answer.headers },
      bytes: Buffer.from(text),
      text: () => text,
      json: () => JSON.parse(text) as unknown,
    };
  };
  const context = {
    clock: { now: () => now },
    settings,
    cursor: undefined,
    http: () => ({ request }),
    withSession: async (work: (session: object) => unknown) => await work(given),
    limited: (fields: readonly string[]) => void (run.limited = fields),
    continueFrom: (next: object) => void (run.next = next),
  };
  return context as unknown as ReadContext;
}

async function read<R extends Resource>(
  resource: R,
  parameters: object = {},
  options: Parameters<typeof contextOf>[0] & { since?: object } = {},
): Promise<SourceRecord<R>[]> {
  const reader = frappeHr.modes.xhr!.resources[resource]!;
  const context = contextOf(options);
  const given = { ...session, zone: fake.site.zone };
  const today = (options.now ?? frappeNow).toISOString().slice(0, 10);
  const mapping = { today, parameters } as MapContext<R>;
  const found: SourceRecord<R>[] = [];
  const take = (raw: readonly unknown[]) => {
    for (const one of raw) found.push(reader.map(one as never, mapping) as SourceRecord<R>);
  };
  if (options.since)
    for await (const page of reader.changes!(context, given, options.since as never)) {
      take(page.changed);
      run.present = page.present;
    }
  else
    for await (const page of reader.fetch(context, given, parameters as FetchParameters<never>))
      take("records" in page ? page.records : page);
  return found;
}

const spring = { range: { start: "2026-03-01", end: "2026-03-31" } };

const idsOf = (records: readonly { remote_id?: string | null | undefined }[]) =>
  records.map(({ remote_id: id }) => id).toSorted();

test("fields of a level that the user does not read are named by those that are lost", async () => {
  fake.hidden = { Employee: ["iban", "date_of_birth"], "Leave Application": ["status"] };
  expect(await read("employees")).toHaveLength(62);
  expect(run.limited).toEqual(["date_of_birth", "bank_account"]);
  await read("time-off-entries", spring);
  expect(run.limited).toEqual(["status"]);
});

test("what people and companies are joined with is named where it may not be read", async () => {
  fake.forbidden = ["Salary Structure"];
  await read("employees");
  expect(run.limited).toEqual(["employments", "employment_history", "compensation_history"]);
  fake.forbidden = ["Salary Structure", "Leave Application", "Department", "Address"];
  await read("employees");
  expect(run.limited).toEqual([
    "employment_status",
    "groups",
    "employments",
    "employment_history",
    "compensation_history",
  ]);
  const [first] = await read("company");
  expect(first?.address).toMatchObject({ street_address: null, country: "DK" });
  expect(run.limited).toEqual(["address"]);
});

const rowsOf = (doctype: string): Wire[] => fake.site.rows[doctype] ?? [];

test("a company in the United States has the two letters of its state", async () => {
  for (const one of rowsOf("Address"))
    Object.assign(one, { country: "United States", state: "Texas" });
  const [first] = await read("company");
  expect(first?.address).toMatchObject({ administrative_area: "TX", country: "US" });
});

/** What is read of somebody of whose record this is another one. */
const readPerson = async (name: string, more: Wire) => {
  Object.assign(rowsOf("Employee").find((one) => one["name"] === name) ?? {}, more);
  return (await read("employees")).find(({ remote_id: id }) => id === name);
};

test("an IBAN that was typed with spaces has none", async () => {
  expect(await readPerson("HR-EMP-00002", { iban: "DK50 0040 0440 1162 43" })).toMatchObject({
    bank_account: { iban: "DK5000400440116243" },
  });
});

test("the newest job of each person has the present type of contract, and earlier ones none", async () => {
  const people = await read("employees");
  const typesOf = (name: string) =>
    people
      .find(({ remote_id: id }) => id === name)
      ?.employments?.map(({ employment_type: type }) => type);
  expect(typesOf("HR-EMP-00009")).toEqual(["contractor"]);
  expect(typesOf("HR-EMP-00001")).toEqual([null, null, null, "full_time"]);
  fake.hidden = { Employee: ["employment_type"] };
  await read("employees");
  expect(run.limited).toEqual(["employment_type", "employments", "compensation_history"]);
});

test.each([
  ["+45 20 55 09 02", null],
  [null, "Ole Lind"],
])("whom to call is told by the number %s and the name %s", async (number, name) => {
  const typed = { emergency_phone_number: number, person_to_be_contacted: name };
  expect(await readPerson("HR-EMP-00002", typed)).toMatchObject({
    emergency_contacts: [{ first_name: name, mobile_phone_number: number }],
  });
});

const employmentsOf = async (name: string) =>
  (await read("employees")).find(({ remote_id: id }) => id === name)?.employments;

test("a row of work history says what changed, and earlier rows and the record the rest", async () => {
  const parent = "HR-EMP-00008";
  const row = (number: number, more: Wire): Wire => ({
    name: `history-${number}`,
    parent,
    parenttype: "Employee",
    parentfield: "internal_work_history",
    idx: number,
    branch: null,
    department: null,
    designation: null,
    to_date: null,
    ...more,
  });
  Object.assign(rowsOf("Employee").find(({ name }) => name === parent) ?? {}, {
    designation: "Captain",
    department: "Tools - LS",
  });
  rowsOf("Employee Internal Work History").push(
    row(1, { designation: "Sailor", from_date: "2021-05-03", to_date: "2022-05-31" }),
    row(2, { designation: "Mate", from_date: "2022-06-01", to_date: "2023-05-31" }),
    row(3, { department: "Sea & Sky - LS", from_date: "2023-06-01", to_date: "2024-05-31" }),
    row(4, { designation: "Captain", from_date: "2024-06-01" }),
  );
  const told = await employmentsOf(parent);
  expect(told?.map((one) => [one.effective_date, one.job_title, one.group_remote_id])).toEqual([
    ["2021-05-03", "Sailor", null],
    ["2022-06-01", "Mate", null],
    ["2023-06-01", "Mate", "Sea & Sky - LS"],
    ["2024-06-01", "Captain", "Sea & Sky - LS"],
  ]);
  fake.site.rows["Employee Internal Work History"] = [
    row(1, { designation: "Sailor", from_date: "2021-05-03", to_date: "2022-05-31" }),
    row(2, { designation: "Captain", from_date: "2022-06-01" }),
  ];
  expect((await employmentsOf(parent))?.map((one) => one.group_remote_id)).toEqual([
    null,
    "Tools - LS",
  ]);
});

test("an assigned salary structure without a designation and a department takes none away", async () => {
  const [, , , first] = rowsOf("Salary Structure Assignment");
  const later = { name: "HR-SSA-24-01-00001", from_date: "2024-01-01" };
  Object.assign(first!, { designation: null, department: null });
  rowsOf("Salary Structure Assignment").push({ ...first!, ...later });
  const told = await employmentsOf("HR-EMP-00002");
  expect(told?.map((one) => [one.effective_date, one.job_title, one.group_remote_id])).toEqual([
    ["2021-05-03", null, null],
    ["2024-01-01", "Smith", "Tools - LS"],
  ]);
});

test("an assigned salary structure that is to come takes nothing from the present job", async () => {
  const [, , , first] = rowsOf("Salary Structure Assignment");
  const later = { name: "HR-SSA-99-01-00001", from_date: "2099-01-01" };
  Object.assign(first!, { designation: null, department: null });
  rowsOf("Salary Structure Assignment").push({ ...first!, ...later });
  const job = { job_title: "Smith", group_remote_id: "Tools - LS", employment_type: "full_time" };
  expect(await employmentsOf("HR-EMP-00002")).toMatchObject([
    { effective_date: "2021-05-03", ...job },
    { effective_date: "2099-01-01", ...job },
  ]);
  // Then the present job begins on the day of joining.
  Object.assign(first!, { docstatus: 2 });
  expect(await employmentsOf("HR-EMP-00002")).toMatchObject([
    { effective_date: "2021-05-03", ...job, pay_rate: null },
    { effective_date: "2099-01-01", ...job },
  ]);
});

test("payslips with long names are asked for in addresses that a server takes", async () => {
  const [slip] = rowsOf("Salary Slip");
  const detail = rowsOf("Salary Detail").find(({ parent }) => parent === slip?.["name"]);
  const names = Array.from({ length: 300 }, (_, index) => `Sal Slip/देवनागरी नाम/${index}`);
  fake.site.rows["Salary Slip"] = names.map((name) => ({ ...slip!, name }));
  fake.site.rows["Salary Detail"] = names.map((parent) => ({ ...detail!, name: parent, parent }));
  const payrunRemoteId = String(slip?.["payroll_entry"]);
  expect(await read("payslips", { payrunRemoteId })).toHaveLength(300);
});

describe("a poll", () => {
  const changedAt = "2026-04-15 11:58:00.000000";
  const touch = (doctype: string, name: string, more: Wire): void =>
    void Object.assign(rowsOf(doctype).find((one) => one["name"] === name) ?? {}, {
      ...more,
      modified: changedAt,
    });

  test("of people who did not change takes a request for each list, and names who is there", async () => {
    await read("employees");
    const full = run.requests;
    expect(await read("employees", {}, { since: run.next! })).toEqual([]);
    expect(run.requests).toBeLessThan(full);
    // User permissions, the right, everybody, and what was modified of three kinds.
    expect(run.requests).toBe(1 + 1 + 1 + 3);
    expect(run.present).toHaveLength(62);
  });

  test("finds who changed, whose pay and leave did, and of whom a manager did", async () => {
    await read("employees");
    const since = run.next!;
    touch("Employee", "HR-EMP-00008", { first_name: "Maia" });
    touch("Salary Structure Assignment", "HR-SSA-21-05-00005", { docstatus: 2 });
    touch("Leave Application", "HR-LAP-2026-00004", { docstatus: 1 });
    touch("Leave Application", "HR-LAP-2026-00002", { half_day: 0 });
    const changed = await read("employees", {}, { since });
    expect(idsOf(changed)).toEqual([
      "HR-EMP-00002",
      "HR-EMP-00007",
      "HR-EMP-00008",
      "HR-EMP-00009",
    ]);
    expect(changed.find((one) => one.remote_id === "HR-EMP-00007")).toMatchObject({
      employment_status: "leave",
      manager: { first_name: "Maia K.", work_email: "maja@lind.example" },
    });
    expect(changed.find((one) => one.remote_id === "HR-EMP-00002")).toMatchObject({
      employment_status: "leave",
      manager: { first_name: "Åse Marie", last_name: "Lind-Østergård" },
    });
    expect(changed.find((one) => one.remote_id === "HR-EMP-00009")?.employments).toMatchObject(
      [{ effective_date: "2021-05-03", job_title: "Smith", pay_rate: undefined }].map(
        ({ pay_rate: _rate, ...one }) => ({ ...one, pay_rate: null }),
      ),
    );
  });

  test.each<[string, (since: object) => Promise<unknown>]>([
    [
      "on another day",
      async (since) => read("employees", {}, { since, now: new Date("2026-04-16T00:30:00Z") }),
    ],
    ["of another version", async () => read("employees", {}, { since: { at: 7 } })],
    [
      "after more than two hundred changed",
      async (since) => {
        rowsOf("Employee").push(
          ...Array.from({ length: 201 }, (_, index) =>
            person(2_000 + index, { modified: changedAt }),
          ),
        );
        return await read("employees", {}, { since });
      },
    ],
    [
      "with other rights",
      async (since) => {
        fake.hidden = { Employee: ["iban"] };
        touch("Employee", "HR-EMP-00008", {});
        return await read("employees", {}, { since });
      },
    ],
  ])("%s reads everybody", async (_when, poll) => {
    await read("employees");
    await expect(poll(run.next!)).rejects.toMatchObject({ kind: "not-supported" });
  });
});

test("5,000 people are read whole with the least requests, and a day's polls are a small part of the limit", async () => {
  const others = Array.from({ length: 4_938 }, (_, index) => person(10_000 + index));
  fake.site.rows["Employee"]?.push(...others);
  fake.site.rows["Salary Structure Assignment"]?.push(
    ...others.map(({ name }, index) => ({
      ...fake.site.rows["Salary Structure Assignment"]![0],
      name: `HR-SSA-26-01-${10_000 + index}`,
      employee: name,
    })),
  );
  const found = await read("employees");
  expect(new Set(idsOf(found)).size).toBe(5_000);
  expect(found.filter(({ employments }) => employments?.[0]?.pay_rate === 28_000)).toHaveLength(
    4_939,
  );
  // Ten full pages and the empty one after them, ten of pay, four more lists, and what tells that they are whole.
  const least = 11 + 10 + 4 + 1 + 5;
  expect(run.requests).toBeLessThanOrEqual(Math.floor(least * 1.05));
  const { perMinute = 0 } = frappeHr.limits?.quotas?.["site"] ?? {};
  const full = run.requests;
  await read("employees", {}, { since: run.next! });
  expect(full + 23 * run.requests).toBeLessThanOrEqual((24 * 60 * perMinute) / 10);
  // What is read in a minute of polls fits into a tenth of it at five times the size.
  expect(run.requests).toBeLessThanOrEqual(full);
});

const total = (lines: readonly { amount: number }[] | null | undefined): number =>
  (lines ?? []).reduce((sum, { amount }) => sum + amount, 0);
const digits = (value: number, count: number): number => Number(value.toFixed(count));

describe("payslips", () => {
  test("of 500 with awkward decimals add up to the minor unit", async () => {
    const random = new SeededRandom(2026);
    const decimals: Record<string, number> = { EUR: 3, DKK: 2, JPY: 1, KWD: 4 };
    const slips: Wire[] = [];
    const lines: Wire[] = [];
    for (let index = 0; index < 500; index += 1) {
      const currency = random.pick(Object.keys(decimals));
      const count = decimals[currency]!;
      const name = `Sal Slip/X & ${index}/00001`;
      const amounts = (kind: string, most: number, more: (at: number) => Wire) =>
        Array.from({ length: 1 + random.below(4) }, (_, at) => {
          const amount = digits(random.next() * most + 0.0005, count);
          lines.push(
            detail(name, lines.length, kind, {
              salary_component: `${kind} ${at}`,
              amount,
              ...more(at),
            }),
          );
          return amount;
        });
      const sum = (all: readonly number[]): number =>
        digits(
          all.reduce((a, b) => a + b, 0),
          count,
        );
      const gross = sum(amounts("earnings", 9_000, () => ({})));
      const off = sum(
        amounts("deductions", 900, (at) => ({ variable_based_on_taxable_salary: at % 2 })),
      );
      amounts("deductions", 500, () => ({ do_not_include_in_total: 1 }));
      const loan = random.chance(0.3) ? digits(random.next() * 100, count) : null;
      slips.push(
        slip(name, "HR-EMP-00002", {
          currency,
          payroll_entry: "HR-PRUN-2026-00004",
          gross_pay: gross,
          total_loan_repayment: loan,
          net_pay: digits(gross - off - (loan ?? 0), count),
        }),
      );
    }
    fake.site.rows["Salary Slip"]!.push(...slips);
    fake.site.rows["Salary Detail"]!.push(...lines);
    const found = await read("payslips", { payrunRemoteId: "HR-PRUN-2026-00004" });
    expect(found).toHaveLength(500);
    for (const one of found) {
      const net = (one.gross_pay ?? NaN) - total(one.deductions) - total(one.taxes);
      expect([one.remote_id, total(one.earnings), net]).toEqual([
        one.remote_id,
        one.gross_pay,
        one.net_pay,
      ]);
      expect(one.contributions?.length).toBeGreaterThan(0);
      expect(Number.isInteger(total(one.contributions))).toBe(true);
    }
    // A page and the one after it, a hundred slips for each list of lines with its pages, the components, and rights.
    const detailsOfAll = lines.length;
    expect(run.requests).toBeLessThanOrEqual(2 + 5 + 1 + 5 + Math.ceil(detailsOfAll / 500) + 5);
  });

  test("of a run are its submitted ones, with what is withheld", async () => {
    const found = await read("payslips", { payrunRemoteId: "HR-PRUN-2026-00001" });
    expect(idsOf(found)).toEqual([
      "Sal Slip/HR-EMP-00001/00001",
      "Sal Slip/HR-EMP-00002/00001",
      "Sal Slip/HR-EMP-00007/00001-1",
    ]);
  });

  test.each([
    ["of its run", [], ["2026-02-01", "2026-02-28"]],
    ["of its booking where the run may not be read", ["Payroll Entry"], ["2026-02-27"]],
  ])("without a period have that %s", async (_, forbidden, days) => {
    const of = { start_date: null, end_date: null };
    fake.site.rows["Salary Slip"]!.push(slip("Sal Slip/X/00001", "HR-EMP-00003", of));
    fake.forbidden = forbidden;
    const found = await read("payslips", { payrunRemoteId: "HR-PRUN-2026-00001" });
    expect(found.find(({ remote_id: id }) => id === "Sal Slip/X/00001")).toMatchObject({
      start_date: days[0],
      end_date: days.at(-1),
      payment_date: "2026-02-27",
    });
  });

  test("break the read for an amount that is none", async () => {
    Object.assign(fake.site.rows["Salary Detail"]![0]!, { amount: "much" });
    await expect(read("payslips", { payrunRemoteId: "HR-PRUN-2026-00001" })).rejects.toThrow(
      "money",
    );
  });
});

test("pay runs of a range are those that were booked in it, drafts are none", async () => {
  expect(
    idsOf(await read("payruns", { range: { start: "2026-02-27", end: "2026-02-27" } })),
  ).toEqual(["HR-PRUN-2026-00001", "HR-PRUN-2026-00002"]);
  expect(await read("payruns", { range: { start: "2026-02-28", end: "2026-03-15" } })).toEqual([]);
});

describe("hours", () => {
  test("of projects are the rows of submitted timesheets of employees", async () => {
    const found = await read("timesheets", spring, { settings: { timesheets: "projects" } });
    expect(found).toMatchObject([
      {
        remote_id: "row-TS-2026-00001-1",
        employee_remote_id: "HR-EMP-00002",
        start_time: "2026-03-02T08:00:00Z",
        end_time: "2026-03-02T11:15:00Z",
        hours_worked: 3.25,
        remote_created_at: "2019-01-07",
        remote_modified_at: "2025-06-01",
      },
      { start_time: "2026-03-31T07:00:00Z", hours_worked: 1 },
    ]);
    expect(found).toHaveLength(2);
  });

  test("of which the end alone is told have their day and no clock", async () => {
    const row = rowsOf("Attendance").find(({ name }) => name === "HR-ATT-2026-00002")!;
    Object.assign(row, { in_time: null, out_time: "2026-03-03 16:30:00" });
    const found = await read("timesheets", spring, { settings: { timesheets: "attendance" } });
    expect(found.find(({ remote_id: id }) => id === row["name"])).toMatchObject({
      start_time: `${String(row["attendance_date"])}T00:00:00Z`,
      end_time: null,
    });
  });

  test("of attendance are those of days of work", async () => {
    expect(
      idsOf(await read("timesheets", spring, { settings: { timesheets: "attendance" } })),
    ).toEqual(["HR-ATT-2026-00002", "HR-ATT-2026-00003"]);
  });
});

const always = "HR-LAP-2026-00012";
const entriesOf = async (start: string, end: string) =>
  idsOf(await read("time-off-entries", { range: { start, end } }));

describe("leave", () => {
  test("of a range is what overlaps it, without what was cancelled", async () => {
    expect(await entriesOf("2026-04-17", "2026-04-17")).toEqual(["HR-LAP-2026-00001", always]);
    expect(await entriesOf("2026-04-15", "2026-04-15")).toEqual(
      ["01", "02", "04", "05", "10", "11", "12"].map((id) => `HR-LAP-2026-000${id}`),
    );
    expect(await entriesOf("2026-02-02", "2026-02-02")).toEqual(["HR-LAP-2026-00007", always]);
    expect(await entriesOf("2026-02-03", "2026-02-03")).toEqual([always]);
  });

  test.each([
    ["Casual Leave", "vacation"],
    ["Casual/Sick Leave", "vacation"],
    ["Annual Leave", "vacation"],
    ["Annual Sick Leave", "sick"],
    ["Restricted Holiday", null],
    ["Optional Holiday", null],
    ["Bereavement Leave", "bereavement"],
    ["Jury duty", "jury_duty"],
    ["Compensatory Off", null],
  ])("of the type %s is %j", async (name, policyType) => {
    Object.assign(rowsOf("Leave Application")[0]!, { leave_type: name });
    const [first] = await read("time-off-entries", {
      range: { start: "2026-04-17", end: "2026-04-17" },
    });
    expect(first).toMatchObject({ policy_name: name, policy_type: policyType });
  });

  test("of a whole day alone makes somebody absent", async () => {
    const people = await read("employees");
    const away = people.filter((one) => one.employment_status === "leave");
    // The fourth one is suspended, and the last half day of the nineteenth is tomorrow.
    expect(idsOf(away)).toEqual(["01", "04", "19", "21"].map((id) => `HR-EMP-000${id}`));
  });

  test.each<[string, string, number, number]>([
    // Before the leave: nothing taken of it, and what was carried over is there.
    ["2026-04-09", "Casual Leave", 30, 3],
    // Two days of work, as three days are in the list of holidays.
    ["2026-04-14", "Casual Leave", 28, 5],
    ["2026-04-15", "Casual Leave", 22, 8],
    ["2026-04-17", "Casual Leave", 20, 10],
    ["2026-02-27", "Sick Leave", 1.67, 0],
  ])("on %s leaves a balance of %s of %d", async (day, policy, balance, used) => {
    const found = await read("time-off-balances", {}, { now: new Date(`${day}T12:00:00Z`) });
    expect(found).toContainEqual(
      expect.objectContaining({
        employee_remote_id: "HR-EMP-00001",
        policy_remote_id: policy,
        balance,
        used,
        unit: "days",
      }),
    );
  });

  test("without an allocation that runs has no balance", async () => {
    expect(await read("time-off-balances", {}, { now: new Date("2024-06-01T12:00:00Z") })).toEqual(
      [],
    );
    const ids = (await read("time-off-balances")).map((one) => one.employee_remote_id);
    expect(ids).not.toContain("HR-EMP-00007");
  });
});

describe("through the service", () => {
  const clock = new WaitingClock(frappeNow);
  let harness: Harness;
  beforeAll(async () => {
    harness = await createHarness({ clock, registry: new ProviderRegistry([sandbox, frappeHr]) });
  });
  afterAll(() => harness.close());

  const readOf = async (bearer: string, resource: string) => {
    const get = () => harness.http.get(`${version}/xhr/${resource}`, { bearer });
    await untilSettled(harness, get);
    return await get();
  };

  test("a person signs in at an address, and people and pay are read, while nothing of them is logged", async () => {
    const { client, secret } = await harness.createClient();
    const work = workSignIns(harness);
    const visitor = new ConnectVisitor(harness.baseUrl);
    const asked = await visitor.open(linkPath(client, { provider: "frappe-hr" }));
    const typed = { ...form, url: `${fake.origin}/app/hr`, timesheets: "attendance" };
    fake.userPermissions = cutByCompany;
    const send = async (page: Seen, action: string, fields: Record<string, string>) => {
      const sent = await visitor.send(page, action, fields);
      await work.drained();
      return await visitor.open(sent.path);
    };
    const { url, ...rest } = typed;
    const found = await send(asked, "address", { url });
    const again = await send(found, "sign-in", rest);
    expect(textOf(again)).toContain("User permissions hide some records");
    fake.userPermissions = {};
    const { left = "" } = await send(again, "sign-in", rest);
    await work.stop();
    const code = new URL(left).searchParams.get("code") ?? "";
    const json = exchangeBody({ client, secret, code });
    const { body } = await harness.http.post(`${version}/management/token`, { json });
    const { access_token: token } = body as { access_token: string };
    expect((await readOf(token, "employees")).body).toHaveLength(62);
    const runs = (await readOf(token, "payruns?start_date=2026-02-01&end_date=2026-02-28"))
      .body as Wire[];
    const slips = await readOf(token, `payruns/${String(runs[0]?.["id"])}`);
    expect(slips.body).toContainEqual(expect.objectContaining({ gross_pay: 3_500_067 }));
    // What a traceback of the site says of people goes nowhere.
    const exc = JSON.stringify({ exc: "canary-of-åse", exception: "canary-of-åse" });
    fake.interfere = ({ path }) =>
      path === "/api/resource/Branch" ? { status: 417, body: exc } : undefined;
    expect((await readOf(token, "work-locations")).status).toBe(500);
    const log = harness.logLines.join("\n");
    for (const canary of [frappeKey, frappeSecret, "Østergård", "DK5000400440116243", "canary-of"])
      expect(log).not.toContain(canary);
    fake.userPermissions = cutByCompany;
    expect(await readOf(token, "groups")).toMatchObject({ status: 401, body: refused });
  });
});
