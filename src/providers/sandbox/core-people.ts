// The people who are always listed. Only they lead others, so a person who joins or leaves changes
// nobody else's record.
import { mailboxOf } from "./names.ts";
import type { DepartmentName, OfficeName } from "./organisation.ts";
import { terms, type Person } from "./person.ts";

type Row = Pick<Person, "firstName" | "lastName" | "gender" | "nationality"> & Work;
type Work = Pick<Person, "title" | "terms" | "startDate"> &
  Partial<Omit<Person, "firstName" | "lastName" | "gender" | "nationality">>;

const homeCountries = { berlin: "DE", london: "GB", toronto: "CA" } as const;

function group(office: OfficeName, department: DepartmentName, rows: Row[]) {
  return { office, department, rows };
}

function person(
  firstName: string,
  lastName: string,
  gender: Person["gender"],
  nationality: string,
  work: Work,
): Row {
  return { firstName, lastName, gender, nationality, ...work };
}

const groups = [
  group("berlin", "management", [
    person("Ingrid", "Ångström", "female", "SE", {
      title: "Chief Executive",
      role: "chief",
      terms: "executive",
      startDate: "2012-04-01",
    }),
  ]),
  group("berlin", "engineering", [
    person("Óscar", "Núñez Ibarra", "male", "ES", {
      title: "Head of Engineering",
      role: "head",
      terms: "executive",
      startDate: "2014-09-01",
    }),
    person("さくら", "田中", "female", "JP", {
      title: "Platform Lead",
      role: "lead",
      team: "platform",
      terms: "salaried",
      startDate: "2016-02-01",
      isFamilyNameFirst: true,
      earlier: { title: "Warehouse Analyst", department: "operations" },
    }),
    person("Олена", "Ковальчук", "female", "UA", {
      title: "Software Engineer",
      team: "platform",
      terms: "salaried",
      startDate: "2018-06-01",
      earlier: { title: "Junior Software Engineer", department: "engineering" },
    }),
    person("Łukasz", "Wiśniewski", "male", "PL", {
      title: "Software Engineer",
      team: "platform",
      terms: "partTime",
      startDate: "2017-11-01",
      shift: "day",
    }),
    person("Sigríður", "Jónsdóttir", "female", "IS", {
      home: "SE",
      title: "Site Reliability Engineer",
      team: "platform",
      terms: "salaried",
      startDate: "2019-05-01",
    }),
    person("Radu", "Țurcanu", "male", "RO", {
      title: "Embedded Contractor",
      team: "instruments",
      terms: "dayContractor",
      startDate: "2021-03-01",
    }),
  ]),
  group("toronto", "engineering", [
    person("محمد", "الهاشمي", "male", "JO", {
      title: "Calibration Engineer",
      team: "instruments",
      terms: "salaried",
      startDate: "2018-01-01",
    }),
    person("Ánh", "Nguyễn Thị", "female", "VN", {
      title: "Calibration Engineer",
      team: "instruments",
      terms: "salaried",
      startDate: "2019-08-01",
      shift: "day",
      isFamilyNameFirst: true,
      earlier: { title: "Sales Engineer", department: "sales" },
    }),
    person("Lakshmi", "Venkataraman-Bose", "female", "IN", {
      title: "Optics Contractor",
      team: "instruments",
      terms: "weekContractor",
      startDate: "2022-10-01",
    }),
  ]),
  group("london", "sales", [
    person("Chidinma", "Okonkwo-Reyes", "female", "NG", {
      title: "Head of Sales",
      role: "head",
      terms: "executive",
      startDate: "2015-01-01",
    }),
    person("Siobhán", "Ó Dálaigh", "female", "IE", {
      title: "Account Manager",
      terms: "salaried",
      startDate: "2019-03-01",
    }),
    person("Wulandari", "", "female", "ID", {
      title: "Account Manager",
      terms: "salaried",
      startDate: "2019-10-01",
    }),
    person("Aroha", "Te Rangi", "not_specified", "NZ", {
      title: "Sales Adviser",
      terms: "partTime",
      startDate: "2018-04-01",
      hasStatus: false,
    }),
    person("Ettore", "Dell'Acquabianca", "male", "IT", {
      title: "Trade Fair Contractor",
      terms: "hourContractor",
      startDate: "2023-02-01",
    }),
    person("Gwilym", "Pryce-Ddraig", "male", "GB", {
      title: "Account Manager",
      terms: "salaried",
      startDate: "2016-07-01",
      endDate: "2022-06-30",
    }),
  ]),
  group("toronto", "sales", [
    person("Kwame", "Mensah-Boakye", "male", "GH", {
      home: "US",
      title: "Regional Manager",
      terms: "salaried",
      startDate: "2017-05-01",
    }),
    person("Raúl", "Peñaflor", "male", "MX", {
      title: "Sales Coordinator",
      terms: "salaried",
      startDate: "2019-12-01",
      hasStatus: false,
    }),
  ]),
  group("london", "operations", [
    person("Søren", "Kjærholm", "male", "DK", {
      title: "Head of Operations",
      role: "head",
      terms: "executive",
      startDate: "2013-10-01",
    }),
    person("Tomáš", "Dvořáček", "male", "CZ", {
      title: "Night Guard",
      terms: "hourly",
      startDate: "2017-02-01",
      shift: "night",
    }),
    person("Emeka", "Adéyẹmí", "male", "NG", {
      title: "Warehouse Lead",
      role: "lead",
      team: "warehouse",
      terms: "hourly",
      startDate: "2016-03-01",
      shift: "day",
      earlier: { title: "Warehouse Operative", department: "operations" },
    }),
    person("Nerys", "Fairweather", "female", "GB", {
      title: "Night Guard",
      terms: "hourly",
      startDate: "2018-09-01",
      shift: "night",
    }),
    person("Françoise", "D'Hondtere", "female", "BE", {
      title: "Warehouse Operative",
      team: "warehouse",
      terms: "hourly",
      startDate: "2019-01-01",
      shift: "day",
    }),
  ]),
  group("berlin", "operations", [
    person("Jürgen", "Weißdorn", "male", "DE", {
      title: "Forklift Operator",
      team: "warehouse",
      terms: "hourly",
      startDate: "2015-06-01",
      shift: "day",
    }),
    person("Ayşe", "Yıldızlı", "female", "TR", {
      title: "Packer",
      team: "warehouse",
      terms: "hourlyPartTime",
      startDate: "2019-07-01",
      shift: "day",
    }),
  ]),
  group("toronto", "operations", [
    person("小梅", "林", "female", "TW", {
      title: "Warehouse Operative",
      team: "warehouse",
      terms: "hourly",
      startDate: "2018-11-01",
      shift: "day",
      isFamilyNameFirst: true,
    }),
    person("Sky", "Whitehorse-Lake", "not_specified", "CA", {
      title: "Packer",
      team: "warehouse",
      terms: "hourlyPartTime",
      startDate: "2019-09-01",
      shift: "day",
      endDate: "2024-03-31",
    }),
  ]),
  group("berlin", "people", [
    person("Zoë", "Brückenau", "female", "DE", {
      title: "Head of People & Finance",
      role: "head",
      terms: "executive",
      startDate: "2014-02-01",
    }),
    person("Νεφέλη", "Παπαδάτου", "female", "GR", {
      title: "Payroll Specialist",
      terms: "salaried",
      startDate: "2019-04-01",
    }),
    person("Hildegard", "von Sterntal", "female", "AT", {
      title: "Finance Adviser",
      terms: "adviser",
      startDate: "2020-07-01",
    }),
  ]),
];

export const corePeople: readonly Person[] = groups
  .flatMap(({ office, department, rows }) =>
    rows.map((row) => ({ office, department, home: homeCountries[office], ...row })),
  )
  .map((row, index) => ({
    isFamilyNameFirst: false,
    team: null,
    role: "member",
    earlier: null,
    shift: null,
    endDate: null,
    hasStatus: true,
    hasRecords: terms[row.terms].isStaff,
    changes: { phone: 0, title: 0 },
    number: 1001 + index,
    mailbox: mailboxOf(row.firstName, row.lastName) || `staff.${1001 + index}`,
    remoteCreatedAt: row.startDate,
    ...row,
  }));

/**
 * Members report to the lead of their team, or else to the head of their department. Leads report
 * to the head, heads to the chief.
 */
export function managerOf(person: Person, department: DepartmentName): Person | null {
  if (person.role === "chief") return null;
  const isInTeam = person.role === "member" && department === person.department;
  const lead = isInTeam
    ? corePeople.find(({ role, team }) => role === "lead" && team === person.team)
    : undefined;
  const head =
    person.role === "head"
      ? undefined
      : corePeople.find((other) => other.role === "head" && other.department === department);
  return lead ?? head ?? corePeople.find(({ role }) => role === "chief") ?? null;
}
