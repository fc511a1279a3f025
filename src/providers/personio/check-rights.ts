import type { Resource } from "../../model/index.ts";
import { utcDay } from "../../platform/clock.ts";
import type { CheckResult, ProviderContext, Session } from "../contract.ts";
import { OperationNotSupported } from "../errors.ts";
import { readLimitedFields } from "./attributes.ts";
import { isPermissionMissing, sendRequest, type PersonioRequest } from "./personio-client.ts";
import { legalEntities } from "./sign-in.ts";
import { workingTimes } from "./timesheets.ts";

interface Probe {
  request: PersonioRequest;
  needs: readonly Resource[];
}

/** One small request for each right, and what cannot be read without it. They have what a read's own have. */
const listProbes = (today: string): readonly Probe[] => [
  // The list of attributes may be open to those who may read nobody.
  { request: { path: "/v1/company/employees" }, needs: ["employees", "time-off-balances"] },
  { request: legalEntities, needs: ["company"] },
  {
    request: { path: "/v2/org-units", query: { type: "department" }, isBeta: true },
    needs: ["groups"],
  },
  {
    request: { path: "/v1/company/time-off-types" },
    needs: ["time-off-entries", "time-off-balances"],
  },
  { request: workingTimes({ start: today, end: today }), needs: ["timesheets"] },
];

/** A right that is missing is listed. Only a session that does not work refuses the sign-in. */
export async function checkRights(
  context: ProviderContext,
  session: Session,
): Promise<CheckResult> {
  const forbidden = new Set<Resource>();
  const unsupported = new Set<Resource>();
  const note = async (needs: readonly Resource[], work: () => Promise<unknown>): Promise<void> => {
    try {
      await work();
    } catch (error) {
      if (isPermissionMissing(error)) for (const resource of needs) forbidden.add(resource);
      else if (error instanceof OperationNotSupported)
        for (const resource of needs) unsupported.add(resource);
      else throw error;
    }
  };
  const ask = (request: PersonioRequest) => sendRequest(context, session, request);
  let limited: string[] = [];
  await Promise.all([
    note(["employees", "time-off-balances"], async () => {
      limited = await readLimitedFields(ask);
    }),
    ...listProbes(utcDay(context.clock.now())).map(({ request, needs }) =>
      note(needs, () => ask({ ...request, query: { ...request.query, limit: 1 } })),
    ),
  ]);
  return {
    unsupported: [...unsupported],
    forbidden: [...forbidden],
    limited: limited.length > 0 ? { employees: limited } : {},
  };
}
