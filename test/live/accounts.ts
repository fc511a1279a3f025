import { beforeAll, describe, expect, it } from "vitest";
import type { Resource } from "../../src/model/index.ts";
import type { Session } from "../../src/providers/contract.ts";
import { hiddenWithContracts } from "../../src/providers/odoo/employee-fields.ts";
import { OdooAdministrator } from "../support/odoo-administrator.ts";
import { commonResources } from "../support/odoo-desk-data.ts";
import type { Customer } from "../support/odoo-customer.ts";
import { customer, range, refusal, signInAs, url } from "./live-odoo.ts";

const ofOthers = ["timesheets", "time-off-entries", "time-off-balances"] as const;
/** Whether somebody is away is not known without the leave of others. */
const hiddenWithLeave = ["employment_status"];
const accounts = [
  {
    login: "plain",
    groups: ["base.group_user"],
    forbidden: ["employees", ...ofOthers],
    limited: {},
    inReads: [],
  },
  {
    login: "officer",
    groups: ["base.group_user", "hr.group_hr_user"],
    forbidden: ofOthers,
    limited: { employees: hiddenWithContracts },
    inReads: [hiddenWithContracts, hiddenWithLeave],
  },
  {
    login: "manager",
    groups: ["base.group_user", "hr.group_hr_manager"],
    forbidden: ofOthers,
    limited: {},
    inReads: [hiddenWithLeave],
  },
] as const;

export function describeAccounts(): void {
  describe.each(accounts)("an account with fewer rights: $login", (account) => {
    const { login, groups, forbidden, limited, inReads } = account;
    const isForbidden = (resource: Resource): boolean =>
      (forbidden as readonly Resource[]).includes(resource);
    let reader: Customer;
    let session: Session;
    beforeAll(async () => {
      await (await OdooAdministrator.at(url)).ensureAccount({ login, groups });
      reader = customer("xhr");
      session = await signInAs(reader, login);
    });

    it("is told at the sign-in what it may not read", async () => {
      await expect(reader.inspect(session)).resolves.toMatchObject({
        unsupported: [],
        forbidden,
        limited,
      });
    });

    it("is refused exactly that, and reads all of the rest", async () => {
      const administrator = customer("xhr");
      const ofAdministrator = await signInAs(administrator, "admin");
      for (const resource of commonResources.filter(isForbidden))
        await expect(reader.read(resource, session, { range })).rejects.toEqual(
          refusal("insufficient_permission"),
        );
      for (const resource of commonResources.filter((each) => !isForbidden(each))) {
        const all = await administrator.read(resource, ofAdministrator, { range });
        const found = await reader.read(resource, session, { range });
        expect(found.map(idOf)).toEqual(all.map(idOf));
      }
      expect(reader.limited).toEqual(inReads);
    });
  });

  it("an officer of employees gets null for what depends on dates and pay of contracts", async () => {
    const reader = customer("xhr");
    const people = await reader.read("employees", await signInAs(reader, "officer"));
    for (const person of people)
      expect(person).toMatchObject({ employments: null, employment_type: null, start_date: null });
    const statuses = new Set(people.map(({ employment_status: status }) => status));
    expect([...statuses].filter((status) => status !== "inactive")).toEqual([null]);
  });
}

const idOf = (record: object): unknown => (record as { remote_id: unknown }).remote_id;
