import { afterAll, afterEach, beforeEach, describe, expect, test } from "vitest";
import { resources, type Resource } from "../../src/model/index.ts";
import { AddressPolicy, createGuardedAgent } from "../../src/platform/outbound/index.ts";
import { secondsBetween } from "../../src/platform/clock.ts";
import { createLog } from "../../src/platform/log.ts";
import { systemRandom } from "../../src/platform/random.ts";
import type { Cursor, FetchParameters, Session, Settings } from "../../src/providers/contract.ts";
import { FieldError, OperationNotSupported, ProviderBug } from "../../src/providers/errors.ts";
import { personio } from "../../src/providers/personio/index.ts";
import { ProviderHost } from "../../src/providers/provider-host.ts";
import { ProviderRegistry } from "../../src/providers/registry.ts";
import type { SourceRecord } from "../../src/providers/source-records.ts";
import { TestClock } from "../support/test-clock.ts";
import { aimProvider } from "../support/aim-provider.ts";
import { FakePersonio } from "../support/vendors/fake-personio.ts";
import {
  absencePeriod,
  attribute,
  createPeople,
  employee,
  period,
  timeOff,
  timeOffTypes,
  type PersonioRecord,
} from "../support/vendors/personio-records.ts";

const secret = "papi-secret";
const range = { start: "2026-03-01", end: "2026-03-31" };
const agent = createGuardedAgent({ policy: new AddressPolicy(["127.0.0.0/8", "::1/128"]) });
const clock = new TestClock();
const logged: string[] = [];
let fake: FakePersonio;
let host: ProviderHost;

beforeEach(async () => {
  fake = await FakePersonio.start();
  host = new ProviderHost({
    registry: new ProviderRegistry([aimProvider(personio, fake.origin)]),
    agentOf: () => agent,
    clock,
    random: systemRandom,
    log: createLog({ level: "trace", destination: { write: (line) => void logged.push(line) } }),
  });
});
afterEach(() => fake.stop());
afterAll(() => agent.destroy());

const call = () => ({
  provider: "personio",
  mode: "official" as const,
  signal: new AbortController().signal,
});

async function signIn(formValues = {}, previousSession?: Session): Promise<Session> {
  const signedIn = await host.login({
    ...call(),
    resources: ["employees"],
    formValues: { client_id: " papi-1 ", client_secret: secret, ...formValues },
    ...(previousSession && { previousSession }),
  });
  if (!("session" in signedIn)) throw new Error("a second factor is asked for");
  return signedIn.session;
}

interface ReadOptions {
  session?: Session;
  settings?: Settings;
  parameters?: FetchParameters;
  cursor?: Cursor;
  since?: Cursor;
}

async function read<R extends Resource>(resource: R, options: ReadOptions = {}) {
  const session = options.session ?? (await signIn());
  const seen = {
    limited: [] as string[],
    next: undefined as Cursor | undefined,
    present: undefined as readonly string[] | undefined,
  };
  const records: SourceRecord<R>[] = [];
  const cursors: (Cursor | undefined)[] = [];
  for await (const { raw, map, cursor, present } of host.read({
    parameters: { range },
    ...options,
    ...call(),
    resource,
    session,
    onSession: () => undefined,
    onLimited: (fields) => void seen.limited.push(...fields),
    onContinueFrom: (next) => void (seen.next = next),
  })) {
    records.push(...raw.map(map).filter((record) => record !== null));
    cursors.push(cursor);
    seen.present = present;
  }
  return { records, cursors, ...seen };
}

const today = { start_date: "2026-03-02", end_date: "2026-03-02" };
const atHome = { attributes: { id: 54, name: "Home office", category: "offsite_work" } };
const shortEmployee = (id: number) => ({ attributes: { id: attribute("id", id) } });
const idOf = (record: PersonioRecord): string =>
  String((record["attributes"] as { id: { value: number } }).id.value);

/** Their records were made long ago. */
function madeBefore<Person extends { record: PersonioRecord }>(person: Person): Person {
  const made = attribute("created_at", "2020-01-02T00:00:00+01:00");
  const attributes = { ...(person.record["attributes"] as object), created_at: made };
  return { ...person, record: { ...person.record, attributes } };
}

const department = { department: { attributes: { id: 21, name: "Support" } } };
const contract = (first: string, last: string | null, values: PersonioRecord = {}) => ({
  id: `e-${first}`,
  employment_start_date: first,
  employment_end_date: last,
  ...values,
});
const paid = (id: string, effective_from: string, values: PersonioRecord = {}) => ({
  id: `${id}-${effective_from}-${Object.keys(values).join()}`,
  person: { id },
  effective_from,
  interval: "MONTHLY",
  amount: { value: 4_000, currency: "EUR" },
  type: { category: "FIXED_SALARY" },
  ...values,
});

const asked = (path: string) =>
  fake.requests.filter((request) => request.path === path).map(({ query }) => query);

describe("the sign-in", () => {
  test("keeps the pair and a token of each version, and names the company in place of a person", async () => {
    const session = await signIn();
    expect(session).toMatchObject({
      clientId: "papi-1",
      clientSecret: secret,
      v1: "v1-1",
      v2: "v2-1",
    });
    expect(personio.modes.official?.expiresAt?.(session)).toEqual(new Date("2026-03-03T10:00:00Z"));
    expect(personio.modes.official?.keepsSecret).toBe(true);
    const { identity, ...rights } = await host.inspect({ ...call(), session, resources });
    expect(identity).toEqual({ name: "Ferme & Fils GmbH", email: "", phone_number: null });
    expect(rights).toMatchObject({ unsupported: [], forbidden: [], limited: {} });
    expect(logged.join("\n")).not.toContain(secret);
  });

  test("sends a wrong secret once", async () => {
    await expect(signIn({ client_secret: "wrong" })).rejects.toMatchObject({
      code: "incorrect_username_or_password",
    });
    expect(fake.requests.map(({ path }) => path)).toEqual(["/v1/auth"]);
  });

  test("names what the credentials may not read, and goes on", async () => {
    fake.hidden = ["fix_salary", "office"];
    fake.refused = {
      "/v1/company/time-off-types": 403,
      "/v2/org-units": 404,
      "/v2/legal-entities": 403,
    };
    const session = await signIn();
    const found = await host.inspect({ ...call(), session, resources });
    expect(found.identity.name).toBe("papi-1");
    expect(found.unsupported).toEqual(["groups"]);
    expect([...(found.forbidden ?? [])].toSorted()).toEqual([
      "company",
      "time-off-balances",
      "time-off-entries",
    ]);
    expect(found.limited).toEqual({
      employees: ["work_location", "employments", "compensation_history"],
    });
  });

  test("names people as forbidden though the list of their attributes is not", async () => {
    fake.refused = { "/v1/company/employees": 403 };
    const found = await host.inspect({ ...call(), session: await signIn(), resources });
    expect(found.forbidden).toEqual(["employees", "time-off-balances"]);
  });

  test("with another pair again has to be of the same company", async () => {
    const before = await signIn();
    const other = { client_id: "papi-2", client_secret: secret };
    fake.credential = { client_id: "papi-2", client_secret: secret };
    fake.legalEntities.unshift({ id: "9001", name: "New GmbH" });
    await expect(signIn(other, before)).resolves.toMatchObject({ clientId: "papi-2" });
    fake.legalEntities = [{ id: "1", name: "Another" }];
    await expect(signIn(other, before)).rejects.toBeInstanceOf(FieldError);
    fake.refused = { "/v2/legal-entities": 403 };
    await expect(signIn(other, before)).rejects.toMatchObject({ field: "client_id" });
  });

  test.each([
    [3_600, 3_600],
    ["7200", 7_200],
    [undefined, 86_400],
    // The token is an older one, which ends soon, or the answer is of no use.
    [20, 300],
    [-1, 300],
    [1e300, 86_400],
  ])("with a token of v2 for %j seconds is used for %d", async (given, expected) => {
    const body = { access_token: "v2-1", token_type: "Bearer", expires_in: given };
    fake.interfere = ({ path }) => (path === "/v2/auth/token" ? { status: 200, body } : undefined);
    const { expiresAt } = await signIn();
    expect(secondsBetween(clock.now(), new Date(String(expiresAt)))).toBe(expected);
  });

  test("asks for both tokens anew, until the pair is deleted", async () => {
    const session = await signIn();
    fake.endTokens();
    clock.advance(3_600);
    const renewed = await host.refresh({ ...call(), session });
    expect(renewed).toMatchObject({ v1: "v1-2", v2: "v2-2", company: session["company"] });
    fake.credential = { client_id: "papi-9", client_secret: "new" };
    await expect(host.refresh({ ...call(), session: renewed })).rejects.toMatchObject({
      code: "reauthentication_required",
    });
  });
});

describe("people", () => {
  test("are read until all have come that Personio counts, each with what the credentials may read", async () => {
    fake.people = createPeople(250);
    fake.hidden = ["fix_salary"];
    const { records, limited, cursors, next } = await read("employees");
    expect(records).toHaveLength(250);
    expect(limited).toEqual(["employments", "compensation_history"]);
    expect(records[0]?.employments).toMatchObject([{ job_title: "Planner", pay_rate: null }]);
    expect(cursors).toEqual([{ offset: 100 }, { offset: 200 }, undefined]);
    // One tells how many there are.
    expect(asked("/v1/company/employees")).toHaveLength(1 + 3);
    expect(next).toMatchObject({ limited: "employments,compensation_history" });
  });

  test("who changed are one request, however many there are", async () => {
    fake.people = createPeople(250).map(madeBefore);
    const session = await signIn();
    const { next } = await read("employees", { session });
    fake.people = fake.people.map((one, index) =>
      index < 120 ? { ...one, updatedAt: "2030-01-01T00:00:00" } : one,
    );
    fake.requests.length = 0;
    const { records } = await read("employees", { session, since: next! });
    expect(records).toHaveLength(120);
    expect(fake.requests.map(({ path }) => path)).toEqual([
      "/v1/company/employees/attributes",
      // How many people there are, who is away, and who changed.
      "/v1/company/employees",
      "/v1/company/time-offs",
      "/v1/company/employees",
      // Of those who changed.
      "/v2/compensations",
      "/v2/persons",
      "/v2/persons",
      "/v2/persons",
    ]);
  });

  const few = ["11", "12"];
  test.each([
    ["is asked for by a request for each of the few who changed", true, () => undefined, few],
    ["is everybody's where nothing is told of one of them", false, () => undefined, ["", ...few]],
    [
      "is everybody's where Personio does not know the filter",
      true,
      () => ({ status: 200, body: { _data: fake.compensations, _meta: { links: {} } } }),
      ["", ...few],
    ],
    [
      "is everybody's where Personio refuses the filter",
      true,
      () => ({ status: 400, body: { errors: [] } }),
      ["", ...few],
    ],
  ])("whose pay %s", async (_, isPaid, answer, requests) => {
    fake.people = createPeople(250).map(madeBefore);
    const session = await signIn();
    const { next } = await read("employees", { session });
    fake.people = fake.people.map((one, index) =>
      index < few.length ? { ...one, updatedAt: "2030-01-01T00:00:00" } : one,
    );
    const raised = { amount: { value: 4_711, currency: "EUR" } };
    fake.compensations = ["11", ...(isPaid ? ["12"] : []), "13"].map((id) =>
      paid(id, "2020-01-01", raised),
    );
    fake.interfere = ({ path, query }) =>
      path === "/v2/compensations" && query["person.id"] !== undefined ? answer() : undefined;
    fake.requests.length = 0;
    const { records } = await read("employees", { session, since: next! });
    const isRaised = records.map((one) =>
      one.employments?.some(({ pay_rate: rate }) => rate === 4_711),
    );
    expect(isRaised).toEqual([true, isPaid]);
    const persons = asked("/v2/compensations").map((query) => query["person.id"] ?? "");
    expect(persons.toSorted()).toEqual(requests);
  });

  test("who were deleted are told, also in an hour in which somebody was hired", async () => {
    fake.people = createPeople(120).map(madeBefore);
    const session = await signIn();
    const { next } = await read("employees", { session });
    const left = fake.people.toSpliced(50, 1);
    fake.people = left;
    const after = await read("employees", { session, since: next! });
    expect([after.records, after.present]).toEqual([[], left.map(({ record }) => idOf(record))]);
    const hired = employee(9_000, { last_name: "New", created_at: "2026-03-02" });
    fake.people = [...left.slice(0, -1), { ...hired, updatedAt: "2030-01-01T00:00:00" }];
    const exchanged = await read("employees", { session, since: after.next! });
    expect(exchanged.records.map(({ remote_id }) => remote_id)).toEqual(["9000"]);
    expect(exchanged.present).toHaveLength(119);
    expect(exchanged.present).not.toContain(idOf(left.at(-1)!.record));
    const quiet = await read("employees", { session, since: exchanged.next! });
    expect([quiet.records.length, quiet.present?.length]).toEqual([1, 119]);
  });

  test("who go on leave for a whole day are told the day that they do, and the day that they come back", async () => {
    fake.people = createPeople(120).map(madeBefore);
    fake.timeOffs = [
      timeOff(61, {
        start_date: "2026-03-02",
        end_date: "2026-03-03",
        employee: shortEmployee(11),
      }),
      timeOff(62, { ...today, employee: shortEmployee(100), status: "pending" }),
      timeOff(63, { ...today, employee: shortEmployee(101), half_day_start: true }),
      timeOff(64, { ...today, employee: shortEmployee(102), half_day_end: true }),
      timeOff(65, { ...today, employee: shortEmployee(103), time_off_type: atHome }),
      timeOff(66, { ...today, employee: shortEmployee(104), start_date: "2026-03-03" }),
      timeOff(67, { ...today, employee: shortEmployee(105), end_date: "2026-03-01" }),
      timeOff(68, {
        ...today,
        employee: shortEmployee(106),
        half_day_start: true,
        start_date: "2026-02-27",
      }),
    ];
    const session = await signIn();
    const away = ({ records }: Awaited<ReturnType<typeof readPeople>>) =>
      records.filter((one) => one.employment_status === "leave").map((one) => one.remote_id);
    const readPeople = (since?: Cursor) => read("employees", { session, ...(since && { since }) });
    const whole = await readPeople();
    expect(away(whole)).toEqual(["11", "106"]);
    expect(asked("/v1/company/time-offs")).toMatchObject([
      { start_date: "2026-03-02", end_date: "2026-03-02" },
    ]);
    expect((await readPeople(whole.next)).records).toEqual([]);
    fake.timeOffs = [timeOff(70, { ...today, employee: shortEmployee(12) }), fake.timeOffs[0]!];
    const turned = await readPeople(whole.next);
    expect(turned.records.map((one) => [one.remote_id, one.employment_status])).toEqual([
      ["12", null],
      ["106", "active"],
    ]);
  });

  test("who came back have both employments, the day of the last start, and the first one ever", async () => {
    fake.people = [
      employee(11, { hire_date: "2024-05-01", position: "Head", ...department }),
      employee(12, { hire_date: "2020-01-01", position: "Clerk" }),
    ];
    fake.employments = {
      11: [
        contract("2024-05-01", null, { position: { title: "Head of v2" } }),
        contract("2018-01-01", "2020-06-30", {
          type: "EXTERNAL",
          position: { title: "Temp" },
          supervisor: { id: "14" },
          org_units: [
            { type: "team", id: "9" },
            { type: "department", id: "21" },
          ],
        }),
      ],
    };
    const { records } = await read("employees");
    expect(records[0]).toMatchObject({
      start_date: "2024-05-01",
      custom_fields: { original_start_date: "2018-01-01" },
      employments: [
        {
          effective_date: "2018-01-01",
          job_title: "Temp",
          employment_type: "contractor",
          pay_rate: null,
          group_remote_id: "department-21",
          group_name: "Support",
          manager_remote_id: "14",
        },
        { effective_date: "2024-05-01", job_title: "Head", group_remote_id: "department-21" },
      ],
    });
    expect(records[1]).toMatchObject({ start_date: "2020-01-01", custom_fields: null });
    expect(asked("/v2/persons")).toMatchObject([{ id: "11,12", limit: "50" }]);
    expect(fake.countRequests("/v2/persons/11/employments")).toBe(1);
    expect(fake.countRequests("/v2/persons/12/employments")).toBe(0);
  });

  test.each([
    ["will come back are pending", "2027-01-01", "inactive", "pending"],
    ["came back are what Personio says", "2025-01-01", "active", "active"],
  ])("who left and %s, without the last day of before", async (_who, back, status, told) => {
    const termination_date = "2020-12-31T00:00:00+0100";
    fake.people = [employee(11, { hire_date: "2019-01-01", status, termination_date })];
    fake.employments = { 11: [contract("2019-01-01", "2020-12-31"), contract(back, null)] };
    const [record] = (await read("employees")).records;
    expect(record).toMatchObject({
      start_date: back,
      termination_date: null,
      employment_status: told,
    });
  });

  test("who have left for good after they came back keep their last day", async () => {
    fake.people = [employee(11, { status: "inactive", termination_date: "2025-12-31" })];
    const times = [contract("2019-01-01", "2020-12-31"), contract("2024-01-01", "2025-12-31")];
    fake.employments = { 11: times };
    const [record] = (await read("employees")).records;
    expect(record).toMatchObject({ termination_date: "2025-12-31", employment_status: "inactive" });
  });

  test.each([
    [
      "without a day between them",
      [
        ["2019-01-01", "2020-12-31"],
        ["2021-01-01", null],
      ],
      "2019-01-01",
      undefined,
    ],
    [
      "with a day between them",
      [
        ["2019-01-01", "2020-12-30"],
        ["2021-01-01", null],
      ],
      "2021-01-01",
      "2019-01-01",
    ],
    [
      "of which one ends by its termination",
      [
        ["2019-01-01", null, "2020-06-30"],
        ["2021-01-01", null],
      ],
      "2021-01-01",
      "2019-01-01",
    ],
    [
      "that begin in future",
      [
        ["2019-01-01", "2020-12-31"],
        ["2027-01-01", null],
      ],
      "2027-01-01",
      "2019-01-01",
    ],
    [
      "of which one begins in future",
      [
        ["2019-01-01", "2026-03-02"],
        ["2027-01-01", null],
      ],
      "2019-01-01",
      undefined,
    ],
    [
      "that have all ended",
      [
        ["2010-01-01", "2011-01-01"],
        ["2019-01-01", "2020-12-31"],
      ],
      "2019-01-01",
      "2010-01-01",
    ],
    [
      "three in a chain after a gap",
      [
        ["2010-01-01", "2011-01-01"],
        ["2019-01-01", "2020-12-31"],
        ["2021-01-01", "2022-12-31"],
        ["2023-01-01", null],
      ],
      "2019-01-01",
      "2010-01-01",
    ],
  ] as [string, [string, string | null, string?][], string, string | undefined][])(
    "with employments %s begin on the first day of the chain",
    async (_case, spans, start, original) => {
      fake.people = [employee(11, { hire_date: "2021-01-01", position: "Clerk" })];
      fake.employments = {
        11: spans.map(([first, last, termination_date]) =>
          contract(first, last, { termination: { termination_date } }),
        ),
      };
      const [record] = (await read("employees")).records;
      expect(record?.start_date).toBe(start);
      expect(record?.custom_fields?.["original_start_date"]).toBe(original);
      expect(record?.employments).toHaveLength(spans.length);
    },
  );

  test("have the pay of v2 from the day on that it began", async () => {
    const hired = { hire_date: "2020-01-01", position: "Clerk", employment_type: "internal" };
    const ofFirst = { fix_salary: [1, "EUR"], fix_salary_interval: "monthly" };
    fake.people = [11, 12, 13, 14].map((id) => employee(id, { ...hired, ...ofFirst }));
    fake.compensations = [
      paid("11", "2026-01-01", { weekly_working_hours: 20, full_time_weekly_working_hours: 40 }),
      paid("11", "2026-03-20", { amount: { value: 4_500, currency: "EUR" } }),
      paid("11", "2025-01-01", { type: { category: "ONE_TIME_COMPENSATION" } }),
      paid("12", "2019-12-01", {
        interval: "YEARLY",
        weekly_working_hours: 40,
        full_time_weekly_working_hours: 40,
      }),
      paid("13", "2020-01-01", {
        type: { category: "HOURLY_SALARY" },
        amount: { value: 21.3, currency: "CHF" },
      }),
      paid("13", "2020-01-01"),
    ];
    const { records } = await read("employees");
    const jobs = records.map((one) =>
      one.employments?.map((job) => [
        job.effective_date,
        job.pay_rate,
        job.pay_period,
        job.currency,
      ]),
    );
    expect(jobs).toEqual([
      [
        ["2020-01-01", null, null, null],
        ["2026-01-01", 4_000, "MONTH", "eur"],
        ["2026-03-20", 4_500, "MONTH", "eur"],
      ],
      [["2020-01-01", 4_000, "YEAR", "eur"]],
      [["2020-01-01", 21.3, "HOUR", "chf"]],
      [["2020-01-01", 1, "MONTH", "eur"]],
    ]);
    expect(records.map((one) => one.employment_type)).toEqual([
      "part_time",
      "full_time",
      null,
      null,
    ]);
    expect(records[0]?.employments?.[1]?.employment_type).toBe("part_time");
    expect(fake.countRequests("/v2/compensations")).toBe(1);
  });

  const byHour = { type: { category: "HOURLY_SALARY" }, amount: { value: 18.5, currency: "EUR" } };

  test.each<[string, number, PersonioRecord[], unknown[][]]>([
    [
      "went from an hourly pay to a salary",
      0,
      [paid("11", "2026-03-01"), paid("11", "2025-01-01", byHour)],
      [
        ["2025-01-01", 18.5, "HOUR"],
        ["2026-03-01", 4_000, "MONTH"],
      ],
    ],
    [
      "will go to a salary",
      18.5,
      [paid("11", "2026-03-15"), paid("11", "2025-01-01", byHour)],
      [
        ["2025-01-01", 18.5, "HOUR"],
        ["2026-03-15", 4_000, "MONTH"],
      ],
    ],
    [
      "went from a salary to an hourly pay",
      18.5,
      [paid("11", "2026-03-01", byHour), paid("11", "2025-01-01")],
      [
        ["2025-01-01", 4_000, "MONTH"],
        ["2026-03-01", 18.5, "HOUR"],
      ],
    ],
    [
      "have a fixed amount beside an hourly pay",
      18.5,
      [paid("11", "2026-02-01"), paid("11", "2025-01-01", byHour)],
      [["2025-01-01", 18.5, "HOUR"]],
    ],
    [
      "will have both from one day on",
      0,
      [paid("11", "2026-03-15", byHour), paid("11", "2026-03-15")],
      [
        ["2025-01-01", null, null],
        ["2026-03-15", 18.5, "HOUR"],
      ],
    ],
  ])("who %s have each pay from its first day on", async (_, hourly, compensations, expected) => {
    const hired = { hire_date: "2025-01-01", position: "Clerk" };
    fake.people = [employee(11, { ...hired, hourly_salary: [hourly, "EUR"] })];
    fake.compensations = compensations;
    const [one] = (await read("employees")).records;
    expect(
      one?.employments?.map((job) => [job.effective_date, job.pay_rate, job.pay_period]),
    ).toEqual(expected);
  });

  test.each([
    [400, []],
    [403, ["compensation_history", "employment_type", "start_date"]],
    [404, []],
  ])(
    "have the jobs and the pay of v1 where v2 answers %d, and %j are limited",
    async (status, lost) => {
      const before = (await read("employees")).records;
      fake.employments = {
        11: [contract("2010-01-01", null), contract("2000-01-01", "2001-01-01")],
      };
      fake.compensations = [paid("11", "2026-01-01")];
      fake.refused = { "/v2/persons": status, "/v2/compensations": status };
      const { records, limited } = await read("employees");
      expect(records).toEqual(before);
      expect(limited.filter((field) => !lost.includes(field)).length > 0).toBe(lost.length > 0);
      expect(limited).toEqual(expect.arrayContaining(lost));
    },
  );

  test("are as Personio says where the absences may not be read", async () => {
    fake.timeOffs = [timeOff(61, { ...today, employee: shortEmployee(11) })];
    fake.refused = { "/v1/company/time-offs": 403 };
    expect((await read("employees")).records[0]?.employment_status).toBe("active");
  });

  test.each([
    ["department", ["groups", "employment_history"]],
    ["supervisor", ["manager", "employment_history"]],
    ["employment_type", ["employment_type", "employments", "compensation_history"]],
    ["hourly_salary", ["employments", "compensation_history"]],
  ])("whose attribute %s is hidden are limited in %j", async (attribute, fields) => {
    fake.hidden = [attribute];
    expect((await read("employees")).limited).toEqual(fields);
  });

  test("are read whole when other attributes may be read than before", async () => {
    const session = await signIn();
    const { next } = await read("employees", { session });
    fake.hidden = ["position"];
    await expect(read("employees", { session, since: next! })).rejects.toBeInstanceOf(
      OperationNotSupported,
    );
  });

  test("end in a fault and not in a small company when a page is empty or comes again", async () => {
    fake.people = createPeople(150);
    const session = await signIn();
    const empty = { success: true, metadata: { total_elements: 150 }, data: [] };
    fake.interfere = ({ query }) =>
      query["offset"] === "100" ? { status: 200, body: empty } : undefined;
    await expect(read("employees", { session })).rejects.toBeInstanceOf(ProviderBug);
    const first = { ...empty, data: [employee(1, { last_name: "A" }).record] };
    fake.interfere = ({ query }) => (query["limit"] ? { status: 200, body: first } : undefined);
    await expect(read("employees", { session })).rejects.toThrow(/repeated/);
  });

  test("end in a fault when the last page is the one before again", async () => {
    const hundred = createPeople(100).map(({ record }) => record);
    const again = { success: true, metadata: { total_elements: 150 }, data: hundred };
    fake.interfere = ({ path }) =>
      path === "/v1/company/employees" ? { status: 200, body: again } : undefined;
    await expect(read("employees")).rejects.toThrow(/repeated/);
  });

  test("are read until nothing new comes where Personio counts nothing and gives fewer than asked for", async () => {
    const people = createPeople(120).map(({ record }) => record);
    fake.interfere = ({ path, query }) => {
      if (path !== "/v1/company/employees") return undefined;
      const start = Number(query["offset"]);
      return { status: 200, body: { success: true, data: people.slice(start, start + 50) } };
    };
    expect((await read("employees")).records).toHaveLength(120);
  });

  test.each([
    ["the list of attributes is missing", "/v1/company/employees/attributes", { success: true }],
    ["the list is no list", "/v1/company/employees", { success: true, data: {} }],
    [
      "one of them is no record",
      "/v1/company/employees",
      { success: true, metadata: { total_elements: 1 }, data: [employee(1, {}).record, null] },
    ],
  ])("end in a fault when %s", async (_case, path, body) => {
    fake.interfere = (request) => (request.path === path ? { status: 200, body } : undefined);
    await expect(read("employees")).rejects.toBeInstanceOf(ProviderBug);
  });
});

describe("absences", () => {
  test("in days are paged by the number of the page, and those in hours by records", async () => {
    fake.timeOffs = Array.from({ length: 250 }, (_value, index) => timeOff(1_000 + index));
    fake.absencePeriods = Array.from({ length: 250 }, (_value, index) =>
      absencePeriod(`h${index}`),
    );
    const session = await signIn();
    const whole = await read("time-off-entries", { session });
    expect(new Set(whole.records.map((entry) => entry.remote_id)).size).toBe(500);
    expect(whole.records.filter(({ policy_name: name }) => name === "Overtime")).toHaveLength(250);
    const pages = ["time-offs", "absence-periods"].map((list) =>
      asked(`/v1/company/${list}`).map(({ offset }) => offset),
    );
    expect(pages).toEqual([
      ["1", "2"],
      ["0", "200"],
    ]);
    for (const [index, cursor] of whole.cursors.slice(0, 3).entries()) {
      const rest = await read("time-off-entries", { session, cursor: cursor! });
      expect(rest.records).toHaveLength([300, 250, 50][index]!);
    }
  });

  test("in hours are none where no type is counted in hours, and told as missing where one is", async () => {
    fake.refused = { "/v1/company/absence-periods": 404 };
    await expect(read("time-off-entries")).rejects.toBeInstanceOf(OperationNotSupported);
    fake.interfere = ({ path }) =>
      path === "/v1/company/time-off-types"
        ? { status: 200, body: { success: true, data: typesInDays } }
        : undefined;
    expect((await read("time-off-entries")).records).toHaveLength(1);
  });
});

const typesInDays = timeOffTypes
  .filter(({ unit }) => unit === "day")
  .map((attributes) => ({ type: "TimeOffType", attributes }));

describe("balances", () => {
  test("are asked for person by person in the order of their numbers, and go on after one", async () => {
    fake.people = createPeople(25).toReversed();
    const session = await signIn();
    const { records, cursors } = await read("time-off-balances", { session });
    expect(records).toHaveLength(50);
    expect(records.slice(0, 2)).toMatchObject([
      { employee_remote_id: "11", policy_remote_id: "51", balance: 10.5, unit: "days" },
      { employee_remote_id: "11", policy_remote_id: "53", balance: -3, unit: "hours" },
    ]);
    fake.requests.length = 0;
    const rest = await read("time-off-balances", { session, cursor: cursors[0]! });
    expect(rest.records).toEqual(records.slice(20));
    // The list of people, the types, and each person who is left.
    expect(fake.requests).toHaveLength(2 + 15);
  });

  test("leave out somebody who was deleted meanwhile", async () => {
    fake.interfere = ({ path }) =>
      path.includes("/12/") ? { status: 404, body: { success: false } } : undefined;
    const ids = (await read("time-off-balances")).records.map((one) => one.employee_remote_id);
    expect([...new Set(ids)]).toEqual(["11", "13", "14"]);
  });

  test.each([404, 412])(
    "that Personio refuses for everybody with %d are told as missing",
    async (status) => {
      fake.interfere = ({ path }) =>
        path.endsWith("/absences/balance") ? { status, body: { success: false } } : undefined;
      await expect(read("time-off-balances")).rejects.toBeInstanceOf(OperationNotSupported);
    },
  );

  test("go on after a page with an answer though everybody who is left was deleted", async () => {
    fake.people = createPeople(12);
    const session = await signIn();
    const { cursors } = await read("time-off-balances", { session });
    fake.interfere = ({ path }) =>
      path.endsWith("/absences/balance") ? { status: 404, body: {} } : undefined;
    const rest = await read("time-off-balances", { session, cursor: cursors[0]! });
    expect(rest.records).toEqual([]);
  });

  test("without a list are a fault, and not nobody's", async () => {
    fake.interfere = ({ path }) =>
      path.includes("/12/") ? { status: 200, body: { success: true } } : undefined;
    await expect(read("time-off-balances")).rejects.toBeInstanceOf(ProviderBug);
  });
});

describe("working times", () => {
  test("are read a span of days at a time, in the company's time zone", async () => {
    fake.periods = Array.from({ length: 31 }, (_value, index) => {
      const day = `2026-03-${String(index + 1).padStart(2, "0")}`;
      return period(`w${index}`, "WORK", [`${day}T22:00:00`, `${day}T23:00:00`]);
    });
    const session = await signIn();
    const settings = { time_zone: "America/New_York" };
    const { records, cursors } = await read("timesheets", { session, settings });
    expect(records).toHaveLength(31);
    expect(records[0]).toMatchObject({ start_time: "2026-03-02T03:00:00Z", hours_worked: 1 });
    expect(records[30]).toMatchObject({ start_time: "2026-04-01T02:00:00Z" });
    const spans = asked("/v2/attendance-periods").map((query) => [
      query["attribution_date.gte"],
      query["attribution_date.lte"],
    ]);
    expect(spans).toEqual([
      ["2026-02-28", "2026-02-28"],
      ["2026-03-01", "2026-03-02"],
      ["2026-03-03", "2026-03-06"],
      ["2026-03-07", "2026-03-14"],
      ["2026-03-15", "2026-03-28"],
      ["2026-03-29", "2026-04-01"],
    ]);
    const rest = await read("timesheets", { session, settings, cursor: cursors[3]! });
    expect(rest.records).toEqual(records.slice(14));
  });

  test("follow the cursors of Personio to the end, with the filters, whatever the path of the link", async () => {
    fake.periods = Array.from({ length: 250 }, (_value, index) =>
      period(`w${index}`, "WORK", ["2026-03-02T09:00:00", "2026-03-02T17:00:00"]),
    );
    expect((await read("timesheets")).records).toHaveLength(250);
    const pages = asked("/v2/attendance-periods").filter(({ cursor }) => cursor !== undefined);
    expect(pages.map(({ cursor }) => cursor)).toEqual(["cur-100", "cur-200"]);
    expect(pages.every((query) => query["attribution_date.gte"] === "2026-03-01")).toBe(true);
  });

  test("with a cursor that comes again, or is refused again, are a fault", async () => {
    fake.periods = Array.from({ length: 250 }, (_value, index) =>
      period(`w${index}`, "WORK", ["2026-03-02T09:00:00", "2026-03-02T17:00:00"]),
    );
    const session = await signIn();
    fake.cursorTrouble = "repeated";
    await expect(read("timesheets", { session })).rejects.toThrow(/repeats itself/);
    fake.cursorTrouble = "refused";
    await expect(read("timesheets", { session })).rejects.toBeInstanceOf(ProviderBug);
  });

  test("are read anew when Personio has forgotten its cursor once", async () => {
    fake.periods = Array.from({ length: 250 }, (_value, index) =>
      period(`w${index}`, "WORK", ["2026-03-02T09:00:00", "2026-03-02T17:00:00"]),
    );
    let isForgotten = false;
    fake.interfere = ({ query }) => {
      if (isForgotten || query["cursor"] !== "cur-200") return undefined;
      isForgotten = true;
      return { status: 400, body: { errors: [{ title: "Bad request" }] } };
    };
    expect((await read("timesheets")).records).toHaveLength(250);
  });
});

describe("groups and places", () => {
  test("are the lists of v2", async () => {
    expect((await read("groups")).records).toEqual([
      { remote_id: "department-21", name: "Support", type: "department" },
      { remote_id: "department-22", name: "Sales", type: "department" },
      { remote_id: "team-21", name: "Night", type: "team" },
      { remote_id: "cost_centre-31", name: "Rhine", type: "cost_centre" },
    ]);
    expect((await read("work-locations")).records).toEqual([
      { remote_id: "41", name: "München", type: "office" },
      { remote_id: "42", name: "Lyon", type: "office" },
    ]);
    expect((await read("company")).records).toEqual([
      { remote_id: "7033", legal_name: "Ferme & Fils GmbH", display_name: "Ferme & Fils GmbH" },
    ]);
  });

  test.each([403, 404])("are those that employees name where v2 answers %d", async (status) => {
    const session = await signIn();
    const [groups, places] = [
      await read("groups", { session }),
      await read("work-locations", { session }),
    ];
    fake.refused = { "/v2/cost-centers": status, "/v2/workplaces": status };
    expect((await read("groups", { session })).records).toEqual(groups.records);
    // Nobody is in Lyon.
    const named = places.records.filter(({ name }) => name === "München");
    expect((await read("work-locations", { session })).records).toEqual(named);
  });

  test("are a missing right where neither v2 nor the attribute of employees tells the places", async () => {
    const session = await signIn();
    fake.refused = { "/v2/workplaces": 404 };
    fake.hidden = ["office"];
    await expect(read("work-locations", { session })).rejects.toMatchObject({
      code: "insufficient_permission",
    });
  });

  test.each([
    [403, { code: "insufficient_permission" }],
    [404, { kind: "not-supported" }],
    [412, { kind: "not-supported" }],
    [401, { code: "reauthentication_required" }],
    [400, { kind: "bug" }],
    [418, { kind: "bug" }],
  ])("answered with %d are told as %j", async (status, failure) => {
    const session = await signIn();
    fake.refused = { "/v2/org-units": status };
    await expect(read("groups", { session })).rejects.toMatchObject(failure);
  });
});
