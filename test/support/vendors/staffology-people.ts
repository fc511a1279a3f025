// People, employers and leave of invented companies at Staffology, in the shapes of the vendor's description of July
// 2026. Fields that no reader looks at are left out.
import { people, uuid, type Wire } from "./staffology-payroll.ts";

export const employerId = uuid("employer", 1);
export const otherEmployerId = uuid("employer", 2);
export const archivedEmployerId = uuid("employer", 3);

export const employer: Wire = {
  id: employerId,
  name: "Pennine Tea Ltd",
  displayName: "Pennine Tea",
  crn: "01234567",
  archived: false,
  startYear: "Year2023",
  currentYear: "Year2025",
  address: {
    line1: "Unit 4, Weavers' Mill",
    line2: "Canal Road",
    line3: "Hebden Bridge",
    line4: "West Yorkshire",
    line5: null,
    postCode: "HX7 8AA",
    country: "England",
    foreignCountry: null,
  },
  hmrcDetails: { officeNumber: "123", payeReference: "PT45678", utr: "1234567890" },
};

export const otherEmployer: Wire = {
  ...employer,
  id: otherEmployerId,
  name: "Fjord & Fell Limited",
  displayName: null,
  address: undefined,
  hmrcDetails: undefined,
};

export const archivedEmployer: Wire = {
  ...otherEmployer,
  id: archivedEmployerId,
  name: "Old Mill Ltd",
  archived: true,
};

/** Who has every field that is read. */
export const amara: Wire = {
  id: people.amara,
  status: "Current",
  tags: ["first aid", "keyholder"],
  personalDetails: {
    title: "Dr",
    firstName: "Amara",
    middleName: "Ngozi",
    lastName: "Okafor-Müller",
    email: "amara@pennine-tea.example",
    alternativeEmail: "amara@home.example",
    mobile: "07700 900123",
    telephone: "01632 960001",
    niNumber: "QQ123456C",
    dateOfBirth: "1988-02-29",
    gender: "Female",
    maritalStatus: "CivilPartnership",
    photoSasUrl: "https://pictures.invalid/amara?sig=changes-each-time",
    address: {
      line1: "2 Packhorse Lane",
      line2: "Flat 3",
      line3: "Todmorden",
      line4: null,
      line5: "West Yorkshire",
      postCode: "OL14 5AA",
      country: "England",
      foreignCountry: null,
    },
  },
  employmentDetails: {
    payrollCode: "0001",
    jobTitle: "Head of Blending",
    cisSubContractor: false,
    onFurlough: false,
    onHold: false,
    department: { code: "BLEND", title: "Blending" },
    starterDetails: { startDate: "2019-05-07", starterDeclaration: "A" },
    leaverDetails: { hasLeft: false, leaveDate: null },
  },
  bankDetails: {
    bankName: "Calder Bank",
    accountName: "A N Okafor-Müller",
    accountNumber: "12345678",
    sortCode: "040004",
  },
  payOptions: {
    basis: "Monthly",
    period: "Monthly",
    ordinal: 1,
    payAmount: 2700.02,
    payAmountMultiplier: 1,
  },
  leaveSettings: {
    holidayType: "Days",
    allowance: 28,
    allowanceUsed: 9.5,
    allowanceRemaining: 18.5,
  },
};

/** Emptier than the description allows: it requires a payroll code, a date of birth and a gender. */
export const nobody: Wire = {
  id: uuid("employee", 60),
  status: "Current",
  personalDetails: {
    firstName: null,
    lastName: "大江",
    dateOfBirth: null,
    gender: null,
    maritalStatus: "Unknown",
  },
  employmentDetails: { payrollCode: null },
};

export const person = (
  number: number,
  id: string,
  first: string,
  last: string,
  more: Wire = {},
): Wire => ({
  ...amara,
  id,
  tags: null,
  personalDetails: {
    ...(amara["personalDetails"] as Wire),
    firstName: first,
    middleName: null,
    lastName: last,
    email: `${first.toLowerCase()}@pennine-tea.example`,
  },
  employmentDetails: {
    ...(amara["employmentDetails"] as Wire),
    payrollCode: String(number).padStart(4, "0"),
    ...(more["employmentDetails"] as Wire | undefined),
  },
  ...Object.fromEntries(Object.entries(more).filter(([field]) => field !== "employmentDetails")),
});

const holiday = (holidayType: string, more: Wire): Wire => ({
  leaveSettings: { holidayType, ...more },
});

/** Everybody who has a payslip, somebody who left, somebody who has yet to come, and one who is hardly known. */
export const staff: Wire[] = [
  amara,
  person(
    2,
    people.bryn,
    "Bryn",
    "Pugh",
    holiday("Accrual_Hours", { accruedHoursBalance: 12.25, accruedHoursPaid: 40 }),
  ),
  person(
    3,
    people.catriona,
    "Catriona",
    "Ross",
    holiday("Accrual_Days", {
      allowance: 4.75,
      allowanceRemaining: 3.75,
      allowanceUsed: 1,
      accruedHoursBalance: 30,
      accruedHoursPaid: 8,
    }),
  ),
  person(4, people.dev, "Dev", "Patel", {
    ...holiday("Accrual_Money", { accruedPaymentBalance: 512.4, accruedPaymentPaid: 99 }),
    payOptions: {
      basis: "Hourly",
      period: "FourWeekly",
      ordinal: 1,
      payAmount: 14.25,
      payAmountMultiplier: 160,
    },
  }),
  person(5, people.elin, "Elin", "Åberg", {
    ...holiday("Avg_Enhanced_Days", { enhancedDaysAllowance: 33, enhancedDaysTaken: 4 }),
    employmentDetails: { onFurlough: true },
  }),
  person(6, people.farid, "Farid", "Haddad", { employmentDetails: { cisSubContractor: true } }),
  person(7, people.gwen, "Gwen", "Ellis", {
    status: "Former",
    employmentDetails: { leaverDetails: { hasLeft: true, leaveDate: "2025-12-31" } },
  }),
  person(8, people.hari, "Hari", "Sharma", {
    payOptions: {
      basis: "Monthly",
      period: "Fortnightly",
      ordinal: 1,
      payAmount: 830.77,
      payAmountMultiplier: 1,
    },
  }),
  person(9, uuid("employee", 9), "Isla", "Gray", {
    status: "Upcoming",
    employmentDetails: { starterDetails: { startDate: "2026-05-01", starterDeclaration: "B" } },
  }),
  nobody,
];

/** More people, whose ids come after those of the others. */
export function makeCrowd(count: number): Wire[] {
  return Array.from({ length: count }, (_value, index) =>
    person(1_000 + index, uuid("employee", 1_000 + index), `Person${index}`, "Crowd"),
  );
}

export const leave = (
  number: number,
  type: string,
  from: string,
  to: string,
  more: Wire = {},
): Wire => ({
  id: uuid("leave", number),
  type,
  pay: "PayAsUsual",
  from: `${from}T00:00:00`,
  to: `${to}T23:59:59`,
  workingDays: 1,
  totalDays: 1,
  workingDaysOverride: null,
  isReversed: false,
  notes: "what the clerk wrote",
  ...more,
});

/** By employee. */
export const leaveOf: Readonly<Record<string, Wire[]>> = {
  [people.amara]: [
    leave(1, "Holiday", "2026-02-09", "2026-02-13", { workingDays: 5, totalDays: 5 }),
    // Half a day: the afternoon.
    leave(2, "Holiday", "2026-03-02", "2026-03-02", {
      from: "2026-03-02T12:00:00",
      workingDays: 0.5,
    }),
    leave(3, "Holiday", "2026-03-09", "2026-03-10", { isReversed: true }),
  ],
  [people.catriona]: [
    leave(31, "Sick", "2026-01-05", "2026-01-11", {
      pay: "StatutoryPay",
      workingDays: 5,
      totalDays: 7,
    }),
    leave(32, "Bereavement", "2025-06-02", "2025-06-06", {
      workingDays: 5,
      workingDaysOverride: 3,
    }),
  ],
  [people.elin]: [
    leave(51, "Maternity", "2025-09-01", "2026-05-31", { workingDays: 195, totalDays: 273 }),
  ],
};

export const departments = [
  { code: "BLEND", title: "Blending" },
  { code: "R&D/1", title: "Research" },
];
export const costCentres = [{ code: "CC 10", title: "Calder site" }];
