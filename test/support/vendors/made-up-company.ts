/** Rows as Odoo stores them, made of their number alone: the same for the same number. */
export type OdooRow = Record<string, unknown> & { id: number };

interface Field {
  type: string;
  relation?: string;
}

/** The id, which each model has, and what is described as `name`, `name:type` or `name:type:relation`. */
function toFields(...descriptions: string[]): Record<string, Field> {
  return Object.fromEntries(
    ["id:integer", ...descriptions]
      .join(" ")
      .split(" ")
      .map((description) => {
        const [name = "", type = "char", relation] = description.split(":");
        return [name, { type, ...(relation && { relation }) }];
      }),
  );
}

const address =
  "street street2 city zip state_id:many2one:res.country.state country_id:many2one:res.country";

/** The fields of Odoo 19 that the adapter reads. */
export const modelFields: Readonly<Record<string, Record<string, Field>>> = {
  "res.users": toFields("name login email phone"),
  "res.company": toFields(`active:boolean name vat ${address}`),
  "res.partner": toFields(`name ${address}`),
  "res.country": toFields("name code"),
  "res.country.state": toFields("name code"),
  "res.partner.bank": toFields("active:boolean acc_number acc_holder_name bank_name bank_bic"),
  "hr.department": toFields("active:boolean name parent_id:many2one:hr.department"),
  "hr.employee.category": toFields("name"),
  "hr.leave": toFields("employee_id:many2one:hr.employee"),
  "hr.contract.type": toFields("name code"),
  "hr.work.location": toFields("active:boolean name location_type address_id:many2one:res.partner"),
  "hr.version": toFields(
    "employee_id:many2one:hr.employee active:boolean job_id:many2one:hr.job wage:monetary wage_type",
    "schedule_pay department_id:many2one:hr.department currency_id:many2one:res.currency job_title",
    "employee_type date_version:date contract_type_id:many2one:hr.contract.type",
    "contract_date_start:date contract_date_end:date",
  ),
  "hr.employee": toFields(
    "active:boolean name work_email private_email mobile_phone job_title job_id:many2one:hr.job",
    "department_id:many2one:hr.department parent_id:many2one:hr.employee create_date:datetime",
    "barcode birthday:date sex marital ssnid country_id:many2one:res.country employee_type",
    "departure_date:date emergency_contact emergency_phone",
    "work_location_id:many2one:hr.work.location category_ids:many2many:hr.employee.category",
    "private_street private_city private_zip",
    "private_state_id:many2one:res.country.state private_country_id:many2one:res.country",
    "bank_account_ids:many2many:res.partner.bank",
    "primary_bank_account_id:many2one:res.partner.bank version_ids:one2many:hr.version",
    "show_leaves:boolean",
  ),
};

const departments = 24;
const locations = 8;
const categories = 6;
const countries = ["GB", "DE", "FR", "ES", "IT"];
const firstNames = [
  "Amara",
  "Björn",
  "Chloé",
  "Dmitri",
  "Esperança",
  "Fatima",
  "Grażyna",
  "Hamish",
];
const lastNames = ["Okafor", "Lindqvist", "Beauchamp", "Volkov", "Figueiredo", "Al-Sayed", "Kowal"];
const titles = ["Warehouse Lead", "Payroll Accountant", "Nurse Practitioner", "Fitter", "Analyst"];

const pick = <Item>(items: readonly Item[], number: number): Item =>
  items[number % items.length] as Item;
const digits = (number: number, width: number): string => String(number).padStart(width, "0");
const day = (number: number, year: number): string =>
  `${year + (number % 20)}-${digits((number % 12) + 1, 2)}-${digits((number % 28) + 1, 2)}`;
/** An employee has one version or two. */
export const versionIdsOf = (id: number): number[] =>
  id % 10 === 0 ? [2 * id, 2 * id + 1] : [2 * id];

/** A company of any size, of which nothing is held but what was changed. */
export class MadeUpCompany {
  employees: number;
  readonly #changed = new Map<number, number>();
  #changes = 0;

  constructor(employees: number) {
    this.employees = employees;
  }

  /** Gives so many employees, evenly spread, a new job title. */
  change(count: number): void {
    this.#changes += 1;
    const step = Math.max(1, Math.floor(this.employees / Math.max(1, count)));
    for (let index = 0; index < Math.min(count, this.employees); index += 1)
      this.#changed.set(1 + index * step, this.#changes);
  }

  /** The rows of a model with an id above `after`, in order, at most `limit`. */
  *find(model: string, { ids, employeeIds, after, limit }: Search): Generator<OdooRow> {
    let left = limit;
    for (const id of this.#idsOf(model, { ids, employeeIds, after })) {
      if (left === 0) return;
      left -= 1;
      yield this.row(model, id);
    }
  }

  *#idsOf(model: string, { ids, employeeIds, after }: Omit<Search, "limit">): Generator<number> {
    if (model === "hr.version") {
      const versions = (employeeIds ?? []).flatMap(versionIdsOf);
      yield* ascending(versions, after);
    } else if (ids) yield* ascending(ids, after);
    else for (let id = after + 1; id <= this.#sizeOf(model); id += 1) yield id;
  }

  #sizeOf(model: string): number {
    if (model === "hr.employee") return this.employees;
    if (model === "hr.leave") return Math.floor(this.employees / 97);
    if (model === "res.company") return 1;
    const sizes: Record<string, number> = {
      "hr.department": departments,
      "hr.employee.category": categories,
      "hr.work.location": locations,
      "hr.contract.type": 1,
    };
    return sizes[model] ?? 0;
  }

  row(model: string, id: number): OdooRow {
    switch (model) {
      case "hr.employee":
        return employeeRow(id, this.#changed.get(id));
      case "hr.version":
        return versionRow(id);
      case "res.partner.bank":
        return bankRow(id);
      default:
        return smallRow(model, id);
    }
  }
}

export interface Search {
  ids?: readonly number[] | undefined;
  employeeIds?: readonly number[] | undefined;
  after: number;
  limit: number;
}

function* ascending(ids: readonly number[], after: number): Generator<number> {
  yield* ids.filter((id) => id > after).sort((a, b) => a - b);
}

function nameOf(id: number): string {
  return `${pick(firstNames, id)} ${pick(lastNames, id >> 3)}${id}`;
}

function employeeRow(id: number, change: number | undefined): OdooRow {
  const name = nameOf(id);
  const login = `person.${id}`;
  const title = pick(titles, id);
  return {
    id,
    active: id % 50 !== 49,
    name,
    work_email: `${login}@larkfield.example`,
    private_email: false,
    mobile_phone: `+44 7700 ${digits(id, 6)}`,
    job_title: change === undefined ? title : `${title} (${change})`,
    job_id: [1 + (id % titles.length), title],
    department_id: [1 + (id % departments), `Department ${1 + (id % departments)}`],
    parent_id: id <= 20 ? false : [1 + (id % 20), nameOf(1 + (id % 20))],
    create_date: `${day(id, 2004)} 08:15:00`,
    barcode: `N-${digits(id, 6)}`,
    birthday: day(id, 1961),
    sex: id % 2 === 0 ? "female" : "male",
    marital: id % 3 === 0 ? "married" : "single",
    ssnid: `QQ ${digits(id, 6)} C`,
    country_id: [1 + (id % countries.length), pick(countries, id)],
    employee_type: "employee",
    departure_date: false,
    emergency_contact: id % 2 === 0 && `${pick(firstNames, id + 3)} ${pick(lastNames, id >> 3)}`,
    emergency_phone: id % 2 === 0 && `+44 7700 ${digits(900_000 - (id % 900_000), 6)}`,
    work_location_id: [1 + (id % locations), `Location ${1 + (id % locations)}`],
    category_ids: id % 4 === 0 ? [1 + (id % categories)] : [],
    private_street: `${id} Saint Cuthbert's Row`,
    private_city: "Brighton and Hove",
    private_zip: `BN${id % 9} ${id % 10}AA`,
    private_state_id: [1, "East Sussex"],
    private_country_id: [1, "United Kingdom"],
    bank_account_ids: [id],
    primary_bank_account_id: [id, `GB ${id}`],
  };
}

function versionRow(id: number): OdooRow {
  const employee = id >> 1;
  return {
    id,
    employee_id: [employee, nameOf(employee)],
    active: true,
    job_id: [1 + (employee % titles.length), pick(titles, employee)],
    job_title: pick(titles, employee + (id % 2)),
    department_id: [1 + (employee % departments), "Department"],
    contract_type_id: [1, "Full-Time"],
    wage: 2_000 + (employee % 4_000),
    wage_type: "monthly",
    schedule_pay: "monthly",
    currency_id: [1, "GBP"],
    employee_type: "employee",
    date_version: day(employee, id % 2 === 0 ? 2001 : 2004),
    contract_date_start: day(employee, 2001),
    contract_date_end: false,
  };
}

function bankRow(id: number): OdooRow {
  return {
    id,
    active: true,
    acc_number: digits(id, 8),
    acc_holder_name: nameOf(id),
    bank_name: "Larkfield Building Society",
    bank_bic: "LARKGB2L",
  };
}

function smallRow(model: string, id: number): OdooRow {
  const place = { street: `${id} Quay Street`, street2: false, city: "Leeds", zip: "LS1 1AA" };
  const region = { state_id: [1, "West Yorkshire"], country_id: [1, "United Kingdom"] };
  const rows: Record<string, Record<string, unknown>> = {
    "res.users": { name: "Olive Reader", login: "olive@example.com", email: "olive@example.com" },
    "res.company": { active: true, name: "Larkfield and Daughters", vat: "/", ...place, ...region },
    "res.partner": { name: `Site ${id}`, ...place, ...region },
    "res.country": { name: "Country", code: pick(countries, id - 1) },
    "res.country.state": { name: "Region", code: "RG" },
    "hr.department": {
      active: true,
      name: `Department ${id}`,
      parent_id: id > 20 ? [1 + (id % 4), "Parent"] : false,
    },
    "hr.employee.category": { name: `Tag ${id}` },
    "hr.leave": { employee_id: [id * 97, nameOf(id * 97)] },
    "hr.contract.type": { name: "Full-Time", code: "full_time" },
    "hr.work.location": {
      active: true,
      name: `Location ${id}`,
      location_type: "office",
      address_id: [id, "Site"],
    },
  };
  return { id, ...rows[model] };
}
