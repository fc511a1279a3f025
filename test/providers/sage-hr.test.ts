import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { Trial, type ReadRecord } from "../../src/conformance/trial.ts";
import { resources, type Resource } from "../../src/model/index.ts";
import type { Cursor, ReadContext } from "../../src/providers/contract.ts";
import type { ProviderRequest } from "../../src/platform/outbound/index.ts";
import { sageHr } from "../../src/providers/sage-hr/index.ts";
import { joinHistories } from "../../src/providers/sage-hr/jobs.ts";
import { typedSubdomain } from "../../src/providers/sage-hr/sign-in.ts";
import { toSystem } from "../support/vendors/sage-hr-conformance.ts";
import { TestClock } from "../support/test-clock.ts";
import {
  createSageCompany,
  person,
  sageNow,
  type Wire,
} from "../support/vendors/sage-hr-people.ts";
import { employees } from "../../src/providers/sage-hr/people.ts";
import { FakeSageHr, sageKey } from "../support/vendors/fake-sage-hr.ts";

const form = { subdomain: "lindgren", key: sageKey };
let fake: FakeSageHr;
let trial: Trial;
beforeEach(async () => {
  fake = await FakeSageHr.start();
  const subject = { definition: sageHr, mode: "xhr", adapter: sageHr.modes.xhr };
  trial = new Trial(subject as never, toSystem(fake), AbortSignal.timeout(30_000));
});
afterEach(() => trial.close());

/** The records of a read by their ids, without ours. */
async function read(resource: Resource, parameters?: object) {
  const { records } = await trial.read(resource, parameters && { parameters });
  return records;
}

const byId = (records: readonly ReadRecord[], id: string): ReadRecord | undefined =>
  records.find(({ remote_id: own }) => own === id);

/** How often each path was asked for, with `{id}` for ids. */
function countRequests(): Record<string, number> {
  const paths = fake.requests.map(({ path }) => path.replaceAll(/\/\d+/g, "/{id}"));
  return Object.fromEntries(
    [...Map.groupBy(paths, (path) => path)].map(([path, same]) => [path, same.length]),
  );
}

describe("a record is whole", () => {
  beforeEach(() => trial.signIn());

  const manager = {
    remote_id: "101",
    first_name: "Łucja",
    last_name: "Nowak-Åberg",
    work_email: "lucja@lindgren.example",
  };
  const nobody = {
    manager: null,
    groups: [],
    home_location: { street_address: null, country: null },
    tax_id: null,
  };

  test.each([
    [
      "101",
      {
        ...nobody,
        employee_number: "H-101",
        first_name: "Łucja",
        last_name: "Nowak-Åberg",
        display_full_name: "Łucja Nowak-Åberg",
        work_email: "lucja@lindgren.example",
        mobile_phone_number: "+46 70 555 01 01",
        date_of_birth: "1979-11-30",
        tax_id: "SE-7911-30",
        gender: "female",
        job_title: "Head of harbour",
        start_date: "2019-01-07",
        termination_date: null,
        employment_status: "leave",
        employment_type: "full_time",
        home_location: {
          street_address: "Strandvägen 7, Lgh 1203",
          locality: "Malmö",
          post_code: "21114",
          country: "SE",
        },
        groups: [{ remote_id: "11", name: "Harbour", type: "team" }],
        employments: [
          { effective_date: "2023-02-01", pay_rate: 4_100.5, job_title: "Head of harbour" },
          { effective_date: "2021-01-01", pay_rate: 3_000, employment_type: "full_time" },
          {
            effective_date: "2019-01-07",
            pay_rate: 3_000,
            pay_period: "MONTH",
            currency: "sek",
            employment_type: "part_time",
            job_title: "Planner",
          },
        ],
        employment_history: [
          { effective_date: "2023-02-01", group_remote_id: "11", group_name: "Harbour" },
          { effective_date: "2021-01-01", group_remote_id: "11", group_name: "Harbour" },
          { effective_date: "2019-01-07", group_remote_id: "12", group_name: "Sea" },
        ],
      },
    ],
    [
      "102",
      {
        first_name: "大江",
        last_name: "健",
        gender: "male",
        tax_id: "8702",
        manager,
        employment_status: "active",
        employments: [
          {
            effective_date: "2021-05-03",
            job_title: "Planner",
            employment_type: "full_time",
            pay_rate: null,
          },
        ],
        employment_history: [{ group_remote_id: "11", group_name: "Harbour" }],
      },
    ],
    [
      "103",
      {
        ...nobody,
        first_name: "大江",
        work_email: null,
        employment_status: "active",
        employments: [],
      },
    ],
    [
      "104",
      {
        gender: "not_specified",
        employment_type: "contractor",
        groups: [],
        employments: [
          { effective_date: "2022-01-01", pay_rate: 41, pay_period: "HOUR", currency: "gbp" },
        ],
      },
    ],
    [
      "105",
      {
        employment_status: "pending",
        employment_type: "other",
        start_date: "2099-01-01",
        // A rate of two weeks is none of ours.
        employments: [{ effective_date: "2099-01-01", pay_rate: null, currency: null }],
      },
    ],
    [
      "106",
      {
        employment_type: "other",
        employment_status: "active",
        home_location: { post_code: "SW1A 1AA", country: "GB" },
      },
    ],
    [
      "107",
      {
        employment_type: "part_time",
        manager: {
          remote_id: "203",
          first_name: "Maja",
          last_name: "Left203",
          work_email: "maja@lindgren.example",
        },
      },
    ],
    ["108", { employment_status: "active", termination_date: "2099-12-31", employment_type: null }],
    [
      "202",
      {
        ...nobody,
        employment_status: "inactive",
        termination_date: "2020-02-29",
        start_date: "2016-06-01",
        job_title: null,
        employments: [],
      },
    ],
    ["203", { employment_status: "inactive", termination_date: "2026-03-15" }],
  ])("of the person %s", async (id, expected) => {
    expect(byId(await read("employees"), id)).toMatchObject(expected);
  });

  test("of somebody who came back, and is still on the list of leavers", async () => {
    Object.assign(fake.company.people[1]!, { employment_start_date: "2025-02-03" });
    fake.company.leavers.push({ id: 102, termination_date: "2024-06-30" });
    expect(byId(await read("employees"), "102")).toMatchObject({
      employment_status: "active",
      start_date: "2025-02-03",
      termination_date: null,
    });
  });

  test("of whose pay there is a history, and of the rest the present alone", async () => {
    expect(byId(await read("employees"), "104")).toMatchObject({
      job_title: "Planner",
      employments: [
        { effective_date: "2022-01-01", job_title: "Planner", employment_type: "contractor" },
      ],
    });
    const [pay] = fake.company.compensations["104"]!;
    fake.company.compensations["104"]!.push({ ...pay, start_date: "2027-01-01", amount: 43 });
    fake.company.compensations["104"]!.push({ ...pay, start_date: "2020-01-01", amount: 39 });
    expect(byId(await read("employees"), "104")).toMatchObject({
      employments: [
        { effective_date: "2027-01-01", job_title: "Planner", pay_rate: 43 },
        { effective_date: "2022-01-01", job_title: "Planner", pay_rate: 41 },
        { effective_date: "2020-01-01", job_title: null, employment_type: null, pay_rate: 39 },
      ],
    });
  });

  test.each([
    ["pay", { compensations: true }],
    ["a position", { compensations: false }],
  ])("who will get the first row of %s has the present job until then", async (_what, given) => {
    const one = fake.company.people.find(({ id }) => id === 104)!;
    const [pay] = fake.company.compensations["104"]!;
    const start_date = "2099-01-01";
    const own = given.compensations ? [{ ...pay, start_date }] : [];
    Object.assign(fake.company.compensations, { 104: own });
    const next = given.compensations ? "Planner" : "Head of harbour";
    Object.assign(one, {
      employment_start_date: "2020-03-02",
      ...(!given.compensations && { position_history: [{ position_name: next, start_date }] }),
    });
    const employments = [
      { effective_date: start_date, job_title: next, employment_type: "contractor" },
      { effective_date: "2020-03-02", job_title: "Planner", employment_type: "contractor" },
    ];
    expect(byId(await read("employees"), "104")).toMatchObject({ employments });
  });

  test("who begins after the first row of pay has one job from that row on", async () => {
    const one = fake.company.people.find(({ id }) => id === 104)!;
    const [pay] = fake.company.compensations["104"]!;
    const own = [{ ...pay, start_date: "2099-01-01" }];
    Object.assign(fake.company.compensations, { 104: own });
    Object.assign(one, { employment_start_date: "2099-02-01" });
    const employments = [{ effective_date: "2099-01-01", job_title: "Planner", pay_rate: 41 }];
    expect(byId(await read("employees"), "104")).toMatchObject({ employments });
  });

  test("of a team, of the company and of a balance", async () => {
    expect(await read("groups")).toMatchObject([
      { remote_id: "11", name: "Harbour", type: "team" },
      { remote_id: "12", name: "Sea", type: "team" },
      { remote_id: "13", name: null, type: "team" },
    ]);
    const [company] = await read("company");
    expect(company).toMatchObject({
      remote_id: "lindgren",
      display_name: "lindgren",
      legal_name: null,
    });
    const first = { employee_remote_id: "101" };
    const uncounted = { balance: null };
    expect(await read("time-off-balances")).toMatchObject([
      {
        ...first,
        policy_remote_id: "31",
        policy_name: "Annual leave",
        policy_type: "vacation",
        balance: 12.5,
        used: 12.5,
        unit: "days",
      },
      { ...first, policy_remote_id: "32", policy_type: "sick", ...uncounted, used: 3 },
      { ...first, policy_remote_id: "33", policy_type: null, ...uncounted, unit: "hours" },
      { ...first, policy_remote_id: "34", policy_type: "bereavement", ...uncounted, used: 1 },
      { employee_remote_id: "102", policy_remote_id: "31", balance: -2, used: 27 },
    ]);
  });
});

const entryOf = (id: string, more: object) => ({ remote_id: id, ...more });
const entries = [
  entryOf("501", {
    employee_remote_id: "101",
    start_date: "2026-03-13",
    end_date: "2026-03-19",
    amount: 5,
    unit: "days",
    status: "approved",
    employee_note: "Skiing",
    policy_remote_id: "31",
    policy_name: "Annual leave",
    policy_type: "vacation",
    remote_created_at: "2025-11-01",
    remote_modified_at: "2025-11-02",
  }),
  entryOf("502", { amount: 0.5, unit: "days" }),
  entryOf("503", { amount: 3.5, unit: "hours", policy_type: null }),
  entryOf("504", { amount: 1, status: "pending", policy_type: "sick", remote_modified_at: null }),
  // From a Friday to a Monday.
  entryOf("505", { amount: 2, status: "rejected", policy_type: "bereavement" }),
  entryOf("507", { amount: 0.5 }),
  entryOf("508", { start_date: "2025-12-20", end_date: "2026-01-10", amount: 15, unit: "days" }),
  entryOf("509", { start_date: "2026-01-31", amount: 1 }),
];

async function idsOf(start: string, end: string) {
  const found = await read("time-off-entries", { range: { start, end } });
  return found.map(({ remote_id: id }) => id);
}

describe("leave", () => {
  beforeEach(() => trial.signIn());

  test.each([
    ["overlaps the days", true],
    ["starts in them", false],
  ])("is found once, where Sage HR lists what %s", async (_how, listsOverlapping) => {
    fake.listsOverlapping = listsOverlapping;
    const found = await read("time-off-entries", {
      range: { start: "2026-01-01", end: "2026-03-31" },
    });
    expect(
      found.toSorted((a, b) => (String(a["remote_id"]) < String(b["remote_id"]) ? -1 : 1)),
    ).toMatchObject(entries);
  });

  test.each([
    ["a Saturday", "2026-03-21", "2026-03-21", 1],
    ["a weekend", "2026-03-21", "2026-03-22", 2],
    ["a weekend and a Monday", "2026-03-21", "2026-03-23", 1],
  ])("of %s", async (_what, start, end, amount) => {
    const days = { start_date: start, end_date: end, is_single_day: start === end };
    fake.company.requests.push({ ...fake.company.requests[0], ...days, id: 520 });
    const found = await read("time-off-entries", { range: { start, end } });
    expect(byId(found, "520")).toMatchObject({ amount, unit: "days" });
  });

  test("of a half day with no hours is half a day", async () => {
    Object.assign(
      fake.company.requests.find(({ id }) => id === 502)!,
      { hours: 0 },
    );
    const range = { start: "2026-02-03", end: "2026-02-03" };
    const found = await read("time-off-entries", { range });
    expect(byId(found, "502")).toMatchObject({ amount: 0.5, unit: "days" });
  });

  test("of a range is what overlaps it, at both of its ends", async () => {
    expect(await idsOf("2026-03-19", "2026-03-20")).toEqual(["501"]);
    expect(await idsOf("2026-03-12", "2026-03-13")).toEqual(["501"]);
    expect(await idsOf("2026-03-20", "2026-03-31")).toEqual([]);
    expect(await idsOf("2026-03-01", "2026-03-12")).toEqual([]);
  });

  test("of a half day leaves somebody active, and of a whole one that ended too", async () => {
    fake.company.away = [502, 507];
    const people = await read("employees");
    expect(byId(people, "101")?.["employment_status"]).toBe("active");
    expect(byId(people, "106")?.["employment_status"]).toBe("active");
  });
});

describe("requests", () => {
  beforeEach(() => trial.signIn());

  test("for all people are a page for fifty, and one for the pay of each who works there", async () => {
    fake.requests.length = 0;
    await read("employees");
    expect(countRequests()).toEqual({
      "/employees": 2,
      "/terminated-employees": 1,
      "/leave-management/out-of-office-today": 1,
      "/employees/{id}/compensations": 60,
    });
  });

  test("for changes are the lists alone, until somebody changes", async () => {
    await read("employees");
    const since = trial.watch.next!;
    fake.requests.length = 0;
    expect(await trial.read("employees", { start: { since } })).toMatchObject({ records: [] });
    expect(countRequests()["/employees/{id}/compensations"]).toBeUndefined();
    Object.assign(fake.company.people[1]!, { position: "Pilot" });
    // The name of a manager stands in the records of others.
    Object.assign(fake.company.leavers[2]!, { first_name: "Maia" });
    fake.company.people.pop();
    const { records } = await trial.read("employees", { start: { since } });
    expect(records.map(({ remote_id: id }) => id).toSorted()).toEqual(["102", "107", "203"]);
    expect(trial.watch.removed).toEqual(["160"]);
  });

  test("that a page answers in place of Sage HR wait a minute, and are no missing right", async () => {
    const page = {
      status: 403,
      headers: { "content-type": "text/html" },
      body: "<html>Wait</html>",
    };
    fake.interfere = ({ path }) => (path === "/teams" ? page : undefined);
    await expect(read("groups")).rejects.toMatchObject({ afterSeconds: 60 });
    fake.interfere = ({ path }) => (path === "/teams" ? { ...page, body: "{}" } : undefined);
    await expect(read("groups")).rejects.toMatchObject({ code: "insufficient_permission" });
  });

  test.each([["next_page"], ["total_pages"], ["current_page"]])(
    "go on page by page without %s",
    async (name) => {
      fake.untold = [name];
      fake.pageSize = 2;
      expect(await read("groups")).toHaveLength(3);
    },
  );

  test("of a list that does not say which page it is are a fault, and no shorter list", async () => {
    fake.interfere = ({ path }) =>
      path === "/teams" ? { status: 200, body: JSON.stringify({ data: [{ id: 1 }] }) } : undefined;
    await expect(read("groups")).rejects.toThrow("does not say which one it is");
  });
});

describe("a sign-in", () => {
  test.each([
    [{ status: 404, body: "<html></html>" }],
    [{ status: 302, headers: { location: "https://sage.hr/" } }],
    [{ status: 200, body: "<html></html>" }],
  ])("to a subdomain that nobody has (%j) is told at its field", async (answer) => {
    fake.interfere = () => answer;
    await expect(trial.signIn()).rejects.toMatchObject({ field: "subdomain" });
  });

  test.each([
    ["lindgren", "lindgren"],
    [" Lindgren.sage.hr ", "lindgren"],
    ["https://lindgren.sage.hr/employees?page=1", "lindgren"],
    ["lindgren.sage.hr.", "lindgren"],
    ["lindgren.sage.hr.evil.example", null],
    ["lindgren.cake.hr", null],
    ["lindgren@evil", null],
    ["-a", null],
    ["", null],
  ])("the subdomain %j is %j", (typed, expected) => {
    expect(typedSubdomain.labelOf({ subdomain: typed })).toBe(expected ?? "");
  });

  test("says which data there are", async () => {
    const { unsupported, forbidden } = await trial.signIn({ formValues: form });
    expect([...unsupported, ...(forbidden ?? [])]).toEqual([]);
    expect(resources.filter((resource) => !trial.resources.includes(resource)).toSorted()).toEqual([
      "payruns",
      "payslips",
      "timesheets",
      "work-locations",
    ]);
  });
});

function paid(start: string, end: string | null, amount: unknown, more: object = {}) {
  return {
    start_date: start,
    end_date: end,
    amount,
    category: "Salary",
    period: "monthly",
    ...more,
  };
}

describe("histories", () => {
  const none = { positions: [], teams: [], statuses: [], compensations: [] };
  test.each([
    ["none of them make no job", {}, []],
    [
      "a gap between two rows is nothing of both",
      {
        positions: [
          { position_name: "A", start_date: "2020-01-01", end_date: "2020-06-30" },
          { position_name: "B", start_date: "2021-01-01", end_date: null },
        ],
        teams: [{ team_id: 1, team_name: "T", start_date: "2020-09-01", end_date: null }],
      },
      [
        { start_date: "2020-01-01", position: "A", team: null },
        { start_date: "2020-09-01", position: null },
        { start_date: "2021-01-01", position: "B", team: { team_id: "1" } },
      ],
    ],
    [
      "of salaries that overlap the one counts that began last",
      { compensations: [paid("2021-01-01", null, 2), paid("2020-01-01", null, "1.10")] },
      [{ pay: { amount: 1.1 } }, { start_date: "2021-01-01", pay: { amount: 2 } }],
    ],
    [
      "after a salary of some months the one before it counts again",
      { compensations: [paid("2021-01-01", "2021-06-30", 2), paid("2020-01-01", null, 1)] },
      [
        { pay: { amount: 1 } },
        { start_date: "2021-01-01", pay: { amount: 2 } },
        { start_date: "2021-07-01", pay: { amount: 1 } },
      ],
    ],
    [
      "a salary that has ended is none from then on",
      {
        positions: [{ position_name: "A", start_date: "2020-01-01", end_date: null }],
        compensations: [paid("2020-01-01", "2020-12-31", 1)],
      },
      [
        { start_date: "2020-01-01", position: "A", pay: { amount: 1 } },
        { start_date: "2021-01-01", position: "A", pay: null },
      ],
    ],
    [
      "what ends under a newer row is nothing new, and the end of all is no job",
      {
        positions: [
          { position_name: "A", start_date: "2020-01-01", end_date: "2021-02-15" },
          { position_name: "B", start_date: "2021-02-01", end_date: "2021-12-31" },
        ],
      },
      [{ position: "A" }, { start_date: "2021-02-01", position: "B" }],
    ],
    [
      "a bonus is no salary",
      { compensations: [paid("2021-01-01", null, 2, { category: "Bonus" })] },
      [],
    ],
  ])("%s", (_what, given, expected) => {
    expect(joinHistories({ ...none, ...given })).toMatchObject(expected);
    expect(joinHistories({ ...none, ...given })).toHaveLength(expected.length);
  });

  test("an amount that cannot be read breaks the read: another pay would count in its place", () => {
    const compensations = [paid("2021-01-01", null, "much")];
    expect(() => joinHistories({ ...none, compensations })).toThrow("number");
  });
});

async function count(pages: AsyncIterable<object>): Promise<number> {
  let found = 0;
  for await (const page of pages) {
    const { records, changed = records ?? page } = page as Record<string, readonly object[]>;
    found += (changed as readonly object[]).length;
  }
  return found;
}

describe("5,000 people", () => {
  const clock = new TestClock(sageNow);
  let requests = 0;
  let since: Cursor = {};
  /** One request a second, as the host spreads those of the quota. */
  function contextOf(): ReadContext {
    const ask = ({ url, query = {}, headers = {} }: ProviderRequest) => {
      requests += 1;
      clock.advance(1);
      const path = new URL(url).pathname.replace(/^\/api/, "");
      const asked = { path, query: query as Record<string, string> };
      const { status, body } = fake.route(asked, (headers as Wire)["x-auth-token"]);
      const bytes = Buffer.from(JSON.stringify(body));
      const type = { "content-type": "application/json" };
      return { status, headers: type, bytes, json: () => JSON.parse(bytes.toString()) as unknown };
    };
    const context = {
      clock,
      cursor: undefined,
      http: () => ({ request: async (asked: ProviderRequest) => ask(asked) }),
      withSession: async (work: (session: object) => unknown) =>
        await work({ subdomain: "lindgren", key: sageKey }),
      limited: () => undefined,
      continueFrom: (cursor: Cursor) => void (since = cursor),
    };
    return context as unknown as ReadContext;
  }
  test("take the pages and a request each, and a day of polls a tenth of the quota", async () => {
    const people = Array.from({ length: 5_000 }, (_, index) => person(1_000 + index));
    fake.company = { ...createSageCompany(), people, leavers: [] };
    expect(await count(employees.fetch(contextOf(), {}, {}))).toBe(5_000);
    // Leavers and who is away are one request each.
    const least = 5_000 / fake.pageSize + 1 + 1 + 5_000;
    expect(requests).toBeLessThanOrEqual(least * 1.05);

    requests = 0;
    let reread = 0;
    for (let hour = 0; hour < 24; hour += 1) {
      clock.advance(3_600 - (clock.now().getTime() % 3_600_000) / 1_000);
      reread += await count(employees.changes!(contextOf(), {}, since));
    }
    expect(reread).toBeGreaterThanOrEqual(4_800);
    const { perMinute = 0 } = sageHr.limits?.quotas?.["company"] ?? {};
    expect(requests).toBeLessThan((24 * 60 * perMinute) / 10);
  });
});
