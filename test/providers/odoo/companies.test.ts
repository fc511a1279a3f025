import { afterEach, describe, expect, it } from "vitest";
import type { Mode, Resource } from "../../../src/model/index.ts";
import type { Session } from "../../../src/providers/contract.ts";
import { OperationNotSupported } from "../../../src/providers/errors.ts";
import { odoo } from "../../../src/providers/odoo/index.ts";
import type { OdooTables } from "../../support/fake-odoo.ts";
import { closeAll, Customer, password, startFakeOdoo } from "../../support/odoo-customer.ts";
import { odooTables, odooUsers } from "../../support/odoo-desk-data.ts";

afterEach(closeAll);

const resources: readonly Resource[] = [
  "company",
  "employees",
  "work-locations",
  "payruns",
  "payslips",
];
const run = { state: "close", date_start: "2026-02-01", date_end: "2026-02-28" };
const slip = { payslip_run_id: 4, state: "done", date_from: "2026-02-01", date_to: "2026-02-28" };

/** To them Odoo shows companies in which they do not work. */
const administrators = odooUsers.map((user) => ({
  ...user,
  groups: [...user.groups, "base.group_erp_manager"],
}));

/** Ines works in two companies and the officer in one. */
function createTables(): OdooTables {
  return odooTables({
    "res.users": [
      { id: 2, name: "User 2", login: "ines@example.com", company_ids: [1, 2, 3] },
      { id: 6, name: "User 6", login: "officer@example.com", company_ids: [2] },
    ],
    "res.company": [
      { id: 1, active: true, name: "Ferme & Fils", currency_id: 3 },
      { id: 2, active: true, name: "Zweite GmbH", currency_id: 4 },
      { id: 3, active: false, name: "Closed" },
      { id: 4, active: true, name: "Not of Ines" },
    ],
    "hr.employee": [
      { id: 11, active: true, name: "Nadia", company_id: 1 },
      { id: 12, active: true, name: "Bram", company_id: 2 },
    ],
    "hr.work.location": [
      { id: 51, active: true, name: "Dock 3", company_id: 1 },
      { id: 52, active: true, name: "Halle 2", company_id: 2 },
      { id: 53, active: true, name: "Elsewhere", company_id: 4 },
    ],
    "hr.payslip.run": [
      { id: 4, ...run },
      { id: 5, ...run },
    ],
    "hr.payslip": [
      { id: 19, ...slip, employee_id: 11, company_id: 1 },
      { id: 20, ...slip, employee_id: 12, company_id: 2, payslip_run_id: 5 },
    ],
    "hr.payslip.line": [],
    "hr.salary.rule.category": [],
  });
}

async function start(mode: Mode = "xhr") {
  const users = structuredClone(administrators);
  const fake = await startFakeOdoo({ version: 19, users, tables: createTables() });
  const customer = new Customer(fake.origin, undefined, undefined, { mode, resources });
  return { fake, customer };
}

/** Signs in up to the question for the company. */
async function ask(customer: Customer, previous?: Session) {
  const result = await customer.logIn({ key: "key-marker-2" }, previous);
  if (!("challenge" in result)) throw new Error("no company is asked for");
  return result.challenge;
}

async function choose(customer: Customer, company: string): Promise<Session> {
  const result = await customer.answer((await ask(customer)).state, company);
  if (!("session" in result)) throw new Error("more is asked for");
  return result.session;
}

async function startWithOldSession() {
  const started = await start();
  const { url, database, cookies, uid } = await choose(started.customer, "all");
  return { ...started, old: { url, database, cookies, uid } };
}

describe("an account of several companies", () => {
  it.each(["xhr", "official"] as const)("chooses one of them or all: %s", async (mode) => {
    const { customer } = await start(mode);
    const challenge = await ask(customer);
    expect(challenge).toMatchObject({
      kind: "choose",
      prompt: "Which company?",
      options: [
        { value: "all", title: "All companies" },
        { value: "1", title: "Ferme & Fils" },
        { value: "2", title: "Zweite GmbH" },
      ],
    });
    expect(JSON.stringify(challenge)).not.toContain(password);
    expect(await choose(customer, "all")).not.toHaveProperty("companyId");
    expect(await choose(customer, "2")).toHaveProperty("companyId", 2);
  });

  it("reads all of them, and each employee names theirs", async () => {
    const { customer } = await start();
    const session = await choose(customer, "all");
    expect(await customer.read("company", session)).toHaveLength(2);
    expect(await customer.read("work-locations", session)).toHaveLength(2);
    const people = await customer.read("employees", session);
    expect(people.map(({ custom_fields }) => custom_fields)).toEqual([
      { company: { remote_id: "1", name: "Ferme & Fils" } },
      { company: { remote_id: "2", name: "Zweite GmbH" } },
    ]);
  });

  it("reads the one that was chosen, also the batches of its payslips alone", async () => {
    const { customer } = await start();
    const session = await choose(customer, "2");
    const remoteIds = async (resource: "company" | "employees" | "work-locations" | "payruns") =>
      (await customer.read(resource, session)).map(({ remote_id }) => remote_id);
    expect(await remoteIds("company")).toEqual(["2"]);
    expect(await remoteIds("work-locations")).toEqual(["52"]);
    expect(await remoteIds("employees")).toEqual(["12"]);
    expect(await remoteIds("payruns")).toEqual(["batch-5"]);
    expect((await customer.read("employees", session))[0]?.custom_fields).toBeNull();
    const ofOther = { payrunRemoteId: "batch-4" };
    expect(await customer.read("payslips", session, ofOther)).toEqual([]);
  });

  it("that reads all of them has the pay runs of those in which it works", async () => {
    const { fake, customer } = await start();
    fake.tables["hr.payslip.run"]?.push({ id: 6, ...run }, { id: 7, ...run });
    fake.tables["hr.employee"]?.push({ id: 13, active: true, name: "Otto", company_id: 4 });
    const ofOther = { ...slip, employee_id: 13, company_id: 4, payslip_run_id: 6 };
    fake.tables["hr.payslip"]?.push({ id: 21, ...ofOther });
    const read = await customer.read("payruns", await choose(customer, "all"));
    expect(read.map(({ remote_id }) => remote_id)).toEqual(["batch-4", "batch-5"]);
  });

  it("reads no more than a page of the payslips of a batch to know it", async () => {
    const { fake, customer } = await start();
    fake.tables["hr.payslip"] = Array.from({ length: 3_000 }, (_value, index) => ({
      id: index + 1,
      ...slip,
      employee_id: 11,
      company_id: 1,
      payslip_run_id: index < 1_500 ? 4 : 5,
    }));
    const session = await choose(customer, "all");
    fake.requests.length = 0;
    expect(await customer.read("payruns", session)).toHaveLength(2);
    const asked = fake.requests.filter(({ kwargs }) =>
      JSON.stringify(kwargs["domain"] ?? "").includes('["payslip_run_id","in"'),
    );
    expect(asked).toHaveLength(2);
  });

  it("chooses after the second factor, in a session whose cookie changes with each answer", async () => {
    const users = odooUsers.map((user) => ({ ...user, otp: "271828" }));
    const fake = await startFakeOdoo({ version: 19, users, tables: createTables() });
    fake.rotates = true;
    const customer = new Customer(fake.origin, undefined, undefined, { resources });
    const asked = await customer.answer((await ask(customer)).state, "271828");
    if (!("challenge" in asked)) throw new Error("no company is asked for");
    expect(asked.challenge.kind).toBe("choose");
    const result = await customer.answer(asked.challenge.state, "2");
    const { session } = result as { session: Session };
    expect(session).toMatchObject({ companyId: 2, uid: 2 });
    expect(await customer.read("company", session)).toHaveLength(1);
  });

  it("keeps what was chosen when it signs in again", async () => {
    const { customer } = await start();
    for (const company of ["all", "2"]) {
      const before = await choose(customer, company);
      const again = await customer.logIn({}, before);
      expect(again).toHaveProperty("session");
      const { session } = again as { session: Session };
      expect(session["companyId"]).toBe(before["companyId"]);
    }
  });

  it("is refused when it does not have the company that is connected", async () => {
    const { customer } = await start();
    const before = await choose(customer, "1");
    await expect(customer.logIn({ username: "officer@example.com" }, before)).rejects.toMatchObject(
      {
        field: "url",
        explanation: expect.stringContaining("does not have the company"),
      },
    );
  });

  it.each(["xhr", "official"] as const)(
    "that reads all of them may read nothing once one was taken from it: %s",
    async (mode) => {
      const { fake, customer } = await start(mode);
      const session = await choose(customer, "all");
      await expect(customer.read("employees", session)).resolves.toHaveLength(2);
      fake.tables["res.users"]![0]!["company_ids"] = [1, 3];
      for (const resource of ["employees", "company"] as const)
        await expect(customer.read(resource, session)).rejects.toMatchObject({
          code: "insufficient_permission",
        });
      fake.tables["res.users"]![0]!["company_ids"] = [1, 2, 3];
      await expect(customer.read("employees", session)).resolves.toHaveLength(2);
    },
  );

  it.each([
    ["with people", ["11", "12"], "hr_holidays.group_hr_holidays_user"],
    ["with people, by an account that may not read leave", ["11", "12"], "nothing"],
    ["without people", ["11"], "hr_holidays.group_hr_holidays_user"],
    ["without people, by an account that may not read leave", ["11"], "nothing"],
  ])("that one was taken from, %s, is polled for no deletions", async (_, people, leave) => {
    const { fake, customer } = await start();
    for (const user of fake.users)
      user.groups = [...user.groups.filter((group) => !group.includes("holidays")), leave];
    fake.tables["hr.employee"] = fake.tables["hr.employee"]!.slice(0, people.length);
    const session = await choose(customer, "all");
    const { next } = await customer.readSince(session);
    const { next: since, present } = await customer.readSince(session, next);
    expect(present).toEqual(expect.arrayContaining(people));
    expect(await customer.readSince(session, since)).toMatchObject({ people: [], requests: 2 });
    fake.tables["res.users"]![0]!["company_ids"] = [1, 3];
    await expect(customer.readSince(session, since)).rejects.toBeInstanceOf(OperationNotSupported);
  });

  it("that is given one tells everybody's with the next poll", async () => {
    const { fake, customer } = await start();
    fake.tables["res.users"]![0]!["company_ids"] = [1];
    const result = await customer.logIn({ key: "key-marker-2" });
    if (!("session" in result)) throw new Error("more is asked for");
    const { next } = await customer.readSince(result.session);
    const { next: since } = await customer.readSince(result.session, next);
    fake.tables["res.users"]![0]!["company_ids"] = [1, 2];
    await expect(customer.readSince(result.session, since)).rejects.toBeInstanceOf(
      OperationNotSupported,
    );
  });

  it.each([
    ["all of them", "all", ["11", "12"]],
    ["one of them", "1", ["11"]],
  ])("that is given one later reads it, unless one was chosen: %s", async (_, chosen, read) => {
    const { fake, customer } = await start();
    fake.tables["res.users"]![0]!["company_ids"] = [1, 4];
    const session = await choose(customer, chosen);
    fake.tables["res.users"]![0]!["company_ids"] = [1, 2, 4];
    const people = await customer.read("employees", session);
    expect(people.map(({ remote_id }) => remote_id)).toEqual(read);
  });

  it("that reads all of them is not replaced by an account that has fewer", async () => {
    const { fake, customer } = await start();
    const before = await choose(customer, "all");
    const officer = customer.logIn({ username: "officer@example.com" }, before);
    await expect(officer).rejects.toMatchObject({ field: "url" });
    fake.tables["res.company"]![0]!["active"] = false;
    await expect(customer.logIn({}, before)).resolves.toMatchObject({
      session: { companyIds: [2] },
    });
  });

  it("may read nothing once the company was taken from it", async () => {
    const { fake, customer } = await start();
    const session = await choose(customer, "2");
    fake.tables["res.users"]![0]!["company_ids"] = [1];
    await expect(customer.read("employees", session)).rejects.toMatchObject({
      code: "insufficient_permission",
    });
  });
});

describe("a session of the version without companies", () => {
  it("goes on reading all that the account may, and names the same account", async () => {
    const { fake, customer, old } = await startWithOldSession();
    await expect(customer.inspect(old)).resolves.toMatchObject({ unsupported: [], forbidden: [] });
    for (const [resource, count] of [
      ["company", 2],
      ["employees", 2],
      ["payruns", 2],
    ] as const)
      await expect(customer.read(resource, old)).resolves.toHaveLength(count);
    expect(odoo.modes.xhr!.accountOfSession!(old)).toEqual(["people", "2"]);
    fake.rotates = true;
    await customer.read("groups", old);
    expect(Object.keys(customer.saved.at(-1)!).sort()).toEqual(Object.keys(old).sort());
  });

  it("is replaced at the next sign-in without a question", async () => {
    const { customer, old } = await startWithOldSession();
    await expect(customer.logIn({}, old)).resolves.toMatchObject({
      session: { companyIds: [1, 2] },
    });
  });
});

describe("an account of one company", () => {
  it("is asked nothing", async () => {
    const { customer } = await start();
    const session = await customer.signIn("officer@example.com");
    expect(session).not.toHaveProperty("companyId");
  });

  it("reads that one alone, also as an administrator whom Odoo shows all of them", async () => {
    const { customer } = await start();
    const session = await customer.signIn("officer@example.com");
    expect(await customer.read("company", session)).toMatchObject([{ remote_id: "2" }]);
    expect(await customer.read("work-locations", session)).toMatchObject([{ remote_id: "52" }]);
  });

  it("has the pay runs of that one alone", async () => {
    const { fake, customer } = await start();
    for (const user of fake.users)
      user.groups = [...user.groups, "hr_payroll_community.group_hr_payroll_community_manager"];
    const session = await customer.signIn("officer@example.com");
    expect(session).toMatchObject({ companyIds: [2] });
    expect(await customer.read("payruns", session)).toMatchObject([{ remote_id: "batch-5" }]);
  });
});
