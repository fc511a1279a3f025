import type { FakeUser, OdooTables } from "./fake-odoo.ts";
import type { Resource } from "../../src/model/index.ts";
import { password } from "./odoo-customer.ts";

/** What both modes have. */
export const commonResources: readonly Resource[] = [
  "company",
  "employees",
  "groups",
  "work-locations",
  "timesheets",
  "time-off-entries",
  "time-off-balances",
];

export const everyGroup = [
  "base.group_user",
  "hr.group_hr_user",
  "hr.group_hr_manager",
  "hr_holidays.group_hr_holidays_user",
  "hr_attendance.group_hr_attendance_user",
  "hr_timesheet.group_timesheet_manager",
  "hr_payroll_community.group_hr_payroll_community_manager",
];

/** Ines has every right, the officer those of employees alone, and the last one pays some people. */
export const odooUsers: FakeUser[] = [
  { uid: 2, login: "ines@example.com", password, groups: everyGroup, key: "key-marker-2" },
  {
    uid: 6,
    login: "officer@example.com",
    password,
    groups: everyGroup.slice(0, 3),
    key: "key-marker-6",
  },
  {
    uid: 9,
    login: "payroll@example.com",
    password,
    groups: [...everyGroup.slice(0, 6), "hr_payroll_community.group_hr_payroll_community_user"],
  },
];

/** An IBAN as people write it. */
export const bankAccount = {
  id: 61,
  active: true,
  acc_number: "BE71 0961 2345 6769",
  acc_holder_name: "N. van den Éynde",
  bank_name: "Testbank",
  bank_bic: "GKCCBEBB",
};

/** Two people of one company, and the rows of a test. */
export function odooTables(tables: OdooTables = {}): OdooTables {
  return {
    "res.users": odooUsers.map(({ uid, login }) => ({ id: uid, name: `User ${uid}`, login })),
    "res.company": [{ id: 1, active: true, name: "Ferme & Fils", currency_id: 3 }],
    "res.currency": [
      { id: 3, name: "EUR" },
      { id: 4, name: "CHF" },
    ],
    "hr.employee": [
      { id: 11, active: true, name: "Nadia", company_id: 1 },
      { id: 12, active: true, name: "Bram", company_id: 1 },
    ],
    ...tables,
  };
}
