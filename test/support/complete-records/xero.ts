import type { ExpectedRecords } from "../../../src/providers/conformance.ts";
import { createPerson, idOf, type XeroPerson } from "../vendors/xero-company.ts";

const id = idOf(1, 41);
const holiday = "ed08dffe-788e-4b24-9630-f0fa2f4d164c";
const calendar = {
  remote_id: "d45bc68f-59d6-4000-929d-1058dcfa79e1",
  name: "Fortnightly",
  type: "pay_group",
};

/** Who has every field, and each of them another value than anybody else: paid by the hour, half of the time. */
export function createCompletePerson(): XeroPerson {
  const person = createPerson(41, {
    firstName: "Órla",
    lastName: "van der Ny",
    dateOfBirth: "1999-02-28T00:00:00Z",
    gender: "F",
    email: "orla@example.com",
    phoneNumber: "01632 960041",
    nationalInsuranceNumber: "QQ414141A",
    startDate: "2021-05-04T00:00:00",
    endDate: "2099-06-05T00:00:00",
    createdDateUTC: "2021-04-01T09:00:00",
    address: {
      addressLine1: "41 Ferry Road",
      addressLine2: "Flat 4",
      city: "Hull",
      county: "East Riding",
      countryName: "IRELAND",
      postCode: "HU1 1AA",
    },
    payrollCalendarID: calendar.remote_id,
    contracts: [{ contractType: "PartTime", startDate: "2021-05-04T00:00:00" }],
  });
  return {
    ...person,
    salaries: [
      { effectiveFrom: "2022-01-01T00:00:00", paymentType: "Hourly", ratePerUnit: 12.019231 },
    ],
    paymentMethod: {
      paymentMethod: "Electronically",
      bankAccounts: [
        { accountName: "O van der Ny", accountNumber: "41414141", sortCode: "414100" },
      ],
    },
    leave: [
      {
        leaveID: idOf(4, 41),
        leaveTypeID: "1d2778ee-86ea-45c0-bbf8-1045485f6b3f",
        description: "The twins",
        startDate: "2026-03-02T00:00:00",
        endDate: "2026-03-13T00:00:00",
        periods: [
          { numberOfUnits: 16, periodStatus: "Approved" },
          { numberOfUnits: 7.5, periodStatus: "Estimated" },
        ],
        updatedDateUTC: "2026-02-20T08:00:00",
      },
    ],
    balances: [{ name: "Sick days", leaveTypeID: holiday, balance: 1.5, typeOfUnits: "Days" }],
  };
}

/** Of the fake of the checks, with the person above. */
export const completePeopleOfXero: ExpectedRecords = {
  company: [
    {
      remote_id: idOf(9, 1),
      legal_name: "Maple & Söhne Ltd",
      display_name: "Maple & Söhne",
      tax_id: "101-2-303",
      address: {
        street_address: "1 Mill Lane, Floor 2",
        locality: "Milton Keynes",
        administrative_area: "Buckinghamshire",
        country: "GB",
        post_code: "MK9 1EB",
      },
    },
  ],
  employees: [
    {
      remote_id: id,
      employee_number: null,
      first_name: "Órla",
      last_name: "van der Ny",
      display_full_name: "Órla van der Ny",
      nationality: null,
      job_title: null,
      work_email: "orla@example.com",
      personal_email: null,
      mobile_phone_number: "01632 960041",
      tax_id: "QQ414141A",
      gender: "female",
      ethnicity: null,
      marital_status: null,
      date_of_birth: "1999-02-28",
      employment_status: "active",
      employment_type: "part_time",
      start_date: "2021-05-04",
      termination_date: "2099-06-05",
      remote_created_at: "2021-04-01",
      home_location: {
        street_address: "41 Ferry Road, Flat 4",
        locality: "Hull",
        administrative_area: "East Riding",
        country: "IE",
        post_code: "HU1 1AA",
      },
      manager: null,
      bank_account: {
        account_number: "41414141",
        bank_name: null,
        bic: null,
        holder_name: "O van der Ny",
        iban: null,
        sort_code: "414100",
      },
      employments: [
        {
          job_title: null,
          effective_date: "2022-01-01",
          employment_type: "part_time",
          pay_rate: 12.019231,
          pay_period: "HOUR",
          pay_frequency: "biweekly",
          currency: "gbp",
        },
      ],
      custom_fields: null,
      groups: [calendar],
      dependents: null,
      emergency_contacts: null,
    },
  ],
  groups: [
    calendar,
    { remote_id: "216d80e6-af55-47b1-b718-9457c3f5d2fe", name: "Weekly", type: "pay_group" },
  ],
  timesheets: [
    {
      remote_id: idOf(7, 2),
      employee_remote_id: idOf(1, 1),
      start_time: "2026-02-18T00:00:00Z",
      end_time: null,
      hours_worked: 6,
      remote_created_at: null,
      remote_modified_at: "2026-02-23",
    },
  ],
  "time-off-entries": [
    {
      remote_id: idOf(4, 41),
      employee_remote_id: id,
      start_date: "2026-03-02",
      end_date: "2026-03-13",
      amount: 23.5,
      unit: "hours",
      status: null,
      employee_note: "The twins",
      policy_remote_id: "1d2778ee-86ea-45c0-bbf8-1045485f6b3f",
      policy_name: "Parental Leave",
      policy_type: null,
      remote_created_at: null,
      remote_modified_at: "2026-02-20",
    },
  ],
  "time-off-balances": [
    {
      employee_remote_id: id,
      balance: 1.5,
      used: null,
      unit: "days",
      policy_remote_id: holiday,
      policy_name: "Sick days",
      policy_type: "sick",
    },
  ],
};

export const completePayOfXero: ExpectedRecords = {
  payslips: [
    {
      remote_id: "ed3fb9b3-e9a1-44fa-a224-8be49facbbe8",
      earnings: [
        { name: "Regular Hours", amount: 48_077, hours: 40 },
        { name: "Regular Hours", amount: 2_404, hours: 2 },
      ],
      contributions: [{ name: "Pension", amount: 962 }],
      deductions: [
        { name: "Mind The Gap Pensions (NPA)", amount: 962 },
        { name: "AEO (fines)", amount: 2_000 },
      ],
      taxes: [
        { name: "Tax", amount: 4_860, employer_tax: false },
        { name: "Tax", amount: 3_825, employer_tax: false },
        { name: "Tax", amount: 4_399, employer_tax: true },
      ],
      reimbursements: [{ name: "Mileage", amount: 450 }],
    },
  ],
};
