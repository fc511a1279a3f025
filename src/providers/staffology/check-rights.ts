import { utcDay } from "../../platform/clock.ts";
import type { CheckContext, CheckResult, Session } from "../contract.ts";
import { findRights } from "../kit/rights.ts";
import { openEmployer } from "./staffology-client.ts";
import { absentTaxYear, taxYearOf } from "./tax-years.ts";

/** One small list of each kind. Staffology answers 403 where the role of the key's user does not allow it. */
export async function checkRights(context: CheckContext, session: Session): Promise<CheckResult> {
  const { client, path } = openEmployer(context, session);
  const taxYear = taxYearOf(utcDay(context.clock.now()));
  return await findRights(context, [
    { resources: ["company"], ask: () => client.get(path) },
    {
      resources: ["employees", "time-off-entries", "time-off-balances"],
      ask: () => client.get(`${path}/employees`, { query: { pageNum: 0, pageSize: 1 } }),
    },
    { resources: ["groups"], ask: () => client.get(`${path}/departments`) },
    {
      resources: ["payruns", "payslips"],
      ask: () => client.get(`${path}/schedules/${taxYear}`, { errors: absentTaxYear }),
    },
  ]);
}
