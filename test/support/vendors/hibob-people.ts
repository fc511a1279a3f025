export type Wire = Record<string, unknown>;

export const hibobNow = new Date("2026-03-16T09:30:00Z");
export const companyId = "634920";

/** Nineteen digits, which no number holds. */
export const personId = (number: number): string =>
  String(3_332_883_894_345_566_100n + BigInt(number));

/** By the ids of items. */
const lists: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  department: { "209192162": "Operations", "209192163": "Harbour", "209192164": "Sea & Ice" },
  site: { "501": "London", "502": "Kraków", "503": "Nowhere" },
  title: { "701": "Director", "702": "Planner", "703": "Pilot" },
  lifecycle: {
    "801": "Hired",
    "802": "Employed",
    "803": "Garden leave",
    "804": "Terminated",
    "805": "On secondment",
  },
  status: { "811": "Active", "812": "Inactive" },
  contract: { "821": "Full time", "822": "Part-time" },
  employmentType: { "831": "Permanent", "832": "Contractor", "833": "Freelancer" },
  gender: { "841": "Female", "842": "Male", "843": "Nonbinary" },
  familyStatus: {
    "851": "Married",
    "852": "Single",
    "853": "Divorced",
    "854": "Widowed",
    "855": "Civil Partnership",
  },
  nationality: { "861": "Poland", "862": "Canadian", "863": "GB" },
  ethnicity: { "871": "Asian", "872": "White", "873": "Two or more races" },
  country: { "881": "United Kingdom", "882": "Poland", "883": "United States" },
  state: { "891": "Małopolskie", "892": "New York", "893": "Greater London" },
  relation: { "901": "Sister" },
  payPeriod: { "911": "Annual", "912": "Monthly", "913": "Hourly", "914": "Quarterly" },
  payFrequency: { "921": "Monthly", "922": "Bi-Weekly", "923": "Semi Monthly", "924": "Pro rata" },
  shoe: { "931": "Boots", "932": "Clogs" },
};

/** As Bob lists them, with what is inside of another one, and one that is not used any more. */
export function toNamedLists(): Wire[] {
  return Object.entries(lists).map(([name, items]) => {
    const all = Object.entries(items).map(([id, word]): Wire => ({
      id,
      // One has a value alone.
      ...(word === "Harbour" ? { value: word } : { name: word, value: `${word}, once` }),
      archived: word === "Nowhere",
      children: [],
    }));
    const [first, ...others] = all;
    const isNested = name === "department";
    return { name, items: isNested ? [{ ...first, children: others }] : all };
  });
}

export const wordOf = (list: string, id: string): string | undefined => lists[list]?.[id];

/** The id of an item by its word. */
function pick(list: string, word: string): string {
  const found = Object.entries(lists[list] ?? {}).find(([, name]) => name === word);
  if (!found) throw new Error(`the list ${list} has no ${word}`);
  return found[0];
}

/** Fields by their categories, with the list of each that has one. */
const categories: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  root: {
    "root.id": "",
    "root.companyId": "",
    "root.firstName": "",
    "root.surname": "",
    "root.displayName": "",
    "root.email": "",
    "root.creationDateTime": "",
    "root.avatarUrl": "",
  },
  work: {
    "work.employeeIdInCompany": "",
    "work.workMobile": "",
    "work.title": "title",
    "work.department": "department",
    "work.reportsTo": "",
    "work.startDate": "",
    "work.originalStartDate": "",
    "work.siteId": "",
    "work.site": "site",
    "work.tenureDuration": "",
  },
  lifecycle: {
    "internal.terminationDate": "",
    "internal.lifecycleStatus": "lifecycle",
    "internal.status": "status",
  },
  employment: {
    "payroll.employment.contract": "contract",
    "payroll.employment.type": "employmentType",
  },
  personal: { "personal.birthDate": "", "personal.nationality": "nationality" },
  home: {
    "home.privateEmail": "",
    "home.mobilePhone": "",
    "home.legalGender": "gender",
    "home.familyStatus": "familyStatus",
  },
  eeo: { "eeo.ethnicity": "ethnicity" },
  identification: { "identification.ssn": "", "identification.ssnSerialNumber": "" },
  payroll: {
    "payroll.nin": "",
    "employee.sin": "",
    "financial.iban": "",
    "financial.identificationNumber": "",
  },
  address: {
    "address.line1": "",
    "address.line2": "",
    "address.city": "",
    "address.usaState": "state",
    "address.state": "state",
    "address.postCode": "",
    "address.zipCode": "",
    "address.country": "country",
    "address.siteAddress1": "",
    "address.siteAddress2": "",
    "address.siteCity": "",
    "address.siteState": "state",
    "address.sitePostalCode": "",
    "address.siteCountry": "country",
  },
  emergency: {
    "emergency.firstName": "",
    "emergency.surname": "",
    "emergency.relation": "relation",
    "emergency.mobilePhone": "",
    "emergency.phone": "",
  },
  own: { "own.custom.field_1700000000001": "shoe", "own.custom.field_1700000000002": "" },
};
const ownNames: Readonly<Record<string, string>> = {
  "own.custom.field_1700000000001": "Shoes",
  "own.custom.field_1700000000002": "Locker",
};

export interface FieldOfBob {
  id: string;
  /** Some have it by its former name. */
  categoryId?: string;
  category?: string;
  categoryDisplayName: string;
  name: string;
  jsonPath: string;
  type: string;
  typeData?: { listId: string };
  historical: boolean;
}

export const fields: readonly FieldOfBob[] = Object.entries(categories).flatMap(([category, ids]) =>
  Object.entries(ids).map(([id, listId]) => ({
    id,
    ...(["emergency", "eeo"].includes(category) ? { category } : { categoryId: category }),
    categoryDisplayName: `Our ${category}`,
    name: ownNames[id] ?? id,
    jsonPath: id.replace(/^root\./, "").replace("zipCode", "zip"),
    type: listId === "" ? "text" : "list",
    ...(listId !== "" && { typeData: { listId } }),
    historical: category === "work",
  })),
);

export interface HibobCompany {
  /** Values by the ids of fields. */
  people: Record<string, unknown>[];
  /** Rows by the id of the person, of each table. */
  tables: Record<"work" | "employment" | "salaries" | "lifecycle", Record<string, Wire[]>>;
  outs: Wire[];
  /** Each with the day on which it happened, which Bob does not tell. */
  changes: { on: string; change: Wire }[];
  /** The units of types of policies. */
  policies: Record<string, string>;
  /** By the person, and the type. */
  balances: Record<string, Record<string, Wire>>;
  entries: Wire[];
}

const reference = (number: number, firstName: string, surname: string, email: string | null) => ({
  id: personId(number),
  firstName,
  surname,
  email,
  displayName: `${firstName} ${surname}`,
});
const zoe = reference(1, "Zoë", "Ångström", "zoe@harbour.example");

function createPerson(number: number, more: Wire = {}): Record<string, unknown> {
  const nobody = Object.fromEntries(fields.map(({ id }) => [id, null]));
  const [firstName, surname] = [`First${number}`, `Last${number}`];
  return {
    ...nobody,
    "root.id": personId(number),
    "root.companyId": companyId,
    "root.firstName": firstName,
    "root.surname": surname,
    "root.displayName": `${firstName} ${surname}`,
    "root.email": `person${number}@harbour.example`,
    "root.creationDateTime": "2020-02-01T08:00:00.123456",
    "work.employeeIdInCompany": number,
    "work.startDate": "2020-02-03",
    "work.originalStartDate": "2020-02-03",
    "work.department": pick("department", "Harbour"),
    "work.title": pick("title", "Planner"),
    "work.siteId": 502,
    "work.site": pick("site", "Kraków"),
    "work.reportsTo": zoe,
    "internal.lifecycleStatus": pick("lifecycle", "Employed"),
    "internal.status": pick("status", "Active"),
    "payroll.employment.contract": pick("contract", "Full time"),
    "payroll.employment.type": pick("employmentType", "Permanent"),
    ...more,
  };
}

const left = (on: string) => ({
  "internal.lifecycleStatus": pick("lifecycle", "Terminated"),
  "internal.status": pick("status", "Inactive"),
  "internal.terminationDate": on,
});
const inLife = (word: string, status = "Active") => ({
  "internal.lifecycleStatus": pick("lifecycle", word),
  "internal.status": pick("status", status),
});

/** By their numbers, what is told of some. */
const awkward: Readonly<Record<number, Wire>> = {
  1: {
    "root.firstName": "Zoë",
    "root.surname": "Ångström",
    "root.displayName": "Zoë Ångström",
    "root.email": "zoe@harbour.example",
    "work.reportsTo": null,
    "work.title": pick("title", "Director"),
  },
  // Of whom everything is told.
  2: {
    "root.firstName": "Łucja",
    "root.surname": "Nowak-Åberg",
    "root.displayName": "Łucja N.",
    "root.email": "lucja@harbour.example",
    "work.employeeIdInCompany": 1_002,
    "work.workMobile": "+44 20 555",
    "work.title": pick("title", "Pilot"),
    "work.department": pick("department", "Sea & Ice"),
    "work.siteId": 501,
    "work.site": pick("site", "London"),
    "work.startDate": "2019-01-07",
    "work.originalStartDate": "2019-01-07",
    "internal.terminationDate": "2099-12-31",
    "personal.birthDate": "1979-11-30",
    "personal.nationality": [pick("nationality", "Poland"), pick("nationality", "GB")],
    "home.privateEmail": "lucja@home.example",
    "home.mobilePhone": "+48 600 100 200",
    "home.legalGender": pick("gender", "Female"),
    "home.familyStatus": pick("familyStatus", "Divorced"),
    "eeo.ethnicity": pick("ethnicity", "Two or more races"),
    "identification.ssn": "QQ123456C",
    "payroll.nin": "NIN-2",
    "financial.iban": "GB29 NWBK 6016 1331 9268 19",
    "address.line1": "7 Quay Street",
    "address.line2": "Flat 2",
    "address.city": "London",
    "address.state": pick("state", "Greater London"),
    "address.postCode": "E14 9XX",
    "address.country": pick("country", "United Kingdom"),
    "address.siteAddress1": "1 Dock Road",
    "address.siteAddress2": "Hall 3",
    "address.siteCity": "London",
    "address.siteState": pick("state", "Greater London"),
    "address.sitePostalCode": "E16 1AA",
    "address.siteCountry": pick("country", "United Kingdom"),
    "emergency.firstName": "Maja",
    "emergency.surname": "Nowak",
    "emergency.relation": pick("relation", "Sister"),
    "emergency.mobilePhone": "+48 600 300 400",
    "emergency.phone": "+48 12 000",
    "own.custom.field_1700000000001": pick("shoe", "Boots"),
    "own.custom.field_1700000000002": 17,
  },
  3: { "root.firstName": "Jan", "root.surname": "Novák", "root.displayName": "Jan Novák" },
  4: {
    "root.firstName": "Jan",
    "root.surname": "Novák",
    "root.displayName": "Jan Novák",
    "home.legalGender": pick("gender", "Nonbinary"),
    "home.familyStatus": pick("familyStatus", "Widowed"),
    "home.mobilePhone": null,
    "work.workMobile": "+48 500",
    "address.usaState": pick("state", "New York"),
    "address.country": pick("country", "United States"),
    "payroll.nin": "NIN-4",
    "emergency.firstName": "Ola",
    "emergency.phone": "+48 12 111",
  },
  5: left("2025-04-17"),
  6: { ...inLife("Hired"), "work.startDate": "2099-01-01", "work.originalStartDate": "2099-01-01" },
  7: { "internal.terminationDate": "2099-12-31" },
  8: { "work.startDate": "2024-02-05", "work.originalStartDate": "2018-01-08" },
  9: inLife("Garden leave"),
  10: inLife("On secondment"),
  11: { "root.email": "kiosk-11", ...inLife("On secondment", "Inactive") },
  12: { "personal.nationality": [pick("nationality", "Canadian")] },
  16: { "payroll.employment.type": pick("employmentType", "Contractor") },
  17: { "payroll.employment.contract": pick("contract", "Part-time") },
  18: { "root.firstName": "大江", "root.surname": "健", "root.displayName": "大江 健" },
  20: { ...left("2026-01-31"), "root.firstName": "Otto", "root.surname": "Gone" },
  23: { "identification.ssnSerialNumber": "SSN-23", "address.zipCode": "10001" },
  24: {
    "employee.sin": "SIN-24",
    "home.familyStatus": pick("familyStatus", "Civil Partnership"),
  },
  25: {
    "financial.identificationNumber": "TAX-25",
    "emergency.surname": "Kowalska",
    "emergency.phone": "+48 12 222",
  },
  21: {
    "root.surname": "O'Brien-Ñandú",
    "work.reportsTo": reference(20, "Otto", "Gone", "otto@harbour.example"),
  },
};

/** Of whom the name alone is known. */
const unknown = (number: number): Record<string, unknown> => ({
  ...Object.fromEntries(fields.map(({ id }) => [id, null])),
  "root.id": personId(number),
  "root.companyId": companyId,
  "root.firstName": "Nul",
  "root.displayName": "Nul",
});

/** The harbour became smaller. */
const moreOf = (number: number): Wire => (number > 25 && number <= 60 ? left("2025-06-30") : {});

export const createPeople = (count: number): Record<string, unknown>[] =>
  Array.from({ length: count }, (_value, index) =>
    index === 18 ? unknown(19) : createPerson(index + 1, awkward[index + 1] ?? moreOf(index + 1)),
  );

const workRow = (id: number, from: string, more: Wire = {}): Wire => ({
  id,
  effectiveDate: from,
  title: pick("title", "Planner"),
  department: pick("department", "Harbour"),
  site: pick("site", "Kraków"),
  siteId: 502,
  reportsTo: zoe,
  change: { reason: null },
  isCurrent: true,
  ...more,
});
const paid = (id: number, from: string, value: number, more: Wire = {}): Wire => ({
  id,
  effectiveDate: from,
  base: { value, currency: "GBP" },
  payPeriod: "Annual",
  payFrequency: "Monthly",
  change: { reason: null },
  ...more,
});
const contract = (id: number, from: string, more: Wire = {}): Wire => ({
  id,
  effectiveDate: from,
  contract: pick("contract", "Full time"),
  type: pick("employmentType", "Permanent"),
  weeklyHours: 40,
  ...more,
});
const life = (id: number, from: string, word: string): Wire => ({
  id,
  effectiveDate: from,
  status: pick("lifecycle", word),
});

export function createTables(): HibobCompany["tables"] {
  return {
    work: {
      [personId(1)]: [
        workRow(1, "2020-02-03", { title: pick("title", "Director"), reportsTo: null }),
      ],
      [personId(2)]: [
        workRow(2, "2019-01-07"),
        workRow(3, "2023-02-01", {
          title: pick("title", "Pilot"),
          department: pick("department", "Sea & Ice"),
        }),
      ],
      [personId(8)]: [workRow(4, "2018-01-08"), workRow(5, "2024-02-05")],
      [personId(22)]: [
        workRow(6, "2020-02-03"),
        workRow(7, "2021-01-01"),
        workRow(8, "2022-01-01"),
      ],
    },
    employment: {
      [personId(2)]: [
        contract(1, "2019-01-07", { contract: pick("contract", "Part-time"), weeklyHours: 20 }),
        contract(2, "2021-01-01", { weeklyHours: 37.5 }),
        contract(3, "2099-01-01", { weeklyHours: 10 }),
      ],
      [personId(16)]: [contract(4, "2020-02-03", { type: pick("employmentType", "Freelancer") })],
    },
    salaries: {
      [personId(2)]: [
        paid(1, "2019-01-07", 30_000.1),
        paid(2, "2023-02-01", 41_000.55, { change: { reason: "Became a pilot" } }),
      ],
      [personId(8)]: [paid(3, "2018-01-08", 25_000), paid(4, "2024-02-05", 28_000)],
      [personId(13)]: [
        paid(5, "2020-02-03", 21.75, {
          base: { value: 21.75, currency: "USD" },
          payPeriod: pick("payPeriod", "Hourly"),
          payFrequency: pick("payFrequency", "Bi-Weekly"),
        }),
      ],
      [personId(14)]: [
        paid(6, "2020-02-03", 3_000, { payPeriod: "Monthly", payFrequency: "Twice a month" }),
      ],
      [personId(15)]: [
        paid(7, "2020-02-03", 9_000, { payPeriod: "Quarterly", payFrequency: "Pro rata" }),
      ],
    },
    lifecycle: {
      [personId(5)]: [life(1, "2020-02-03", "Employed"), life(2, "2025-04-18", "Terminated")],
      [personId(8)]: [
        life(3, "2018-01-08", "Employed"),
        life(4, "2022-07-01", "Terminated"),
        life(5, "2024-02-05", "Employed"),
      ],
    },
  };
}

/** Of many people, one row in each table, but for the one of lives. */
export function createRows(count: number): HibobCompany["tables"] {
  const rowsOf = (row: (id: number) => Wire): Record<string, Wire[]> =>
    Object.fromEntries(
      Array.from({ length: count }, (_value, index) => [personId(index + 1), [row(index)]]),
    );
  return {
    work: rowsOf((id) => workRow(id, "2020-02-03")),
    employment: rowsOf((id) => contract(id, "2020-02-03")),
    salaries: rowsOf((id) => paid(id, "2020-02-03", 30_000)),
    lifecycle: {},
  };
}
