import { systemRandom } from "../../src/platform/random.ts";
import { beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import {
  authErrorCodes,
  modes,
  resourceRecords,
  resources,
  type Employee,
  type Mode,
  type Resource,
} from "../../src/model/index.ts";
import type { Clock } from "../../src/platform/clock.ts";
import { createLog } from "../../src/platform/log.ts";
import { AddressPolicy, createGuardedAgent } from "../../src/platform/outbound/index.ts";
import type { FetchParameters, Session } from "../../src/providers/contract.ts";
import { listFormFields } from "../../src/providers/form-field.ts";
import { ProviderHost } from "../../src/providers/provider-host.ts";
import { ProviderRegistry } from "../../src/providers/registry.ts";
import { advanceSandbox, failSandbox, sandbox } from "../../src/providers/sandbox/index.ts";
import type { SourceRecord } from "../../src/providers/source-records.ts";

const today = "2026-11-21";
const everything = { start: "2020-01-01", end: "2026-11-21" };
const listed = resources.filter((resource) => resource !== "payslips");
const dated = ["payruns", "timesheets", "time-off-entries"] as const;

/** A clock that shows the same time until `move`. Sleeping takes no time and is recorded. */
function clockAt(date: string): Clock & { slept: number[]; move(ms: number): void } {
  const slept: number[] = [];
  let ms = Date.parse(`${date}T07:08:09Z`);
  return {
    slept,
    now: () => new Date(ms),
    sleep: async (time) => void slept.push(time),
    move: (by) => void (ms += by),
  };
}

/** The sandbox behind the real host, which signs in and reads as in the program. */
function openSandbox({
  date = today,
  clock = clockAt(date),
  mode = "xhr",
}: { date?: string; clock?: ReturnType<typeof clockAt>; mode?: Mode } = {}) {
  const agent = createGuardedAgent({ policy: new AddressPolicy([]) });
  const host = new ProviderHost({
    registry: new ProviderRegistry([sandbox]),
    agentOf: () => agent,
    clock,
    random: systemRandom,
    log: createLog({ level: "silent" }),
  });
  const call = { provider: "sandbox", mode, signal: new AbortController().signal, resources };

  async function signIn(username: string, previousSession?: Session): Promise<Session> {
    const result = await host.login({
      ...call,
      formValues: { username, password: "any" },
      ...(previousSession && { previousSession }),
    });
    const signedIn =
      "session" in result
        ? result
        : await host.resume({ ...call, state: result.challenge.state, answer: "123456" });
    if (!("session" in signedIn)) throw new Error("the second factor asked for another one");
    return signedIn.session;
  }

  async function pages<R extends Resource>(
    resource: R,
    session: Session,
    parameters = wholeOf(resource),
  ): Promise<SourceRecord<R>[][]> {
    const all: SourceRecord<R>[][] = [];
    for await (const { raw, map } of host.read({
      ...call,
      resource,
      session,
      parameters,
      onSession: (saved) => void (lastSaved = saved),
    }))
      all.push(raw.map(map).filter((record) => record !== null));
    return all;
  }

  async function read<R extends Resource>(
    resource: R,
    user: string | Session,
    parameters = wholeOf(resource),
  ): Promise<SourceRecord<R>[]> {
    return (
      await pages(resource, typeof user === "string" ? await signIn(user) : user, parameters)
    ).flat();
  }

  async function payslipsOf(
    user: string,
    range: FetchParameters["range"],
  ): Promise<SourceRecord<"payslips">[]> {
    const session = await signIn(user);
    const runs = await read("payruns", session, range && { range });
    return (
      await Promise.all(
        runs.map(({ remote_id }) => read("payslips", session, { payrunRemoteId: remote_id })),
      )
    ).flat();
  }

  let lastSaved: Session | undefined;
  return { host, call, clock, signIn, pages, read, payslipsOf, savedSession: () => lastSaved };
}

const wholeOf = (resource: Resource): FetchParameters =>
  resource === "payslips"
    ? { payrunRemoteId: "monthly-2024-03" }
    : { range: { start: "2000-01-01", end: "2100-12-31" } };

/** Hours are multiples of half an hour. Each of them is also one of a tenth, in floating point. */
function inHalves(hours: number): number {
  expect([hours, Number.isInteger(hours / 0.1), Number.isInteger(hours * 2)]).toEqual([
    hours,
    true,
    true,
  ]);
  return hours * 2;
}

/** The public record, with placeholders for the ids that the host mints and with the derived lists. */
function publish<R extends Resource>(
  resource: R,
  record: SourceRecord<R>,
): z.output<(typeof resourceRecords)[R]> {
  const ids = { id: "1", employee_id: "1", payrun_id: "1" };
  const lists = resource === "employees" ? deriveLists(record as SourceRecord<"employees">) : {};
  return resourceRecords[resource].parse({ ...ids, ...record, ...lists }) as z.output<
    (typeof resourceRecords)[R]
  >;
}

function deriveLists(record: SourceRecord<"employees">): object {
  const employments = record.employments ?? [];
  return {
    display_full_name:
      record.display_full_name ?? [record.first_name, record.last_name].join(" ").trim(),
    home_location: record.home_location ?? {},
    work_location: record.work_location ?? {},
    groups: record.groups ?? [],
    employments,
    employment_history: employments,
    compensation_history: employments.map((employment) => ({
      ...employment,
      pay_period: employment.pay_period?.toLowerCase(),
    })),
  };
}

interface Leaf {
  values: Set<unknown>;
  options: readonly unknown[];
}

/** Adds every field of the schema by its path, with the values that the records have there. */
function collectLeaves(
  schema: z.ZodType,
  values: readonly unknown[],
  path: string,
  leaves: Map<string, Leaf>,
): void {
  if (schema instanceof z.ZodDefault || schema instanceof z.ZodNullable) {
    collectLeaves(
      schema.unwrap() as z.ZodType,
      values.filter((value) => value !== null),
      path,
      leaves,
    );
  } else if (schema instanceof z.ZodArray) {
    collectLeaves(schema.element as z.ZodType, (values as unknown[][]).flat(), `${path}[]`, leaves);
  } else if (schema instanceof z.ZodObject) {
    for (const [field, inner] of Object.entries(schema.shape)) {
      const isMinted = (field === "id" || field.endsWith("_id")) && !field.endsWith("remote_id");
      if (!isMinted)
        collectLeaves(
          inner as z.ZodType,
          values.map((value) => (value as Record<string, unknown>)[field]),
          `${path}.${field}`,
          leaves,
        );
    }
  } else {
    leaves.set(path, {
      values: new Set(values.filter((value) => value !== null)),
      options: schema instanceof z.ZodEnum ? schema.options : [],
    });
  }
}

function sum(lines: readonly { amount: number }[] | null | undefined): number {
  return (lines ?? []).reduce((total, { amount }) => total + amount, 0);
}

function idsOf(records: readonly unknown[] | undefined): Set<string> {
  return new Set((records as { remote_id: string }[]).map(({ remote_id }) => remote_id));
}

function countMissing<Item>(from: Iterable<Item>, among: { has(item: Item): boolean }): number {
  return [...from].filter((item) => !among.has(item)).length;
}

/** All employees as text, so that a comparison is one of bytes. */
async function bytesOf(session: Session): Promise<Map<string, string>> {
  const people = await read("employees", session);
  return new Map(people.map((person) => [person.remote_id, JSON.stringify(person)]));
}

function refuse(): never {
  throw new Error("the sandbox made an HTTP client or saved a session");
}

/** 1 for an IBAN with valid check digits. */
function remainderOf97(iban: string): number {
  const digits = [...(iban.slice(4) + iban.slice(0, 4))].map((character) =>
    Number.parseInt(character, 36),
  );
  return Number(BigInt(digits.join("")) % 97n);
}

const { signIn, read, pages, payslipsOf } = openSandbox();

describe("signing in", () => {
  it.each([
    ["user_bad_password", "incorrect_username_or_password"],
    ["user_captcha", "captcha_challenge"],
    ["user_setup_required", "additional_account_setup_required"],
    ["user_no_permission", "insufficient_permission"],
    ["somebody", "incorrect_username_or_password"],
    ["constructor", "incorrect_username_or_password"],
    ["", "incorrect_username_or_password"],
  ])("refuses %s with %s", async (user, code) => {
    await expect(signIn(user)).rejects.toMatchObject({ kind: "auth", code });
  });

  const working = [
    "user_good",
    "user_expired",
    "user_slow",
    "user_down",
    "user_limited",
    "user_no_payroll",
    "user_sparse",
    "user_large",
    "user_empty",
  ];
  it.each(working)("works for %s", async (user) => {
    expect(await signIn(user)).toEqual({ user, hour: 0 });
  });

  it("user_slow_sign_in takes eight seconds, and no sign-in of user_away reaches the system", async () => {
    const clock = clockAt(today);
    const { host, call } = openSandbox({ clock });
    const formValues = { username: "user_slow_sign_in", password: "any" };
    await host.login({ ...call, formValues });
    expect(clock.slept).toEqual([8_000]);
    await expect(signIn("user_away")).rejects.toMatchObject({ kind: "down" });
  });

  it("user_choose has two companies to choose from, and user_approve waits for an approval", async () => {
    const { host, call } = openSandbox();
    const ask = async (username: string) => {
      const result = await host.login({ ...call, formValues: { username, password: "any" } });
      return (result as Extract<typeof result, { challenge: unknown }>).challenge;
    };
    const choice = await ask("user_choose");
    expect(choice).toMatchObject({ kind: "choose", options: [{ value: "larkfield" }, {}] });
    expect(await host.resume({ ...call, state: choice.state, answer: "larkfield" })).toEqual({
      session: { user: "user_choose", hour: 0 },
    });
    const wait = await ask("user_approve");
    const again = await host.resume({ ...call, state: wait.state, answer: "" });
    const { challenge } = again as Extract<typeof again, { challenge: unknown }>;
    expect([wait.kind, challenge.kind]).toEqual(["wait", "wait"]);
    expect(await host.resume({ ...call, state: challenge.state, answer: "" })).toEqual({
      session: { user: "user_approve", hour: 0 },
    });
  });

  it("asks user_mfa for a second factor and accepts only the right one", async () => {
    const { host, call } = openSandbox();
    const result = await host.login({
      ...call,
      formValues: { username: "user_mfa", password: "any" },
    });
    const { challenge } = result as Extract<typeof result, { challenge: unknown }>;
    expect(challenge.kind).toBe("otp");
    await expect(
      host.resume({ ...call, state: challenge.state, answer: "654321" }),
    ).rejects.toMatchObject({ kind: "auth", code: "incorrect_mfa_or_otp" });
    expect(await host.resume({ ...call, state: challenge.state, answer: "123456" })).toEqual({
      session: { user: "user_mfa", hour: 0 },
    });
  });

  it("continues at the simulated hour of the session that it replaces, without its failure", async () => {
    const earlier = failSandbox(
      advanceSandbox(advanceSandbox(await signIn("user_mfa"))),
      "captcha_challenge",
    );
    expect(await signIn("user_mfa", earlier)).toEqual({ user: "user_mfa", hour: 2 });
    expect(await signIn("user_good", earlier)).toEqual({ user: "user_good", hour: 2 });
  });

  it("returns the identity and the resources that the account lacks", async () => {
    const { host, call } = openSandbox();
    const inspect = async (user: string) =>
      await host.inspect({ ...call, session: await signIn(user) });
    expect(await inspect("user_good")).toMatchObject({
      unsupported: [],
      identity: {
        name: "Zoë Brückenau",
        email: "zoe.bruckenau@larkfield.example",
        phone_number: expect.stringMatching(/^\+49 171 39200/),
      },
    });
    expect((await inspect("user_no_payroll")).unsupported).toEqual(["payruns", "payslips"]);
    expect((await inspect("user_sparse")).identity.phone_number).toBeNull();
    expect((await inspect("user_expired")).unsupported).toEqual([]);
  });

  it("has a form for each mode that marks the secret", () => {
    const username = { name: "username", isSecret: false, isRequired: true };
    const secret = { isSecret: true, isRequired: true };
    expect(listFormFields(sandbox.modes.xhr!.form)).toMatchObject([
      username,
      { ...secret, name: "password" },
    ]);
    expect(listFormFields(sandbox.modes.official!.form)).toMatchObject([
      username,
      { ...secret, name: "api_key" },
    ]);
  });
});

describe("the scenarios' fetches", () => {
  it.each(listed)("user_mfa reads the %s of user_good", async (resource) => {
    expect(await read(resource, "user_mfa")).toEqual(await read(resource, "user_good"));
  });

  it("official has the same data without payroll", async () => {
    const { read: readOfficial } = openSandbox({ mode: "official" });
    for (const resource of listed.filter((resource) => resource !== "payruns")) {
      expect(await readOfficial(resource, "user_good")).toEqual(await read(resource, "user_good"));
    }
    expect(
      resources.filter(
        (resource) =>
          !new ProviderRegistry([sandbox]).hasResource({
            provider: "sandbox",
            mode: "official",
            resource,
          }),
      ),
    ).toEqual(["payruns", "payslips"]);
    expect(
      resources.filter(
        (resource) =>
          !new ProviderRegistry([sandbox]).hasResource({
            provider: "sandbox",
            mode: "xhr",
            resource,
          }),
      ),
    ).toEqual([]);
  });

  it.each(resources)(
    "user_expired and user_down fail on %s, and user_empty has none",
    async (resource) => {
      await expect(read(resource, "user_expired")).rejects.toMatchObject({
        kind: "auth",
        code: "reauthentication_required",
      });
      await expect(read(resource, "user_down")).rejects.toMatchObject({ kind: "down" });
      expect(await read(resource, "user_empty")).toEqual([]);
    },
  );

  it("user_no_payroll has all resources but payruns and payslips", async () => {
    for (const resource of ["payruns", "payslips"] as const)
      await expect(read(resource, "user_no_payroll")).rejects.toMatchObject({
        kind: "not-supported",
      });
    expect(await read("employees", "user_no_payroll")).toEqual(
      await read("employees", "user_good"),
    );
  });

  it("user_slow takes ten seconds and the others 300 milliseconds", async () => {
    const { read, clock } = openSandbox();
    await read("groups", "user_slow");
    await read("groups", "user_good");
    expect(clock.slept).toEqual([10_000, 300]);
  });

  it("user_limited has to wait for five seconds before each successful fetch", async () => {
    const { read, clock, savedSession, signIn } = openSandbox();
    const session = await signIn("user_limited");
    for (let round = 0; round < 2; round += 1) {
      await expect(read("employees", savedSession() ?? session)).rejects.toMatchObject({
        kind: "rate-limited",
        afterSeconds: 5,
      });
      clock.move(1_500);
      await expect(read("groups", savedSession()!)).rejects.toMatchObject({
        kind: "rate-limited",
        afterSeconds: 4,
      });
      clock.move(3_500);
      expect(await read("employees", savedSession()!)).toEqual(
        await read("employees", "user_good"),
      );
      expect(savedSession()).toEqual(session);
    }
  });

  it.each(authErrorCodes)(
    "a session that was made to fail is refused with %s until the end user signs in again",
    async (code) => {
      const session = failSandbox(await signIn("user_good"), code);
      for (const resource of resources)
        await expect(read(resource, session)).rejects.toMatchObject({ kind: "auth", code });
      expect(await read("employees", await signIn("user_good", session))).toEqual(
        await read("employees", "user_good"),
      );
    },
  );

  it("an aborted fetch fails, also between two pages, and never looks like a small company", async () => {
    const clock = clockAt(today);
    const session = await signIn("user_good");
    const reason = new DOMException("the fetch must end", "AbortError");
    const waiting = new AbortController();
    const { host, call } = openSandbox({
      clock: { ...clock, sleep: async () => waiting.abort(reason) },
    });
    const reading = host.read({
      ...call,
      signal: waiting.signal,
      resource: "employees",
      session,
      parameters: {},
      onSession: () => undefined,
    });
    await expect(reading.next()).rejects.toBe(reason);

    const paging = new AbortController();
    const context = {
      clock,
      signal: paging.signal,
      http: refuse,
      log: createLog({ level: "silent" }),
      saveSession: refuse,
      settings: {},
      isWanted: refuse,
      cursor: undefined,
      withSession: refuse,
      limited: refuse,
      continueFrom: refuse,
    };
    const pages = sandbox.modes.xhr!.resources.employees!.fetch(context, session, {});
    const fetch = pages[Symbol.asyncIterator]();
    expect(await fetch.next()).toMatchObject({ done: false });
    paging.abort(reason);
    await expect(fetch.next()).rejects.toBe(reason);
  });

  it("user_sparse has as many records as user_good, with null wherever null is allowed", async () => {
    const madeHere =
      /^(id|employee_id|home_location|work_location|groups|employments|\w+_history)$/;
    const required: Record<(typeof listed)[number], string[]> = {
      company: [],
      employees: ["remote_id", "first_name", "last_name", "display_full_name"],
      groups: [],
      payruns: ["remote_id"],
      timesheets: ["remote_id", "employee_remote_id", "hours_worked"],
      "time-off-entries": ["remote_id", "employee_remote_id", "amount", "unit"],
      "time-off-balances": ["employee_remote_id"],
      "work-locations": [],
    };
    for (const resource of listed) {
      const records = (await read(resource, "user_sparse")).map((record) =>
        publish(resource, record),
      );
      expect(records).toHaveLength((await read(resource, "user_good")).length);
      const filled = records.flatMap((record) =>
        Object.entries(record).filter(([field, value]) => !madeHere.test(field) && value !== null),
      );
      expect([resource, new Set(filled.map(([field]) => field))]).toEqual([
        resource,
        new Set(required[resource]),
      ]);
    }
    const [payslip] = await read("payslips", "user_sparse", { payrunRemoteId: "monthly-2024-03" });
    expect(Object.keys(payslip!)).toEqual([
      "employee_remote_id",
      "payrun_remote_id",
      "start_date",
      "end_date",
      "payment_date",
    ]);
  });

  it("user_large has 10,000 people in pages of 500, and each hour one leaves and one joins", async () => {
    const session = await signIn("user_large");
    const employees = await pages("employees", session);
    expect(employees.map((page) => page.length)).toEqual(Array.from({ length: 20 }, () => 500));
    const before = idsOf(employees.flat());
    expect(before.size).toBe(10_000);
    const after = idsOf(await read("employees", advanceSandbox(session)));
    expect([countMissing(after, before), countMissing(before, after)]).toEqual([1, 1]);
    const month = { range: { start: "2024-03-01", end: "2024-03-31" } };
    expect((await read("timesheets", session, month)).length).toBeLessThan(2_000);
    expect((await read("time-off-entries", session, month)).length).toBeLessThan(500);
    expect(
      (await read("payslips", session, { payrunRemoteId: "monthly-2025-12" })).length,
    ).toBeGreaterThan(7_000);
  });
});

describe("the records of user_good", () => {
  let records: Record<string, unknown[]>;
  let employees: Employee[];
  beforeAll(async () => {
    records = {
      payslips: (await payslipsOf("user_good", everything)).map((record) =>
        publish("payslips", record),
      ),
    };
    for (const resource of listed)
      records[resource] = (await read(resource, "user_good")).map((record) =>
        publish(resource, record),
      );
    employees = records.employees as Employee[];
  });

  it.each(resources)(
    "%s: each field has a value in some record, and each enumerated value occurs",
    (resource) => {
      const leaves = new Map<string, Leaf>();
      collectLeaves(resourceRecords[resource], records[resource]!, resource, leaves);
      for (const [path, { values, options }] of leaves) {
        expect([path, values.size > 0]).toEqual([path, true]);
        const missing = path.endsWith(".country")
          ? []
          : options.filter((option) => !values.has(option));
        expect([path, missing]).toEqual([path, []]);
      }
    },
  );

  it("employees have every field that the specification does not mark as nullable", () => {
    const plain = [
      "employee_number",
      "display_full_name",
      "first_name",
      "date_of_birth",
      "employment_type",
      "job_title",
      "start_date",
    ] as const;
    const plainOfEmployment = [
      "currency",
      "effective_date",
      "employment_type",
      "job_title",
      "pay_frequency",
      "pay_period",
      "pay_rate",
    ] as const;
    for (const employee of employees) {
      for (const field of plain) expect(employee[field]).toBeTruthy();
      expect(employee.employments.length).toBeGreaterThan(0);
      for (const employment of employee.employments)
        for (const field of plainOfEmployment) expect(employment[field]).toBeTruthy();
      expect(
        Object.values({ ...employee.home_location, ...employee.work_location, id: "1" }),
      ).not.toContain(null);
      expect(employee.groups.map(({ type }) => type)).toEqual(
        expect.arrayContaining(["department", "cost_centre", "pay_group"]),
      );
    }
  });

  it("are of about forty people on several pages, in three countries, most with a manager", async () => {
    expect((await pages("employees", await signIn("user_good"))).length).toBeGreaterThan(1);
    expect(employees.length).toBeGreaterThan(35);
    expect(employees.length).toBeLessThan(45);
    expect(new Set(employees.map(({ work_location }) => work_location.address?.country))).toEqual(
      new Set(["DE", "GB", "CA"]),
    );
    const byId = new Map(employees.map((employee) => [employee.remote_id, employee]));
    expect(byId.size).toBe(employees.length);
    expect(employees.filter(({ manager }) => manager === null)).toHaveLength(1);
    for (const employee of employees) {
      const chain = [employee];
      for (let above = employee.manager; above; above = chain.at(-1)!.manager) {
        const manager = byId.get(above.remote_id!)!;
        expect(above).toMatchObject({
          first_name: manager.first_name,
          last_name: manager.last_name,
          work_email: manager.work_email,
        });
        chain.push(manager);
        expect(chain.length).toBeLessThan(6);
      }
    }
    expect(new Set(employees.map(({ work_email }) => work_email)).size).toBe(employees.length);
  });

  it("refer only to people, groups and places that are listed", () => {
    const [people, groups, places] = [
      idsOf(employees),
      idsOf(records.groups),
      idsOf(records["work-locations"]),
    ];
    for (const resource of [
      "payslips",
      "timesheets",
      "time-off-entries",
      "time-off-balances",
    ] as const) {
      for (const { employee_remote_id } of records[resource] as { employee_remote_id: string }[])
        expect(people).toContain(employee_remote_id);
    }
    for (const employee of employees) {
      expect(places).toContain(employee.work_location.remote_id);
      for (const { remote_id } of employee.groups) expect(groups).toContain(remote_id);
      for (const { group_remote_id } of employee.employment_history!)
        expect(groups).toContain(group_remote_id);
    }
    for (const resource of ["payruns", "payslips", "timesheets", "time-off-entries"] as const)
      expect(idsOf(records[resource]).size).toBe(records[resource]!.length);
  });

  it("are fictional: reserved names and numbers, and IBANs with valid check digits", () => {
    const ibans = employees
      .map(({ bank_account }) => bank_account?.iban ?? null)
      .filter((iban) => iban !== null);
    expect(new Set(ibans.map((iban) => iban.slice(0, 2)))).toEqual(new Set(["DE", "GB", "SE"]));
    for (const iban of ibans) {
      expect(remainderOf97(iban)).toBe(1);
      expect(iban).toMatch(/^(DE\d\d0{8}\d{10}|GB\d\dTEST\d{14}|SE\d\d000\d{17})$/);
    }
    for (const {
      work_email,
      personal_email,
      avatar,
      mobile_phone_number,
      home_location,
      tax_id,
    } of employees) {
      expect(`${work_email} ${personal_email}`).toMatch(
        /^[a-z0-9.-]+@larkfield\.example [a-z0-9.-]+@mail\.example$/,
      );
      expect(avatar ?? "https://x.example/").toMatch(/^https:\/\/[a-z.]+\.example\//);
      expect(mobile_phone_number).toMatch(
        /^(\+44 7700 900\d{3}|\+1 \d{3}-555-01\d\d|\+49 171 39200\d\d|\+46 70 174 06 \d\d)$/,
      );
      expect(tax_id).toMatch(/^(00000\d{6}|QQ\d{6}C|000\d{6}|000-\d\d-\d{4}|000000-\d{4})$/);
      expect(/^[A-Z]{2}$/.test(home_location.administrative_area!)).toBe(
        ["US", "CA"].includes(home_location.country!),
      );
    }
  });

  it.each(["2026-11-21", "2027-01-01", "2028-02-29", "2031-08-17"])(
    "have statuses that agree with dates and leave, on %s",
    async (date) => {
      const { read } = openSandbox({ date });
      const people = await read("employees", "user_good");
      const entries = await read("time-off-entries", "user_good", {
        range: { start: date, end: date },
      });
      const away = new Set(
        entries
          .filter(({ status }) => status === "approved")
          .map(({ employee_remote_id }) => employee_remote_id),
      );
      for (const { remote_id, employment_status, start_date, termination_date } of people.filter(
        ({ employment_status }) => employment_status !== null,
      )) {
        const expected =
          start_date! > date
            ? "pending"
            : (termination_date ?? date) < date
              ? "inactive"
              : away.has(remote_id)
                ? "leave"
                : "active";
        expect([remote_id, employment_status]).toEqual([remote_id, expected]);
      }
      const count = (status: string | null) =>
        people.filter(({ employment_status }) => employment_status === status).length;
      for (const status of ["active", "inactive", "pending", "leave"])
        expect(count(status)).toBeGreaterThanOrEqual(2);
      expect(count(null)).toBe(2);
    },
  );
});

describe("pay", () => {
  it("adds up on every payslip, to the minor unit", async () => {
    const payslips = await payslipsOf("user_good", { start: "2023-11-01", end: "2025-01-31" });
    for (const payslip of payslips) {
      const { earnings, deductions, taxes, reimbursements, contributions, gross_pay, net_pay } =
        payslip;
      expect(gross_pay).toBe(sum(earnings));
      for (const { hours } of earnings ?? []) inHalves(hours ?? 0);
      expect(net_pay).toBe(
        gross_pay! -
          sum(deductions) -
          sum(taxes!.filter(({ employer_tax }) => !employer_tax)) +
          sum(reimbursements),
      );
      const lines = [earnings, deductions, taxes, reimbursements, contributions].flatMap(
        (section) => section ?? [],
      );
      for (const { amount } of lines) expect(Number.isSafeInteger(amount)).toBe(true);
    }
  });

  it("is one payslip for each person who was employed, with the dates of its run", async () => {
    const session = await signIn("user_good");
    const employees = new Map(
      (await read("employees", session)).map((employee) => [employee.remote_id, employee]),
    );
    for (const run of await read("payruns", session, {
      range: { start: "2024-01-01", end: "2024-12-31" },
    })) {
      const payslips = await read("payslips", session, { payrunRemoteId: run.remote_id });
      expect(payslips.length).toBeGreaterThan(0);
      expect(new Set(payslips.map(({ employee_remote_id }) => employee_remote_id)).size).toBe(
        payslips.length,
      );
      for (const payslip of payslips) {
        const { start_date, termination_date, employments } = employees.get(
          payslip.employee_remote_id,
        )!;
        const { remote_id, type, state: _state, ...dates } = run;
        expect(payslip).toMatchObject({ payrun_remote_id: remote_id, payrun_type: type, ...dates });
        expect(payslip.currency).toBe(employments!.at(-1)!.currency);
        expect(
          start_date! <= run.end_date! && (termination_date ?? "9999") >= run.start_date!,
        ).toBe(true);
      }
    }
    expect(await read("payslips", session, { payrunRemoteId: "monthly-2019-12" })).toEqual([]);
  });

  it("by the hour is for the hours of the timesheets", async () => {
    const session = await signIn("user_good");
    const timesheets = await read("timesheets", session, {
      range: { start: "2024-03-04", end: "2024-03-10" },
    });
    for (const { employee_remote_id, earnings } of await read("payslips", session, {
      payrunRemoteId: "weekly-2024-W10",
    })) {
      const own = timesheets.filter(
        (timesheet) => timesheet.employee_remote_id === employee_remote_id,
      );
      const halves = own.reduce((total, { hours_worked }) => total + inHalves(hours_worked), 0);
      expect([employee_remote_id, earnings![0]]).toEqual([
        employee_remote_id,
        expect.objectContaining({ name: "Regular hours", hours: halves / 2 }),
      ]);
    }
  });

  it("of a correction is undone by its reversal", async () => {
    const correction = await read("payslips", "user_good", { payrunRemoteId: "correction-2024" });
    const reversal = await read("payslips", "user_good", { payrunRemoteId: "reversal-2024" });
    expect(reversal.length).toBeGreaterThan(0);
    expect(
      reversal.map(({ employee_remote_id, gross_pay, net_pay }) => [
        employee_remote_id,
        -gross_pay!,
        -net_pay!,
      ]),
    ).toEqual(
      correction.map(({ employee_remote_id, gross_pay, net_pay }) => [
        employee_remote_id,
        gross_pay,
        net_pay,
      ]),
    );
  });

  it("has runs of every type in every year, which are pending until the payday", async () => {
    const runs = await read("payruns", "user_good");
    for (let year = 2020; year <= 2026; year += 1) {
      const ofYear = runs.filter(({ payment_date }) => payment_date!.startsWith(String(year)));
      expect(new Set(ofYear.map(({ type }) => type)).size).toBe(5);
    }
    for (const { state, start_date, payment_date } of runs) {
      expect(state).toBe(payment_date! > today ? "pending" : "paid");
      expect(start_date! <= "2027-11-21").toBe(true);
    }
    const datesOf = new Map(
      runs.map(({ remote_id, start_date, end_date, payment_date }) => [
        remote_id,
        [start_date, end_date, payment_date],
      ]),
    );
    expect(datesOf.get("weekly-2024-W10")).toEqual(["2024-03-04", "2024-03-10", "2024-03-15"]);
    expect(datesOf.get("monthly-2024-02")).toEqual(["2024-02-01", "2024-02-29", "2024-02-28"]);
    expect(datesOf.get("weekly-2020-W53")).toEqual(["2020-12-28", "2021-01-03", "2021-01-08"]);
  });
});

describe("dated records", () => {
  const dateOf = (resource: (typeof dated)[number], record: object): [string, string] => {
    const fields = record as Record<string, string>;
    if (resource === "payruns") return [fields.payment_date!, fields.payment_date!];
    if (resource === "timesheets")
      return [fields.start_time!.slice(0, 10), fields.start_time!.slice(0, 10)];
    return [fields.start_date!, fields.end_date!];
  };

  it.each(dated)(
    "%s: every month from January 2020 to today has some, and a range has those that overlap it",
    async (resource) => {
      const all = await read(resource, "user_good");
      for (let month = 0; month <= 6 * 12 + 10; month += 1) {
        const start = new Date(Date.UTC(2020, month)).toISOString().slice(0, 10);
        const end = new Date(Date.UTC(2020, month + 1, 0)).toISOString().slice(0, 10);
        const within = await read(resource, "user_good", { range: { start, end } });
        expect([start, within.length > 0]).toEqual([start, true]);
        expect(within).toEqual(
          all.filter(
            (record) => dateOf(resource, record)[0] <= end && dateOf(resource, record)[1] >= start,
          ),
        );
      }
    },
  );

  it.each([
    [
      "a leap day",
      { start: "2024-02-29", end: "2024-02-29" },
      { payruns: 0, timesheets: 5, "time-off-entries": 2 },
    ],
    [
      "a payday before a leap day",
      { start: "2024-02-28", end: "2024-02-28" },
      { payruns: 1, timesheets: 5, "time-off-entries": 2 },
    ],
    ["today", { start: today, end: today }, { payruns: 0, timesheets: 1, "time-off-entries": 2 }],
  ] as const)("%s is a range of its own", async (_name, range, least) => {
    for (const resource of dated) {
      const records = await read(resource, "user_good", { range });
      expect([resource, records.length >= least[resource]]).toEqual([resource, true]);
      for (const record of records)
        expect(
          dateOf(resource, record)[0] <= range.end && dateOf(resource, record)[1] >= range.start,
        ).toBe(true);
    }
  });

  it("the year ahead has planned absences and unpaid runs, and before 2020 and after it there is nothing", async () => {
    const future = { range: { start: "2026-11-22", end: "2100-12-31" } };
    expect(await read("timesheets", "user_good", future)).toEqual([]);
    const unpaid = await read("payruns", "user_good", future);
    expect(new Set(unpaid.map(({ state }) => state))).toEqual(new Set(["pending"]));
    expect(new Set(unpaid.map(({ type }) => type)).size).toBe(5);
    expect(unpaid.at(-1)?.payment_date).toBe("2027-11-19");
    for (let month = 0; month < 12; month += 1) {
      const [start, end] = [22, 51].map((day) =>
        new Date(Date.UTC(2026, 10 + month, day)).toISOString().slice(0, 10),
      ) as [string, string];
      for (const resource of ["payruns", "time-off-entries"] as const) {
        const planned = await read(resource, "user_good", { range: { start, end } });
        expect([resource, start, planned.length > 0]).toEqual([resource, start, true]);
      }
    }
    const later = { range: { start: "2027-11-22", end: "2100-12-31" } };
    for (const resource of dated) expect(await read(resource, "user_good", later)).toEqual([]);
    expect(
      await read("payslips", "user_good", { payrunRemoteId: unpaid.at(-1)!.remote_id }),
    ).toEqual([]);
    for (const resource of dated)
      expect(
        await read(resource, "user_good", { range: { start: "1900-01-01", end: "2019-12-31" } }),
      ).toEqual([]);
  });

  it("hours are multiples of half an hour: worked, paid and absent", async () => {
    const range = { start: "2020-01-01", end: "2027-03-31" };
    const [timesheets, entries, balances, payslips] = await Promise.all([
      read("timesheets", "user_good", { range }),
      read("time-off-entries", "user_good", { range }),
      read("time-off-balances", "user_good"),
      payslipsOf("user_good", range),
    ]);
    const hours = {
      worked: timesheets.map(({ hours_worked }) => hours_worked),
      paid: payslips.flatMap(({ earnings }) => earnings!.flatMap((earning) => earning.hours ?? [])),
      absent: entries.flatMap(({ unit, amount }) => (unit === "hours" ? amount : [])),
      left: balances.flatMap(({ unit, balance }) => (unit === "hours" ? balance! : [])),
    };
    for (const values of Object.values(hours)) {
      expect(values.length).toBeGreaterThan(20);
      for (const value of new Set(values)) inHalves(value);
    }
  });

  it("timesheets cover every day, add up, and leave out people who are absent", async () => {
    const timesheets = await read("timesheets", "user_good");
    const approved = (await read("time-off-entries", "user_good")).filter(
      ({ status }) => status === "approved",
    );
    const absences = Map.groupBy(approved, ({ employee_remote_id }) => employee_remote_id);
    for (const { employee_remote_id, start_time, end_time, hours_worked } of timesheets) {
      const date = start_time!.slice(0, 10);
      const isRunning = date === today;
      expect(end_time === null).toBe(isRunning);
      expect(isRunning ? 0 : (Date.parse(end_time!) - Date.parse(start_time!)) / 60_000 - 30).toBe(
        inHalves(hours_worked) * 30,
      );
      expect(
        (absences.get(employee_remote_id) ?? []).filter(
          (entry) => entry.start_date! <= date && date <= entry.end_date!,
        ),
      ).toEqual([]);
    }
    const march = timesheets.filter(({ start_time }) => start_time!.startsWith("2024-03"));
    expect(march.length).toBeGreaterThan(100);
    expect(march.length).toBeLessThan(400);
    const days = new Set(timesheets.map(({ start_time }) => start_time!.slice(0, 10)));
    expect(days.size).toBe((Date.parse(today) - Date.parse("2020-01-01")) / 86_400_000 + 1);
  });

  it("nobody has two absences at once, and balances are the rest of this year's allowances", async () => {
    const entries = await read("time-off-entries", "user_good");
    for (const own of Map.groupBy(
      entries,
      ({ employee_remote_id }) => employee_remote_id,
    ).values()) {
      for (const [index, { start_date }] of own.entries())
        expect(start_date! > (own[index - 1]?.end_date ?? "")).toBe(true);
    }
    const thisYear = entries.filter(
      ({ status, start_date }) =>
        status === "approved" && start_date! >= "2026-01-01" && start_date! <= today,
    );
    const balances = await read("time-off-balances", "user_good");
    const allowances = new Map<string, Set<number>>();
    for (const { employee_remote_id, policy_remote_id, used, balance } of balances) {
      const taken = thisYear.filter(
        (entry) =>
          entry.employee_remote_id === employee_remote_id &&
          entry.policy_remote_id === policy_remote_id,
      );
      expect(used).toBe(taken.reduce((total, { amount }) => total + amount, 0));
      allowances.set(
        policy_remote_id!,
        new Set([...(allowances.get(policy_remote_id!) ?? []), balance! + used!]),
      );
    }
    expect([...allowances.values()].map(({ size }) => size)).toEqual(
      Array.from({ length: 9 }, () => 1),
    );
  });
});

describe("determinism", () => {
  it.each(modes)(
    "in %s mode two fetches on the same day return the same bytes at any hour",
    async (mode) => {
      const clock = clockAt(today);
      const { read } = openSandbox({ clock, mode });
      const fetchAll = async () => {
        const there = resources.filter((resource) =>
          new ProviderRegistry([sandbox]).hasResource({ provider: "sandbox", mode, resource }),
        );
        return JSON.stringify(
          await Promise.all(there.map((resource) => read(resource, "user_good"))),
        );
      };
      const first = await fetchAll();
      clock.move(15 * 3_600_000);
      expect(await fetchAll()).toBe(first);
    },
  );

  it("on another day of the quarter people differ only in their status", async () => {
    const [before, after] = await Promise.all(
      ["2026-10-02", "2026-12-30"].map((date) =>
        openSandbox({ date }).read("employees", "user_good"),
      ),
    );
    expect(after!.map((person) => ({ ...person, employment_status: null }))).toEqual(
      before!.map((person) => ({ ...person, employment_status: null })),
    );
  });

  it("past pay and past work never change", async () => {
    const later = openSandbox({ date: "2026-12-30" });
    for (const resource of ["timesheets", "time-off-entries"] as const) {
      const range = { start: "2024-03-01", end: "2024-03-31" };
      expect(await later.read(resource, "user_good", { range })).toEqual(
        await read(resource, "user_good", { range }),
      );
    }
    const range = { start: "2026-08-01", end: "2026-10-31" };
    expect(await later.payslipsOf("user_good", range)).toEqual(
      await payslipsOf("user_good", range),
    );
  });

  it.each(["user_good", "user_sparse"])(
    "each simulated hour of %s adds one person, removes one, updates two and keeps the rest",
    async (user) => {
      const session = await signIn(user);
      for (const hour of [...Array.from({ length: 50 }, (_, index) => index), 999]) {
        const before = await bytesOf({ ...session, hour });
        const after = await bytesOf(advanceSandbox({ ...session, hour }));
        const updated = [...after].filter(
          ([id, person]) => before.has(id) && before.get(id) !== person,
        ).length;
        const changes = {
          added: countMissing(after.keys(), before),
          removed: countMissing(before.keys(), after),
          updated,
        };
        expect({ hour, ...changes }).toEqual({ hour, added: 1, removed: 1, updated: 2 });
        expect(after.size).toBe(before.size);
      }
    },
  );

  it("a simulated hour changes nothing in an empty company", async () => {
    expect(await read("employees", advanceSandbox(await signIn("user_empty")))).toEqual([]);
  });
});
