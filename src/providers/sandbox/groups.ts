import type { SourceRecord } from "../source-records.ts";
import {
  departments,
  offices,
  teams,
  type DepartmentName,
  type OfficeName,
} from "./organisation.ts";
import { payFrequencyOf, type Person } from "./person.ts";

type SourceGroup = SourceRecord<"groups">;
type GroupType = NonNullable<SourceGroup["type"]>;

const payGroups = {
  monthly: { remoteId: "pg_monthly", name: "Monthly payroll" },
  weekly: { remoteId: "pg_weekly", name: "Weekly payroll" },
  external: { remoteId: "pg_external", name: "Paid by invoice" },
} as const;

export function listGroups(): SourceGroup[] {
  return [
    ...Object.values(departments).map((entry) => groupRecord("department", entry)),
    ...Object.values(teams).map((entry) => groupRecord("team", entry)),
    ...Object.values(offices).map((office) => groupRecord("cost_centre", costCentreOf(office))),
    ...Object.values(payGroups).map((entry) => groupRecord("pay_group", entry)),
  ];
}

/** `person.department` is where the jobs of a person lead; the current job can still be in another one. */
export function groupsOf(
  person: Person,
  department: DepartmentName,
): ReturnType<typeof groupRecord>[] {
  const frequency = payFrequencyOf(person);
  return [
    groupRecord("department", departments[department]),
    ...(person.team && department === person.department
      ? [groupRecord("team", teams[person.team])]
      : []),
    groupRecord("cost_centre", costCentreOf(offices[person.office])),
    groupRecord(
      "pay_group",
      payGroups[frequency === "monthly" || frequency === "weekly" ? frequency : "external"],
    ),
  ];
}

function costCentreOf({ costCentre, name }: (typeof offices)[OfficeName]): {
  remoteId: string;
  name: string;
} {
  return { remoteId: costCentre, name: `Cost centre ${name}` };
}

function groupRecord(type: GroupType, { remoteId, name }: { remoteId: string; name: string }) {
  return { remote_id: remoteId, name, type };
}
