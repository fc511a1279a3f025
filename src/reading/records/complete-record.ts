import { isRecord } from "../../platform/is-record.ts";
import { compareTexts } from "./arrange-records.ts";
import { isOtherCurrency, type Resource } from "../../model/index.ts";
import type { SourceRecord } from "../../providers/index.ts";
import type { MintId } from "./mint-id.ts";

/** Makes the record that the API promises of an adapter's record. The public model checks it afterwards. */
export type CompleteRecord<R extends Resource> = (
  source: SourceRecord<R>,
  mint: MintId,
) => Record<string, unknown>;

export const completeRecord: { readonly [R in Resource]: CompleteRecord<R> } = {
  company: (source, mint) => ({ ...source, id: mint("company", source.remote_id) }),
  employees: completeEmployee,
  groups: completeGroup,
  payruns: (source, mint) => ({ ...source, id: mint("payrun", source.remote_id) }),
  payslips: (source, mint) => ({
    ...source,
    ...splitCurrency(source.currency),
    id: mint("payslip", source.remote_id),
    employee_id: mint("employee", source.employee_remote_id),
    payrun_id: mint("payrun", source.payrun_remote_id),
  }),
  timesheets: (source, mint) => ({
    ...source,
    id: mint("timesheet", source.remote_id),
    employee_id: mint("employee", source.employee_remote_id),
  }),
  "time-off-entries": (source, mint) => ({
    ...source,
    ...timeOffIds(source, mint),
    id: mint("time-off-entry", source.remote_id),
  }),
  "time-off-balances": (source, mint) => ({ ...source, ...timeOffIds(source, mint) }),
  "work-locations": completeWorkLocation,
};

/** The specification lists some currencies. The code of another one has a field of its own. */
function splitCurrency(currency: string | null | undefined): Record<string, unknown> {
  return isOtherCurrency(currency)
    ? { currency: null, currency_code: currency }
    : { currency_code: undefined };
}

function completeEmployee(
  source: SourceRecord<"employees">,
  mint: MintId,
): Record<string, unknown> {
  const {
    first_name: firstName,
    last_name: lastName,
    manager,
    employments,
    custom_fields: customFields,
  } = source;
  const jobs =
    employments &&
    [...employments].sort(
      (a, b) =>
        compareTexts(b.effective_date ?? "", a.effective_date ?? "") ||
        compareTexts(JSON.stringify(a), JSON.stringify(b)),
    );
  return {
    ...source,
    id: mint("employee", source.remote_id),
    first_name: firstName ?? "",
    display_full_name: source.display_full_name || [firstName, lastName].filter(Boolean).join(" "),
    home_location: source.home_location ?? {},
    work_location: source.work_location ? completeWorkLocation(source.work_location, mint) : {},
    manager: isRecord(manager) ? { ...manager, id: mint("employee", manager.remote_id) } : manager,
    groups: (source.groups ?? []).map((group) => completeGroup(group, mint)),
    employments: jobs ?? [],
    employment_history: jobs?.map((job) => ({
      ...job,
      group_id: mint("group", job.group_remote_id),
      manager_id: mint("employee", job.manager_remote_id),
    })),
    compensation_history: jobs?.map((job) => ({
      ...job,
      pay_period:
        typeof job.pay_period === "string" ? job.pay_period.toLowerCase() : job.pay_period,
    })),
    custom_fields: sortFields(customFields),
  };
}

function completeGroup(group: SourceRecord<"groups">, mint: MintId): Record<string, unknown> {
  return { ...group, id: mint("group", group.remote_id) };
}

function completeWorkLocation(
  location: SourceRecord<"work-locations">,
  mint: MintId,
): Record<string, unknown> {
  return { ...location, id: mint("work-location", location.remote_id) };
}

function timeOffIds(
  source: { employee_remote_id: string; policy_remote_id?: string | null | undefined },
  mint: MintId,
): Record<string, unknown> {
  return {
    employee_id: mint("employee", source.employee_remote_id),
    policy_id: mint("time-off-policy", source.policy_remote_id),
  };
}

/**
 * Plain JSON with its keys in order at every depth, so that the same fields give the same bytes. The model refuses
 * what JSON cannot express.
 */
function sortFields(fields: unknown): unknown {
  if (!isRecord(fields)) return fields;
  try {
    return sortKeys(JSON.parse(JSON.stringify(fields)));
  } catch {
    return "not JSON";
  }
}

function sortKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortKeys);
  if (!isRecord(value)) return value;
  const entries = Object.entries(value).sort(([a], [b]) => compareTexts(a, b));
  return Object.fromEntries(entries.map(([key, inner]) => [key, sortKeys(inner)]));
}
