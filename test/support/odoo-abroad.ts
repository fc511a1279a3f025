import type { OdooAdministrator } from "./odoo-administrator.ts";
import { OdooRpc } from "./odoo-rpc.ts";

export interface Abroad {
  /** The company of the demo data first, then one in yen and one in dinars. */
  companyIds: readonly number[];
  /** The login of an account with all rights in all of them. */
  administrator: string;
  /** Employees: who left and came back, and has taken more leave than was granted; who is paid in yen, in dinars. */
  returned: number;
  inYen: number;
  inDinars: number;
  remove(): Promise<void>;
}

const login = "abroad-administrator";
const demoCompany = 1;

/** Makes on a live Odoo what its demo data lacks. The companies and the account stay. */
export async function makeAbroad(administrator: OdooAdministrator, url: string): Promise<Abroad> {
  const companyIds = [
    demoCompany,
    await administrator.ensureCompany("Tokio KK", "JPY"),
    await administrator.ensureCompany("Kuwait WLL", "KWD"),
  ];
  await administrator.ensureAccount({ login, companyIds });
  const rpc = (await new OdooRpc(url).signIn(login, `${login}-pass`)).inCompanies(companyIds);
  const [, tokio = 0, kuwait = 0] = companyIds;
  const inYen = await hire(rpc, { name: "Aiko Tokio", company_id: tokio, wage: 300_000 });
  const inDinars = await hire(rpc, { name: "Badr Kuwait", company_id: kuwait, wage: 950.125 });
  const returned = await hire(rpc, {
    name: "Rhea Retour",
    company_id: demoCompany,
    wage: 2_000,
    ...contract("2015-01-01", "2018-12-31"),
  });
  const again = { ...contract("2022-05-02", false), wage: 2_600 };
  await rpc.call("hr.employee", "create_version", [[returned], again]);
  const overdrawn = await overdraw(rpc, returned);
  return {
    companyIds,
    administrator: login,
    returned,
    inYen,
    inDinars,
    remove: async () => {
      await overdrawn.remove();
      await rpc.call("hr.employee", "unlink", [[returned, inYen, inDinars]]);
    },
  };
}

function contract(start: string, end: string | false) {
  return { date_version: start, contract_date_start: start, contract_date_end: end };
}

async function hire(rpc: OdooRpc, person: object): Promise<number> {
  return await rpc.create("hr.employee", { ...contract("2024-01-01", false), ...person });
}

/** Six days of leave, of which one was granted. */
async function overdraw(rpc: OdooRpc, employee_id: number): Promise<{ remove(): Promise<void> }> {
  const negative = { allows_negative: true, max_allowed_negative: 20 };
  const type = await rpc.create("hr.leave.type", { name: "Overdrawn abroad", ...negative });
  const own = { employee_id, holiday_status_id: type };
  const granted = { ...own, name: "test", number_of_days: 1, date_from: "2026-01-01" };
  const allocation = await rpc.create("hr.leave.allocation", granted);
  await rpc.call("hr.leave.allocation", "action_approve", [[allocation]]);
  const days = { request_date_from: "2027-06-21", request_date_to: "2027-06-28" };
  const leave = await rpc.create("hr.leave", { ...own, ...days });
  await rpc.call("hr.leave", "action_approve", [[leave]]);
  return {
    remove: async () => {
      await rpc.call("hr.leave", "action_refuse", [[leave]]);
      await rpc.call("hr.leave", "unlink", [[leave]]);
      await rpc.call("hr.leave.allocation", "action_refuse", [[allocation]]);
      await rpc.call("hr.leave.allocation", "unlink", [[allocation]]);
      await rpc.call("hr.leave.type", "unlink", [[type]]);
    },
  };
}
