import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { Trial, type ReadRecord } from "../../src/conformance/trial.ts";
import type { Mode, Resource } from "../../src/model/index.ts";
import { factorial } from "../../src/providers/factorial/index.ts";
import { ProviderRegistry } from "../../src/providers/registry.ts";
import { sandbox } from "../../src/providers/sandbox/index.ts";
import { ApprovingClient } from "../support/approving-client.ts";
import { aimProvider } from "../support/aim-provider.ts";
import { textOf } from "../support/connect-visitor.ts";
import { dumpTables } from "../support/dump-tables.ts";
import type { Reply } from "../support/http-client.ts";
import { createHarness, type Harness } from "../support/harness.ts";
import {
  createFactorialCompany,
  factorialNow,
  idOf,
} from "../support/vendors/factorial-company.ts";
import { toSystem } from "../support/vendors/factorial-conformance.ts";
import {
  adminCode,
  factorialApplication,
  factorialCode,
  factorialKey,
  FakeFactorial,
  otherFactorialCode,
  otherFactorialKey,
  personalCode,
} from "../support/vendors/fake-factorial.ts";
import { untilSettled, WaitingClock } from "../support/waiting-clock.ts";

let fake: FakeFactorial;
let trial: Trial;
beforeEach(async () => {
  fake = await new FakeFactorial().start();
  trial = begin("xhr");
});
afterEach(async () => {
  await trial.close();
  await fake.stop();
});

function begin(mode: Mode): Trial {
  const subject = { definition: factorial, mode, adapter: factorial.modes[mode] };
  return new Trial(subject as never, toSystem(fake, mode), AbortSignal.timeout(60_000));
}

async function read(resource: Resource, parameters?: object): Promise<readonly ReadRecord[]> {
  return (await trial.read(resource, parameters && { parameters })).records;
}

const idsOf = (records: readonly ReadRecord[]) => records.map(({ remote_id: id }) => id).toSorted();
const person = (records: readonly ReadRecord[], number: number): ReadRecord | undefined =>
  records.find(({ remote_id: id }) => id === idOf(number));
const approve = (code: string) => trial.signIn({ formValues: {}, code });
const countOf = (list: string): number =>
  fake.requests.filter(({ path }) => path.endsWith(list)).length;

describe("what nobody knows of a parameter is read right either way", () => {
  beforeEach(() => trial.signIn());

  test.each([
    ["leavers alone", { onlyActiveFalse: "leavers" }],
    ["everybody but managers", { onlyManagersFalse: "others" }],
    ["leavers who are no managers", { onlyActiveFalse: "leavers", onlyManagersFalse: "others" }],
  ] as const)("where `false` asks for %s", async (_what, means) => {
    const before = await read("employees");
    Object.assign(fake.means, means);
    expect(await read("employees")).toEqual(before);
  });

  test("where `half_day=false` hides shifts of half a day", async () => {
    const before = await read("timesheets");
    fake.means.halfDayFalse = "whole";
    // Breaks, what is no work, and a shift that goes on are none.
    expect(idsOf(before)).toEqual([701, 702, 703, 707, 708].map(idOf).toSorted());
    expect(await read("timesheets")).toEqual(before);
  });

  test("where leave is found by its first day", async () => {
    const range = { start: "2026-03-01", end: "2026-03-01" };
    expect(idsOf(await read("time-off-entries", { range }))).toEqual([idOf(509)]);
    fake.means.leavesFound = "starting";
    expect(idsOf(await read("time-off-entries", { range }))).toEqual([idOf(509)]);
  });

  test("where contracts are refused without a parameter, jobs are limited and people are there", async () => {
    fake.means.needsJobCatalog = true;
    const people = await read("employees");
    expect(people).toHaveLength(60);
    expect(person(people, 1)).toMatchObject({ employments: [], start_date: null });
    expect(trial.watch.limited).toEqual(expect.arrayContaining(["employments", "start_date"]));
  });
});

describe("requests", () => {
  beforeEach(async () => {
    await trial.signIn();
    fake.requests.length = 0;
  });

  test("of a poll are one for each list and two for who changed, which is nobody, until something is another one", async () => {
    await read("employees");
    const since = trial.watch.next!;
    fake.requests.length = 0;
    expect(await trial.read("employees", { start: { since } })).toMatchObject({ records: [] });
    expect(fake.requests).toHaveLength(8 + 2);
    Object.assign(fake.company["contracts/contract_versions"][3]!, { job_title: "Pilot" });
    const { records } = await trial.read("employees", { start: { since } });
    expect(person(records, 2)).toMatchObject({ job_title: "Pilot" });
    expect(trial.watch.present).toHaveLength(60);
  });

  test("look for no person, where all places share one zone", async () => {
    fake.company["locations/locations"].forEach((one) => (one["timezone"] = "Europe/Madrid"));
    const sheets = await read("timesheets");
    expect(person(sheets, 703)).toMatchObject({ start_time: "2026-03-17T21:00:00Z" });
    expect(countOf("/employees")).toBe(0);
  });

  test("are for as many records as Factorial gives at once, and go on behind the last one", async () => {
    const people = createFactorialCompany(250)["employees/employees"];
    fake.company["employees/employees"] = people;
    expect(await read("employees")).toHaveLength(250);
    const asked = fake.requests.filter(({ path }) => path.endsWith("/employees/employees"));
    expect(asked.map(({ query }) => query["after_id"])).toEqual([undefined, idOf(100), idOf(200)]);
    expect(new Set(asked.map(({ query }) => query["limit"]))).toEqual(new Set(["100"]));
  });

  test.each([[{ has_next_page: true, end_cursor: null }], [{}]])(
    "of a page that does not say where the list goes on (%j) are a fault, and no shorter list",
    async (meta) => {
      fake.interfere = ({ path }) =>
        path.includes("teams/") ? { status: 200, body: { data: [], meta } } : undefined;
      await expect(read("groups")).rejects.toThrow("does not say where the list goes on");
    },
  );

  test("never take an id that came as a number, which may have lost digits", async () => {
    fake.company["teams/teams"][0]!["id"] = 36_893_488_147_419_100;
    await expect(read("groups")).rejects.toThrow("cannot be read as id");
  });
});

describe("the version of the API", () => {
  test("that has ended is said, also where it looks like something that the account lacks", async () => {
    await trial.signIn();
    fake.absent = ["teams/"];
    await expect(read("groups")).rejects.toMatchObject({ name: "OperationNotSupported" });
    fake.versions = ["2027-01-01"];
    for (const resource of ["groups", "employees", "timesheets"] as const)
      await expect(read(resource)).rejects.toThrow("no longer answers version 2026-10-01");
    await expect(trial.signIn()).rejects.toThrow("no longer answers version 2026-10-01");
  });
});

test.each([
  ["regular", "regular"],
  ["salary_advance", "one_time"],
  ["bonus_benefit", "one_time"],
  ["extra_pay", "one_time"],
  ["severance", "one_time"],
  ["delayed_payment", "correction"],
  ["rate_difference", "correction"],
])("a run for %s is %s", async (payment_type, type) => {
  fake.company["compensations/payroll_runs"].splice(1);
  Object.assign(fake.company["compensations/payroll_runs"][0]!, { payment_type });
  await trial.signIn();
  expect(await read("payruns")).toMatchObject([{ type, state: null, payment_date: null }]);
});

test("the one legal entity of an account has its name, and nobody is told it", async () => {
  fake.company["companies/legal_entities"].splice(1);
  await trial.signIn();
  expect(await read("company")).toMatchObject([
    { legal_name: "Garriga i Fills SL", display_name: "Garriga" },
  ]);
  const people = await read("employees");
  expect(person(people, 3)).toMatchObject({ custom_fields: null });
  expect(person(people, 8)).toMatchObject({ employments: [{ currency: "eur" }] });
});

test.each([
  // 2020-12-31 is the last day of the first contract.
  ["2021-01-03", "2020-01-01", null],
  ["2021-01-04", "2021-01-04", { original_start_date: "2020-01-01" }],
])("who has the next contract from %s on is there since %s", async (on, start, custom) => {
  const next = fake.company["contracts/contract_versions"].find(({ id }) => id === idOf(10_010));
  Object.assign(next!, { effective_on: on, starts_on: on });
  fake.company["companies/legal_entities"].splice(1);
  await trial.signIn();
  expect(person(await read("employees"), 5)).toMatchObject({
    start_date: start,
    custom_fields: custom,
  });
});

test("leave that was deleted is left out", async () => {
  await trial.signIn();
  expect(idsOf(await read("time-off-entries"))).not.toContain(idOf(507));
});

test("days of leave that are used are read of one year, too, and none of those that say none", async () => {
  const entry = fake.company["timeoff/leaves"].find(({ id }) => id === idOf(510))!;
  Object.assign(entry, { duration_attributes: { used_units: { days: "1.5" } } });
  await trial.signIn();
  expect(person(await read("time-off-entries"), 510)).toMatchObject({ amount: 1.5 });
  Object.assign(entry, { duration_attributes: { used_units: { hours: 3 } } });
  expect(person(await read("time-off-entries"), 510)).toMatchObject({ amount: 0 });
});

test("leave of no hours is counted in days, and is away", async () => {
  for (const leave of fake.company["timeoff/leaves"]) leave["hours_amount_in_cents"] ??= 0;
  await trial.signIn();
  expect(person(await read("time-off-entries"), 501)).toMatchObject({ amount: 4, unit: "days" });
  expect(person(await read("employees"), 12)).toMatchObject({ employment_status: "leave" });
});

describe("work at home", () => {
  const today = { range: { start: "2026-10-14", end: "2026-10-14" } };

  test("that Factorial lists as leave is none", async () => {
    await trial.signIn();
    const found = idsOf(await read("time-off-entries", today));
    expect(found).toContain(idOf(524));
    expect(found).not.toContain(idOf(523));
  });

  test("has no balance, and one that other leave draws on as well has", async () => {
    const [first, second] = fake.company["timeoff/allowances"];
    Object.assign(first!, { leave_type_ids: [idOf(403)] });
    Object.assign(second!, { leave_type_ids: [idOf(403), idOf(402)] });
    await trial.signIn();
    const found = (await read("time-off-balances")).map((one) => one["policy_remote_id"]);
    expect(found.toSorted()).toEqual([idOf(602), idOf(603)].toSorted());
  });
});

test("a shift of which the minutes alone are told has its day and no clock, and one without any is none", async () => {
  const shifts = fake.company["attendance/shifts"];
  const alone = { clock_in: null, clock_out: null };
  shifts.push({ ...shifts[0], id: idOf(709), ...alone, minutes: 450 });
  shifts.push({ ...shifts[0], id: idOf(710), ...alone, minutes: 0 });
  shifts.push({ ...shifts[0], id: idOf(711), ...alone, minutes: null });
  await trial.signIn();
  const found = await read("timesheets");
  expect(person(found, 709)).toMatchObject({
    start_time: "2026-03-16T00:00:00Z",
    end_time: null,
    hours_worked: 7.5,
  });
  for (const empty of [710, 711]) expect(person(found, empty)).toBeUndefined();
});

test("states of the United States and provinces of Canada have two letters", async () => {
  const [first] = fake.company["employees/employees"];
  const [place] = fake.company["locations/locations"];
  const [entity] = fake.company["companies/legal_entities"];
  Object.assign(first!, { country: "us", state: "California" });
  Object.assign(place!, { country: "ca", state: "Ontario" });
  Object.assign(entity!, { country: "us", state: "ny" });
  await trial.signIn();
  expect(person(await read("employees"), 1)).toMatchObject({
    home_location: { administrative_area: "CA", country: "US" },
    work_location: { address: { administrative_area: "ON", country: "CA" } },
  });
  expect(person(await read("work-locations"), 801)).toMatchObject({
    address: { administrative_area: "ON" },
  });
  expect(person(await read("company"), 901)).toMatchObject({
    address: { administrative_area: "NY" },
  });
});

test("a key is taken whoever has made it", async () => {
  fake.keys.set(factorialKey, { company: idOf(7), employee: idOf(2), role: "basic" });
  await expect(trial.signIn()).resolves.toMatchObject({ forbidden: [] });
  const formValues = { key: otherFactorialKey };
  await expect(trial.signIn({ formValues })).resolves.toMatchObject({
    identity: { name: "Garriga i Fills SL" },
  });
});

describe("an approval", () => {
  beforeEach(async () => {
    await trial.close();
    trial = begin("official");
  });

  test("of somebody who sees less is refused, and that of an administrator is theirs", async () => {
    await expect(approve(personalCode)).rejects.toMatchObject({ field: "company" });
    await expect(approve(adminCode)).resolves.toMatchObject({
      identity: { name: "Łucja Nowak Garriga", email: "lucja@garriga.example" },
    });
    await expect(approve(factorialCode)).resolves.toMatchObject({
      identity: { name: "Garriga", email: "" },
    });
  });
});

describe("through the service", () => {
  const clock = new WaitingClock(factorialNow);
  const formValues = { key: ` ${factorialKey} ` };
  let served: FakeFactorial;
  let harness: Harness;
  beforeAll(async () => {
    served = await new FakeFactorial().start();
    const { clientId, clientSecret } = factorialApplication;
    harness = await createHarness({
      clock,
      registry: new ProviderRegistry([sandbox, aimProvider(factorial, served.origin)]),
      env: {
        PROVIDER_FACTORIAL_CLIENT_ID: clientId,
        PROVIDER_FACTORIAL_CLIENT_SECRET: clientSecret,
      },
    });
  });
  afterAll(async () => {
    await harness.close();
    await served.stop();
  });

  async function readOf(bearer: string, mode: Mode, resource: string) {
    let reply: Reply | undefined;
    const get = async () =>
      (reply = await harness.http.get(`/2023-03-01/${mode}/${resource}`, { bearer }));
    await untilSettled(harness, get);
    return reply?.body;
  }

  test("an approval leads to Factorial's page and back, stays with its company, and is revoked", async () => {
    const client = await ApprovingClient.create(harness);
    const [people = "", identity = ""] = ["employees", "identity"].map(
      (path) => `/2023-03-01/official/${path}`,
    );
    const scope = `${people} ${identity}`;
    const link = client.link({ mode: "official", provider: "factorial", scope });
    const seen = await client.approve(link, factorialCode);
    expect(textOf(seen.first)).toContain("What do I need in Factorial?");
    const { origin, pathname, searchParams } = seen.address;
    expect(origin + pathname).toBe("https://api.factorialhr.com/oauth/authorize");
    expect(searchParams.get("resource_owner_type")).toBe("company");
    const token = await client.exchange(seen);
    expect((await client.read(token, identity)).body).toMatchObject({ name: "Garriga" });
    served.endTokens();
    expect((await client.read(token, people)).body).toHaveLength(60);
    expect(served.counts.refreshes).toBe(1);
    const other = await client.approve(await client.linkAgain(), otherFactorialCode);
    expect(textOf(other)).toContain("another company than the one that is connected");
    const { revoked } = served.counts;
    await client.disconnect(token);
    expect(served.counts.revoked).toBe(revoked + 1);
  });

  test("of what is read by a key, nothing is in tables or the log", async () => {
    const { token } = await harness.connect({ provider: "factorial", formValues });
    const days = "start_date=2026-03-01&end_date=2026-04-30";
    for (const resource of ["employees", `time-off-entries?${days}`, "company"])
      expect(await readOf(token, "xhr", resource)).not.toHaveLength(0);
    const kept = `${await dumpTables(harness.database.url)} ${harness.logLines.join(" ")}`;
    for (const told of ["garriga.example", "Nowak Garriga", "ES91 2100", "Dentist", "-marker-"])
      expect(kept).not.toContain(told);
  });

  test("5,000 people by a key take the least of requests", async () => {
    const { token } = await harness.connect({ provider: "factorial", formValues });
    const people = createFactorialCompany(5_000);
    const version = people["contracts/contract_versions"][3]!;
    const everybody = people["employees/employees"].map(({ id }) => id);
    Object.assign(served.company, people, {
      "contracts/contract_versions": everybody.flatMap((employee_id, index) =>
        [0, 1].map((of) => ({ ...version, id: idOf(50_000 + index * 2 + of), employee_id })),
      ),
      "payroll/family_situations": everybody.map((employee_id, index) => ({
        id: idOf(80_000 + index),
        employee_id,
        civil_status: "single",
      })),
    });
    served.requests.length = 0;
    const startedAt = clock.now().getTime();
    const found = (await readOf(token, "xhr", "employees")) as ReadRecord[];
    expect(new Set(idsOf(found)).size).toBe(5_000);
    expect(found.every(({ employments }) => (employments as unknown[]).length === 2)).toBe(true);
    // The pages of people, versions and families, and one of each of the other lists and of the types of leave.
    const least = 50 + 100 + 50 + 6;
    expect(served.requests.length).toBeLessThanOrEqual(Math.floor(least * 1.05));
    const minutes = (clock.now().getTime() - startedAt) / 60_000;
    expect(minutes).toBeGreaterThanOrEqual(Math.floor(least / 200));
    // Where somebody changes in each hour, a day of polls takes less than a tenth of what is free.
    expect((served.requests.length + 10 + 50) * 24).toBeLessThanOrEqual((200 * 1_440) / 10);
  });
});
