import { describe, expect, test } from "vitest";
import { resources, type Resource } from "../../src/model/index.ts";
import type { Session } from "../../src/providers/contract.ts";
import { AuthError, ProviderBug } from "../../src/providers/errors.ts";
import { employees } from "../../src/providers/xero/employees.ts";
import { payslips } from "../../src/providers/xero/payslips.ts";
import { readRoster } from "../../src/providers/xero/roster.ts";
import { signIn } from "../../src/providers/xero/sign-in.ts";
import { timeOffBalances, timeOffEntries } from "../../src/providers/xero/time-off.ts";
import { timesheets } from "../../src/providers/xero/timesheets.ts";
import { TestClock } from "../support/test-clock.ts";
import {
  createContext,
  fetchRaw,
  readMapped,
  session,
  type Answers,
  type Asked,
} from "../support/xero-stage.ts";
import { exampleOf, idOf, type XeroRow } from "../support/vendors/xero-company.ts";

const people = (count: number, first = 1): XeroRow[] =>
  Array.from({ length: count }, (_value, index) => ({ employeeID: idOf(1, first + index) }));

/** With nothing in the lists of each person. */
const withDetails =
  (answers: Answers): Answers =>
  (asked) =>
    asked.path === "/Employees" ? answers(asked) : (exampleOf(asked.path) ?? undefined);

const range = { start: "2026-02-01", end: "2026-02-28" };

describe("a list of people that breaks Xero's description", () => {
  test.each<[string, unknown]>([
    ["null in place of a person", { employees: [null, ...people(1)] }],
    ["a text in place of a person", { employees: ["somebody"] }],
    ["a person without an id", { employees: [{ firstName: "Ada" }, ...people(1)] }],
    ["an object in place of the list", { employees: {} }],
    ["a full page that may be one of several", { employees: people(100) }],
    ["pages counted in a text", { employees: people(1), pagination: { pageCount: "3" } }],
    ["pages after an empty one", { employees: [], pagination: { pageCount: 1e9 } }],
    ["a problem that is a text", { employees: people(1), problem: "a problem" }],
    ["null", null],
  ])("%s is a mistake of Xero's, and nobody has left", async (_name, body) => {
    await expect(readRoster(createContext(() => body))).rejects.toThrow(ProviderBug);
  });

  test("needs no number of pages when the page is not full", async () => {
    const { listed } = await readRoster(createContext(() => ({ employees: people(99) })));
    expect(listed).toHaveLength(99);
  });
});

describe("who left the list", () => {
  const before = {
    seen: { [idOf(1, 1)]: "", [idOf(1, 2)]: "", [idOf(1, 3)]: "" },
    slicedAt: "2026-03-02T09:59:00.000Z",
    slicedTo: "",
  };
  const removedBy = async (answers: Answers): Promise<readonly string[]> => {
    const changes = employees.changes!(createContext(withDetails(answers)), session, before);
    const removed: string[] = [];
    for await (const page of changes) removed.push(...(page.removed ?? []));
    return removed;
  };

  test.each<[string, XeroRow | null]>([
    ["never agrees with it", { pageCount: 1, itemCount: 3 }],
    ["is not told", null],
  ])("is told although the count of people %s", async (_name, pagination) => {
    expect(await removedBy(() => ({ employees: people(2), pagination }))).toEqual([idOf(1, 3)]);
  });

  test("is not told of a list that was another one each time", async () => {
    let reads = 0;
    const answers = () => {
      reads += 1;
      return { employees: people(2, reads), pagination: { pageCount: 1, itemCount: 3 } };
    };
    expect(await removedBy(answers)).toEqual([]);
  });
});

describe("a slice of those who did not change, of 1,000 requests that are left", () => {
  test.each([
    ["GB", [], 25],
    ["GB", ["bank_account"], 50],
    ["NZ", [], 16],
    ["NZ", ["tax_id"], 25],
    ["NZ", ["bank_account", "tax_id"], 50],
  ] as const)("in %s without %j is %i people", async (country, off, count) => {
    const clock = new TestClock(new Date("2026-03-02T00:00:00Z"));
    const answers = withDetails(() => ({ employees: people(99) }));
    const context = createContext(answers, clock, undefined, { ...session, country });
    context.isWanted = (field) => !(off as readonly string[]).includes(field);
    let since = {};
    context.continueFrom = (given) => void (since = given);
    await fetchRaw(employees, context);
    clock.advance(23 * 3_600);
    const changed: unknown[] = [];
    for await (const page of employees.changes!(context, session, since))
      changed.push(...page.changed);
    expect(changed).toHaveLength(count);
  });
});

const paged =
  (field: string): Answers =>
  ({ path, page }) => {
    if (path === "/Employees") return { employees: people(1) };
    if (path.endsWith(`/${field === "leave" ? "Leave" : "SalaryAndWages"}`))
      return { [field]: [{ leaveID: `l-${page}` }], pagination: { page, pageCount: 2 } };
    return exampleOf(path) ?? undefined;
  };

describe("a list of one person", () => {
  test("of salaries is read to its last page", async () => {
    const [found] = await fetchRaw(employees, createContext(paged("salaryAndWages")));
    expect((found as { salaries: unknown[] }).salaries).toHaveLength(2);
  });

  test("of leave is read to its last page, when Xero tells of several", async () => {
    const found = await fetchRaw(timeOffEntries, createContext(paged("leave")), { range });
    expect(found).toHaveLength(2);
  });
});

test("a day that ends while the list is read counts as the one before, by which people are mapped", async () => {
  const clock = new TestClock(new Date("2026-03-02T23:59:50Z"));
  const person = { ...people(1)[0], endDate: "2026-03-02T00:00:00" };
  const answers: Answers = ({ path }) => {
    if (path === "/Employees") clock.advance(20);
    return path === "/Employees" ? { employees: [person] } : (exampleOf(path) ?? undefined);
  };
  const context = createContext(answers, clock);
  let since = {};
  context.continueFrom = (given) => void (since = given);
  await fetchRaw(employees, context);
  const changed: unknown[] = [];
  for await (const page of employees.changes!(context, session, since))
    changed.push(...page.changed);
  expect(changed).toHaveLength(1);
});

const readTimesheets = async (answers: Answers): Promise<unknown[]> =>
  await fetchRaw(timesheets, createContext(answers), { range });

describe("a timesheet", () => {
  const quarter = {
    timesheetID: "t-1",
    employeeID: "e-1",
    startDate: "2025-12-15T00:00:00",
    endDate: "2026-03-14T00:00:00",
  };
  const lines = [{ timesheetLineID: "l-1", date: "2026-02-03T00:00:00", numberOfUnits: 8 }];
  const answersWith =
    (
      calendarType: string,
      record: unknown = { timesheet: { ...quarter, timesheetLines: lines } },
    ) =>
    ({ path, query }: Asked): unknown => {
      if (path === "/PayRunCalendars") return { payRunCalendars: [{ calendarType }] };
      if (path === "/Timesheets/t-1") return record ?? undefined;
      if (path !== "/Timesheets") return exampleOf(path) ?? undefined;
      const isFound =
        String(query["startDate"]) <= "2025-12-15" && String(query["endDate"]) >= "2026-03-14";
      return { timesheets: isFound ? [quarter] : [] };
    };
  test.each(["Quarterly", "Annual", "Another"])(
    "of a calendar that is %s is found",
    async (type) => {
      expect(await readTimesheets(answersWith(type))).toHaveLength(1);
    },
  );

  test("is looked for no longer than the longest calendar is", async () => {
    const context = createContext(answersWith("Weekly"));
    await fetchRaw(timesheets, context, { range });
    const { query } = context.asked.find(({ path }) => path === "/Timesheets")!;
    expect(query).toMatchObject({ startDate: "2026-01-01", endDate: "2026-03-31" });
  });

  test.each<[string, unknown]>([
    ["nothing in it", { timesheet: null }],
    ["lines that are no list", { timesheet: { ...quarter, timesheetLines: "8" } }],
  ])("with %s is a mistake of Xero's, and its hours are not lost", async (_name, record) => {
    await expect(readTimesheets(answersWith("Quarterly", record))).rejects.toThrow(ProviderBug);
  });

  test("that was deleted after it was listed has no lines", async () => {
    expect(await readTimesheets(answersWith("Quarterly", null))).toEqual([]);
  });
});

describe("a payslip", () => {
  const payrun = {
    payRunID: "run-1",
    periodStartDate: "2026-02-01T00:00:00",
    periodEndDate: "2026-02-28T00:00:00",
    paymentDate: "2026-02-27T00:00:00",
  };
  const of = async (payslip: XeroRow) => {
    const answers: Answers = ({ path }) => {
      if (path === "/Payslips")
        return { paySlips: [{ paySlipID: "s-1", employeeID: "e-1", ...payslip }] };
      return path === "/PayRuns/run-1" ? { payRun: payrun } : { earningsRates: [] };
    };
    return (await readMapped(payslips, answers, { payrunRemoteId: "run-1" }))[0]!;
  };

  test.each<[XeroRow]>([
    [{ earningsLines: [{ amount: "1,480.77" }] }],
    [{ earningsLines: [{ amount: 1e300 }] }],
    [{ earningsLines: [null] }],
    [{ employeeTaxLines: {} }],
    [{ grossEarnings: "much" }],
    [{ totalPay: [] }],
  ])("with %j is a mistake of Xero's, and no amount becomes another", async (payslip) => {
    await expect(of(payslip)).rejects.toThrow(ProviderBug);
  });

  test.each(["constructor", "__proto__", "toString"])(
    "names no line by the rate %s, which is not listed",
    async (earningsRateID) => {
      const { earnings } = await of({ earningsLines: [{ earningsRateID, amount: 1 }] });
      expect(earnings).toMatchObject([{ name: "Earnings", hours: null }]);
    },
  );

  test("of a pay run that is not in the answer is not passed over", async () => {
    const context = createContext(() => ({ payRun: null }));
    await expect(fetchRaw(payslips, context, { payrunRemoteId: "run-1" })).rejects.toThrow(
      ProviderBug,
    );
  });
});

const answersOfOne =
  (part: string, body: unknown): Answers =>
  ({ path }) => {
    if (path === "/Employees") return { employees: people(1) };
    return path.endsWith(`/${part}`) ? body : (exampleOf(path) ?? undefined);
  };

describe("time off", () => {
  test("of units that are no number is a mistake of Xero's", async () => {
    const leave = { leaveID: "l-1", periods: [{ numberOfUnits: "8 h", periodStatus: "Approved" }] };
    await expect(
      readMapped(timeOffEntries, answersOfOne("Leave", { leave: [leave] })),
    ).rejects.toThrow(ProviderBug);
  });

  test("is left in no unit that is called as a part of the language", async () => {
    const leaveBalances = [{ balance: 1, typeOfUnits: "constructor" }];
    const [record] = await readMapped(
      timeOffBalances,
      answersOfOne("LeaveBalances", { leaveBalances }),
    );
    expect(record?.unit).toBeNull();
  });
});

describe("the list of connections", () => {
  const tokens = { access_token: "new", refresh_token: "newer", expires_in: 1_800 };
  const answersWith =
    (connections: unknown): Answers =>
    ({ path }) =>
      path === "/connections" ? connections : tokens;

  test.each<[unknown]>([[{}], ["[]"], [[null]], [null]])(
    "that is %j does not end the connection",
    async (connections) => {
      const renewed = await signIn.refresh!(createContext(answersWith(connections)), session);
      expect(renewed).toMatchObject({ tenantId: "tenant", refreshToken: "newer" });
    },
  );

  test("without the organisation does", async () => {
    const renewed = signIn.refresh!(createContext(answersWith([])), session);
    await expect(renewed).rejects.toThrow(new AuthError("reauthentication_required"));
  });
});

const organisation = { Organisations: [{ Name: "Acme", CountryCode: "GB", Version: "UK" }] };
const checkRights = async (answers: Answers, given: Session = session) =>
  await signIn.check(
    {
      ...createContext(answers),
      resources,
      settings: {},
      log: { debug: () => undefined, warn: () => undefined },
      signal: new AbortController().signal,
    },
    given,
  );

describe("the rights at a sign-in", () => {
  test("are all there when everything is answered, and one request that fails refuses nobody", async () => {
    const broken = new Set<string>();
    const answers: Answers = ({ path }) => {
      if (path.endsWith("/Organisation")) return organisation;
      if (broken.has(path)) return { problem: { type: "x" } };
      return { pagination: { pageCount: 0 } };
    };
    expect(await checkRights(answers)).toEqual({ unsupported: [], forbidden: [] });
    broken.add("/Timesheets");
    expect(await checkRights(answers)).toEqual({ unsupported: [], forbidden: [] });
  });

  test("are none of payroll for an organisation of another country", async () => {
    const abroad = { Organisations: [{ Name: "Acme", CountryCode: "AU", Version: "AU" }] };
    const { unsupported } = await checkRights(() => abroad, { ...session, country: null });
    expect(unsupported).not.toContain("company");
    expect(unsupported).toContain("payslips");
  });
});

const isOfPayroll = (path: string): boolean =>
  !["/api.xro/2.0/Organisation", "/connections"].includes(path);
const connected: Answers = ({ path }) =>
  path === "/connections"
    ? [{ id: "c-1", tenantId: "tenant", tenantType: "ORGANISATION" }]
    : organisation;

const checkFor = async (wanted: readonly Resource[]) =>
  await signIn.check(
    {
      ...createContext(connected, new TestClock(), ({ path }) => (isOfPayroll(path) ? 403 : 200)),
      resources: wanted,
      settings: {},
      log: { debug: () => undefined, warn: () => undefined },
      signal: new AbortController().signal,
    },
    session,
  );

describe("who signs in and may read nothing of what is asked for", () => {
  test("is refused, and told the role that is missing", async () => {
    await expect(checkFor(["employees", "groups"])).rejects.toMatchObject({
      kind: "field",
      explanation: expect.stringContaining("payroll administrator") as string,
    });
  });

  test("is let in for the company alone", async () => {
    const { forbidden } = await checkFor(["company", "employees"]);
    expect(forbidden).toContain("employees");
  });
});
