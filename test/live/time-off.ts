import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { OdooAdministrator } from "../support/odoo-administrator.ts";
import { OdooExpected } from "../support/odoo-expected.ts";
import type { OdooRpc } from "../support/odoo-rpc.ts";
import { customer, expectSame, range, signInAs, url, withoutDays } from "./live-odoo.ts";

const employee_id = 2;
/** From 09:00 to 11:30, and to 10:00 on the days after. */
const wanted = [
  { start_date: "2027-06-14", amount: 2.5, status: "approved" },
  { start_date: "2027-06-15", amount: 1, status: "rejected" },
  { start_date: "2027-06-16", amount: 1, status: "pending" },
];

export function describeTimeOff(): void {
  describeOverdrawn();
  describe("time off by the hour", () => {
    let rpc: OdooRpc;
    let type: number;
    let allocation: number;
    const leaves: number[] = [];
    beforeAll(async () => {
      ({ rpc } = await OdooAdministrator.at(url));
      type = await rpc.create("hr.leave.type", { name: "By the hour", request_unit: "hour" });
      const granted = { name: "test", employee_id, number_of_days: 2, date_from: "2026-01-01" };
      const ofType = { ...granted, holiday_status_id: type };
      allocation = await rpc.create("hr.leave.allocation", ofType);
      await rpc.call("hr.leave.allocation", "action_approve", [[allocation]]);
      for (const { start_date: day, amount } of wanted)
        leaves.push(await askFor(rpc, type, day, amount));
      await rpc.call("hr.leave", "action_approve", [[leaves[0]]]);
      await rpc.call("hr.leave", "action_refuse", [[leaves[1]]]);
    });
    afterAll(async () => {
      await rpc.call("hr.leave", "action_refuse", [[leaves[0]]]);
      await rpc.call("hr.leave", "unlink", [leaves]);
      await rpc.call("hr.leave.allocation", "action_refuse", [[allocation]]);
      await rpc.call("hr.leave.allocation", "unlink", [[allocation]]);
      await rpc.call("hr.leave.type", "unlink", [[type]]);
    });

    it.each(["xhr", "official"] as const)("is in hours, in each state, as %s", async (mode) => {
      const reader = customer(mode);
      const session = await signInAs(reader, "admin");
      const entries = await reader.read("time-off-entries", session, { range });
      const own = entries.filter(({ policy_remote_id: id }) => id === String(type));
      expect(own).toMatchObject(wanted.map((each) => ({ ...each, unit: "hours" })));
      expectSame(entries, await new OdooExpected(rpc).timeOffEntries());
    });

    it.each(["xhr", "official"] as const)(
      "has the balance that Odoo shows, as %s",
      async (mode) => {
        const reader = customer(mode);
        const balances = await reader.read("time-off-balances", await signInAs(reader, "admin"));
        const known = await new OdooExpected(rpc).balances();
        const ofType = { policy_remote_id: String(type), unit: "hours", used: 2.5 };
        expect(known).toContainEqual(expect.objectContaining(ofType));
        expectSame(balances.map(withoutDays), known);
      },
    );
  });
}

function describeOverdrawn(): void {
  describe("time off beyond what was granted", () => {
    let rpc: OdooRpc;
    let type: number;
    let allocation: number;
    let leave: number;
    beforeAll(async () => {
      ({ rpc } = await OdooAdministrator.at(url));
      const negative = { allows_negative: true, max_allowed_negative: 20 };
      type = await rpc.create("hr.leave.type", { name: "Overdrawn", ...negative });
      const own = { employee_id, holiday_status_id: type };
      const granted = { ...own, name: "test", number_of_days: 1, date_from: "2026-01-01" };
      allocation = await rpc.create("hr.leave.allocation", granted);
      await rpc.call("hr.leave.allocation", "action_approve", [[allocation]]);
      leave = await rpc.create("hr.leave", {
        ...own,
        request_date_from: "2027-06-21",
        request_date_to: "2027-06-28",
      });
      await rpc.call("hr.leave", "action_approve", [[leave]]);
    });
    afterAll(async () => {
      await rpc.call("hr.leave", "action_refuse", [[leave]]);
      await rpc.call("hr.leave", "unlink", [[leave]]);
      await rpc.call("hr.leave.allocation", "action_refuse", [[allocation]]);
      await rpc.call("hr.leave.allocation", "unlink", [[allocation]]);
      await rpc.call("hr.leave.type", "unlink", [[type]]);
    });

    it("is a negative balance, as on Odoo's own page", async () => {
      const reader = customer("xhr");
      const balances = await reader.read("time-off-balances", await signInAs(reader, "admin"));
      const known = await new OdooExpected(rpc).balances();
      const ofType = { policy_remote_id: String(type), balance: -5, used: 6, unit: "days" };
      expect(known).toContainEqual(expect.objectContaining(ofType));
      expectSame(balances.map(withoutDays), known);
    });
  });
}

async function askFor(rpc: OdooRpc, type: number, day: string, hours: number): Promise<number> {
  return await rpc.create("hr.leave", {
    employee_id,
    holiday_status_id: type,
    request_date_from: day,
    request_date_to: day,
    request_unit_hours: true,
    request_hour_from: 9,
    request_hour_to: 9 + hours,
  });
}
