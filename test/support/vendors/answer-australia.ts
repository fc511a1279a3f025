import { idOf, type AustralianCompany, type XeroRow } from "./xero-company.ts";

interface Reply {
  status: number;
  body?: unknown;
}

const pageSize = 100;
/** What lists of people leave out. */
const ofDetails = new Set([
  "JobTitle",
  "HomeAddress",
  "TaxDeclaration",
  "BankAccounts",
  "PayTemplate",
  "LeaveBalances",
]);

/** Payroll 1.0: capitals, one record in a list of one, and no number of pages. */
export function answerAustralia(
  company: AustralianCompany,
  [name = "", id]: readonly string[],
  query: URLSearchParams,
): Reply {
  const found = id === undefined ? findList(company, name, query) : findRecord(company, name, id);
  if (!found) return { status: 404, body: { Title: "NotFound", Status: 404 } };
  const head = { Id: idOf(0, 0), Status: "OK", ProviderName: "fake", DateTimeUTC: "/Date(1)/" };
  return { status: 200, body: { ...head, ...found } };
}

function findList(company: AustralianCompany, name: string, query: URLSearchParams) {
  const page = Number(query.get("page") ?? 1);
  const cut = (rows: readonly XeroRow[]) => rows.slice((page - 1) * pageSize, page * pageSize);
  const [, status = "ACTIVE"] = /^Status=="(\w+)"$/.exec(query.get("where") ?? "") ?? [];
  switch (name) {
    case "Employees":
      return {
        Employees: cut(
          company.people.filter((one) => one["Status"] === status).map(withoutDetails),
        ),
      };
    case "PayrollCalendars":
      return { PayrollCalendars: cut(company.calendars) };
    case "PayItems":
      return { PayItems: company.payItems };
    case "PayRuns":
      return { PayRuns: cut(company.payruns.map(({ Payslips: _slips, ...payrun }) => payrun)) };
    default:
      return undefined;
  }
}

function withoutDetails(person: XeroRow): XeroRow {
  return Object.fromEntries(Object.entries(person).filter(([field]) => !ofDetails.has(field)));
}

function findRecord(company: AustralianCompany, name: string, id: string) {
  const of = (rows: readonly XeroRow[], field: string) => rows.filter((one) => one[field] === id);
  switch (name) {
    case "Employees":
      return listOf("Employees", of(company.people, "EmployeeID"));
    case "PayRuns":
      return listOf("PayRuns", of(company.payruns, "PayRunID"));
    case "Payslip": {
      const [Payslip] = of(company.payslips, "PayslipID");
      return Payslip && { Payslip };
    }
    case "LeaveApplications":
      return id === "v2" ? { LeaveApplications: company.leave } : undefined;
    default:
      return undefined;
  }
}

function listOf(field: string, rows: readonly XeroRow[]) {
  return rows.length > 0 ? { [field]: rows } : undefined;
}
