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
const people = ["Zoe Zweite", "Zeno Zweite"];

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

    it("reads of the second company its people alone, and their leave and attendances alone", async () => {
      const session = await signInAs(reader, login, String(second));
      const own = await reader.read("employees", session);
      expect(own.map(({ display_full_name: name }) => name).sort()).toEqual([...people].sort());
      const ids = own.map(({ remote_id: id }) => id);
      for (const resource of ["time-off-entries", "timesheets", "time-off-balances"] as const)
        for (const { employee_remote_id: id } of await reader.read(resource, session, { range }))
          expect(ids).toContain(id);
      expect(await reader.read("company", session)).toMatchObject([{ legal_name: "Zweite GmbH" }]);
    });

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
  for (const name of people)
    await rpc.create("hr.employee", { name, company_id, work_location_id });
  return company_id;
}

async function rpcIn(companyIds: readonly number[]): Promise<OdooRpc> {
  return (await new OdooRpc(url).signIn(login, passwordOf(login))).inCompanies(companyIds);
}

async function accountId(rpc: OdooRpc): Promise<number> {
  const [account] = await rpc.list("res.users", [], [["login", "=", login]]);
  return account!.id;
}
