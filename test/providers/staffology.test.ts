import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { resources, type RecordOf } from "../../src/model/index.ts";
import {
  AddressPolicy,
  createGuardedAgent,
  createProviderHttp,
} from "../../src/platform/outbound/index.ts";
import { systemRandom } from "../../src/platform/random.ts";
import type {
  Cursor,
  FetchParameters,
  ResourceReader,
  ReadContext,
  SignInContext,
} from "../../src/providers/contract.ts";
import { FieldError } from "../../src/providers/errors.ts";
import { staffology } from "../../src/providers/staffology/index.ts";
import { listPeriods } from "../../src/providers/staffology/payruns.ts";
import { parsePayrunId } from "../../src/providers/staffology/payrun-id.ts";
import type { SourceRecord } from "../../src/providers/source-records.ts";
import { createEmployers, createKeys, user } from "../support/fake-staffology-conformance.ts";
import { TestClock } from "../support/test-clock.ts";
import {
  FakeStaffology,
  type Interference,
  type SeenRequest,
} from "../support/vendors/fake-staffology.ts";
import { employerId, otherEmployerId, staff } from "../support/vendors/staffology-people.ts";
import { people, uuid } from "../support/vendors/staffology-payroll.ts";

type Payslip = SourceRecord<"payslips">;
type Resource = keyof typeof mode.resources;

const mode = staffology.modes.xhr!;
const clock = new TestClock(new Date("2026-03-30T12:00:00Z"));
const session = { key: "one", userId: user.id, employerId };
const agent = createGuardedAgent({
  policy: new AddressPolicy(["127.0.0.0/8"]),
  allowsHttp: true,
  resolve: async () => ["127.0.0.1"],
});
const threeYears = { start: "2023-04-06", end: "2026-04-05" };
let fake: FakeStaffology;

beforeAll(async () => {
  fake = await FakeStaffology.start(createEmployers(60), createKeys());
});

beforeEach(() => {
  fake.requests.length = 0;
  fake.keys = createKeys();
  fake.interfere = () => undefined;
  fake.mostOnPage = Number.POSITIVE_INFINITY;
  fake.ignoresPages = false;
});

afterAll(async () => {
  await fake.stop();
  await agent.destroy();
});

function createContext(
  more: Partial<ReadContext & SignInContext> = {},
): ReadContext & SignInContext {
  const { signal } = new AbortController();
  const http = createProviderHttp({
    agent,
    clock,
    random: systemRandom,
    origins: [fake.origin],
    signal,
  });
  return {
    clock,
    signal,
    settings: {},
    isWanted: () => true,
    cursor: undefined,
    resources,
    log: { debug: () => undefined, warn: () => undefined },
    http: (origin) => ({
      exportCookies: () => "",
      request: (request) =>
        http.request({ ...request, url: String(request.url).replace(origin, fake.origin) }),
    }),
    withSession: (work) => work(session),
    limited: () => undefined,
    continueFrom: () => undefined,
    saveSession: () => undefined,
    ...more,
  };
}

/** Every page of a read, with what the mapping makes of its records. */
async function readPages(resource: Resource, parameters: FetchParameters = {}, cursor?: Cursor) {
  const reader: ResourceReader = mode.resources[resource]!;
  const pages: { records: unknown[]; cursor: Cursor | undefined }[] = [];
  for await (const page of reader.fetch(createContext({ cursor }), session, parameters)) {
    const { records, cursor: next } =
      "records" in page ? page : { records: page, cursor: undefined };
    const map = (raw: unknown) => reader.map(raw as never, { today: "2026-03-30", parameters });
    pages.push({ records: records.map(map).filter((record) => record !== null), cursor: next });
  }
  return pages;
}

async function readAll<R extends Resource>(resource: R, parameters: FetchParameters = {}) {
  const pages = await readPages(resource, parameters);
  return pages.flatMap(({ records }) => records as SourceRecord<R>[]);
}

const payslipsOf = (run: string): Promise<Payslip[]> =>
  readAll("payslips", { payrunRemoteId: `${employerId}/${run}` });

async function payslipOf(run: string, person: keyof typeof people): Promise<Payslip> {
  const found = await payslipsOf(run);
  return found.find(({ employee_remote_id: id }) => id === people[person])!;
}

const signIn = (key: string, more: Partial<SignInContext> = {}) =>
  mode.login(createContext(more), { key });

const listRequests = () => fake.requests.filter(({ method }) => method === "POST").length;

const sum = (items: readonly { amount: number }[] | null | undefined): number =>
  (items ?? []).reduce((total, { amount }) => total + amount, 0);

const sections = ["earnings", "deductions", "taxes", "reimbursements", "contributions"] as const;

/** Gross and net pay, and the sum of each section. */
function amountsOf(slip: Payslip): number[] {
  return [slip.gross_pay ?? 0, slip.net_pay ?? 0, ...sections.map((name) => sum(slip[name]))];
}

/** Answers each page with one of these, and the first one after the last. */
const fakePages =
  (pages: readonly (readonly object[])[]) =>
  ({ query }: SeenRequest): Interference =>
    json(pages[Number(query["pageNum"]) % pages.length]!);

const json = (body: unknown): Interference => ({
  status: 200,
  headers: { "content-type": "application/json" },
  body: JSON.stringify(body),
});

/** The stub of a pay run. */
const run = (url: string | null) => ({ id: "r", name: "Month", url });

describe("the sign-in", () => {
  test("with a key of one employer needs no choice", async () => {
    await expect(signIn(" one ")).resolves.toEqual({ session });
  });

  test("with a key of a bureau asks for the employer, without the archived ones", async () => {
    const asked = await signIn("bureau");
    expect(asked).toMatchObject({
      challenge: {
        kind: "choose",
        options: [
          { value: employerId, title: "Pennine Tea Ltd" },
          { value: otherEmployerId, title: "Fjord & Fell Limited" },
        ],
      },
    });
    const { state } = (asked as { challenge: { state: Record<string, string> } }).challenge;
    await expect(mode.resume!(createContext(), state, otherEmployerId)).resolves.toEqual({
      session: { key: "bureau", userId: user.id, employerId: otherEmployerId },
    });
  });

  test("again with a key that reaches the same employer asks nothing", async () => {
    await expect(signIn("bureau", { previousSession: session })).resolves.toEqual({
      session: { ...session, key: "bureau" },
    });
  });

  test.each([
    ["reaches no employer", { employers: {} }, {}],
    ["sees archived employers alone", { employers: { Archived: [employerId] } }, {}],
    [
      "reaches another employer than before",
      { employers: { Owned: [otherEmployerId] } },
      { previousSession: session },
    ],
  ])("with a key that %s is refused at the field", async (_case, key, more) => {
    fake.keys = [{ key: "k", account: { ...user }, ...key }];
    await expect(signIn("k", more)).rejects.toThrow(FieldError);
  });

  test.each([
    ["incorrect_username_or_password", "unknown", {}],
    ["additional_account_setup_required", "k", { disabled: true }],
    ["additional_account_setup_required", "k", { loginDisabled: true }],
  ])("is refused with %s", async (code, key, account) => {
    fake.keys = [
      { key: "k", account: { ...user, ...account }, employers: { Owned: [employerId] } },
    ];
    await expect(signIn(key)).rejects.toMatchObject({ kind: "auth", code });
  });

  test("lists what the role of the user does not allow", async () => {
    await expect(mode.check(createContext(), { ...session, key: "reviewer" })).resolves.toEqual({
      unsupported: [],
      forbidden: ["payruns", "payslips"],
    });
    await expect(mode.check(createContext(), session)).resolves.toEqual({
      unsupported: [],
      forbidden: [],
    });
  });
});

describe("the people", () => {
  const everybody = staff.length + 60;

  test("are read fifty at a time, those who left and those to come too", async () => {
    const found = await readAll("employees");
    expect(found).toHaveLength(everybody);
    expect(new Set(found.map(({ employment_status: status }) => status))).toEqual(
      new Set(["active", "leave", "inactive", "pending"]),
    );
    // Two pages of current people and one of each other status, each with an end and a list of records.
    expect(listRequests()).toBe(4);
    expect(fake.requests).toHaveLength(11);
  });

  test("are read one by one where the list of records is refused", async () => {
    fake.interfere = ({ path }) => (path.endsWith("/list") ? { status: 403, body: "" } : undefined);
    await expect(readAll("employees")).resolves.toHaveLength(everybody);
    expect(listRequests()).toBe(1);
  });

  test.each([
    ["pages are shorter than asked for", () => (fake.mostOnPage = 7)],
    ["pages are not counted at all", () => (fake.ignoresPages = true)],
  ])("are all read when %s", async (_case, prepare) => {
    prepare();
    await expect(readAll("time-off-balances")).resolves.toHaveLength(everybody - 1);
  });

  test("are read once when the pages begin again after the last one", async () => {
    const page = fakePages([1, 2, 3].map((id) => [{ ...run(null), id: uuid("crowd", id) }]));
    fake.interfere = (seen) => (seen.query["status"] === "Current" ? page(seen) : undefined);
    await expect(readAll("time-off-entries", { range: threeYears })).resolves.toEqual([]);
    const numbers = fake.requests.filter(({ query }) => query["status"] === "Current");
    expect(numbers.map(({ query }) => query["pageNum"])).toEqual(["0", "1", "2", "3"]);
  });

  test("a page that fails fails the read", async () => {
    fake.interfere = ({ query }) =>
      query["status"] === "Former" ? { status: 404, body: "" } : undefined;
    await expect(readAll("employees")).rejects.toThrow("404");
  });

  test("who is deleted during the read is left out, and one whom the role hides is a missing right", async () => {
    const alone = `/employers/${employerId}/employees/${people.amara}`;
    const refuseAmara = (status: number) => {
      fake.interfere = ({ path }) =>
        path.endsWith("/list")
          ? { status: 400, body: "" }
          : path === alone
            ? { status, body: "" }
            : undefined;
    };
    refuseAmara(404);
    await expect(readAll("employees")).resolves.toHaveLength(everybody - 1);
    refuseAmara(403);
    await expect(readAll("employees")).rejects.toMatchObject({ code: "insufficient_permission" });
  });
});

test("leave that was taken back is left out, and the rest is read one by one", async () => {
  const found = await readAll("time-off-entries", { range: threeYears });
  expect(found.map(({ start_date: day, amount }) => [day, amount]).toSorted()).toEqual([
    ["2025-06-02", 3],
    ["2025-09-01", 195],
    ["2026-01-05", 5],
    ["2026-02-09", 5],
    ["2026-03-02", 0.5],
  ]);
});

describe("three tax years of pay runs", () => {
  test("have the runs of every schedule, each version of them, and what takes a rolled back one back", async () => {
    const runs = await readAll("payruns", { range: threeYears });
    expect(runs).toHaveLength(38);
    const inLast = runs.flatMap(({ remote_id: id, state, type, payment_date: day }) => {
      const name = id.replace(`${employerId}/Year2025/Monthly/`, "");
      return name === id ? [] : [[name, state, type, day]];
    });
    expect(inLast.filter(([name]) => /^(?:1\/(?:2|3|9|1.)\/|2)/.test(String(name)))).toEqual([
      ["1/2/1", "paid", "regular", "2025-05-27"],
      ["1/3/1", "paid", "regular", "2025-06-27"],
      ["1/3/2", "paid", "correction", "2025-06-30"],
      ["1/9/1", "paid", "regular", "2025-12-27"],
      ["1/11/1", "pending", "regular", "2026-02-27"],
      ["1/11/1/reversal", "pending", "reversal", "2026-02-27"],
      ["1/12/1", "pending", "regular", "2026-03-27"],
      ["2/12/1", "pending", "regular", "2026-03-31"],
    ]);
  });

  test("have payslips with every section, whose sums hold to the penny", async () => {
    const runs = await readAll("payruns", { range: threeYears });
    const slips: Payslip[] = [];
    for (const { remote_id: payrunRemoteId } of runs)
      slips.push(...(await readAll("payslips", { payrunRemoteId })));
    expect(slips).toHaveLength(35 * 6 + 6 + 2);
    const wrong = slips.filter((slip) => {
      const ofEmployee = slip.taxes?.filter(({ employer_tax: isEmployerTax }) => !isEmployerTax);
      const paid = sum(slip.reimbursements) - sum(slip.deductions) - sum(ofEmployee);
      const isWhole = slip.earnings && slip.deductions && slip.taxes && slip.reimbursements;
      return (
        !isWhole || sum(slip.earnings) !== slip.gross_pay || slip.gross_pay + paid !== slip.net_pay
      );
    });
    expect(wrong).toEqual([]);
  });

  test("a tax year costs a request for its schedules and one for each version of a run", async () => {
    await readAll("payruns", { range: { start: "2025-04-06", end: "2026-04-05" } });
    expect(fake.requests).toHaveLength(1 + 14);
  });

  test("have the supplementary runs too where Staffology gives the first version without a number", async () => {
    fake.interfere = ({ path, query }) => {
      if (!path.endsWith("/payrun/Year2025/Monthly/3") || query["ordinal"] !== "1")
        return undefined;
      const version = Number(query["version"] ?? 1);
      return json({ version, isLatestVersion: version === 3, paymentDate: "2025-06-27" });
    };
    const runs = await readAll("payruns", { range: { start: "2025-04-06", end: "2026-04-05" } });
    const versions = runs.filter(({ remote_id: id }) => id.includes("/Year2025/Monthly/1/3/"));
    expect(versions.map(({ remote_id: id, type }) => [id.at(-1), type])).toEqual([
      ["1", "regular"],
      ["2", "correction"],
      ["3", "correction"],
    ]);
  });

  test("have a run once where Staffology does not know the number of a version", async () => {
    fake.interfere = ({ path }) =>
      path.endsWith("/payrun/Year2025/Monthly/3")
        ? json({ version: 2, isLatestVersion: false })
        : undefined;
    const runs = await readAll("payruns", { range: { start: "2025-04-06", end: "2026-04-05" } });
    const versions = runs.filter(({ remote_id: id }) => id.includes("/Year2025/Monthly/1/3/"));
    expect(versions.map(({ remote_id: id }) => id.at(-1))).toEqual(["2"]);
  });

  test("a read that is cut short goes on after the last schedule", async () => {
    const whole = await readPages("payruns", { range: threeYears });
    expect(whole).toHaveLength(4);
    const rest = await readPages("payruns", { range: threeYears }, whole[1]!.cursor);
    expect(rest).toEqual(whole.slice(2));
  });
});

describe("a payslip", () => {
  test("has pension, national insurance of both sides and a student loan", async () => {
    const slip = await payslipOf("Year2025/Monthly/1/1/1", "amara");
    expect(slip).toEqual({
      remote_id: uuid("entry of amara 1", 20_250_110),
      employee_remote_id: people.amara,
      payrun_remote_id: `${employerId}/Year2025/Monthly/1/1/1`,
      payrun_type: "regular",
      currency: "gbp",
      start_date: "2025-04-01",
      end_date: "2025-04-30",
      payment_date: "2025-04-27",
      gross_pay: 270_002,
      net_pay: 212_263,
      earnings: [{ name: "Basic pay", amount: 270_002, hours: null }],
      deductions: [
        { name: "Pension contribution", amount: 13_500 },
        { name: "Student loan", amount: 2_900 },
      ],
      taxes: [
        { name: "PAYE", amount: 28_120, employer_tax: false },
        { name: "National Insurance", amount: 13_219, employer_tax: false },
        { name: "National Insurance, employer", amount: 25_444, employer_tax: true },
      ],
      reimbursements: [],
      contributions: [{ name: "Tea Growers Pension", amount: 8_100 }],
    });
  });

  test.each<[what: string, run: string, person: keyof typeof people, expected: Partial<Payslip>]>([
    [
      "overtime with its hours, and a salary sacrifice that lowers gross pay",
      "Year2023/Monthly/1/1/1",
      "bryn",
      {
        gross_pay: 319_925,
        earnings: [
          { name: "Basic pay", amount: 320_000, hours: null },
          { name: "Night shifts", amount: 15_925, hours: 6.5 },
          { name: "Pension (salary sacrifice)", amount: -16_000, hours: null },
        ],
        deductions: [{ name: "Postgraduate loan", amount: 8_100 }],
      },
    ],
    [
      "statutory pay of a line once, though a total has it too, and an attachment order once",
      "Year2023/Monthly/1/4/1",
      "catriona",
      {
        gross_pay: 181_675,
        net_pay: 150_375,
        earnings: [
          { name: "Basic pay", amount: 170_000, hours: null },
          { name: "Statutory Sick Pay", amount: 11_675, hours: null },
        ],
        deductions: [{ name: "Council tax order", amount: 8_000 }],
      },
    ],
    [
      "expenses, mileage, and deductions from net pay",
      "Year2023/Monthly/1/1/1",
      "dev",
      {
        gross_pay: 228_000,
        net_pay: 202_320,
        reimbursements: [
          { name: "Train to Leeds", amount: 4_520 },
          { name: "Mileage", amount: 5_400 },
        ],
        deductions: [
          { name: "Union subscription", amount: 1_500 },
          { name: "Loan repayment", amount: 5_000 },
        ],
      },
    ],
    [
      "statutory pay of a total alone, and an additional contribution",
      "Year2024/Monthly/1/8/1",
      "elin",
      {
        earnings: [{ name: "Statutory maternity pay", amount: 78_501, hours: null }],
        deductions: [
          { name: "Pension contribution", amount: 3_925 },
          { name: "Additional voluntary contribution", amount: 1_000 },
        ],
        taxes: [],
      },
    ],
    [
      "no benefit in kind, which is not paid, and a refund of tax",
      "Year2024/Monthly/1/1/1",
      "hari",
      {
        earnings: [{ name: "Basic pay", amount: 180_000, hours: null }],
        net_pay: 177_910,
        taxes: [
          { name: "PAYE", amount: -3_310, employer_tax: false },
          { name: "National Insurance", amount: 5_400, employer_tax: false },
          { name: "National Insurance, employer", amount: 12_100, employer_tax: true },
        ],
      },
    ],
    [
      "the deduction and the VAT of a subcontractor",
      "Year2025/Monthly/2/12/1",
      "farid",
      {
        gross_pay: 120_000,
        net_pay: 120_000,
        earnings: [{ name: "Labour", amount: 120_000, hours: null }],
        taxes: [{ name: "CIS deduction", amount: 24_000, employer_tax: false }],
        reimbursements: [{ name: "VAT", amount: 24_000 }],
      },
    ],
  ])("has %s", async (_what, run, person, expected) => {
    expect(await payslipOf(run, person)).toMatchObject(expected);
  });

  test("of a supplementary run has the difference alone, so that both runs make what was paid", async () => {
    const first = await payslipOf("Year2025/Monthly/1/3/1", "bryn");
    const slips = await payslipsOf("Year2025/Monthly/1/3/2");
    expect(slips).toHaveLength(1);
    expect(slips[0]).toMatchObject({
      payrun_type: "correction",
      payment_date: "2025-06-30",
      gross_pay: 50_000,
      net_pay: 36_000,
      earnings: [{ name: "Bonus", amount: 50_000 }],
    });
    expect(first.gross_pay! + slips[0]!.gross_pay!).toBe(379_925);
    const entry = fake.requests.find(({ query }) => query["differenceOnly"] === "true");
    expect(entry?.query).toEqual({ ordinal: "1", differenceOnly: "true" });
  });

  test("of a reversal takes the one of the rolled back run back, section by section", async () => {
    const paid = await payslipsOf("Year2025/Monthly/1/11/1");
    const taken = await payslipsOf("Year2025/Monthly/1/11/1/reversal");
    expect(paid).toHaveLength(6);
    const negated = paid.map((slip) => amountsOf(slip).map((amount) => 0 - amount));
    expect(taken.map(amountsOf)).toEqual(negated);
    expect(taken.every((slip) => slip.net_pay! < 0 && slip.payrun_type === "reversal")).toBe(true);
    expect(new Set([...paid, ...taken].map(({ remote_id: id }) => id)).size).toBe(12);
  });

  test.each([
    ["of an entry that was removed is left out", "Year2025/Monthly/1/9/1", 6],
    ["of a run that is being deleted is left out", "Year2025/Monthly/1/10/1", 0],
    ["of a run that was opened again is there", "Year2025/Monthly/1/12/1", 6],
    ["of a version that is not there any more is left out", "Year2025/Monthly/1/5/4", 0],
  ])("%s", async (_what, run, count) => {
    expect(await payslipsOf(run)).toHaveLength(count);
  });

  test("is read once, four at a time, and a read that is cut short goes on after the last one", async () => {
    const parameters = { payrunRemoteId: `${employerId}/Year2024/Monthly/1/5/1` };
    const whole = await readPages("payslips", parameters);
    expect(whole.map(({ records }) => records.length)).toEqual([4, 2]);
    // Two pages of the run, the second of them empty; the pay codes; the payslips.
    expect(fake.requests).toHaveLength(2 + 1 + 6);
    fake.requests.length = 0;
    expect(await readPages("payslips", parameters, whole[0]!.cursor)).toEqual(whole.slice(1));
    expect(fake.requests).toHaveLength(2 + 1 + 2);
  });
});

describe("the lines of a payslip", () => {
  const reader = mode.resources.payslips!;
  const name = parsePayrunId(`${employerId}/Year2025/Monthly/1/1/1`, employerId);
  const map = (totals: object, regularPayLines: object[] = [], more: object = {}) => {
    const entry = {
      id: "entry-1",
      employee: { id: "e-1" },
      startDate: "2025-04-01",
      endDate: "2025-04-30",
      payOptions: { basis: "Monthly", regularPayLines, ...more },
      totals,
    };
    const payCodes = [
      { code: "BONUS", title: "Bonus", isTaxable: true, isNiable: true },
      { code: "UNPAID", title: "Unpaid leave", isDeduction: true, isTaxable: true, isNiable: true },
    ];
    const run = { paymentDate: "2025-04-28" };
    return reader.map({ ...entry, name, run, payCodes } as never, {
      today: "2026-03-30",
      parameters: { payrunRemoteId: "" },
    }) as RecordOf<"payslips">;
  };

  const mapEntry = (more: object) =>
    reader.map(
      {
        id: "entry-1",
        employee: { id: "e-1" },
        name,
        run: { startDate: "2025-04-01", endDate: "2025-04-30", paymentDate: "2025-04-28" },
        ...more,
      } as never,
      { today: "2026-03-30", parameters: { payrunRemoteId: "" } },
    ) as RecordOf<"payslips"> | null;

  test.each<[what: string, totals: object, lines: object[]]>([
    ["do not make the net pay", { basicPay: 100, gross: 100, takeHomePay: 99.99 }, []],
    ["do not make the gross pay", { basicPay: 100, gross: 110, takeHomePay: 110 }, []],
    [
      "are of a code that is not known",
      { basicPay: 100, gross: 100, takeHomePay: 100 },
      [{ code: "NEW", value: 5 }],
    ],
    [
      "are a percentage",
      { basicPay: 100, gross: 105, takeHomePay: 105 },
      [{ code: "BONUS", value: 7.5 }],
    ],
  ])("are null when they %s", (_what, totals, lines) => {
    const slip = map({ ...totals, employerPensionContribution: 3 }, lines);
    expect(slip).toMatchObject({
      gross_pay: expect.any(Number) as number,
      net_pay: expect.any(Number) as number,
      contributions: [{ name: "Pension, employer", amount: 300 }],
      payment_date: "2025-04-28",
    });
    expect(sections.filter((section) => slip[section])).toEqual(["contributions"]);
  });

  test("of basic pay are in its total already", () => {
    const totals = { basicPay: 100, gross: 100, takeHomePay: 100 };
    const lines = [
      { code: "BASIC", value: 60, isAutoGeneratedBasicPayLine: true },
      { code: "ALLOWANCE", value: 40, contributesToBasicPay: true },
    ];
    expect(map(totals, lines).earnings).toEqual([
      { name: "Basic pay", amount: 10_000, hours: null },
    ]);
  });

  test("of somebody who is paid by the hour have the hours", () => {
    const totals = { basicPay: 2280, gross: 2280, takeHomePay: 2280 };
    const hourly = { basis: "Hourly", payAmount: 14.25, payAmountMultiplier: 160 };
    expect(map(totals, [], hourly).earnings).toMatchObject([{ amount: 228_000, hours: 160 }]);
    const other = { ...hourly, payAmountMultiplier: 150 };
    expect(map(totals, [], other).earnings).toMatchObject([{ amount: 228_000, hours: null }]);
  });

  test("that lower gross pay are deductions where gross pay is told before them", () => {
    const line = { code: "UNPAID", value: 10 };
    expect(map({ basicPay: 100, gross: 100, takeHomePay: 90 }, [line])).toMatchObject({
      earnings: [{ name: "Basic pay", amount: 10_000 }],
      deductions: [{ name: "Unpaid leave", amount: 1_000 }],
    });
    expect(map({ basicPay: 100, gross: 90, takeHomePay: 90 }, [line])).toMatchObject({
      earnings: [{ amount: 10_000 }, { name: "Unpaid leave", amount: -1_000 }],
      deductions: [],
    });
  });

  test.each<[what: string, link: string, totals: object, expected: object[]]>([
    [
      "pension",
      "pensionId",
      { employeePensionContribution: 4, employeePensionContributionAvc: 1 },
      [{ name: "Mine", amount: 500 }],
    ],
    [
      "order",
      "attachmentOrderId",
      { attachmentOrderDeductions: 5 },
      [{ name: "Mine", amount: 500 }],
    ],
    ["student loan", "loanId", { studentLoanRecovered: 5 }, [{ name: "Mine", amount: 500 }]],
    [
      "loan of the company, beside a student loan",
      "loanId",
      { studentLoanRecovered: 2 },
      [
        { name: "Mine", amount: 500 },
        { name: "Student loan", amount: 200 },
      ],
    ],
  ])("of a %s count once", (_what, link, totals, expected) => {
    const taken = sum(expected as { amount: number }[]) / 100;
    const lines = [{ code: "SYSTEM", description: "Mine", value: 5, [link]: "linked" }];
    const slip = map({ basicPay: 100, gross: 100, takeHomePay: 100 - taken, ...totals }, lines);
    expect(slip.deductions).toEqual(expected);
  });

  test("have hours where their code is a multiple of an hourly rate", () => {
    const code = { code: "NIGHT", isTaxable: true, calculationType: "MultipleOfHourlyRate" };
    const lines = [{ code: "NIGHT", value: 50, multiplier: 2.5 }];
    const slip = mapEntry({
      totals: { gross: 50, takeHomePay: 50 },
      payOptions: { regularPayLines: lines },
      payCodes: [code],
    });
    expect(slip?.earnings).toEqual([{ name: "NIGHT", amount: 5_000, hours: 2.5 }]);
  });

  const ofRun = { startDate: "2025-04-01", endDate: "2025-04-30", paymentDate: "2025-04-28" };
  test.each([
    [{}, ["2025-04-01", "2025-04-30", "2025-04-28"]],
    [
      { startDate: "2025-04-06", endDate: "2025-05-05", paymentDate: "2025-05-02" },
      ["2025-04-06", "2025-05-05", "2025-05-02"],
    ],
  ])("of an entry with %j are of the days %j", (own, expected) => {
    const slip = mapEntry({ ...own, run: ofRun });
    expect([slip?.start_date, slip?.end_date, slip?.payment_date]).toEqual(expected);
  });

  test.each([
    ["was removed", { isRemoved: true }, false],
    ["takes nothing back in a reversal", { isRolledBack: false }, true],
  ])("of an entry that %s are none", (_what, entry, isReversal) => {
    expect(mapEntry({ ...entry, name: { ...name, isReversal } })).toBeNull();
    expect(mapEntry({ name: { ...name, isReversal } })).not.toBeNull();
  });

  test("are those that are not reported to the tax office, where there are no others", () => {
    const totals = { basicPay: 100, gross: 100, taxNonRti: 12, employeeNi: 3, employeeNiNonRti: 9 };
    expect(map({ ...totals, takeHomePay: 85 }).taxes).toEqual([
      { name: "PAYE", amount: 1_200, employer_tax: false },
      { name: "National Insurance", amount: 300, employer_tax: false },
    ]);
  });

  test.each<[what: string, nonTaxOrNICPmt: number, takeHomePay: number, expected: object[]]>([
    ["a rest of the total is the mileage", 12.5, 112.5, [{ name: "Mileage", amount: 1_250 }]],
    ["of a correction too", -12.5, 87.5, [{ name: "Mileage", amount: -1_250 }]],
    ["no rest is no line", 0, 100, []],
  ])("of what is paid back: %s", (_what, nonTaxOrNICPmt, takeHomePay, expected) => {
    const totals = { basicPay: 100, gross: 100, nonTaxOrNICPmt, takeHomePay };
    expect(map(totals, [], { mapsMiles: 3 }).reimbursements).toEqual(expected);
  });

  test("are not known without totals", () => {
    expect(map(undefined as never)).toMatchObject({ gross_pay: null, net_pay: null });
  });

  test("of nobody who is paid nothing are empty, as a total of 0 is left out", () => {
    expect(map({})).toMatchObject({ gross_pay: 0, net_pay: 0, earnings: [], deductions: [] });
  });
});

describe("a pay run", () => {
  const name = parsePayrunId(`${employerId}/Year2025/Monthly/1/3/1`, employerId);
  const map = (run: object) =>
    mode.resources.payruns!.map({ ...run, name } as never, {
      today: "2026-03-30",
      parameters: { range: threeYears },
    }) as RecordOf<"payruns"> | null;

  test.each([
    ["Finalised", "2026-03-30", "paid"],
    ["Finalised", "2026-03-31", "pending"],
    ["Finalised", null, "pending"],
    ["Opening", "2026-03-01", "pending"],
    ["Open", "2026-03-01", "pending"],
    ["ReOpening", "2026-03-01", "pending"],
    ["RollingBack", "2026-03-01", "pending"],
    ["RolledBack", "2026-03-01", "pending"],
    ["SubmittedForProcessing", "2026-03-01", "pending"],
    ["Processing", "2026-03-01", "pending"],
    ["AwaitingApproval", "2026-03-01", "pending"],
    ["Approved", "2026-03-01", "pending"],
    ["Finalising", "2026-03-01", "pending"],
  ])("that is %s and paid on %s is %s on 30 March", (state, paymentDate, expected) => {
    expect(map({ state, paymentDate })?.state).toBe(expected);
  });

  test("that is being deleted is left out", () => {
    expect(map({ state: "Deleting" })).toBeNull();
  });

  test.each<
    [what: string, payRuns: object[], currentPayRun: object | undefined, periods: number[]]
  >([
    [
      "their addresses",
      [run("https://x.invalid/a/payrun/Year2025/Monthly/12"), run("/a/3?ordinal=2")],
      undefined,
      [3, 12],
    ],
    ["the open one too", [run("/a/1")], run("/a/2"), [1, 2]],
    ["the open one once", [run("/a/1")], run("/a/1"), [1]],
    ["no open one", [run("/a/1")], run(null), [1]],
    ["the number of the last one", [run(null), run("/a/3")], undefined, [1, 2, 3, 4]],
    ["nothing", [], undefined, []],
  ])("has its period from %s", (_what, payRuns, currentPayRun, periods) => {
    const schedule = {
      payPeriod: "Monthly",
      ordinal: 1,
      payRuns,
      currentPayRun,
      lastPeriodNumber: 4,
    };
    expect(listPeriods(schedule)).toEqual(periods);
  });

  test.each([
    `${otherEmployerId}/Year2025/Monthly/1/3/1`,
    `${employerId}/Year2025/Monthly/1/3`,
    `${employerId}/Year2025/Monthly/1/3/1/other`,
    `${employerId}/../Monthly/1/3/1`,
    `${employerId}/Year2025/Monthly/1/3/0`,
    "",
  ])("is not asked for by %s", (id) => {
    expect(() => parsePayrunId(id, employerId)).toThrow("the pay run");
  });
});

describe("what Staffology refuses", () => {
  test.each([
    [401, { kind: "auth", code: "reauthentication_required" }],
    [403, { kind: "auth", code: "insufficient_permission" }],
    [400, { kind: "bug", message: "GET /employers/… was answered with 400" }],
    [404, { kind: "bug", message: "GET /employers/… was answered with 404" }],
    [302, { kind: "bug", message: "GET /employers/… was answered with 302" }],
  ])("with %i is told without its text", async (status, expected) => {
    fake.interfere = () => ({ status, body: "Amara Okafor" });
    await expect(readAll("company")).rejects.toMatchObject(expected);
  });

  test("a page that is not JSON is refused", async () => {
    const headers = { "content-type": "text/html" };
    fake.interfere = () => ({ status: 200, headers, body: "<h1>Amara</h1>" });
    await expect(readAll("company")).rejects.toMatchObject({ kind: "bug" });
  });

  test.each<[what: string, path: RegExp, body: unknown, resource: Resource, message: string]>([
    [
      "pay runs that are no list",
      /schedules/,
      [{ payPeriod: "Monthly", payRuns: {} }],
      "payruns",
      "payRuns",
    ],
    [
      "a schedule whose runs have no numbers",
      /schedules/,
      [{ payPeriod: "Monthly", payRuns: [run(null)], lastPeriodNumber: null }],
      "payruns",
      "no numbers",
    ],
    [
      "a schedule of too many runs",
      /schedules/,
      [{ payPeriod: "Monthly", payRuns: [run(null)], lastPeriodNumber: 2_000_000_000 }],
      "payruns",
      "lastPeriodNumber",
    ],
    ["a run of too many versions", /payrun/, { version: 2_000_000_000 }, "payruns", "version"],
    ["payslips that are no list", /payrun/, { version: 1, entries: {} }, "payslips", "entries"],
    ["pay codes that are no list", /paycodes/, {}, "payslips", '"array"'],
  ])("%s break the read", async (_what, path, body, resource, message) => {
    fake.interfere = (seen) => (path.test(seen.path) ? json(body) : undefined);
    const payrunRemoteId = `${employerId}/Year2025/Monthly/1/1/1`;
    const reading = readAll(resource, { range: threeYears, payrunRemoteId } as never);
    await expect(reading).rejects.toThrow(message);
  });

  test.each<Resource>(["payruns", "payslips", "employees", "groups", "time-off-entries"])(
    "an employer that is not there any more breaks the read of %s",
    async (resource) => {
      fake.interfere = () => ({ status: 404, body: "" });
      const payrunRemoteId = `${employerId}/Year2025/Monthly/1/1/1`;
      const reading = readAll(resource, { range: threeYears, payrunRemoteId } as never);
      await expect(reading).rejects.toThrow("404");
    },
  );

  test.each([400, 404, 422])(
    "a tax year that there is not, with %i, has no runs",
    async (status) => {
      fake.interfere = ({ path }) =>
        path.includes("/schedules/") ? { status, body: "" } : undefined;
      await expect(readAll("payruns", { range: threeYears })).resolves.toEqual([]);
    },
  );
});

test("the description allows every request that the tests above made", () => {
  expect(fake.violations).toEqual([]);
});
