import { defineReader } from "../contract.ts";
import { addressFields, countryFields, stateFields } from "./address.ts";
import { readOwnCompanies } from "./choose-company.ts";
import { readToday } from "./company-day.ts";
import {
  findContracts,
  hiddenWithContracts,
  readContracts,
  readContractTypes,
} from "./contracts.ts";
import { listCompanyFields } from "./custom-fields.ts";
import { toReference, type OdooRecord } from "./field-values.ts";
import { categoryFields, departmentFields } from "./groups.ts";
import { toEmployee, type RawEmployee } from "./map-employee.ts";
import type { OdooClient } from "./odoo-client.ts";
import { plainFields, type RecordReader, type Specification } from "./record-reader.ts";
import { openResource } from "./rights.ts";
import { workLocationFields } from "./work-locations.ts";

const bankAccountFields = plainFields(
  "active",
  "acc_number",
  "acc_holder_name",
  "bank_name",
  "bank_bic",
);

/** The fields of all versions. Each server has some of them. */
const employeeFields: Specification = {
  ...plainFields(
    "active",
    "name",
    "barcode",
    "identification_id",
    "ssnid",
    "birthday",
    "sex",
    "gender",
    "marital",
    "create_date",
  ),
  ...plainFields("work_email", "private_email", "emergency_contact", "emergency_phone"),
  // The private phone is called `phone` up to 16. From 17 on that is the one of the employee's account.
  ...plainFields("mobile_phone", "private_phone", "phone", "work_phone"),
  ...plainFields("job_id", "job_title", "employee_type", "departure_date", "department_id"),
  ...plainFields("company_id", "employee_properties"),
  country_id: countryFields,
  category_ids: categoryFields,
  parent_id: plainFields("name", "work_email"),
  // Up to 14 a location is a name beside an address, from 15 on a record of its own.
  work_location: true,
  address_id: addressFields,
  work_location_id: workLocationFields,
  // Up to 16 the home address is a partner, from 17 on it is in the employee.
  address_home_id: addressFields,
  ...plainFields("private_street", "private_street2", "private_city", "private_zip"),
  private_state_id: stateFields,
  private_country_id: countryFields,
  // Up to 18 there is one account, from 19 on there can be several.
  bank_account_id: bankAccountFields,
  bank_account_ids: bankAccountFields,
  primary_bank_account_id: bankAccountFields,
};

export const employees = defineReader<"employees", RawEmployee>({
  async *fetch(context, session) {
    const { odoo, reader } = await openResource(context, session, "employees");
    const source = await findContracts(reader);
    if (source === "hidden") context.limited(hiddenWithContracts);
    const today = await readToday(odoo, reader, context.clock);
    await odoo.markDay(today);
    const departments = new Map(
      (await reader.readAllIfAllowed("hr.department", departmentFields))?.map((record) => [
        record.id,
        record,
      ]),
    );
    const absentIds = await readAbsentIds(reader, today);
    const isListed = source !== null && source !== "hidden";
    const typeCodes = isListed ? await readContractTypes(odoo, reader) : new Map<number, string>();
    const companyFields = listCompanyFields(await odoo.listFields("hr.employee"));
    const own = plainFields(...companyFields.map(({ name }) => name));
    const isCompanyTold = await areSeveralCompaniesRead(odoo);
    for await (const page of reader.readPages("hr.employee", { ...employeeFields, ...own })) {
      const ids = page.map(({ id }) => id);
      const contracts = isListed ? await readContracts(reader, source, typeCodes, ids) : null;
      yield page.map((record) => ({
        record,
        departments: listDepartments(record, departments),
        contracts: contracts ? (contracts.get(record.id) ?? []) : null,
        areContractsHidden: source === "hidden",
        isOnLeave: absentIds.has(record.id),
        companyFields,
        isCompanyTold,
        today,
      }));
    }
  },
  map: toEmployee,
});

async function areSeveralCompaniesRead(odoo: OdooClient): Promise<boolean> {
  return odoo.session.companyId === undefined && (await readOwnCompanies(odoo)).length > 1;
}

/**
 * Leaves out absences of less than a day and trainings that Odoo stores as leave. Empty when the
 * account may not read the leave of others.
 */
async function readAbsentIds(
  reader: RecordReader,
  today: string,
): Promise<Set<number | undefined>> {
  const leaves = await reader.readAllIfAllowed("hr.leave", { employee_id: true }, [
    ["state", "=", "validate"],
    ["request_date_from", "<=", today],
    ["request_date_to", ">=", today],
    ["number_of_days", ">=", 1],
    ["holiday_status_id.time_type", "=", "leave"],
  ]);
  return new Set(leaves?.map((leave) => toReference(leave, "employee_id")?.id));
}

/** The employee's own department, then its parent, and so on. */
function listDepartments(
  employee: OdooRecord,
  departments: ReadonlyMap<number, OdooRecord>,
): OdooRecord[] {
  const path: OdooRecord[] = [];
  let department = departments.get(toReference(employee, "department_id")?.id ?? 0);
  while (department && !path.includes(department)) {
    path.push(department);
    department = departments.get(toReference(department, "parent_id")?.id ?? 0);
  }
  return path;
}
