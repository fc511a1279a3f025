import { beforeAll, afterAll, describe, expect, it } from "vitest";
import type { Mode } from "../../src/model/index.ts";
import { OperationNotSupported } from "../../src/providers/errors.ts";
import type { Session, Settings } from "../../src/providers/contract.ts";
import { OdooAdministrator } from "../support/odoo-administrator.ts";
import { closeAll, type Customer } from "../support/odoo-customer.ts";
import { OdooExpected } from "../support/odoo-expected.ts";
import type { OdooRpc } from "../support/odoo-rpc.ts";
import { describeAccounts } from "./accounts.ts";
import { describeByAccount } from "./by-account.ts";
import { describeCompanies } from "./companies.ts";
import { describeLanguages } from "./languages.ts";
import { customer, expectSame, range, refusal, url, withoutDays } from "./live-odoo.ts";
import { describePeople } from "./people.ts";
import { describePolls } from "./polls.ts";
import { describeService } from "./service.ts";
import { describeSessions } from "./sessions.ts";
import { describeTimeOff } from "./time-off.ts";

if (url === "") {
  process.stdout.write(
    "The tests on a real Odoo are left out: ODOO_URL is not set. They need its demo data in the " +
      "database hr, and the user admin with the password admin, and leave accounts and companies there.\n",
  );
}

const credentials = { database: "hr", username: "admin", password: "admin" };

describe.skipIf(url === "")("a real Odoo 19 with its demo data", () => {
  let rpc: OdooRpc;
  let expected: OdooExpected;
  let key: string;

  beforeAll(async () => {
    ({ rpc } = await OdooAdministrator.at(url));
    expected = new OdooExpected(rpc);
    key = await rpc.makeApiKey("admin");
  });
  afterAll(async () => {
    await rpc.removeApiKeys("admin");
    await closeAll();
  });

  async function signIn(
    mode: Mode,
    settings?: Settings,
  ): Promise<{ reader: Customer; session: Session }> {
    const reader = customer(mode, settings);
    const result = await reader.logIn({ ...credentials, key });
    if (!("session" in result)) throw new Error("the sign-in asks for more");
    return { reader, session: result.session };
  }

  describe.each(["xhr", "official"] as const)("read as %s", (mode) => {
    let reader: Customer;
    let session: Session;
    beforeAll(async () => {
      ({ reader, session } = await signIn(mode));
    });

    it("has all rights, and the identity that Odoo has", async () => {
      const inspected = await reader.inspect(session);
      expect(inspected).toMatchObject({ unsupported: [], forbidden: [], limited: {} });
      expect(inspected.identity).toEqual(await expected.identity(Number(session["uid"])));
    });

    it.each([
      ["company", () => expected.company()],
      ["employees", () => expected.employees()],
      ["groups", () => expected.groups()],
      ["work-locations", () => expected.workLocations()],
      ["time-off-entries", () => expected.timeOffEntries()],
      ["timesheets", () => expected.attendances()],
    ] as const)("has the same %s as Odoo's own RPC", async (resource, read) => {
      const records = await reader.read(resource, session, { range });
      const wanted = await read();
      expect(wanted.length).toBeGreaterThan(0);
      expectSame(records, wanted);
    });

    it("has the balances that Odoo shows person by person", async () => {
      const records = await reader.read("time-off-balances", session);
      const wanted = await expected.balances();
      expect(wanted.length).toBeGreaterThan(0);
      expectSame(records.map(withoutDays), wanted);
    });

    it("has the lines of projects when they were chosen", async () => {
      const chosen = await signIn(mode, { timesheets: "projects" });
      const records = await chosen.reader.read("timesheets", chosen.session, { range });
      const wanted = await expected.projectLines();
      expect(wanted.length).toBeGreaterThan(100);
      expectSame(records, wanted);
    });

    it("finds what was changed in Odoo with the next read", async () => {
      const employee_id = 2;
      const holiday_status_id = (
        await rpc.list("hr.leave.type", [], [["name", "=", "Sick Time Off"]])
      )[0]!.id;
      const ofAllocation = (
        await rpc.list("hr.leave.type", [], [["name", "=", "Paid Time Off"]])
      )[0]!.id;
      const [leave] = [
        await rpc.call<number | number[]>("hr.leave", "create", [
          [
            {
              employee_id,
              holiday_status_id,
              request_date_from: "2027-06-07",
              request_date_to: "2027-06-08",
            },
          ],
        ]),
      ].flat();
      const [attendance] = [
        await rpc.call<number | number[]>("hr.attendance", "create", [
          [{ employee_id, check_in: "2026-01-05 08:00:00", check_out: "2026-01-05 12:00:00" }],
        ]),
      ].flat();
      const [allocation] = [
        await rpc.call<number | number[]>("hr.leave.allocation", "create", [
          [
            {
              name: "test",
              employee_id,
              holiday_status_id: ofAllocation,
              number_of_days: 3,
              date_from: "2026-01-01",
            },
          ],
        ]),
      ].flat();
      try {
        await rpc.call("hr.leave.allocation", "action_approve", [[allocation]]);
        const entries = await reader.read("time-off-entries", session, { range });
        expect(entries.find(({ remote_id }) => remote_id === String(leave))).toMatchObject({
          start_date: "2027-06-07",
          end_date: "2027-06-08",
          amount: 2,
          status: "pending",
        });
        const sheets = await reader.read("timesheets", session, { range });
        expect(
          sheets.find(({ remote_id }) => remote_id === `attendance-${attendance}`),
        ).toMatchObject({
          start_time: "2026-01-05T08:00:00Z",
          employee_remote_id: "2",
        });
        const balances = await reader.read("time-off-balances", session);
        expect(
          balances.find(
            ({ employee_remote_id, policy_remote_id }) =>
              employee_remote_id === "2" && policy_remote_id === String(ofAllocation),
          ),
        ).toMatchObject({ balance: 3, used: 0, unit: "days" });
      } finally {
        await rpc.call("hr.leave.allocation", "action_refuse", [[allocation]]);
        await rpc.call("hr.leave.allocation", "unlink", [[allocation]]).catch(() => undefined);
        await rpc.call("hr.attendance", "unlink", [[attendance]]);
        await rpc.call("hr.leave", "unlink", [[leave]]);
      }
      const entries = await reader.read("time-off-entries", session, { range });
      expect(entries.map(({ remote_id }) => remote_id)).not.toContain(String(leave));
    });
  });

  it("has no payroll module", async () => {
    const { reader, session } = await signIn("xhr");
    await expect(reader.inspect(session, ["payruns", "payslips"])).resolves.toMatchObject({
      unsupported: ["payruns", "payslips"],
    });
    await expect(reader.read("payruns", session, { range })).rejects.toBeInstanceOf(
      OperationNotSupported,
    );
  });

  it("refuses a wrong password, a wrong key and a wrong database", async () => {
    const wrong = refusal("incorrect_username_or_password");
    await expect(customer("xhr").logIn({ ...credentials, password: "wrong" })).rejects.toEqual(
      wrong,
    );
    await expect(customer("official").logIn({ ...credentials, key: "wrong" })).rejects.toEqual(
      wrong,
    );
    for (const mode of ["xhr", "official"] as const)
      await expect(
        customer(mode).logIn({ ...credentials, key, database: "nobody" }),
      ).rejects.toMatchObject({ field: "database" });
  });

  it("refuses an ended session", async () => {
    const { reader, session } = await signIn("xhr");
    const dead = {
      ...session,
      cookies: String(session["cookies"]).replace(/"value":"[^"]+"/, `"value":"${"A".repeat(84)}"`),
    };
    await expect(reader.read("employees", dead)).rejects.toEqual(
      refusal("reauthentication_required"),
    );
  });

  describePeople();
  describePolls();
  describeTimeOff();
  describeSessions();
  describeAccounts();
  describeByAccount();
  describeLanguages();
  describeCompanies();
  describeService();
});
