import { afterEach, describe, expect, it } from "vitest";
import type { Mode } from "../../../src/model/index.ts";
import type { Cursor, Session } from "../../../src/providers/contract.ts";
import { OperationNotSupported } from "../../../src/providers/errors.ts";
import type { FakeOdoo, OdooRow, OdooTables } from "../../support/fake-odoo.ts";
import { closeAll, Customer, startFakeOdoo } from "../../support/odoo-customer.ts";
import { bankAccount, odooTables, odooUsers } from "../../support/odoo-desk-data.ts";
import { TestClock } from "../../support/test-clock.ts";

afterEach(closeAll);

const contract = {
  active: true,
  date_version: "2024-01-01",
  contract_date_start: "2024-01-01",
  wage: 3_000,
  currency_id: 3,
};
const leave = {
  employee_id: 12,
  state: "confirm",
  request_date_from: "2026-01-01",
  request_date_to: "2026-12-31",
  number_of_days: 250,
  "holiday_status_id.time_type": "leave",
};

/** Nadia has all that an employee can point to, and Bram is led by her. */
function createTables(): OdooTables {
  return odooTables({
    "res.country": [{ id: 20, name: "Belgium", code: "BE" }],
    "res.partner": [{ id: 71, name: "Dock", street: "Kaai 1", country_id: 20 }],
    "res.partner.bank": [{ ...bankAccount }, { ...bankAccount, id: 62, acc_number: "62" }],
    "hr.job": [{ id: 81, name: "Welder" }],
    "hr.department": [
      { id: 31, active: true, name: "Works", parent_id: false },
      { id: 32, active: true, name: "Night", parent_id: 31 },
    ],
    "hr.employee.category": [{ id: 41, name: "First aid" }],
    "hr.work.location": [
      { id: 51, active: true, name: "Dock 3", location_type: "other", address_id: 71 },
    ],
    "hr.employee": [
      {
        id: 11,
        active: true,
        name: "Nadia",
        company_id: 1,
        job_id: 81,
        department_id: 32,
        category_ids: [41],
        work_location_id: 51,
        bank_account_ids: [61, 62],
        primary_bank_account_id: 61,
        employee_properties: [{ name: "b2", string: "Boots", type: "char", value: "43" }],
      },
      { id: 12, active: true, name: "Bram", company_id: 1, parent_id: 11 },
    ],
    "hr.version": [{ id: 91, employee_id: 11, department_id: 32, ...contract }],
    "hr.leave": [{ id: 21, ...leave }],
  });
}

interface Started {
  fake: FakeOdoo;
  customer: Customer;
  session: Session;
  clock: TestClock;
}

async function start(
  mode: Mode = "xhr",
  version: 14 | 19 = 19,
  companyFields: Record<string, string[]> = {},
): Promise<Started> {
  const users = structuredClone(odooUsers);
  const fake = await startFakeOdoo({ version, users, tables: createTables(), companyFields });
  const clock = new TestClock();
  const customer = new Customer(fake.origin, clock, undefined, { mode });
  const result = await customer.logIn({ key: "key-marker-2" });
  if (!("session" in result)) throw new Error("more is asked for");
  return { fake, customer, session: result.session, clock };
}

/** A full read and the first poll after it, which looks at everybody. */
async function startPolled(mode?: Mode): Promise<Started & { since: Cursor }> {
  const started = await start(mode);
  const { next } = await started.customer.readSince(started.session);
  const { next: since } = await started.customer.readSince(started.session, next);
  if (!since) throw new Error("where changes go on is not said");
  started.fake.requests.length = 0;
  return { ...started, since };
}

const rowOf = (fake: FakeOdoo, model: string, id: number): OdooRow => {
  const row = fake.tables[model]?.find((one) => one.id === id);
  if (!row) throw new Error(`no ${model} ${id}`);
  return row;
};

function edit(model: string, id: number, values: object): (fake: FakeOdoo) => void {
  return (fake) => void Object.assign(rowOf(fake, model, id), values);
}

function add(model: string, row: OdooRow): (fake: FakeOdoo) => void {
  return (fake) => void fake.tables[model]?.push(row);
}

function take(right: string): (fake: FakeOdoo) => void {
  return ({ users: [ines] }) => {
    if (ines) ines.groups = ines.groups.filter((group) => group !== right);
  };
}

const madeInFebruary = { create_date: "2026-02-01 08:00:00" };
const ofProperty = { name: "b2", string: "Boots", type: "char" };

describe("a poll of employees", () => {
  it.each(["xhr", "official"] as const)(
    "of whom none changed is two requests: %s",
    async (mode) => {
      const { fake, customer, session, since } = await startPolled(mode);
      const read = await customer.readSince(session, since);
      expect(fake.requests.map(({ model, method }) => `${model}.${method}`)).toEqual([
        "hr.leave.search_read",
        "hr.employee.web_search_read",
      ]);
      expect(read).toEqual({ people: [], present: undefined, next: since, requests: 2, pages: 1 });
    },
  );

  it.each<[string, (fake: FakeOdoo) => void, string[]]>([
    ["a field", edit("hr.employee", 12, { work_email: "bram@example.com" }), ["12"]],
    ["a manager, whom others name", edit("hr.employee", 11, { name: "Nadia Roy" }), ["11", "12"]],
    ["an archived person", edit("hr.employee", 12, { active: false }), ["12"]],
    [
      "a property",
      edit("hr.employee", 11, { employee_properties: [{ ...ofProperty, value: "44" }] }),
      ["11"],
    ],
    ["a bank account", edit("res.partner.bank", 61, { acc_number: "123" }), ["11"]],
    ["another bank account", edit("hr.employee", 11, { primary_bank_account_id: 62 }), ["11"]],
    ["a job", edit("hr.job", 81, { name: "Chief welder" }), ["11"]],
    ["a department", edit("hr.department", 32, { name: "Late" }), ["11"]],
    ["a department that is archived", edit("hr.department", 32, { active: false }), ["11"]],
    ["a department above that is archived", edit("hr.department", 31, { active: false }), ["11"]],
    ["the department above", edit("hr.department", 31, { name: "Plant" }), ["11"]],
    ["a tag", edit("hr.employee.category", 41, { name: "Fire" }), ["11"]],
    ["a work location", edit("hr.work.location", 51, { name: "Dock 4" }), ["11"]],
    ["the address of a work location", edit("res.partner", 71, { street: "Kaai 2" }), ["11"]],
    ["the country of an address", edit("res.country", 20, { code: "NL" }), ["11"]],
    ["pay", edit("hr.version", 91, { wage: 3_100 }), ["11"]],
    ["a contract", add("hr.version", { id: 92, employee_id: 12, ...contract }), ["12"]],
    ["approved leave", edit("hr.leave", 21, { state: "validate" }), ["12"]],
    [
      "a new person",
      add("hr.employee", { id: 13, active: true, name: "Ida", ...madeInFebruary }),
      ["13"],
    ],
  ])("gives those alone whom %s makes another", async (_, change, changed) => {
    const { fake, customer, session, since } = await startPolled();
    const before = await customer.read("employees", session);
    change(fake);
    const read = await customer.readSince(session, since);
    const after = await customer.read("employees", session);
    expect(read.people.map(({ remote_id: id }) => id)).toEqual(changed);
    const brought = new Map(before.map((person) => [person.remote_id, person]));
    for (const person of read.people) brought.set(person.remote_id, person);
    expect([...brought.values()]).toEqual(after);
    expect(after).not.toEqual(before);
    expect((await customer.readSince(session, read.next)).people).toEqual([]);
  });

  it("names who are there still when somebody is gone", async () => {
    const { fake, customer, session, since } = await startPolled();
    fake.tables["hr.employee"]?.pop();
    const read = await customer.readSince(session, since);
    expect(read.people).toEqual([]);
    expect(read.present).toEqual(["11"]);
  });

  it("gives everybody when more changed than are read one by one", async () => {
    const { fake, customer, session, since } = await startPolled();
    for (let id = 100; id < 350; id += 1) add("hr.employee", { id, active: true, name: "N" })(fake);
    const read = await customer.readSince(session, since);
    expect(read.people).toHaveLength(252);
    expect(new Set(read.present).size).toBe(252);
  });

  it("tells after each request that it goes on, so that no large company looks silent", async () => {
    const { fake, customer, session, since: before } = await startPolled();
    for (let id = 100; id < 550; id += 1) add("hr.employee", { id, active: true, name: "N" })(fake);
    const { next: since } = await customer.readSince(session, before);
    const read = await customer.readSince(session, since);
    expect(read).toMatchObject({ people: [], requests: 4, pages: 3 });
  });

  it("counts who comes while it reads as there", async () => {
    const { fake, customer, session } = await startPolled();
    const { next } = await customer.readSince(session);
    fake.interfere = ({ model, method }) => {
      const isRead = model === "hr.employee" && method === "search_read";
      if (isRead) add("hr.employee", { id: 13, active: true, name: "Ida" })(fake);
      if (isRead) fake.interfere = () => undefined;
      return undefined;
    };
    const first = await customer.readSince(session, next);
    expect(first.people.map(({ remote_id: id }) => id)).toEqual(["11", "12", "13"]);
    expect(first.present).toContain("13");
    const second = await customer.readSince(session, first.next);
    expect(second.people.map(({ remote_id: id }) => id)).toEqual(["13"]);
  });
});

const statusesOf = (people: readonly { employment_status?: unknown }[]): unknown[] =>
  people.map(({ employment_status: status }) => status);

describe("approved leave that was cancelled before version 19, which is archived then", () => {
  it.each([
    ["14", 14, {}],
    ["17, which has the mark of 14 and polls of 19", 19, { "hr.leave": ["active:boolean"] }],
  ] as const)("makes nobody `leave`: version %s", async (_, version, added) => {
    const companyFields = structuredClone(added) as Record<string, string[]>;
    const { fake, customer, session } = await start("xhr", version, companyFields);
    edit("hr.leave", 21, { state: "validate", active: true })(fake);
    expect(statusesOf(await customer.read("employees", session))).toEqual(["active", "leave"]);
    edit("hr.leave", 21, { active: false })(fake);
    expect(statusesOf(await customer.read("employees", session))).toEqual(["active", "active"]);
  });

  it("is told by the next poll, which is two requests still", async () => {
    const { fake, customer, session } = await start("xhr", 19, { "hr.leave": ["active:boolean"] });
    edit("hr.leave", 21, { state: "validate", active: true })(fake);
    const { next } = await customer.readSince(session);
    const { next: since } = await customer.readSince(session, next);
    expect(await customer.readSince(session, since)).toMatchObject({ people: [], requests: 2 });
    edit("hr.leave", 21, { active: false })(fake);
    const { people } = await customer.readSince(session, since);
    expect(people).toMatchObject([{ remote_id: "12", employment_status: "active" }]);
  });
});

describe("a poll of employees is a full read", () => {
  it.each<[string, (started: Started) => unknown]>([
    ["another day has begun", ({ clock }) => clock.advance(86_400)],
    ["contracts may not be read any more", ({ fake }) => take("hr.group_hr_manager")(fake)],
    ["people may not be read any more", ({ fake }) => take("hr.group_hr_user")(fake)],
    [
      "leave may not be read any more",
      ({ fake }) => take("hr_holidays.group_hr_holidays_user")(fake),
    ],
    [
      "an account may not be read",
      ({ fake }) => {
        const model = "res.partner.bank";
        delete fake.tables[model];
        fake.interfere = (seen) => {
          const isNested = seen.method === "web_search_read";
          return isNested ? { status: 200, headers: json, body: refusal } : undefined;
        };
      },
    ],
  ])("when %s", async (_, change) => {
    const { since, ...started } = await startPolled();
    await change(started);
    await expect(started.customer.readSince(started.session, since)).rejects.toBeInstanceOf(
      OperationNotSupported,
    );
  });

  it("when contracts may be read that were hidden", async () => {
    const started = await start();
    const { fake, customer } = started;
    take("hr.group_hr_manager")(fake);
    const { next } = await customer.readSince(started.session);
    const { next: since } = await customer.readSince(started.session, next);
    expect(since).toBeDefined();
    expect((await customer.readSince(started.session, since)).people).toEqual([]);
    fake.users[0]?.groups.push("hr.group_hr_manager");
    await expect(customer.readSince(started.session, since)).rejects.toBeInstanceOf(
      OperationNotSupported,
    );
  });

  it("at a server that cannot give what a person points to", async () => {
    const { customer, session } = await start("xhr", 14);
    expect((await customer.readSince(session)).next).toBeUndefined();
  });

  it("when what is kept is of another form", async () => {
    const { customer, session, since } = await startPolled();
    await expect(
      customer.readSince(session, { ...since, specification: "all" }),
    ).rejects.toBeInstanceOf(OperationNotSupported);
  });
});

const json = { "content-type": "application/json" };
const refusal = JSON.stringify({
  error: { code: 0, data: { name: "odoo.exceptions.AccessError", message: "", arguments: [] } },
});
