export type BambooPerson = Record<string, unknown> & { id: string; changedAt: string };
export type BambooRow = Record<string, unknown>;

const longAgo = "2026-01-05T08:00:00+00:00";

/** Invented people, by the names of the list of employees. Each fifth has left, the third is hired for 2099. */
export function createBambooPeople(count: number): BambooPerson[] {
  return Array.from({ length: count }, (_value, index) => createPerson(index + 1));
}

export function createPerson(number: number, changedAt = longAgo): BambooPerson {
  const id = String(number);
  if (number === 2) return { ...emptyPerson(id, changedAt), firstName: "大江", lastName: "" };
  const hasLeft = number % 5 === 0;
  const isFuture = number === 3;
  return {
    ...emptyPerson(id, changedAt),
    firstName: number === 1 ? "Łucja" : `Given${number}`,
    lastName: number === 1 ? "O'Brien-Ñandú" : `Family${number}`,
    preferredName: number === 4 ? "Lee" : null,
    photoUrl: `https://images.example/${id}.jpg?Policy=a&Signature=b`,
    jobTitleName: "Planner",
    status: hasLeft || isFuture ? "Inactive" : "Active",
    workEmail: `person.${id}@example.com`,
    homeEmail: `person.${id}@home.example`,
    mobilePhone: `+1 801 555 ${String(number).padStart(4, "0")}`,
    birthDate: "1985-07-30",
    hireDate: isFuture ? "2099-01-01" : "2020-03-01",
    terminationDate: hasLeft ? "2025-06-30" : "0000-00-00",
    departmentId: "11",
    departmentName: "Logistics",
    divisionId: "11",
    divisionName: "North",
    locationId: "21",
    locationName: "Lindon",
    employmentStatusName: "Full-Time",
    reportsToId: number === 1 ? null : "1",
    reportsToName: number === 1 ? null : "Łucja O'Brien-Ñandú",
    employeeNumber: `N-${id}`,
    gender: "Female",
    maritalStatus: "Domestic Partnership",
    ethnicity: "Two or More Races (Not Hispanic or Latino)",
    nationality: number === 1 ? "United States" : "Canadian",
    ssn: `000-00-${String(number).padStart(4, "0")}`,
    address1: "335 S 560 W",
    address2: "Suite 200",
    city: "Lindon",
    state: "Utah",
    stateCode: "UT",
    zipcode: "84042",
    country: "United States",
    customShirtSize: number % 2 === 0 ? "M" : "",
  };
}

function emptyPerson(id: string, changedAt: string): BambooPerson {
  return { id, employeeId: id, eeid: id, changedAt, status: "Active" };
}

/** The rows of one person in a table, in no order. The first has a row of 2099, the fourth a salary by the quarter. */
export function listRows(table: string, { id, rows: own }: BambooPerson): BambooRow[] | undefined {
  const number = Number(id);
  const row = (rowId: number, fields: BambooRow): BambooRow => ({
    id: String(number * 10 + rowId),
    employeeId: id,
    ...fields,
  });
  if (!["jobInfo", "compensation", "employmentStatus", "emergencyContacts"].includes(table))
    return undefined;
  if (own)
    return (own as Record<string, BambooRow[]>)[table]?.map((one) => ({ ...one, employeeId: id }));
  if (number === 2) return [];
  if (number === 71) return listRowsOfReturned(table, row);
  const job = { location: "Lindon", division: "North", department: "Logistics", teams: null };
  const reportsTo = number === 1 ? null : "Łucja O'Brien-Ñandú";
  const rows: Record<string, BambooRow[]> = {
    jobInfo: [
      row(2, { date: "2022-05-01", ...job, jobTitle: "Planner", reportsTo }),
      row(1, { date: "2020-03-01", ...job, jobTitle: "Junior planner", reportsTo }),
      ...(number === 1
        ? [row(3, { date: "2099-01-01", ...job, jobTitle: "Owner", reportsTo })]
        : []),
    ],
    compensation: [
      row(5, {
        startDate: "2022-05-01",
        rate: number % 2 === 0 ? { value: "4000.10", currency: "USD" } : "21.00 CAD",
        type: number % 2 === 0 ? "Salary" : "Hourly",
        paidPer: number === 4 ? "Quarter" : number % 2 === 0 ? "Month" : "Hour",
        paySchedule: "Twice a month",
        comment: "Annual review",
        reason: "Raise",
      }),
      row(4, {
        startDate: "2020-03-01",
        rate: "19.50 CAD",
        paidPer: "Hour",
        paySchedule: "US hourly",
      }),
    ],
    employmentStatus: [
      row(7, { date: "2021-01-01", employmentStatus: "Full-Time" }),
      row(6, { date: "2020-03-01", employmentStatus: "Intern" }),
    ],
    emergencyContacts: [
      row(8, {
        name: "Ada van Holm",
        relationship: "Parent",
        mobilePhone: "+1 801 555 9999",
        primaryContact: "yes",
      }),
    ],
  };
  return rows[table];
}

/** Of somebody who left and came back. */
function listRowsOfReturned(
  table: string,
  row: (rowId: number, fields: BambooRow) => BambooRow,
): BambooRow[] {
  const paid = { paidPer: "Month", paySchedule: "Every other week" };
  const status = (rowId: number, date: string, employmentStatus: string) =>
    row(rowId, { date, employmentStatus });
  const rows: Record<string, BambooRow[]> = {
    jobInfo: [
      row(1, { date: "2015-01-01", jobTitle: "Junior planner" }),
      row(2, { date: "2022-05-01", jobTitle: "Planner" }),
    ],
    compensation: [
      row(4, { startDate: "2015-01-01", rate: "3000.00 CAD", ...paid }),
      row(5, { startDate: "2022-05-01", rate: "4000.00 CAD", ...paid }),
    ],
    employmentStatus: [
      status(6, "2015-01-01", "Full-Time"),
      status(7, "2018-12-31", "Terminated"),
      status(8, "2022-05-01", "Full-Time"),
    ],
  };
  return rows[table] ?? [];
}

/** The lists of the company. Both forms of a place are here: with an address, and remote. */
export const bambooLists = [
  {
    fieldId: "4",
    alias: "department",
    options: [
      { id: 11, name: "Logistics", archived: "no", createdDate: null },
      { id: 12, name: "Old", archived: "yes", createdDate: null },
    ],
  },
  {
    fieldId: "5",
    alias: "division",
    options: [{ id: 11, name: "North", archived: "no", createdDate: null }],
  },
  {
    fieldId: "6",
    alias: "location",
    options: [
      { id: 21, name: "Lindon", archived: "no", createdDate: null },
      { id: 22, name: "Remote", archived: "no", createdDate: null },
    ],
  },
];

export const bambooPlaces = [
  {
    id: "21",
    label: "Lindon",
    archived: false,
    address: {
      address1: "335 S 560 W",
      address2: "Suite 200",
      city: "Lindon",
      state: { id: "45", name: "Utah", abbreviation: "UT" },
      zipcode: "84042",
      country: { id: "1", name: "United States", isoCode: "US" },
      remoteLocation: false,
    },
  },
  {
    id: "22",
    label: "Remote",
    archived: false,
    address: { address1: "Anywhere", remoteLocation: true },
  },
  { id: "23", label: "Closed", archived: true, address: { address1: "1 Gone Rd" } },
];
