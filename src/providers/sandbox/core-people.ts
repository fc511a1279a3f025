// The people who are always there. They alone lead others, so that whoever comes and goes changes nobody else's record.
import { mailboxOf } from "./names.ts";
import type { DepartmentName, OfficeName } from "./organisation.ts";
import { terms, type Person } from "./person.ts";

type Row = Pick<Person, "firstName" | "lastName" | "gender" | "nationality" | "title" | "terms" | "startDate"> & Partial<Person>;

const homes = { berlin: "DE", london: "GB", toronto: "CA" } as const;

function group(office: OfficeName, department: DepartmentName, rows: Row[]) {
  return { office, department, rows };
}

const groups = [
  group("berlin", "management", [
    { firstName: "Ingrid", lastName: "Ångström", gender: "female", nationality: "SE", title: "Chief Executive", role: "chief", terms: "executive", startDate: "2012-04-01" },
  ]),
  group("berlin", "engineering", [
    { firstName: "Óscar", lastName: "Núñez Ibarra", gender: "male", nationality: "ES", title: "Head of Engineering", role: "head", terms: "executive", startDate: "2014-09-01" },
    { firstName: "さくら", lastName: "田中", isFamilyNameFirst: true, gender: "female", nationality: "JP", title: "Platform Lead", role: "lead", team: "platform", terms: "salaried", startDate: "2016-02-01", earlier: { title: "Warehouse Analyst", department: "operations" } },
    { firstName: "Олена", lastName: "Ковальчук", gender: "female", nationality: "UA", title: "Software Engineer", team: "platform", terms: "salaried", startDate: "2018-06-01", earlier: { title: "Junior Software Engineer", department: "engineering" } },
    { firstName: "Łukasz", lastName: "Wiśniewski", gender: "male", nationality: "PL", title: "Software Engineer", team: "platform", terms: "partTime", startDate: "2017-11-01", shift: "day" },
    { firstName: "Sigríður", lastName: "Jónsdóttir", gender: "female", nationality: "IS", home: "SE", title: "Site Reliability Engineer", team: "platform", terms: "salaried", startDate: "2019-05-01" },
    { firstName: "Radu", lastName: "Țurcanu", gender: "male", nationality: "RO", title: "Embedded Contractor", team: "instruments", terms: "dayContractor", startDate: "2021-03-01" },
  ]),
  group("toronto", "engineering", [
    { firstName: "محمد", lastName: "الهاشمي", gender: "male", nationality: "JO", title: "Calibration Engineer", team: "instruments", terms: "salaried", startDate: "2018-01-01" },
    { firstName: "Ánh", lastName: "Nguyễn Thị", isFamilyNameFirst: true, gender: "female", nationality: "VN", title: "Calibration Engineer", team: "instruments", terms: "salaried", startDate: "2019-08-01", shift: "day", earlier: { title: "Sales Engineer", department: "sales" } },
    { firstName: "Lakshmi", lastName: "Venkataraman-Bose", gender: "female", nationality: "IN", title: "Optics Contractor", team: "instruments", terms: "weekContractor", startDate: "2022-10-01" },
  ]),
  group("london", "sales", [
    { firstName: "Chidinma", lastName: "Okonkwo-Reyes", gender: "female", nationality: "NG", title: "Head of Sales", role: "head", terms: "executive", startDate: "2015-01-01" },
    { firstName: "Siobhán", lastName: "Ó Dálaigh", gender: "female", nationality: "IE", title: "Account Manager", terms: "salaried", startDate: "2019-03-01" },
    { firstName: "Wulandari", lastName: "", gender: "female", nationality: "ID", title: "Account Manager", terms: "salaried", startDate: "2019-10-01" },
    { firstName: "Aroha", lastName: "Te Rangi", gender: "not_specified", nationality: "NZ", title: "Sales Adviser", terms: "partTime", startDate: "2018-04-01", hasStatus: false },
    { firstName: "Ettore", lastName: "Dell'Acquabianca", gender: "male", nationality: "IT", title: "Trade Fair Contractor", terms: "hourContractor", startDate: "2023-02-01" },
    { firstName: "Gwilym", lastName: "Pryce-Ddraig", gender: "male", nationality: "GB", title: "Account Manager", terms: "salaried", startDate: "2016-07-01", endDate: "2022-06-30" },
  ]),
  group("toronto", "sales", [
    { firstName: "Kwame", lastName: "Mensah-Boakye", gender: "male", nationality: "GH", home: "US", title: "Regional Manager", terms: "salaried", startDate: "2017-05-01" },
    { firstName: "Raúl", lastName: "Peñaflor", gender: "male", nationality: "MX", title: "Sales Coordinator", terms: "salaried", startDate: "2019-12-01", hasStatus: false },
  ]),
  group("london", "operations", [
    { firstName: "Søren", lastName: "Kjærholm", gender: "male", nationality: "DK", title: "Head of Operations", role: "head", terms: "executive", startDate: "2013-10-01" },
    { firstName: "Tomáš", lastName: "Dvořáček", gender: "male", nationality: "CZ", title: "Night Guard", terms: "hourly", startDate: "2017-02-01", shift: "night" },
    { firstName: "Emeka", lastName: "Adéyẹmí", gender: "male", nationality: "NG", title: "Warehouse Lead", role: "lead", team: "warehouse", terms: "hourly", startDate: "2016-03-01", shift: "day", earlier: { title: "Warehouse Operative", department: "operations" } },
    { firstName: "Nerys", lastName: "Fairweather", gender: "female", nationality: "GB", title: "Night Guard", terms: "hourly", startDate: "2018-09-01", shift: "night" },
    { firstName: "Françoise", lastName: "D'Hondtere", gender: "female", nationality: "BE", title: "Warehouse Operative", team: "warehouse", terms: "hourly", startDate: "2019-01-01", shift: "day" },
  ]),
  group("berlin", "operations", [
    { firstName: "Jürgen", lastName: "Weißdorn", gender: "male", nationality: "DE", title: "Forklift Operator", team: "warehouse", terms: "hourly", startDate: "2015-06-01", shift: "day" },
    { firstName: "Ayşe", lastName: "Yıldızlı", gender: "female", nationality: "TR", title: "Packer", team: "warehouse", terms: "hourlyPartTime", startDate: "2019-07-01", shift: "day" },
  ]),
  group("toronto", "operations", [
    { firstName: "小梅", lastName: "林", isFamilyNameFirst: true, gender: "female", nationality: "TW", title: "Warehouse Operative", team: "warehouse", terms: "hourly", startDate: "2018-11-01", shift: "day" },
    { firstName: "Sky", lastName: "Whitehorse-Lake", gender: "not_specified", nationality: "CA", title: "Packer", team: "warehouse", terms: "hourlyPartTime", startDate: "2019-09-01", shift: "day", endDate: "2024-03-31" },
  ]),
  group("berlin", "people", [
    { firstName: "Zoë", lastName: "Brückenau", gender: "female", nationality: "DE", title: "Head of People & Finance", role: "head", terms: "executive", startDate: "2014-02-01" },
    { firstName: "Νεφέλη", lastName: "Παπαδάτου", gender: "female", nationality: "GR", title: "Payroll Specialist", terms: "salaried", startDate: "2019-04-01" },
    { firstName: "Hildegard", lastName: "von Sterntal", gender: "female", nationality: "AT", title: "Finance Adviser", terms: "adviser", startDate: "2020-07-01" },
  ]),
];

export const corePeople: readonly Person[] = groups
  .flatMap(({ office, department, rows }) => rows.map((row) => ({ office, department, home: homes[office], ...row })))
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

/** Members answer to the lead of their team, or else to the head of their department; leads to the head, heads to the chief. */
export function managerOf(person: Person, department: DepartmentName): Person | null {
  if (person.role === "chief") return null;
  const isInTeam = person.role === "member" && department === person.department;
  const lead = isInTeam ? corePeople.find(({ role, team }) => role === "lead" && team === person.team) : undefined;
  const head = person.role === "head" ? undefined : corePeople.find((other) => other.role === "head" && other.department === department);
  return lead ?? head ?? corePeople.find(({ role }) => role === "chief") ?? null;
}
