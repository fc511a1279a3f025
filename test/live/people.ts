import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { OdooAdministrator } from "../support/odoo-administrator.ts";
import { makeFullPerson } from "../support/odoo-full-person.ts";
import { customer, signInAs, url } from "./live-odoo.ts";

const known = {
  employee_number: "A0077",
  first_name: "Ada Zoë van den",
  last_name: "Éynde",
  display_full_name: "Ada Zoë van den Éynde",
  nationality: "BE",
  work_email: "ada@example.com",
  personal_email: "ada@home.example.com",
  mobile_phone_number: "+32 470 00 00 77",
  tax_id: "850730-033.28",
  gender: "not_specified",
  marital_status: "other",
  date_of_birth: "1985-07-30",
  job_title: "Lead planner",
  employment_status: "active",
  employment_type: "part_time",
  start_date: "2025-03-01",
  termination_date: null,
  home_location: {
    street_address: "Kade 12, bus 3",
    locality: "Gent",
    administrative_area: null,
    country: "BE",
    post_code: "9000",
  },
  manager: {
    remote_id: "1",
    first_name: "Mitchell",
    last_name: "Admin",
    work_email: "admin@example.com",
  },
  bank_account: {
    account_number: "BE71 0961 2345 6769",
    iban: "BE71096123456769",
    bic: "GKCCBEBB",
    bank_name: "Testbank",
    holder_name: "A. van den Éynde",
  },
  emergency_contacts: [
    {
      first_name: "Jan",
      last_name: "Peeters",
      relationship: null,
      mobile_phone_number: "+32 470 00 00 78",
      primary_contact: true,
    },
  ],
  custom_fields: { x_badge: "B-7", "T-shirt": "Large", "Badge since": "2026-01-15" },
};
const ofJob = {
  employment_type: "part_time",
  pay_period: "MONTH",
  pay_frequency: null,
  currency: "usd",
  group_remote_id: "department-4",
};
const employments = [
  { ...ofJob, effective_date: "2025-03-01", job_title: "Planner", pay_rate: 3200.5 },
  { ...ofJob, effective_date: "2026-01-01", job_title: "Lead planner", pay_rate: 3600 },
];
const english = ["Research & Development", "Management", "Sales"];
const german = ["Forschung & Entwicklung", "Verwaltung", "Sales"];

export function describePeople(): void {
  describe("a person of whom Odoo knows everything", () => {
    let person: Awaited<ReturnType<typeof makeFullPerson>>;
    beforeAll(async () => {
      const administrator = await OdooAdministrator.at(url);
      await administrator.ensureLanguage("de_DE");
      await administrator.ensureAccount({ login: "german", language: "de_DE" });
      person = await makeFullPerson(administrator.rpc);
    });
    afterAll(async () => await person.remove());

    it.each([
      ["xhr", "admin", english],
      ["official", "admin", english],
      ["xhr", "german", german],
    ] as const)(
      "has each field, read as %s by %s",
      async (mode, login, [department, ...others]) => {
        const reader = customer(mode);
        const people = await reader.read("employees", await signInAs(reader, login));
        const found = people.find(({ remote_id: id }) => id === String(person.id));
        const group_name = department;
        expect(found).toMatchObject({
          ...known,
          employments: employments.map((employment) => ({ ...employment, group_name })),
          groups: [department, ...others].map((name) => ({ name })),
        });
      },
    );
  });
}
