import type { ExpectedRecords } from "../../../src/providers/conformance.ts";
import type { FakeEmployer } from "../vendors/fake-staffology.ts";
import { employerId, person } from "../vendors/staffology-people.ts";
import { people, uuid } from "../vendors/staffology-payroll.ts";

const withLandline = uuid("employee", 75);

/** Nobody else has a telephone and no mobile one, or stayed after all. */
export function addCompletePerson(employer: FakeEmployer): void {
  const one = person(75, withLandline, "Tess", "Dial", {
    employmentDetails: { leaverDetails: { hasLeft: false, leaveDate: "2025-12-31" } },
    leaveSettings: {
      holidayType: "Avg_Enhanced_Days",
      enhancedDaysBalance: 30.5,
      enhancedDaysAllowance: 33,
      enhancedDaysTaken: 4,
    },
  });
  const details = one["personalDetails"] as object;
  employer.staff.push({ ...one, personalDetails: { ...details, mobile: null } });
}

/** Of the fake of the checks, with the person above. */
export const completeOfStaffology: ExpectedRecords = {
  company: [
    {
      remote_id: employerId,
      legal_name: "Pennine Tea Ltd",
      display_name: "Pennine Tea",
      tax_id: "123/PT45678",
      address: {
        street_address: "Unit 4, Weavers' Mill, Canal Road",
        locality: "Hebden Bridge",
        administrative_area: "West Yorkshire",
        country: "GB",
        post_code: "HX7 8AA",
      },
    },
  ],
  employees: [
    {
      remote_id: people.amara,
      employee_number: "0001",
      first_name: "Amara",
      last_name: "Okafor-Müller",
      display_full_name: "Amara Okafor-Müller",
      nationality: null,
      job_title: "Head of Blending",
      work_email: "amara@pennine-tea.example",
      personal_email: "amara@home.example",
      mobile_phone_number: "07700 900123",
      tax_id: "QQ123456C",
      gender: "female",
      ethnicity: null,
      marital_status: "married",
      date_of_birth: "1988-02-29",
      employment_status: "active",
      employment_type: null,
      start_date: "2019-05-07",
      termination_date: null,
      remote_created_at: null,
      home_location: {
        street_address: "2 Packhorse Lane, Flat 3",
        locality: "Todmorden",
        administrative_area: "West Yorkshire",
        country: "GB",
        post_code: "OL14 5AA",
      },
      manager: null,
      bank_account: {
        account_number: "12345678",
        bank_name: "Calder Bank",
        bic: null,
        holder_name: "A N Okafor-Müller",
        iban: null,
        sort_code: "040004",
      },
      employments: [
        {
          job_title: "Head of Blending",
          effective_date: "2019-05-07",
          employment_type: null,
          pay_rate: 2700.02,
          pay_period: "MONTH",
          pay_frequency: "monthly",
          currency: "gbp",
        },
      ],
      custom_fields: { tags: ["first aid", "keyholder"] },
      groups: [{ remote_id: `${employerId}/BLEND`, name: "Blending", type: "department" }],
      dependents: null,
      emergency_contacts: null,
    },
    { remote_id: withLandline, mobile_phone_number: "01632 960001", termination_date: null },
    { remote_id: people.elin, employment_status: "leave" },
    {
      remote_id: people.dev,
      employments: [{ pay_rate: 14.25, pay_period: "HOUR", pay_frequency: "other" }],
    },
  ],
  groups: [
    { remote_id: `${employerId}/BLEND`, name: "Blending", type: "department" },
    { remote_id: `${employerId}/R&D/1`, name: "Research", type: "department" },
    { remote_id: `${employerId}/costcentres/CC 10`, name: "Calder site", type: "cost_centre" },
  ],
  payruns: [
    {
      remote_id: `${employerId}/Year2025/Monthly/1/11/1/reversal`,
      state: "pending",
      type: "reversal",
      start_date: "2026-02-01",
      end_date: "2026-02-28",
      payment_date: "2026-02-27",
    },
  ],
  payslips: [
    {
      employee_remote_id: people.elin,
      payrun_remote_id: `${employerId}/Year2025/Monthly/1/7/1`,
      currency: "gbp",
      gross_pay: 78_501,
      net_pay: 73_576,
      earnings: [{ name: "Statutory maternity pay", amount: 78_501, hours: null }],
      contributions: [{ name: "Tea Growers Pension", amount: 2_355 }],
      deductions: [
        { name: "Pension contribution", amount: 3_925 },
        { name: "Additional voluntary contribution", amount: 1_000 },
      ],
      taxes: [],
      reimbursements: [],
    },
    {
      employee_remote_id: people.catriona,
      payrun_remote_id: `${employerId}/Year2025/Monthly/1/8/1`,
      earnings: [
        { name: "Basic pay", amount: 176_000, hours: null },
        { name: "Statutory Sick Pay", amount: 11_675, hours: null },
      ],
      deductions: [{ name: "Council tax order", amount: 8_000 }],
    },
    {
      employee_remote_id: people.dev,
      payrun_remote_id: `${employerId}/Year2025/Monthly/1/11/1/reversal`,
      net_pay: -202_320,
      deductions: [
        { name: "Union subscription", amount: -1_500 },
        { name: "Loan repayment", amount: -5_000 },
      ],
    },
    {
      employee_remote_id: people.hari,
      payrun_remote_id: `${employerId}/Year2025/Monthly/1/7/1`,
      earnings: [{ name: "Basic pay", amount: 180_000, hours: null }],
    },
  ],
  "time-off-entries": [
    {
      remote_id: uuid("leave", 1),
      employee_note: null,
      policy_remote_id: "Holiday",
      policy_name: "Holiday",
      policy_type: "vacation",
    },
    {
      remote_id: uuid("leave", 31),
      employee_remote_id: people.catriona,
      amount: 5,
      policy_name: "Sick",
      policy_type: "sick",
    },
  ],
  "time-off-balances": [
    {
      employee_remote_id: withLandline,
      balance: 30.5,
      used: 4,
      unit: "days",
      policy_remote_id: "Holiday",
      policy_name: "Holiday",
      policy_type: "vacation",
    },
    { employee_remote_id: people.elin, balance: 29, used: 4, unit: "days" },
    { employee_remote_id: people.bryn, balance: 12.25, used: 40, unit: "hours" },
    { employee_remote_id: people.dev, balance: null, used: null, unit: null },
  ],
};
