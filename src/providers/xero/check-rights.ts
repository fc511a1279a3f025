import type { Resource } from "../../model/index.ts";
import type { CheckResult, Session, SignInContext } from "../contract.ts";
import { AuthError, OperationNotSupported } from "../errors.ts";
import { readOrganisation } from "./company.ts";
import { toText } from "./field-values.ts";
import { askPayroll } from "./xero-client.ts";
import { parseSession, type XeroSession } from "./xero-session.ts";

/** One request shows whether the person may read these. */
const probes: readonly { path: string; resources: readonly Resource[] }[] = [
  { path: "/Employees?page=1", resources: ["employees", "time-off-entries", "time-off-balances"] },
  { path: "/PayRunCalendars?page=1", resources: ["groups"] },
  { path: "/Timesheets?page=1", resources: ["timesheets"] },
  { path: "/PayRuns?page=1", resources: ["payruns", "payslips"] },
];
const ofPayroll = probes.flatMap(({ resources }) => resources);

type Right = "readable" | "forbidden" | "unsupported";

/** Another country's payroll answers on the same paths with other fields, so only a British organisation is asked. */
export async function checkRights(context: SignInContext, session: Session): Promise<CheckResult> {
  const opened = parseSession(session);
  const { resources: wanted } = context;
  const organisation = await tryRight(async () => await isBritish(context, opened));
  if (organisation.right === "readable" && organisation.result === false)
    return { unsupported: ofPayroll };
  const found: [Right, readonly Resource[]][] = [[organisation.right, ["company"]]];
  for (const { path, resources } of probes) {
    if (!resources.some((resource) => wanted.includes(resource))) continue;
    const { right } = await tryRight(async () => await askPayroll(context, opened, path));
    found.push([right, resources]);
  }
  const listOf = (wantedRight: Right): Resource[] =>
    found.flatMap(([right, resources]) => (right === wantedRight ? resources : []));
  return { unsupported: listOf("unsupported"), forbidden: listOf("forbidden") };
}

async function isBritish(context: SignInContext, session: XeroSession): Promise<boolean> {
  const organisation = await readOrganisation(context, session);
  const signs = [toText(organisation, "Version"), toText(organisation, "CountryCode")];
  return (
    signs.every((sign) => sign === null) || signs.some((sign) => sign === "UK" || sign === "GB")
  );
}

async function tryRight<Result>(
  work: () => Promise<Result>,
): Promise<{ right: Right; result?: Result }> {
  try {
    return { right: "readable", result: await work() };
  } catch (error) {
    if (error instanceof OperationNotSupported) return { right: "unsupported" };
    if (error instanceof AuthError && error.code === "insufficient_permission")
      return { right: "forbidden" };
    throw error;
  }
}
