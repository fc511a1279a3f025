import type { Conformance, FakeSystem, Scenario } from "../../src/providers/conformance.ts";
import {
  addedFields,
  completePayOfOdoo,
  completePeopleOfOdoo,
  tablesOfIda,
} from "./complete-records/odoo.ts";
import { withComplete } from "./complete-records/with-complete.ts";
import { expectedOfOdoo } from "./expected-of-fakes.ts";
import { FakeOdoo, type Interference, type OdooRow, type OdooTables } from "./fake-odoo.ts";
import { bankAccount, everyGroup } from "./odoo-desk-data.ts";
import { meaningsOfOdoo, peopleOfMeanings } from "./odoo-meanings.ts";

const password = "right";
const users = [
  { uid: 2, login: "ines@example.com", password, groups: everyGroup, key: "key-2" },
  { uid: 5, login: "otto@example.com", password, groups: everyGroup, otp: "271828" },
  { uid: 6, login: "wim@example.com", password, groups: everyGroup, key: "key-6" },
  { uid: 7, login: "plain@example.com", password, groups: everyGroup.slice(0, 1), key: "key-7" },
  { uid: 8, login: "portal@example.com", password, groups: ["base.group_portal"], key: "key-8" },
];
const logins: Partial<Record<Scenario, string>> = {
  "second-factor": "otto@example.com",
  "wrong-second-factor": "otto@example.com",
  "missing-rights": "plain@example.com",
  "no-rights": "portal@example.com",
};
const keys: Partial<Record<Scenario, string>> = {
  "wrong-password": "wrong",
  "missing-rights": "key-7",
  "no-rights": "key-8",
};
/** Ines works in two companies, and is asked for one of them or all. */
const answers: Partial<Record<Scenario, string>> = {
  "second-factor": "271828",
  "wrong-second-factor": "000000",
};
/** More than Odoo gives on one page. */
const manyPeople = 250;

/** How Odoo is checked: beside the fake server of the tests. */
export const odooConformances: readonly Conformance[] = [
  {
    mode: "xhr",
    start: async (scenario) => await startOdoo(scenario, "password"),
    meanings: meaningsOfOdoo.xhr,
  },
  {
    mode: "official",
    start: async (scenario) => await startOdoo(scenario, "key"),
    meanings: meaningsOfOdoo.official,
    leavesOut: {
      "second-factor": "a key needs none",
      "wrong-second-factor": "a key needs none",
    },
  },
];

async function startOdoo(scenario: Scenario, by: "password" | "key"): Promise<FakeSystem> {
  const isLong = scenario === "two-pages" || scenario === "cut-off";
  const tables = createTables(isLong ? manyPeople : 3);
  const externalIds = { "hr.leave.type": { 1: "hr_holidays.leave_type_paid_time_off" } };
  const fake = await FakeOdoo.start({
    version: 19,
    users: structuredClone(users),
    tables,
    externalIds,
    // A payroll module says how often people are paid.
    companyFields: {
      ...addedFields,
      "hr.version": ["schedule_pay:selection", ...addedFields["hr.version"]],
    },
  });
  const trouble = troubles[scenario];
  const common = {
    url: fake.origin,
    database: "people",
    timesheets: "attendances",
    payroll_categories: "EXPENSE=reimbursement",
  };
  return {
    formValues: {
      ...common,
      username: logins[scenario] ?? "ines@example.com",
      ...(by === "password"
        ? { password: scenario === "wrong-password" ? "wrong" : password }
        : { key: keys[scenario] ?? "key-2" }),
    },
    otherAccount: {
      formValues: {
        ...common,
        username: "wim@example.com",
        ...(by === "password" ? { password } : { key: "key-6" }),
      },
    },
    expected:
      by === "password"
        ? withComplete(expectedOfOdoo.xhr, { ...completePeopleOfOdoo, ...completePayOfOdoo })
        : withComplete(expectedOfOdoo.official, completePeopleOfOdoo),
    answers: [answers[scenario] ?? "all"],
    texts: ["Nadia", "van den Éynde", "大江"],
    counts: { employees: tables["hr.employee"]?.length ?? 0, "time-off-balances": 3 },
    range: { start: "2026-01-01", end: "2026-02-28" },
    afterSignIn: () => {
      if (scenario === "dead-session") fake.endSessions();
      if (scenario === "dead-session") for (const user of fake.users) user.key = "another";
      if (trouble === undefined) return;
      fake.interfere = ({ model, kwargs }) => {
        const isLate = JSON.stringify(kwargs["domain"] ?? "").includes('["id",">",2');
        return model === "hr.employee" && (isLate || scenario !== "cut-off")
          ? trouble()
          : undefined;
      };
    },
    change: () => {
      fake.tables["hr.employee"] = fake.tables["hr.employee"]?.filter(({ id }) => id !== 3) ?? [];
    },
    close: () => fake.stop(),
  };
}

const troubles: Partial<Record<Scenario, () => Interference>> = {
  "rate-limited-seconds": () => refuse({ "retry-after": "30" }),
  "rate-limited-date": () => refuse({ "retry-after": new Date(Date.now() + 30_000).toUTCString() }),
  "rate-limited": () => refuse({}),
  "server-error": () => ({ status: 500, body: "<h1>Internal Server Error</h1>" }),
  "cut-off": () => ({
    status: 200,
    headers: { "content-type": "application/json", "content-length": "9000", connection: "close" },
    body: '{"jsonrpc":"2.0","result":[',
  }),
};

function refuse(headers: Record<string, string>): Interference {
  return { status: 429, headers, body: "" };
}

/** What only one person has. */
const ofNadia = {
  barcode: "N-0011",
  job_title: "Planner",
  ssnid: "850730-033",
  birthday: "1985-07-30",
  sex: "female",
  marital: "married",
  country_id: 20,
  private_email: "nadia@home.example",
  mobile_phone: "+32 470 00 00 11",
  private_street: "Kade 12",
  private_city: "Gent",
  private_zip: "9000",
  private_country_id: 20,
  parent_id: 2,
  category_ids: [41],
  bank_account_ids: [61],
  emergency_contact: "Jan Peeters",
  emergency_phone: "+32 470 00 00 12",
  employee_properties: [{ name: "a1", string: "T-shirt", type: "char", value: "L" }],
};

function createTables(people: number): OdooTables {
  const all = [createUsualTables(people), peopleOfMeanings, tablesOfIda];
  const models = new Set(all.flatMap(Object.keys));
  return Object.fromEntries(
    [...models].map((model) => [model, all.flatMap((tables) => tables[model] ?? [])]),
  );
}

function createUsualTables(people: number): OdooTables {
  const [nadia, ...others] = [
    {
      id: 1,
      active: true,
      name: "Nadia van den Éynde",
      work_email: "nadia@example.com",
      department_id: 31,
      work_location_id: 51,
      create_date: "2021-04-01 23:10:00",
      ...ofNadia,
    },
    { id: 2, active: true, name: "大江" },
    { id: 3, active: false, name: "Bram", departure_date: "2025-12-31", parent_id: 1 },
  ];
  const more = Array.from({ length: people - 3 }, (_value, index) => ({
    id: index + 4,
    active: true,
    name: `Person ${index}`,
  }));
  return {
    "res.users": users.map(({ uid, login }) => ({
      id: uid,
      name: `User ${uid}`,
      login,
      email: login,
      ...(uid === 2 && { company_ids: [1, 2] }),
    })),
    "res.company": [
      {
        id: 1,
        active: true,
        name: "Ferme & Fils",
        vat: "BE0477472701",
        street: "Dorp 1",
        street2: "Hoeve",
        city: "Aalst",
        zip: "9300",
        state_id: 7,
        country_id: 20,
        currency_id: 3,
      },
    ],
    "res.currency": [{ id: 3, name: "EUR" }],
    "res.partner.bank": [bankAccount],
    "hr.contract.type": [{ id: 91, name: "Voltijds", code: "Full-Time" }],
    "hr.version": [
      {
        id: 101,
        employee_id: 1,
        active: true,
        date_version: "2021-04-01",
        contract_date_start: "2021-04-01",
        wage: 2_500,
        currency_id: 3,
        contract_type_id: 91,
        department_id: 31,
        job_title: "Planner",
      },
    ],
    "res.country": [{ id: 20, name: "Belgium", code: "BE" }],
    "res.partner": [{ id: 72, name: "Dock", city: "Antwerpen", country_id: 20 }],
    "hr.department": [{ id: 31, active: true, name: "Logistics", parent_id: false }],
    "hr.employee.category": [{ id: 41, name: "First aid" }],
    "hr.work.location": [
      {
        id: 51,
        active: true,
        name: "Dock 3",
        location_type: "office",
        address_id: 72,
        company_id: 1,
      },
    ],
    "hr.employee": [nadia, ...others, ...more] as OdooRow[],
    ...createRecords(),
  };
}

/** Of February. */
function createRecords(): OdooTables {
  const day = "2026-02-03";
  const stamps = { create_date: `${day} 09:00:00`, write_date: `${day} 10:00:00` };
  const nadia = { employee_id: 1, state: "validate", holiday_status_id: 1, ...stamps };
  const payroll = { BASIC: 100, GROSS: 100, TAX: -20, DED: -10, COMP: 15, EXPENSE: 5, NET: 75 };
  const january = { date_from: "2026-01-01", date_to: "2026-01-31" };
  const period = { date_from: "2026-02-01", date_to: "2026-02-28" };
  return {
    "hr.leave.type": [{ id: 1, name: "Paid Time Off" }],
    "hr.leave": [
      {
        id: 1,
        ...nadia,
        name: "Dentist",
        request_date_from: day,
        request_date_to: day,
        number_of_days: 1,
      },
    ],
    "hr.leave.allocation": [{ id: 1, ...nadia, virtual_remaining_leaves: 19, leaves_taken: 1 }],
    "hr.attendance": [
      {
        id: 1,
        employee_id: 1,
        check_in: `${day} 08:00:00`,
        check_out: `${day} 16:00:00`,
        worked_hours: 8,
        ...stamps,
      },
    ],
    "hr.payslip.run": [
      { id: 1, state: "close", date_start: "2026-02-01", date_end: "2026-02-28" },
      { id: 2, state: "close", date_start: "2026-01-01", date_end: "2026-01-31" },
    ],
    "hr.payslip": [
      { id: 1, employee_id: 1, company_id: 1, state: "done", payslip_run_id: 1, ...period },
      { id: 2, employee_id: 1, company_id: 1, state: "done", payslip_run_id: 2, ...january },
      // In yen.
      { id: 3, employee_id: 904, company_id: 2, state: "done", payslip_run_id: 1, ...period },
    ],
    "hr.payslip.line": [1, 2, 3].flatMap((slip) =>
      Object.entries(payroll).map(([code, total], index) => ({
        id: slip * 100 + index,
        slip_id: slip,
        category_id: index + 1,
        code,
        name: `Line ${code}`,
        quantity: 1,
        // Of January the double.
        total: total * [0, 1, 2, 3_000][slip]!,
        appears_on_payslip: true,
      })),
    ),
    "hr.salary.rule.category": Object.keys(payroll).map((code, index) => ({ id: index + 1, code })),
  };
}
