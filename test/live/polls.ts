import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Cursor, Session } from "../../src/providers/contract.ts";
import { OperationNotSupported } from "../../src/providers/errors.ts";
import { OdooAdministrator } from "../support/odoo-administrator.ts";
import type { Customer } from "../support/odoo-customer.ts";
import { makeFullPerson } from "../support/odoo-full-person.ts";
import type { OdooRpc } from "../support/odoo-rpc.ts";
import { customer, expectSame, signInAs, url } from "./live-odoo.ts";

interface Edit {
  model: string;
  /** The id, or a field of the person that points to it. */
  id: number | string;
  values: object;
}

const renamed = [
  { name: "size", string: "Shirt", type: "selection", selection: [["l", "Large"]] },
  { name: "since", string: "Badge since", type: "date" },
];

const edits: readonly (readonly [what: string, edit: Edit])[] = [
  ["a field", { model: "hr.employee", id: "id", values: { work_email: "zoe@example.com" } }],
  ["a field of the company's own", { model: "hr.employee", id: "id", values: { x_badge: "B-8" } }],
  ["a property", { model: "hr.employee", id: "id", values: { employee_properties: {} } }],
  [
    "the label of a property",
    { model: "res.company", id: 1, values: { employee_properties_definition: renamed } },
  ],
  ["pay", { model: "hr.version", id: "current_version_id", values: { wage: 4_000 } }],
  [
    "the end of a contract",
    { model: "hr.version", id: "current_version_id", values: { contract_date_end: "2031-01-31" } },
  ],
  [
    "a bank account",
    { model: "res.partner.bank", id: "bank_account_ids", values: { acc_number: "12" } },
  ],
  ["the manager's name", { model: "hr.employee", id: "parent_id", values: { name: "Mitch" } }],
  ["the department", { model: "hr.department", id: "department_id", values: { name: "Labs" } }],
  ["a tag", { model: "hr.employee.category", id: "category_ids", values: { name: "Trusted" } }],
  ["who is archived", { model: "hr.employee", id: "id", values: { active: false } }],
];

/** What a poll finds of what was changed in Odoo itself. */
export function describePolls(): void {
  describe("a poll of employees", () => {
    let rpc: OdooRpc;
    let person: Awaited<ReturnType<typeof makeFullPerson>>;
    beforeAll(async () => {
      ({ rpc } = await OdooAdministrator.at(url));
      person = await makeFullPerson(rpc);
    });
    afterAll(async () => await person.remove());

    it.each([
      ["xhr", "admin", 2],
      ["official", "admin", 2],
      ["xhr", "officer", 3],
      ["xhr", "manager", 2],
    ] as const)("is few requests when nothing changed, as %s by %s: %i", async (...row) => {
      const [mode, login, requests] = row;
      const { reader, session, since } = await poll(mode, login);
      await clockIn(rpc, person.id);
      const { people, ...read } = await reader.readSince(session, since);
      expect(people).toEqual([]);
      expect(read).toMatchObject({ present: undefined, requests });
    });

    it.each(edits)("gives whom %s makes another", async (_, { model, id, values }) => {
      const { reader, session, since } = await poll("xhr", "admin");
      const before = await reader.read("employees", session);
      const of = typeof id === "number" ? id : await idAt(rpc, person.id, id);
      const undo = await edit(rpc, model, of, values);
      try {
        const read = await reader.readSince(session, since);
        expect(read.people.map(({ remote_id }) => remote_id)).toContain(String(person.id));
        const brought = new Map([...before, ...read.people].map((one) => [one.remote_id, one]));
        expectSame([...brought.values()], await reader.read("employees", session));
        expect((await reader.readSince(session, read.next)).people).toEqual([]);
      } finally {
        await undo();
      }
    });

    it("gives who goes on leave today", async () => {
      const { reader, session, since } = await poll("xhr", "admin");
      const today = new Date().toISOString().slice(0, 10);
      const type = await rpc.create("hr.leave.type", {
        name: "At once",
        requires_allocation: false,
        leave_validation_type: "no_validation",
      });
      const leave = await rpc.create("hr.leave", {
        employee_id: person.id,
        holiday_status_id: type,
        request_date_from: today,
        request_date_to: new Date(Date.now() + 6 * 86_400_000).toISOString().slice(0, 10),
      });
      try {
        const { people } = await reader.readSince(session, since);
        expect(people).toMatchObject([
          { remote_id: String(person.id), employment_status: "leave" },
        ]);
      } finally {
        await rpc.call("hr.leave", "action_refuse", [[leave]]);
        await rpc.call("hr.leave", "unlink", [[leave]]);
        await rpc.call("hr.leave.type", "unlink", [[type]]);
      }
    });

    it("reads everybody anew when the account loses a right", async () => {
      const administrator = await OdooAdministrator.at(url);
      const login = "demoted";
      const groups = ["hr.group_hr_manager"];
      const account = await administrator.ensureAccount({ login, groups });
      const manager = await administrator.idOf("hr.group_hr_manager");
      const officer = await administrator.idOf("hr.group_hr_user");
      const give = async (group: number): Promise<unknown> =>
        await rpc.call("res.users", "write", [[account], { group_ids: [[6, 0, [group]]] }]);
      await give(manager);
      const { reader, session, since } = await poll("xhr", login);
      await give(officer);
      await expect(reader.readSince(session, since)).rejects.toBeInstanceOf(OperationNotSupported);
    });
  });
}

/** After a full read and the first poll, which looks at everybody. */
async function poll(
  mode: "xhr" | "official",
  login: string,
): Promise<{ reader: Customer; session: Session; since: Cursor | undefined }> {
  const reader = customer(mode);
  const session = await signInAs(reader, login);
  const { next } = await reader.readSince(session);
  const { next: since } = await reader.readSince(session, next);
  expect(since).toBeDefined();
  return { reader, session, since };
}

/** Odoo notes the time of it in the employee's row. */
async function clockIn(rpc: OdooRpc, employee_id: number): Promise<void> {
  const times = { check_in: "2026-01-07 08:00:00", check_out: "2026-01-07 12:00:00" };
  const attendance = await rpc.create("hr.attendance", { employee_id, ...times });
  await rpc.call("hr.attendance", "unlink", [[attendance]]);
}

async function idAt(rpc: OdooRpc, person: number, field: string): Promise<number> {
  const [row] = await rpc.list("hr.employee", [field], [["id", "=", person]]);
  return Number([row?.[field]].flat()[0]);
}

async function edit(
  rpc: OdooRpc,
  model: string,
  id: number,
  values: object,
): Promise<() => Promise<void>> {
  const [before] = await rpc.list(model, Object.keys(values), [["id", "=", id]]);
  const { id: _id, ...old } = before ?? { id };
  const restored = Object.entries(old).map(([name, value]) => [
    name,
    name === "employee_properties" ? { size: "l", since: "2026-01-15" } : value,
  ]);
  await rpc.call(model, "write", [[id], values]);
  return async () => void (await rpc.call(model, "write", [[id], Object.fromEntries(restored)]));
}
