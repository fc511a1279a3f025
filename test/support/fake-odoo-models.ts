export interface Field {
  type: string;
  relation?: string;
  group?: string;
  selection?: [value: string, label: string][];
}

const officer = "hr.group_hr_user";
const administrator = "hr.group_hr_manager";
/** Each description is `name`, `name:type` or `name:type:relation`, and may end with `@group`. */
export function toFields(...descriptions: string[]): Record<string, Field> {
  return Object.fromEntries(
    descriptions
      .join(" ")
      .split(" ")
      .map((description) => {
        const [field = "", group] = description.split("@");
        const [name = "", type = "char", relation] = field.split(":");
        return [
          name,
          {
            type,
            ...(relation && { relation }),
            ...(group && { group: group === "officer" ? officer : administrator }),
          },
        ];
      }),
  );
}

const address =
  "street street2 city zip state_id:many2one:res.country.state country_id:many2one:res.country";
const employee =
  "active:boolean name work_email mobile_phone work_phone job_title job_id:many2one:hr.job " +
  "department_id:many2one:hr.department parent_id:many2one:hr.employee " +
  "address_id:many2one:res.partner create_date:datetime barcode:char@officer " +
  "identification_id:char@officer birthday:date@officer marital:selection@officer " +
  "country_id:many2one:res.country@officer ssnid:char@officer private_email:char@officer " +
  "departure_date:date@officer emergency_contact:char@officer emergency_phone:char@officer";
const contract =
  "employee_id:many2one:hr.employee active:boolean job_id:many2one:hr.job " +
  "department_id:many2one:hr.department currency_id:many2one:res.currency " +
  "wage:monetary@administrator";

const stamps = "create_date:datetime write_date:datetime";
const leave =
  "employee_id:many2one:hr.employee holiday_status_id:many2one:hr.leave.type " +
  "state:selection request_date_from:date request_date_to:date number_of_days:float name " +
  `leave_type_request_unit:selection holiday_status_id.time_type:selection ${stamps}`;
const allocation =
  "employee_id:many2one:hr.employee holiday_status_id:many2one:hr.leave.type state:selection " +
  `type_request_unit:selection number_of_days:float number_of_hours_display:float ${stamps}`;

const common = {
  "res.users": toFields(
    "name login email phone company_id:many2one:res.company company_ids:many2many:res.company",
  ),
  "resource.calendar": toFields("name tz:selection"),
  "res.company": toFields(
    `name vat resource_calendar_id:many2one:resource.calendar currency_id:many2one:res.currency ${address}`,
  ),
  "res.partner": toFields(`name ${address}`),
  "res.country": toFields("name code"),
  "res.country.state": toFields("name code"),
  "res.currency": toFields("name"),
  "res.partner.bank": toFields("acc_number acc_holder_name bank_name bank_bic"),
  "hr.job": toFields("name"),
  "hr.department": toFields("active:boolean name parent_id:many2one:hr.department"),
  "hr.employee.category": toFields("name"),
  "hr.leave.type": toFields("name active:boolean time_type:selection"),
  "hr.attendance": toFields(
    "employee_id:many2one:hr.employee check_in:datetime check_out:datetime worked_hours:float",
    stamps,
  ),
  "account.analytic.line": toFields(
    "employee_id:many2one:hr.employee date:date unit_amount:float product_uom_id:many2one:uom.uom",
    "project_id:many2one:project.project holiday_id:many2one:hr.leave",
    "global_leave_id:many2one:resource.calendar.leaves",
    stamps,
  ),
};

/** Of the module that people install beside Odoo. */
export const payrollModels = {
  "hr.payslip.run": withStates(
    "draft close",
    "name date_start:date date_end:date credit_note:boolean",
  ),
  "hr.payslip": withStates(
    "draft verify done cancel",
    "name number employee_id:many2one:hr.employee company_id:many2one:res.company date_from:date",
    "date_to:date credit_note:boolean paid:boolean payslip_run_id:many2one:hr.payslip.run",
  ),
  "hr.payslip.line": toFields(
    "slip_id:many2one:hr.payslip category_id:many2one:hr.salary.rule.category code name",
    "sequence:integer quantity:float rate:float amount:float total:float",
    "appears_on_payslip:boolean company_id:many2one:res.company",
  ),
  "hr.salary.rule.category": toFields("name code parent_id:many2one:hr.salary.rule.category"),
};

export const models: Record<14 | 19, Record<string, Record<string, Field>>> = {
  14: {
    ...common,
    "hr.employee": toFields(
      `${employee} gender:selection@officer work_location phone:char@officer`,
      "category_ids:many2many:hr.employee.category@administrator",
      "address_home_id:many2one:res.partner@officer",
      "bank_account_id:many2one:res.partner.bank@officer",
    ),
    "hr.leave": toFields(`${leave} active:boolean number_of_hours_display:float`),
    "hr.leave.allocation": toFields(
      `${allocation} active:boolean max_leaves:float leaves_taken:float`,
    ),
    "uom.uom": toFields("name factor:float category_id:many2one:uom.category"),
    "hr.contract": toFields(
      `${contract} date_start:date date_end:date state:selection`,
      "kanban_state:selection schedule_pay:selection",
    ),
  },
  19: {
    ...common,
    "res.company": { ...common["res.company"], ...toFields("active:boolean") },
    "res.partner.bank": { ...common["res.partner.bank"], ...toFields("active:boolean") },
    "hr.employee": toFields(
      `${employee} sex:selection@officer company_id:many2one:res.company`,
      "employee_properties:properties@officer",
      "employee_type:selection@officer phone",
      "private_phone:char@officer",
      "work_location_id:many2one:hr.work.location",
      "category_ids:many2many:hr.employee.category@officer",
      "private_street:char@officer private_street2:char@officer",
      "private_city:char@officer private_zip:char@officer",
      "private_state_id:many2one:res.country.state@officer",
      "private_country_id:many2one:res.country@officer",
      "bank_account_ids:many2many:res.partner.bank@officer",
      "primary_bank_account_id:many2one:res.partner.bank@officer",
      "version_ids:one2many:hr.version@officer show_leaves:boolean",
    ),
    "hr.leave": toFields(`${leave} number_of_hours:float private_name`),
    "hr.leave.type": toFields("name active:boolean time_type:selection allows_negative:boolean"),
    "hr.leave.allocation": toFields(
      `${allocation} max_leaves:float leaves_taken:float virtual_remaining_leaves:float`,
      "date_from:date date_to:date allocation_type:selection",
    ),
    "uom.uom": toFields("name factor:float relative_factor:float relative_uom_id:many2one:uom.uom"),
    "hr.version": toFields(
      `${contract} job_title employee_type:selection@officer date_version:date@officer`,
      "contract_type_id:many2one:hr.contract.type@administrator",
      "contract_date_start:date@administrator contract_date_end:date@administrator",
    ),
    "hr.contract.type": toFields("name code"),
    "hr.work.location": toFields(
      "active:boolean name location_type:selection address_id:many2one:res.partner",
      "company_id:many2one:res.company",
    ),
  },
};

/** The value of `state` is one of these. */
function withStates(states: string, ...descriptions: string[]): Record<string, Field> {
  const selection = states
    .split(" ")
    .map((state): [string, string] => [state, state.toUpperCase()]);
  return { ...toFields(...descriptions), state: { type: "selection", selection } };
}

const timesheetManager = "hr_timesheet.group_timesheet_manager";
const payrollManager = "hr_payroll_community.group_hr_payroll_community_manager";
const payrollOfficers = [payrollManager, "hr_payroll_community.group_hr_payroll_community_user"];

/**
 * Models that Odoo refuses to users who have none of these groups. Everybody may read the public part of
 * hr.employee.
 */
export const refusedWithout: Record<string, string[]> = {
  "hr.version": [officer],
  "hr.contract": [administrator],
  "hr.contract.type": [officer],
  "account.analytic.line": [timesheetManager, "hr_timesheet.group_hr_timesheet_approver"],
  "hr.payslip.run": [payrollManager],
  "hr.payslip": payrollOfficers,
  "hr.payslip.line": payrollOfficers,
  "hr.salary.rule.category": payrollOfficers,
};

/** Models of which Odoo returns nothing to users without this group, and no error. */
export const silentWithout: Record<string, string> = {
  "hr.leave": "hr_holidays.group_hr_holidays_user",
  "hr.leave.allocation": "hr_holidays.group_hr_holidays_user",
  "hr.attendance": "hr_attendance.group_hr_attendance_user",
  "account.analytic.line": timesheetManager,
  "hr.payslip": payrollManager,
};
