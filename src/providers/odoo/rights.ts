import type { Resource } from "../../model/index.ts";
import type { ProviderContext, ReadContext, Session, Settings } from "../contract.ts";
import { AuthError, OperationNotSupported } from "../errors.ts";
import { isPermissionMissing } from "../kit/rights.ts";
import { OdooClient } from "./client.ts";
import { worksIn } from "./companies.ts";
import { RecordReader } from "./records.ts";

/**
 * What a resource is read from, and the groups without which Odoo returns fewer rows or fewer fields,
 * without an error. One of the groups is enough.
 */
interface Requirement {
  /** Its module may not be installed. */
  model: string;
  /** A field that another module adds to the model. */
  field?: string;
  groups: readonly string[];
}

const internalUser = ["base.group_user"];
const timeOffOfficer = ["hr_holidays.group_hr_holidays_user"];
/** Officers see the payslips of some people only. */
const payroll = {
  model: "hr.payslip.run",
  groups: [
    "hr_payroll.group_hr_payroll_manager",
    "hr_payroll_community.group_hr_payroll_community_manager",
  ],
};
/** An approver sees no lines of private projects. */
const projectLines = {
  model: "account.analytic.line",
  field: "project_id",
  groups: ["hr_timesheet.group_timesheet_manager"],
};

const requirements: { readonly [R in Resource]: Requirement } = {
  company: { model: "res.company", groups: internalUser },
  employees: { model: "hr.employee", groups: ["hr.group_hr_user"] },
  groups: { model: "hr.department", groups: internalUser },
  "work-locations": { model: "hr.work.location", groups: internalUser },
  "time-off-entries": { model: "hr.leave", groups: timeOffOfficer },
  "time-off-balances": { model: "hr.leave.allocation", groups: timeOffOfficer },
  timesheets: { model: "hr.attendance", groups: ["hr_attendance.group_hr_attendance_user"] },
  payruns: payroll,
  payslips: payroll,
};

/** Whether timesheets are the lines that people write on projects, instead of attendances. */
export function areProjectLinesRead(settings: Settings): boolean {
  return settings["timesheets"] === "projects";
}

/** Which modules are installed and which rights the account has. Each is asked for once. */
export class Rights {
  readonly #odoo: OdooClient;
  readonly #settings: Settings;
  readonly #answers = new Map<string, Promise<boolean>>();
  readonly #missing = new Set<string>();

  constructor(odoo: OdooClient, settings: Settings) {
    this.#odoo = odoo;
    this.#settings = settings;
  }

  /** Throws where the module or the right is missing. */
  async require(resource: Resource): Promise<void> {
    await this.requireModule(resource);
    const { groups } = this.#requirementOf(resource);
    for (const group of groups)
      if (await this.#once(group, () => this.#odoo.hasGroup(group))) return;
    this.#missing.add(groups.join(" / "));
    throw new AuthError("insufficient_permission");
  }

  /** False without the right. A module that is not installed hides nothing. */
  async allows(resource: Resource): Promise<boolean> {
    try {
      await this.require(resource);
    } catch (error) {
      if (isPermissionMissing(error)) return false;
      if (!(error instanceof OperationNotSupported)) throw error;
    }
    return true;
  }

  /** The rights that were missing; of somebody who is no internal user this one alone. */
  get missing(): string {
    const [internal = ""] = internalUser;
    return this.#missing.has(internal) ? internal : [...this.#missing].join(", ");
  }

  async requireModule(resource: Resource): Promise<void> {
    const { model, field = "id" } = this.#requirementOf(resource);
    if (!(await this.#once(model, () => hasField(this.#odoo, model, field))))
      throw new OperationNotSupported("the module is not installed");
  }

  #requirementOf(resource: Resource): Requirement {
    const isOfProjects = resource === "timesheets" && areProjectLinesRead(this.#settings);
    return isOfProjects ? projectLines : requirements[resource];
  }

  async #once(question: string, ask: () => Promise<boolean>): Promise<boolean> {
    const answer = this.#answers.get(question) ?? ask();
    this.#answers.set(question, answer);
    return await answer;
  }
}

async function hasField(odoo: OdooClient, model: string, field: string): Promise<boolean> {
  try {
    return field in (await odoo.listAllFields(model));
  } catch (error) {
    if (error instanceof OperationNotSupported) return false;
    if (isPermissionMissing(error)) return true;
    throw error;
  }
}

/**
 * Throws when the module, the right or a company is missing: what was withdrawn after the sign-in would look
 * like deletions.
 */
export async function openResource(
  context: ProviderContext & Pick<ReadContext, "settings">,
  session: Session,
  resource: Resource,
): Promise<{ odoo: OdooClient; reader: RecordReader; rights: Rights }> {
  const odoo = new OdooClient(context, session);
  const rights = new Rights(odoo, context.settings);
  await rights.requireModule(resource);
  if (!(await worksIn(odoo, odoo.session.companyIds ?? [])))
    throw new AuthError("insufficient_permission");
  await rights.require(resource);
  return { odoo, reader: new RecordReader(odoo), rights };
}
