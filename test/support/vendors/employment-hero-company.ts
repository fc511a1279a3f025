// Businesses and people of Employment Hero Payroll that were made up, in the shapes of the vendor's client library.

export type Wire = Record<string, unknown>;

export interface FakeBusiness {
  record: Wire;
  people: Wire[];
  schedules: Wire[];
  locations: Wire[];
  entities: Wire[];
  payCategories: Wire[];
  payruns: Wire[];
  /** By pay run and employee. */
  slips: Record<string, Record<string, Wire>>;
  totals: Record<string, Wire[]>;
  leaveCategories: Wire[];
  leave: Wire[];
  balances: Wire[];
  timesheets: Wire[];
}

export const businessId = 7001;
export const otherBusinessId = 7002;

const firstNames = ["Wei Ling", "Arjun", "Siti", "Hui Min", "Tomás", "Åsa", "Noor"];

/** Somebody with what everybody has. */
export function person(id: number, over: Wire = {}): Wire {
  return {
    id,
    firstName: firstNames[id % firstNames.length],
    surname: `Person${id}`,
    emailAddress: `person.${id}@merlion.example`,
    dateOfBirth: `19${60 + (id % 40)}-03-04T00:00:00`,
    startDate: "2019-05-06T00:00:00",
    endDate: null,
    status: "Active",
    employmentType: "FullTime",
    jobTitle: "Tea taster",
    paySchedule: "Monthly",
    primaryLocation: "Head office",
    rate: 4_000 + id,
    rateUnit: "Monthly",
    dateCreated: "2019-05-01T03:04:05",
    ...over,
  };
}

/** Who has every field that is read. */
const whole = person(1, {
  firstName: "Łucja",
  surname: "O'Brien-Ñandú",
  legalName: "Łucja Maria O'Brien-Ñandú",
  externalId: "N-001",
  mobilePhone: "+65 8123 4567",
  nationality: "Singapore",
  nationalRegistrationIdentityNumber: "S1234567D",
  gender: "Female",
  ethnicity: "Malay",
  dateOfBirth: "1985-07-30T00:00:00",
  residentialBlockNumber: "12",
  residentialLevelNumber: "04",
  residentialUnitNumber: "118",
  residentialStreetName: "Orchid Road",
  residentialStreetAddress: "Tower B",
  residentialAddressLine2: "Lift lobby",
  residentialAddressLine3: "Rear",
  residentialSuburb: "Bishan",
  residentialState: "Central",
  residentialPostCode: "570012",
  residentialCountry: "Singapore",
  rate: 5200.5,
  hoursPerWeek: 37.5,
  tags: "first aid|keyholder",
  reportingDimensionValues: "Blue|North",
  employingEntityId: "31",
  bankAccount1_AccountName: "Savings",
  bankAccount1_AccountNumber: "111222333",
  bankAccount1_FixedAmount: 200,
  bankAccount2_AccountName: "Ł O'Brien",
  bankAccount2_AccountNumber: "444555666",
  bankAccount2_BankSwift: "DBSSSGSG",
  bankAccount2_AllocatedPercentage: 100,
  emergencyContact1_Name: "Ida Holm",
  emergencyContact1_Relationship: "Sister",
  emergencyContact1_ContactNumber: "+65 8000 0001",
  emergencyContact2_Name: "Per Holm",
});

/** Sixty people: namesakes, leavers, one who came back, one without a location, contractors, and nulls. */
export function createPeople(crowd = 0): Wire[] {
  const awkward = [
    structuredClone(whole),
    person(2, {
      firstName: "大江",
      surname: "健三郎",
      status: "Terminated",
      endDate: "2025-06-30T00:00:00",
      employingEntityId: "32",
    }),
    // Of whom the name alone is known.
    { id: 3, firstName: "Noor", surname: null, status: "Incomplete" },
    person(4, {
      firstName: "Tan",
      surname: "Wei",
      rate: 31.25,
      rateUnit: "Hourly",
      employmentType: "Part Time",
    }),
    person(5, {
      firstName: "Tan",
      surname: "Wei",
      employmentType: "IndependentContractor",
      rateUnit: "Fixed",
    }),
    person(6, {
      paySchedule: "Fortnightly crew",
      rate: 2_000,
      rateUnit: "Weekly",
      nationality: "Malaysian",
    }),
    person(7, { paySchedule: "Twice a month", rateUnit: "Annually", rate: 60_000 }),
    // Incomplete and at work, and incomplete and gone.
    person(8, { status: "Incomplete", employmentType: "Casual", primaryLocation: "Twin" }),
    person(9, { status: "Incomplete", endDate: "2025-12-31T00:00:00", paySchedule: "Ad hoc" }),
    person(10, { endDate: "2099-12-31T00:00:00" }),
    person(11, { startDate: "2099-01-01T00:00:00", emailAddress: null }),
    // Taken on again: the same record, and the end is cleared.
    person(12, { startDate: "2015-02-02T00:00:00", endDate: null }),
  ];
  const others = Array.from({ length: 48 + crowd }, (_value, index) => person(13 + index));
  return [...awkward, ...others];
}

const run = (id: number, month: string, over: Wire = {}): Wire => ({
  id,
  payScheduleId: 41,
  payPeriodStarting: `2026-${month}-01T00:00:00`,
  payPeriodEnding: `2026-${month}-28T00:00:00`,
  datePaid: `2026-${month}-27T00:00:00`,
  dateFinalised: `2026-${month}-25T10:00:00`,
  isFinalised: true,
  ...over,
});

/** A slip of Singapore whose lists make its totals. */
function slip(employeeId: number, over: Wire = {}): Wire {
  return {
    id: 90_000 + employeeId,
    employeeId,
    payPeriodStarting: "01/02/2026",
    grossEarnings: 5_200.5,
    netEarnings: 4_010.4,
    preTaxDeductionAmount: 50,
    postTaxDeductionAmount: 50,
    earningsLines: [
      { payCategoryName: "Salary", grossEarnings: 5_000, units: 1, isFixed: true },
      { payCategoryName: "Overtime", grossEarnings: 200.5, units: 4.5, isFixed: false },
    ],
    deductions: [
      { name: "Union", amount: 50, taxStatus: "PreTax" },
      { name: "CDAC", amount: 50, taxStatus: "PostTax" },
    ],
    employeeExpenses: [{ employeeExpenseCategoryName: "Taxi", amount: 45.2 }],
    otherAmounts: [{ category: "StatutoryContributions", name: "CPF", amount: 1_040.1 }],
    ...over,
  };
}

function totalOf(employeeId: number, over: Wire = {}): Wire {
  return {
    employeeId,
    isExcluded: false,
    withholdingTaxAmount: 0,
    clearanceTaxAmount: 50,
    cpfEmployeeContributionAmount: 1_040.1,
    cpfEmployerContributionAmount: 884.09,
    employerVoluntaryCpfAmount: 20,
    employerVoluntaryMediSaveAmount: 0,
    sdlContributionAmount: 11.25,
    employerLiabilitiesTotal: 7.5,
    ...over,
  };
}

/** Half of it, and no tax. */
const plainSlip = (employeeId: number): Wire =>
  slip(employeeId, {
    grossEarnings: 100.1,
    netEarnings: 100.1,
    earningsLines: [{ payCategoryName: "Salary", grossEarnings: 100.1, units: 1, isFixed: true }],
    deductions: [],
    employeeExpenses: [],
    otherAmounts: [],
  });
const noTotals = (employeeId: number): Wire => ({ employeeId, isExcluded: false });

export function createBusiness(people: Wire[]): FakeBusiness {
  const slips = { "1": slip(1), "4": plainSlip(4), "5": plainSlip(5) };
  const totals = [totalOf(1), noTotals(4), { ...noTotals(5), isExcluded: true }];
  return {
    record: {
      id: businessId,
      name: "Merlion Tea",
      legalName: "Merlion Tea Pte Ltd",
      region: "Singapore",
      uen: "201912345K",
      blockNumber: "3",
      levelNumber: "09",
      unitNumber: "21",
      addressLine1: "Market Street",
      addressLine2: "Raffles Place",
      suburb: "Downtown",
      state: "Central",
      postCode: "048940",
    },
    people,
    schedules: [
      { id: 41, name: "Monthly", frequency: "Monthly" },
      { id: 42, name: "Fortnightly crew", frequency: "Fortnightly" },
      { id: 43, name: "Twice a month", frequency: "SemiMonthly" },
      { id: 44, name: "Ad hoc", frequency: "AdHoc" },
      { id: 45, name: "Opening", frequency: "Initial" },
    ],
    locations: [
      {
        id: 51,
        name: "Head office",
        fullyQualifiedName: "Head office",
        state: "Central",
        country: "Singapore",
      },
      { id: 52, parentId: 51, name: "Twin", fullyQualifiedName: "Head office / Twin", state: null },
      { id: 53, name: "Twin", fullyQualifiedName: "Twin / Twin", state: null },
    ],
    entities: [
      { id: 31, name: "Merlion Leaf Pte Ltd" },
      { id: 32, name: "Merlion Cup Pte Ltd" },
    ],
    payCategories: [
      { id: 61, name: "Salary", rateUnit: "Monthly" },
      { id: 62, name: "Overtime", rateUnit: "Hourly" },
    ],
    payruns: [
      run(501, "01"),
      run(502, "02"),
      run(503, "03", { isFinalised: false, dateFinalised: null }),
      run(504, "01", { payScheduleId: 45 }),
      run(505, "02", { payScheduleId: 44 }),
    ],
    slips: { 501: slips, 502: slips, 505: { "4": reverse(plainSlip(4)) } },
    totals: { 501: totals, 502: totals, 505: [noTotals(4)] },
    leaveCategories: [
      { id: 71, name: "Annual leave", leaveCategoryType: "Standard", leaveUnitType: "Days" },
      {
        id: 72,
        name: "Outpatient",
        leaveCategoryType: "StatutorySickLeave",
        leaveUnitType: "Hours",
      },
      {
        id: 73,
        name: "Long service",
        leaveCategoryType: "LongServiceLeave",
        leaveUnitType: "Weeks",
      },
    ],
    leave: [
      leave(801, 1, {
        totalUnits: 4,
        fromDate: "2025-12-29T00:00:00",
        toDate: "2026-01-02T00:00:00",
      }),
      leave(802, 4, {
        totalUnits: 0.5,
        fromDate: "2026-02-10T00:00:00",
        toDate: "2026-02-10T00:00:00",
      }),
      leave(803, 4, { ...outpatient, totalUnits: 6.5, status: "Pending" }),
      leave(804, 5, { totalUnits: 1, status: "Declined" }),
      leave(805, 5, { totalUnits: 1, status: "Cancelled" }),
      leave(806, 6, { leaveCategoryId: 73, leaveCategory: "Long service", totalUnits: 2 }),
    ],
    balances: [
      balance(1, "Annual leave", 11.5, "Days"),
      balance(1, "Outpatient", 52.25, "Hours"),
      balance(4, "Annual leave", -2, "Days"),
      { ...balance(6, "Long service", 1.5, "Weeks"), accruedAmountInHours: 56.25 },
    ],
    timesheets: [
      shift(901, 1, {
        breaks: [pause("12:00", "12:30"), { ...pause("15:00", "15:15"), isPaidBreak: true }],
      }),
      shift(902, 4, {
        startTime: "2026-02-03T00:00:00",
        endTime: "2026-02-03T00:00:00",
        units: 7.25,
      }),
      shift(903, 4, { status: "Rejected" }),
      shift(904, 5, { leaveRequestId: "804" }),
      shift(905, 5, { endTime: null }),
      shift(906, 5, { units: 1, unitType: "Days" }),
      shift(907, 5, { leaveCategoryId: "71" }),
    ],
  };
}

const outpatient = { leaveCategoryId: 72, leaveCategory: "Outpatient" };

function leave(id: number, employeeId: number, over: Wire): Wire {
  return {
    id,
    employeeId,
    leaveCategoryId: 71,
    leaveCategory: "Annual leave",
    fromDate: "2026-03-02T00:00:00",
    toDate: "2026-03-03T00:00:00",
    notes: id === 801 ? "Familie 🏖" : "",
    status: "Approved",
    ...over,
  };
}

function balance(employeeId: number, name: string, accruedAmount: number, unitType: string): Wire {
  return { employeeId, leaveCategoryName: name, accruedAmount, unitType };
}

function shift(id: number, employeeId: number, over: Wire): Wire {
  return {
    id,
    employeeId,
    startTime: "2026-02-02T09:00:00",
    endTime: "2026-02-02T17:30:00",
    units: null,
    status: "Approved",
    locationId: "51",
    breaks: [],
    ...over,
  };
}

const pause = (start: string, end: string): Wire => ({
  startTime: `2026-02-02T${start}:00`,
  endTime: `2026-02-02T${end}:00`,
  isPaidBreak: false,
});

/** What was paid by mistake, as the system writes it by hand. */
function reverse(one: Wire): Wire {
  const lines = one["earningsLines"] as Wire[];
  return {
    ...one,
    grossEarnings: -Number(one["grossEarnings"]),
    netEarnings: -Number(one["netEarnings"]),
    earningsLines: lines.map((line) => ({
      ...line,
      grossEarnings: -Number(line["grossEarnings"]),
    })),
  };
}

/** A business of the same bureau, which is never chosen. */
export function createOtherBusiness(): FakeBusiness {
  const { record, ...of } = createBusiness([person(2001)]);
  return { ...of, record: { ...record, id: otherBusinessId, name: "Durian & Daughters" } };
}
