import { utcDay } from "../../platform/clock.ts";
import type { CheckContext, CheckResult, Session } from "../contract.ts";
import type { RestList } from "../kit/rest.ts";
import { findRights, whereReadable } from "../kit/rights.ts";
import { people, readLimitedFields } from "./employees.ts";
import { departments, legalEntities, workplaces } from "./organisation.ts";
import { api } from "./personio-client.ts";
import { timeOffTypes } from "./time-off.ts";
import { workingTimes } from "./timesheets.ts";

/**
 * One small request for each right, with what a read's own has. A right that is missing is listed: only a session that
 * does not work refuses the sign-in.
 */
export async function checkRights(context: CheckContext, session: Session): Promise<CheckResult> {
  const client = api.with(context, session);
  const today = utcDay(context.clock.now());
  const askOne = async ({ path, query, headers = {} }: RestList) =>
    await client.get(path, { headers, query: { ...query, limit: 1 } });
  let limited: string[] = [];
  const rights = await findRights(context, [
    {
      resources: ["employees", "time-off-balances"],
      ask: async () => void (limited = await readLimitedFields(client)),
    },
    // The list of attributes may be open to those who may read nobody.
    {
      resources: ["employees", "time-off-balances"],
      ask: () => askOne(people),
    },
    { resources: ["company"], ask: () => askOne(legalEntities) },
    { resources: ["groups"], ask: () => askOne(departments) },
    {
      resources: ["work-locations"],
      // Without the list they are the offices of the employees.
      ask: async () => (await whereReadable(() => askOne(workplaces))) ?? (await askOne(people)),
    },
    {
      resources: ["time-off-entries", "time-off-balances"],
      ask: () => askOne(timeOffTypes),
    },
    { resources: ["timesheets"], ask: () => askOne(workingTimes({ start: today, end: today })) },
  ]);
  return { ...rights, limited: limited.length > 0 ? { employees: limited } : {} };
}
