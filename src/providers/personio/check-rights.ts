import type { Resource } from "../../model/index.ts";
import { utcDay } from "../../platform/clock.ts";
import type { CheckContext, CheckResult, Session } from "../contract.ts";
import { findRights } from "../kit/rights.ts";
import { readLimitedFields } from "./attributes.ts";
import { sendRequest, type PersonioRequest } from "./personio-client.ts";
import { legalEntities } from "./sign-in.ts";
import { workingTimes } from "./timesheets.ts";

interface Probe {
  request: PersonioRequest;
  resources: readonly Resource[];
}

/** One small request for each right, and what cannot be read without it. They have what a read's own have. */
const listProbes = (today: string): readonly Probe[] => [
  // The list of attributes may be open to those who may read nobody.
  { request: { path: "/v1/company/employees" }, resources: ["employees", "time-off-balances"] },
  { request: legalEntities, resources: ["company"] },
  {
    request: { path: "/v2/org-units", query: { type: "department" }, isBeta: true },
    resources: ["groups"],
  },
  {
    request: { path: "/v1/company/time-off-types" },
    resources: ["time-off-entries", "time-off-balances"],
  },
  { request: workingTimes({ start: today, end: today }), resources: ["timesheets"] },
];

/** A right that is missing is listed. Only a session that does not work refuses the sign-in. */
export async function checkRights(context: CheckContext, session: Session): Promise<CheckResult> {
  const ask = (request: PersonioRequest) => sendRequest(context, session, request);
  let limited: string[] = [];
  const rights = await findRights(context, [
    {
      resources: ["employees", "time-off-balances"],
      ask: async () => void (limited = await readLimitedFields(ask)),
    },
    ...listProbes(utcDay(context.clock.now())).map(({ request, resources }) => ({
      resources,
      ask: () => ask({ ...request, query: { ...request.query, limit: 1 } }),
    })),
  ]);
  return {
    ...rights,
    limited: limited.length > 0 ? { employees: limited } : {},
  };
}
