import type { CheckContext, CheckResult, Session } from "../contract.ts";
import { findRights, type Probe } from "../kit/rights.ts";
import { readOrganisation } from "./company.ts";
import { toText, type XeroRecord } from "./field-values.ts";
import { askPayroll } from "./xero-client.ts";
import { parseSession } from "./xero-session.ts";

/** One request shows whether the person may read these. */
const probes: readonly { path: string; resources: Probe["resources"] }[] = [
  { path: "/Employees?page=1", resources: ["employees", "time-off-entries", "time-off-balances"] },
  { path: "/PayRunCalendars?page=1", resources: ["groups"] },
  { path: "/Timesheets?page=1", resources: ["timesheets"] },
  { path: "/PayRuns?page=1", resources: ["payruns", "payslips"] },
];

/** Another country's payroll answers on the same paths with other fields, so only a British organisation is asked. */
export async function checkRights(context: CheckContext, session: Session): Promise<CheckResult> {
  const opened = parseSession(session);
  const organisation = readOrganisation(context, opened);
  const isBritish = await organisation.then(isOfBritain, () => true);
  const ofPayroll = probes.map(({ path, resources }) => ({
    resources,
    ask: () => askPayroll(context, opened, path),
  }));
  const rights = await findRights(context, [
    { resources: ["company"], ask: () => organisation },
    ...(isBritish ? ofPayroll : []),
  ]);
  const foreign = isBritish ? [] : probes.flatMap(({ resources }) => resources);
  return { ...rights, unsupported: [...rights.unsupported, ...foreign] };
}

function isOfBritain(organisation: XeroRecord): boolean {
  const signs = [toText(organisation, "Version"), toText(organisation, "CountryCode")];
  return (
    signs.every((sign) => sign === null) || signs.some((sign) => sign === "UK" || sign === "GB")
  );
}
