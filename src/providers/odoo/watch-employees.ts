import { z } from "zod";
import type { ReadContext, Session } from "../contract.ts";
import { OperationNotSupported } from "../errors.ts";
import { digest } from "../kit/list-changes.ts";
import { isPermissionMissing } from "../kit/rights.ts";
import { OdooClient } from "./client.ts";
import { dayIn, worksIn } from "./companies.ts";
import { findContracts } from "./contracts.ts";
import type { OpenedEmployees } from "./open-employees.ts";
import { RecordReader, type Specification } from "./records.ts";
import { id, idAt } from "./values.ts";

// Odoo has no list of changes, and the time of the last change of an employee says nothing of the bank account, the
// department or the contract, which are records of their own; where people clock in, it is a new one each morning. So a
// poll looks at all that employees are made of, in one call for 200 of them, which Odoo can do from version 17 on.

const specificationShape: z.ZodType<Specification> = z.record(
  z.string(),
  z.strictObject({ fields: z.lazy(() => specificationShape).exactOptional() }),
);
/** How employees are looked at, and of which day that is. */
const watchShape = z.object({
  /** YYYY-MM-DD, where the company is. */
  day: z.string(),
  timeZone: z.string(),
  language: z.string().nullable(),
  isLeaveTold: z.boolean(),
  isCompanyTold: z.boolean(),
  areContractsHidden: z.boolean(),
  specification: specificationShape,
});
const sinceShape = watchShape.extend({
  /** A digest of each employee, by the id. Null before the first look. */
  seen: z.record(z.string(), z.string()).nullable(),
});

export type Watch = z.output<typeof watchShape>;
type Seen = z.output<typeof sinceShape>["seen"];

const firstVersion = 17;
/** Of employees where the module for time off is installed. */
const fieldOfLeave = "show_leaves";
/** A department that is archived and higher up is noticed on the next day. */
const departmentsAbove = 9;

/** Null where the server cannot give employees with their contracts in one call. */
export async function planWatch(opened: OpenedEmployees): Promise<Watch | null> {
  const { odoo, reader, shape, contracts, isLeaveTold, isCompanyTold } = opened;
  const { version } = await odoo.sessionInfo();
  if (version === null || version < firstVersion) return null;
  const fields = await odoo.listAllFields("hr.employee");
  const asked: Specification = {
    ...(await reader.specify("hr.employee", shape)),
    department_id: ofDepartment(departmentsAbove),
  };
  if (contracts !== null && contracts !== "hidden") {
    if (!(contracts.field in fields)) return null;
    const { model, field, shape: ofContract } = contracts;
    asked[field] = { fields: await reader.specify(model, ofContract) };
  }
  // Whether the account may see the leave of others.
  if (fieldOfLeave in fields) asked[fieldOfLeave] = {};
  return {
    day: opened.today,
    timeZone: opened.timeZone,
    language: odoo.language,
    isLeaveTold,
    isCompanyTold,
    areContractsHidden: contracts === "hidden",
    specification: asked,
  };
}

function ofDepartment(above: number): Specification[string] {
  const parent = above > 0 ? ofDepartment(above - 1) : {};
  return { fields: { display_name: {}, name: {}, active: {}, parent_id: parent } };
}

/** Throws OperationNotSupported when another day has begun, of which other contracts and leave count. */
export function openWatch(since: unknown, now: Date): { watch: Watch; seen: Seen } {
  const { data } = sinceShape.safeParse(since);
  if (!data) throw new OperationNotSupported("employees were looked at in another way");
  const { seen, ...watch } = data;
  if (dayIn(watch.timeZone, now) !== watch.day)
    throw new OperationNotSupported("another day has begun");
  return { watch, seen };
}

/** Where employees are looked at. */
interface Look {
  reader: RecordReader;
  absentIds: ReadonlySet<number>;
}

/** Throws OperationNotSupported when the account may read less or more than before. */
export async function openLook(
  context: ReadContext,
  session: Session,
  watch: Watch,
): Promise<Look> {
  const odoo = new OdooClient(context, session, watch.language);
  const reader = new RecordReader(odoo);
  if (watch.areContractsHidden && (await findContracts(reader)) !== "hidden")
    throw new OperationNotSupported("more may be read than before");
  const absentIds = await readAbsentIfWorking(odoo, watch);
  if (!absentIds) throw lessIsRead();
  return { reader, absentIds };
}

/** The digests of a page of employees, by their ids. Throws OperationNotSupported as `openLook` does. */
export async function* readDigests(
  { reader, absentIds }: Look,
  { specification }: Watch,
): AsyncGenerator<Record<string, string>> {
  try {
    for await (const page of reader.readNested("hr.employee", specification)) {
      const told = page.map((one) => [one.id, digest([one, absentIds.has(one.id)])] as const);
      yield Object.fromEntries(told);
    }
  } catch (error) {
    throw isPermissionMissing(error) ? lessIsRead() : error;
  }
}

function lessIsRead(): OperationNotSupported {
  return new OperationNotSupported("less may be read than before");
}

/** Null when the account does not have one of the companies any more, of which nobody may be left to miss. */
async function readAbsentIfWorking(
  odoo: OdooClient,
  { isLeaveTold, specification, day }: Watch,
): Promise<ReadonlySet<number> | null> {
  const isLeaveRead = isLeaveTold && fieldOfLeave in specification;
  const { companyIds = [] } = odoo.session;
  if (isLeaveRead && companyIds.length > 0) return await readAbsentIds(odoo, day, { companyIds });
  if (!(await worksIn(odoo, companyIds))) return null;
  return isLeaveRead ? await readAbsentIds(odoo, day) : new Set();
}

/**
 * Leaves out absences of less than a day and trainings that Odoo stores as leave. Null without the module, and where
 * they may not be read.
 */
export async function readAbsentIds(
  odoo: OdooClient,
  today: string,
  companies: { companyIds?: readonly number[] } = {},
): Promise<ReadonlySet<number> | null> {
  // Before version 19 approved leave that was cancelled is archived, and still approved.
  const reader = new RecordReader(odoo, { ...companies, hasArchived: false });
  const leaves = await reader.readAllIfAllowed("hr.leave", { employee_id: id }, [
    ["state", "=", "validate"],
    ["request_date_from", "<=", today],
    ["request_date_to", ">=", today],
    ["number_of_days", ">=", 1],
    ["holiday_status_id.time_type", "=", "leave"],
  ]);
  return leaves && new Set(leaves.flatMap((leave) => idAt(leave, "employee_id") ?? []));
}
