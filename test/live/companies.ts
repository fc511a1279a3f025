import { beforeAll, describe, expect, it } from "vitest";
import { OdooAdministrator } from "../support/odoo-administrator.ts";
import type { Customer } from "../support/odoo-customer.ts";
import { commonResources } from "../support/odoo-desk-data.ts";
import { OdooExpected } from "../support/odoo-expected.ts";
import { OdooRpc } from "../support/odoo-rpc.ts";
import {
  customer,
  formOf,
  inOrder,
  passwordOf,
  range,
  refusal,
  signInAs,
  url,
} from "./live-odoo.ts";

const login = "of-two-companies";
const people = ["Zeno Zweite", "Zoe Zweite"];

/** The demo company is the first. */
const first = 1;
let second: number;

export function describeCompanies(): void {
  describe.each(["xhr", "official"] as const)("an account of two companies, read as %s", (mode) => {
    let reader: Customer;
    beforeAll(async () => {
      second = await makeCompany();
      reader = customer(mode);
    });

    it("is asked for one of them or all", async () => {
      const result = await reader.logIn(await formOf(login, mode));
      expect(result).toMatchObject({
        challenge: {
          kind: "choose",
          options: [
            { value: "all", title: "All companies" },
            { value: String(first), title: "YourCompany" },
            { value: String(second), title: "Zweite GmbH" },
          ],
        },
      });
    });

    it.each(["all", "first", "second"] as const)(
      "reads what Odoo's own RPC gives of the chosen: %s",
      async (choice) => {
        const companies = { all: [first, second], first: [first], second: [second] }[choice];
        const answer = choice === "all" ? "all" : String(companies[0]);
        const session = await signInAs(reader, login, answer);
        const expected = new OdooExpected(await rpcIn(companies));
        const wanted = {
          company: await expected.company(),
          employees: await expected.employees(),
          groups: await expected.groups(),
          "work-locations": await expected.workLocations(),
        };
        for (const [resource, known] of Object.entries(wanted)) {
          const records = await reader.read(resource as keyof typeof wanted, session);
          expect(inOrder(records)).toEqual(inOrder(known));
        }
      },
    );

    it.each(["attendances", "projects"])(
      "reads of the second company the time of its people alone: timesheets are %s",
      async (timesheets) => {
        const chosen = customer(mode, { timesheets });
        const session = await signInAs(chosen, login, String(second));
        const own = await chosen.read("employees", session);
        expect(own.map(({ display_full_name: name }) => name).toSorted()).toEqual(people);
        const ids = own.map(({ remote_id: id }) => id);
        const found = await Promise.all(
          (["time-off-entries", "time-off-balances", "timesheets"] as const).map(
            async (resource) => await chosen.read(resource, session, { range }),
          ),
        );
        const whose = found.map((records) => records.map(({ employee_remote_id: id }) => id));
        const sheets = timesheets === "attendances" ? [ids[0]] : [];
        expect(whose).toEqual([[ids[0]], [ids[0]], sheets]);
      },
    );

    it("an administrator reads the one company of its own, though Odoo shows it the other one", async () => {
      const session = await signInAs(reader, "admin");
      expect(await reader.read("company", session)).toMatchObject([{ remote_id: String(first) }]);
    });

    it("may read nothing once a company was taken from it, and all when it is given back", async () => {
      const { rpc } = await OdooAdministrator.at(url);
      const session = await signInAs(reader, login, "all");
      const user = await accountId(rpc);
      await rpc.call("res.users", "write", [[user], { company_ids: [[3, second]] }]);
      try {
        for (const resource of commonResources)
          await expect(reader.read(resource, session, { range })).rejects.toEqual(
            refusal("insufficient_permission"),
          );
      } finally {
        await rpc.call("res.users", "write", [[user], { company_ids: [[4, second]] }]);
      }
      expect(await reader.read("company", session)).toHaveLength(2);
    });
  });
}

/** With two people, a place of work and an account that works in both companies. */
async function makeCompany(): Promise<number> {
  const administrator = await OdooAdministrator.at(url);
  const company_id = await administrator.ensureCompany("Zweite GmbH");
  await administrator.ensureAccount({ login, companyIds: [first, company_id] });
  const rpc = await rpcIn([company_id]);
  const known = await rpc.list("hr.employee", [], [["company_id", "=", company_id]]);
  if (known.length > 0) return company_id;
  const address_id = await rpc.create("res.partner", { name: "Halle 2", city: "Gent", company_id });
  const place = { name: "Halle 2", location_type: "office", address_id, company_id };
  const work_location_id = await rpc.create("hr.work.location", place);
  for (const name of people) {
    const id = await rpc.create("hr.employee", { name, company_id, work_location_id });
    if (name === people[0]) await addTime(rpc, id);
  }
  return company_id;
}

/** One leave, one allocation and one attendance. */
async function addTime(rpc: OdooRpc, employee_id: number): Promise<void> {
  const [type] = await rpc.list("hr.leave.type", [], [["name", "=", "Paid Time Off"]]);
  const ofType = { employee_id, holiday_status_id: type!.id };
  const granted = { name: "test", number_of_days: 20, date_from: "2026-01-01" };
  const allocation = await rpc.create("hr.leave.allocation", { ...ofType, ...granted });
  await rpc.call("hr.leave.allocation", "action_approve", [[allocation]]);
  const days = { request_date_from: "2027-06-07", request_date_to: "2027-06-08" };
  await rpc.create("hr.leave", { ...ofType, ...days });
  const hours = { check_in: "2026-01-05 08:00:00", check_out: "2026-01-05 12:00:00" };
  await rpc.create("hr.attendance", { employee_id, ...hours });
}

async function rpcIn(companyIds: readonly number[]): Promise<OdooRpc> {
  return (await new OdooRpc(url).signIn(login, passwordOf(login))).inCompanies(companyIds);
}

async function accountId(rpc: OdooRpc): Promise<number> {
  const [account] = await rpc.list("res.users", [], [["login", "=", login]]);
  return account!.id;
}
