import type { Conformance, FakeSystem, Scenario } from "../../src/providers/conformance.ts";
import type { Mode } from "../../src/model/index.ts";
import { withComplete } from "./complete-records/with-complete.ts";
import {
  completePayOfXero,
  completePeopleOfXero,
  createCompletePerson,
} from "./complete-records/xero.ts";
import { expectedOfXero } from "./expected-of-fakes.ts";
import { expectedOfXeroAbroad } from "./expected-of-xero-abroad.ts";
import { createCompanyAbroad, ofAustralia } from "./vendors/xero-abroad.ts";
import {
  FakeXero,
  otherCode,
  refuse,
  rightCode,
  type XeroReply,
  type XeroTenant,
} from "./vendors/fake-xero.ts";
import {
  createBlank,
  createCompany,
  createPerson,
  idOf,
  type XeroCompany,
} from "./vendors/xero-company.ts";
import { createPeopleOfMeanings, meaningsAbroad, meaningsOfXero } from "./xero-meanings.ts";

const maple: XeroTenant = {
  id: idOf(8, 1),
  tenantId: idOf(9, 1),
  tenantName: "Maple & Söhne",
  tenantType: "ORGANISATION",
  authEventId: idOf(10, 1),
};
export const tenants = {
  maple,
  oak: { ...maple, id: idOf(8, 2), tenantId: idOf(9, 2), tenantName: "Oak" },
  practice: { ...maple, id: idOf(8, 3), tenantId: idOf(9, 3), tenantType: "PRACTICE" as const },
};

const leavesOut = {
  "wrong-password": "the password is typed on Xero's own page",
  "wrong-second-factor": "the question is for an organisation, and each option is right",
};

/** How Xero is checked: beside the fake of the tests. */
export const xeroConformances: readonly Conformance[] = (["xhr", "official"] as const).map(
  (mode: Mode) => ({
    mode,
    start: (scenario) => startXero(mode, scenario),
    meanings: meaningsOfXero[mode],
    // The British payroll has no job titles.
    neverFilled: { employees: ["job_title", "employments[].job_title"] },
    leavesOut,
  }),
);

const neverFilledAbroad: Record<"NZ" | "AU", NonNullable<Conformance["neverFilled"]>> = {
  NZ: { employees: ["home_location.administrative_area", "employments[].job_title"] },
  AU: {
    employees: ["tax_id", "remote_created_at", "employments[].effective_date"],
    payslips: ["payrun_type"],
    payruns: ["type"],
    company: ["tax_id"],
  },
};

/** The same in other countries. Both modes read by the same readers, so that one shows it. */
export const xeroAbroadConformances: Readonly<Record<string, Conformance>> = {
  nz: conformanceAbroad("NZ"),
  au: conformanceAbroad("AU"),
};

function conformanceAbroad(country: "NZ" | "AU"): Conformance {
  return {
    mode: "xhr",
    start: (scenario) => startXero("xhr", scenario, country),
    meanings: meaningsAbroad[country],
    neverFilled: neverFilledAbroad[country],
    leavesOut,
  };
}

async function startXero(
  mode: Mode,
  scenario: Scenario,
  country?: "NZ" | "AU",
): Promise<FakeSystem> {
  const people = [
    createPerson(1, { firstName: "Łucja", lastName: "O'Brien-Ñandú" }),
    createPerson(2, { firstName: "大江", endDate: "2025-06-30T00:00:00" }),
    createBlank(3),
    ...createPeopleOfMeanings(),
    ...(country ? [] : [createCompletePerson()]),
    ...Array.from({ length: isLong(scenario) ? 12 : 1 }, (_value, index) =>
      createPerson(index + 4),
    ),
  ];
  const company = country ? createCompanyAbroad(people, country) : createCompany(people);
  company.payruns.push(...company.payruns.map(ofJanuary));
  const fake = new FakeXero({
    company,
    tenants: scenario === "second-factor" ? [maple, tenants.oak] : [maple, tenants.practice],
    perMinute: Infinity,
  });
  if (scenario === "missing-rights") fake.interfere = ofPayroll(withoutRole);
  if (scenario === "no-rights") fake.interfere = () => withoutRole;
  const baseUrl = await fake.start();
  return {
    baseUrl,
    formValues: {},
    code: rightCode,
    otherAccount: { formValues: {}, code: otherCode, answers: [maple.tenantId] },
    expected: country
      ? expectedOfXeroAbroad[country]
      : withComplete(expectedOfXero[mode], {
          ...completePeopleOfXero,
          ...(mode === "xhr" && completePayOfXero),
        }),
    answers: [maple.tenantId],
    texts: ["Łucja", "大江", "O'Brien-Ñandú"],
    counts: { employees: people.length },
    range: { start: "2026-01-01", end: "2026-03-31" },
    afterSignIn: () => {
      if (scenario === "dead-session") fake.revokeTokens();
      if (scenario === "expired-session") fake.endAccessTokens();
      if (scenario === "expired-between-pages") endOnce(fake);
      const trouble = troubles[scenario];
      if (trouble) fake.interfere = trouble;
    },
    change: () => change(fake),
    close: () => fake.stop(),
  };
}

/** The same pay, a month earlier. */
function ofJanuary(payrun: XeroCompany["payruns"][number]): XeroCompany["payruns"][number] {
  return {
    ...payrun,
    payRunID: idOf(5, 2),
    periodStartDate: "2026-01-01T00:00:00",
    periodEndDate: "2026-01-31T00:00:00",
    paymentDate: "2026-01-30T00:00:00",
    paySlips: payrun.paySlips.map((slip, index) => ({
      ...slip,
      paySlipID: idOf(11, index),
      payRunID: idOf(5, 2),
    })),
  };
}

function isLong(scenario: Scenario): boolean {
  return ["two-pages", "expired-between-pages", "changes", "cut-off"].includes(scenario);
}

/** One person has another email address, one comes and one goes. */
function change({ company }: FakeXero): void {
  const { australia } = company;
  if (australia) {
    Object.assign(australia.people[0]!, { Email: "new@example.com" });
    australia.people = [...australia.people.slice(0, -1), ofAustralia(createPerson(900))];
    return;
  }
  const [first] = company.people;
  Object.assign(first!.record, { email: "new@example.com", updatedDateUTC: "2026-03-01T00:00:00" });
  company.people = [...company.people.slice(0, -1), createPerson(900)];
}

const isOfPerson = (path: string): boolean =>
  path.endsWith("/SalaryAndWages") || path.startsWith("/payroll.xro/1.0/Employees/");

/** When the second page of people is read. */
function endOnce(fake: FakeXero): void {
  let salaries = 0;
  fake.interfere = ({ path }) => {
    if (isOfPerson(path)) salaries += 1;
    if (salaries === 12) {
      salaries += 1;
      fake.endAccessTokens();
    }
    return undefined;
  };
}

const ofPayroll = (reply: XeroReply) => (request: { path: string }) =>
  request.path.startsWith("/payroll.xro/") ? reply : undefined;

const withoutRole = refuse(403, { Detail: "AuthorizationUnsuccessful" });
const troubles: Partial<Record<Scenario, FakeXero["interfere"]>> = {
  "rate-limited-seconds": ofPayroll({ status: 429, headers: { "retry-after": "30" } }),
  "rate-limited-date": () => ({
    status: 429,
    headers: { "retry-after": new Date(Date.now() + 30_000).toUTCString() },
  }),
  "rate-limited": ofPayroll({ status: 429, headers: { "x-rate-limit-problem": "Concurrent" } }),
  "server-error": ofPayroll({ status: 500 }),
  "cut-off": ({ path }) =>
    path.endsWith("/PaymentMethods") || path.startsWith("/payroll.xro/1.0/Employees/")
      ? { status: 200, isCutOff: true, body: {} }
      : undefined,
};
