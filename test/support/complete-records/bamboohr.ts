import type { ExpectedRecords } from "../../../src/providers/conformance.ts";
import { createPerson, type BambooPerson } from "../vendors/bamboohr-people.ts";

const dayMs = 86_400_000;
const daysAgo = (days: number): string =>
  new Date(Date.now() - days * dayMs).toISOString().slice(0, 10);
const manager = "Łucja O'Brien-Ñandú";

/** Who has every field, each with another value than anybody else's; departments and places are known by their names. */
export function createCompletePerson(): BambooPerson {
  const job = { location: "Lindon", division: "North", department: "Logistics" };
  return {
    ...createPerson(74),
    firstName: "Zoë",
    lastName: "de la Cruz",
    preferredName: "Zo",
    status: "Active",
    jobTitleName: "Senior clerk",
    workEmail: "zoe@example.com",
    homeEmail: "zoe@home.example",
    mobilePhone: "+49 821 555 0074",
    birthDate: "1991-04-05",
    hireDate: "2019-02-03",
    terminationDate: "2098-07-08",
    departmentId: null,
    divisionId: null,
    locationId: null,
    employmentStatusName: "Part-Time",
    gender: "Male",
    maritalStatus: "Married",
    ethnicity: "Asian (Not Hispanic or Latino)",
    nationality: "Bundesrepublik",
    ssn: "074-00-0074",
    address1: "7 Maxstraße",
    address2: "Hof",
    city: "Augsburg",
    state: "Bayern",
    stateCode: "BY",
    zipcode: "86150",
    country: "Bundesrepublik",
    customShirtSize: "XL",
    rows: {
      jobInfo: [
        { id: "741", date: "2019-02-03", ...job, jobTitle: "Clerk", reportsTo: manager },
        { id: "742", date: "2023-01-01", ...job, jobTitle: "Senior clerk", reportsTo: manager },
      ],
      compensation: [
        {
          id: "743",
          startDate: "2019-02-03",
          rate: "18.25 EUR",
          paidPer: "Hour",
          payFrequency: "Weekly",
          paySchedule: "Monthly",
          comment: null,
          reason: "Hired",
        },
        {
          id: "744",
          startDate: "2023-01-01",
          rate: { value: "41000", currency: "EUR" },
          paidPer: "Year",
          paySchedule: "Monthly",
          comment: "Promoted",
          reason: "Raise",
        },
      ],
      employmentStatus: [{ id: "745", date: "2019-02-03", employmentStatus: "Part-Time" }],
      emergencyContacts: [
        {
          id: "746",
          name: "Ines de Luna",
          relationship: "Sister",
          mobilePhone: "+34 600 000 074",
          primaryContact: "no",
        },
      ],
    },
  };
}

const lindon = {
  street_address: "335 S 560 W, Suite 200",
  locality: "Lindon",
  administrative_area: "UT",
  country: "US",
  post_code: "84042",
};
const group = { group_remote_id: "department-11", group_name: "Logistics", manager_remote_id: "1" };

/** Of the fake of the checks, with the person above. */
export function completeOfBamboo(): ExpectedRecords {
  return {
    company: [
      {
        remote_id: "lindgren",
        legal_name: "Lindgren & Søn, Inc.",
        display_name: "Lindgren",
        tax_id: null,
        address: {
          street_address: "335 S 560 W, Suite 200",
          locality: "Lindon",
          administrative_area: "UT",
          country: null,
          post_code: "84042",
        },
      },
    ],
    employees: [
      {
        remote_id: "74",
        employee_number: "N-74",
        first_name: "Zoë",
        last_name: "de la Cruz",
        display_full_name: "Zoë de la Cruz",
        nationality: "DE",
        job_title: "Senior clerk",
        work_email: "zoe@example.com",
        personal_email: "zoe@home.example",
        mobile_phone_number: "+49 821 555 0074",
        tax_id: "074-00-0074",
        gender: "male",
        ethnicity: "asian",
        marital_status: "married",
        date_of_birth: "1991-04-05",
        employment_status: "active",
        employment_type: "part_time",
        start_date: "2019-02-03",
        termination_date: "2098-07-08",
        remote_created_at: null,
        home_location: {
          street_address: "7 Maxstraße, Hof",
          locality: "Augsburg",
          administrative_area: "Bayern",
          country: "DE",
          post_code: "86150",
        },
        work_location: { remote_id: "21", name: "Lindon", address: lindon },
        manager: {
          remote_id: "1",
          first_name: "Łucja",
          last_name: "O'Brien-Ñandú",
          work_email: "person.1@example.com",
        },
        bank_account: null,
        employments: [
          {
            job_title: "Senior clerk",
            effective_date: "2023-01-01",
            employment_type: "part_time",
            pay_rate: 41_000,
            pay_period: "YEAR",
            pay_frequency: "monthly",
            currency: "eur",
          },
          {
            job_title: "Clerk",
            effective_date: "2019-02-03",
            employment_type: "part_time",
            pay_rate: 18.25,
            pay_period: "HOUR",
            pay_frequency: "weekly",
            currency: "eur",
          },
        ],
        employment_history: [
          { job_title: "Senior clerk", effective_date: "2023-01-01", ...group },
          { job_title: "Clerk", effective_date: "2019-02-03", ...group },
        ],
        compensation_history: [
          { effective_date: "2023-01-01", pay_rate: 41_000, notes: "Promoted" },
          { effective_date: "2019-02-03", pay_rate: 18.25, notes: "Hired" },
        ],
        custom_fields: { "Shirt size": "XL" },
        groups: [
          { remote_id: "department-11", name: "Logistics", type: "department" },
          { remote_id: "division-11", name: "North", type: null },
        ],
        dependents: [{ name: "Ada M. Cruz", relationship: "Spouse" }],
        emergency_contacts: [
          {
            first_name: "Ines de",
            last_name: "Luna",
            relationship: "Sister",
            mobile_phone_number: "+34 600 000 074",
            primary_contact: false,
          },
        ],
      },
      // Away for the whole of today.
      { remote_id: "73", employment_status: "leave" },
      // Came back, and before that somebody else did their work.
      {
        remote_id: "71",
        start_date: "2022-05-01",
        custom_fields: {
          "Shirt size": null,
          nationality: "Canadian",
          original_start_date: "2015-01-01",
        },
      },
    ],
    groups: [
      { remote_id: "department-11", name: "Logistics", type: "department" },
      { remote_id: "division-11", name: "North", type: null },
    ],
    timesheets: [
      {
        remote_id: "1",
        remote_created_at: daysAgo(5),
        remote_modified_at: daysAgo(5),
      },
      {
        remote_id: "2",
        employee_remote_id: "1",
        start_time: `${daysAgo(5)}T00:00:00Z`,
        end_time: null,
        hours_worked: 7.25,
        remote_modified_at: null,
      },
    ],
    "time-off-entries": [
      {
        remote_id: "1659",
        employee_note: "Familie 🏖",
        policy_name: "Vacation",
        remote_created_at: daysAgo(10),
        remote_modified_at: daysAgo(10),
      },
    ],
    "time-off-balances": [
      {
        employee_remote_id: "74",
        balance: null,
        used: 8,
        unit: "hours",
        policy_remote_id: "80",
        policy_name: "Flexible",
        policy_type: null,
      },
      { employee_remote_id: "1", policy_remote_id: "79", policy_name: "Sick time", balance: 24.5 },
    ],
    "work-locations": [
      { remote_id: "21", name: "Lindon", address: lindon },
      { remote_id: "22", name: "Remote", address: null },
    ],
  };
}
