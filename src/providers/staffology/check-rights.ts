import { utcDay } from "../../platform/clock.ts";
import type { Resource } from "../../model/index.ts";
import type { CheckResult, Session, SignInContext } from "../contract.ts";
import { AuthError } from "../errors.ts";
import { openEmployer } from "./staffology-client.ts";
import { absentTaxYear, taxYearOf } from "./tax-years.ts";

/** Asks for one small list of each kind. Staffology answers 403 where the role of the key's user does not allow it. */
export async function checkRights(context: SignInContext, session: Session): Promise<CheckResult> {
  const { client, path } = openEmployer(context, session);
  const taxYear = taxYearOf(utcDay(context.clock.now()));
  const probes: readonly [readonly Resource[], () => Promise<unknown>][] = [
    [["company"], () => client.get(path)],
    [
      ["employees", "time-off-entries", "time-off-balances"],
      () => client.get(`${path}/employees`, { pageNum: 0, pageSize: 1 }),
    ],
    [["groups"], () => client.get(`${path}/departments`)],
    [
      ["payruns", "payslips"],
      () => client.getUnless(absentTaxYear, `${path}/schedules/${taxYear}`),
    ],
  ];
  const forbidden: Resource[] = [];
  for (const [resources, probe] of probes) {
    if (await isForbidden(probe)) forbidden.push(...resources);
  }
  return { unsupported: [], forbidden };
}

async function isForbidden(probe: () => Promise<unknown>): Promise<boolean> {
  try {
    await probe();
    return false;
  } catch (error) {
    if (error instanceof AuthError && error.code === "insufficient_permission") return true;
    throw error;
  }
}
