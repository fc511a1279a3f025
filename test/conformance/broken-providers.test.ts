import { expect, test, vi } from "vitest";
import { describeProvider } from "../../src/conformance/index.ts";
import type { Conformance } from "../../src/providers/conformance.ts";
import type {
  ProviderContext,
  ProviderDefinition,
  ProviderMode,
  ReadContext,
  ResourceReader,
  TypedOrigin,
} from "../../src/providers/contract.ts";
import { AuthError, FieldError } from "../../src/providers/errors.ts";
import { faults } from "../support/payday/payday-faults.ts";
import { loadStaffdir } from "../support/staffdir.ts";

// Each of these providers breaks one rule. The check of that rule has to name it.

const staffdir = await loadStaffdir();
type Employees = ResourceReader<"employees">;
type Fetch = Employees["fetch"];
type Breakage = [check: string, wrong: RegExp, provider: ProviderDefinition];

function withMode(change: (mode: ProviderMode) => Partial<ProviderMode>): ProviderDefinition {
  const mode = staffdir.definition.modes.xhr!;
  return { ...staffdir.definition, modes: { xhr: { ...mode, ...change(mode) } } };
}

function withReader(change: (reader: Employees) => Partial<Employees>): ProviderDefinition {
  return withMode(({ resources }) => ({
    resources: {
      ...resources,
      employees: { ...resources.employees!, ...change(resources.employees!) },
    },
  }));
}

function withMap(change: (record: Record<string, unknown>) => object | null): ProviderDefinition {
  return withReader((reader) => ({
    map: (raw, context) =>
      change(reader.map(raw, context) as never) as ReturnType<Employees["map"]>,
  }));
}

/** The fetch of an adapter that catches what it must not catch. */
function withFetch(change: (fetch: Fetch) => Fetch): ProviderDefinition {
  return withReader((reader) => ({ fetch: change(reader.fetch.bind(reader)) }));
}

const swallow = (fetch: Fetch): Fetch =>
  async function* swallowing(...args) {
    try {
      yield* fetch(...args);
    } catch {
      // A short list that looks complete.
    }
  };

function withoutDraws<Context extends ProviderContext>(context: Context): Context {
  return { ...context, http: (origin: string) => context.http(origin) };
}

async function* noPage(): AsyncGenerator<never> {}

/** An async function that fails while nobody waits for it. */
async function rejectLater(): Promise<never> {
  await new Promise((done) => setTimeout(done, 1));
  throw new TypeError("no pages");
}

/** It names no field as limited, and makes this of what it reads. */
function namingNothing(change: (employee: object) => object): ProviderDefinition {
  return withMode(({ resources }) => {
    const reader = resources.employees!;
    const employees: Employees = {
      ...reader,
      fetch: (context, session, parameters) =>
        reader.fetch({ ...context, limited: () => undefined }, session, parameters),
      map: (raw, context) =>
        change(reader.map(raw, context) as object) as ReturnType<Employees["map"]>,
    };
    return { check: async () => ({ unsupported: [] }), resources: { ...resources, employees } };
  });
}

/** A mode whose company is where its system is. */
const withProbe = (
  probe: NonNullable<TypedOrigin["probe"]>,
  change: (mode: ProviderMode) => Partial<ProviderMode> = () => ({}),
): ProviderDefinition =>
  withMode((mode) => ({
    origin: { field: "company", of: () => "https://api.staffdir.example", probe },
    ...change(mode),
  }));

/** A probe asks with what an earlier sign-in has left behind. */
let leftBehind = "";
const ask: NonNullable<TypedOrigin["probe"]> = async ({ http }, origin) => {
  await http(origin).request({ url: `${origin}/me`, headers: { "x-left": leftBehind } });
  return {};
};
const field = (name: string, ...from: string[]) =>
  ({ field: name, from, read: "text", isNull: "without it" }) as const;
const dependentName = field("dependents[].name", "team", "unit");

let reads = 0;

const broken: Breakage[] = [
  [
    "sign-in",
    /not plain JSON/,
    withMode((mode) => ({
      login: async (context, values) => {
        const result = await mode.login(context, values);
        return "session" in result
          ? { session: { ...result.session, since: new Date(0) } }
          : result;
      },
    })),
  ],
  ...["soon", 1_900_000_000, new Date("soon")].map((at): Breakage => [
    "sign-in",
    at instanceof Date
      ? /ProviderBug: `expiresAt` gave a Date that is not valid/
      : new RegExp(`\`expiresAt\` has to give a Date or undefined, and gave a ${typeof at}`),
    withMode(() => ({ expiresAt: () => at as never })),
  ]),
  ...(
    [
      [
        { unsupported: ["payslip"] },
        /`unsupported` of `check` names payslip, which is no resource/,
      ],
      [
        { unsupported: [], limited: { employees: ["iban"] } },
        /`limited` of `check` names iban, which is no field of employees/,
      ],
      [{}, /`unsupported` of `check` has to be a list of resources/],
    ] as const
  ).map(([rights, wrong]): Breakage => [
    "sign-in",
    wrong,
    withMode(() => ({ check: async () => rights as never })),
  ]),
  [
    "wrong-password",
    /has to fail with AuthError incorrect_username_or_password, and it succeeded/,
    withMode((mode) => ({
      login: (context, values) => mode.login(context, { ...values, password: "right" }),
    })),
  ],
  ["probe", /`origin.probe` asks nothing/, withProbe(async () => ({}))],
  [
    "probe",
    /`origin.probe` sends the form's password/,
    withProbe(ask, (mode) => ({
      login: (context, values) => {
        leftBehind = values["password"] ?? "";
        return mode.login(context, values);
      },
    })),
  ],
  [
    "other-system",
    /the probe of a server that answers with a page has to fail with FieldError, and it succeeded/,
    withProbe(ask),
  ],
  [
    "other-system",
    /is no error at the field company/,
    withProbe(async () => {
      throw new FieldError("username", "There is no StaffDir here.");
    }),
  ],
  [
    "second-factor",
    /failed with ProviderBug/,
    withMode(() => ({ resume: async () => Promise.reject(new TypeError("undefined is no code")) })),
  ],
  [
    "wrong-second-factor",
    /and it failed with AuthError incorrect_username_or_password/,
    withMode(() => ({
      resume: async () => Promise.reject(new AuthError("incorrect_username_or_password")),
    })),
  ],
  [
    "missing-rights",
    /1 of 1 employees are left out/,
    withMap((record) => (record["tax_id"] === null ? null : record)),
  ],
  [
    "missing-rights",
    /tax_id, date_of_birth lost values without a word/,
    namingNothing((employee) => employee),
  ],
  [
    "missing-rights",
    /nothing is named as missing/,
    namingNothing((employee) => ({ ...employee, tax_id: null, date_of_birth: null })),
  ],
  [
    "records",
    /`map` of employees gives fields that there are not: groups.title, shoeSize/,
    withMap((record) => ({ ...record, shoeSize: 43, groups: [{ name: "A", title: "B" }] })),
  ],
  [
    "records",
    /a record of employees lacks what every such record must have: remote_id, last_name/,
    withMap(({ remote_id: _id, ...record }) => ({ ...record, last_name: 5 })),
  ],
  [
    "records",
    /`map` of employees gave what is neither a record nor null/,
    withMap(() => undefined as never),
  ],
  [
    "records",
    /employment_status/,
    withMap((record) => ({ ...record, employment_status: "fired" })),
  ],
  [
    "records",
    /`context.limited` names shoe_size, which is no field of employees/,
    withFetch(
      (fetch) =>
        async function* limiting(context, session, parameters) {
          context.limited(["job_title", "shoe_size"]);
          yield* fetch(context, session, parameters);
        },
    ),
  ],
  ...(
    [
      ["/people", /no URL of its client \(InvalidTarget: .* it is not a URL/],
      [
        "https://other.example/people",
        /no URL of its client \(InvalidTarget: other\.example .* not a host/,
      ],
    ] as const
  ).map(([url, wrong]): Breakage => [
    "records",
    wrong,
    withReader(() => ({
      async *fetch({ http }) {
        await http("https://api.staffdir.example").request({ url });
        yield [];
      },
    })),
  ]),
  [
    "records",
    /`fetch` has to be an async generator: write `async \*fetch\(…\)` and `yield` each page/,
    withReader(() => ({ fetch: rejectLater as never })),
  ],
  [
    "leavers",
    /no employee is inactive/,
    withMap((record) => (record["employment_status"] === "inactive" ? null : record)),
  ],
  [
    "unicode",
    /missing: Łucja/,
    withMap((record) => ({
      ...record,
      first_name: String(record["first_name"]).replace("Ł", "?"),
    })),
  ],
  ["nulls", /has null in all of/, withMap((record) => ({ ...record, job_title: "undefined" }))],
  [
    "stable-ids",
    /the ids of employees are others/,
    withMap((record) => ({
      ...record,
      remote_id: `${String(record["remote_id"])}-${(reads += 1)}`,
    })),
  ],
  [
    "unchanged",
    /employees are other bytes the next time: other values of job_title/,
    withMap((record) => ({ ...record, job_title: `seen ${(reads += 1)} times` })),
  ],
  [
    "references",
    /an employee names 7 of groups, and none of the 1 that were read has that `remote_id`/,
    withMode(({ resources }) => ({
      resources: {
        ...resources,
        groups: {
          async *fetch() {
            yield [{ remote_id: "team-7", name: "Warehouse" }];
          },
          map: (raw) => raw,
        },
      },
    })),
  ],
  [
    "two-pages",
    /the fake has employees on several pages, and `fetch` yielded 1: yield each answer as a page/,
    withFetch(
      (fetch) =>
        async function* firstPage(...args) {
          for await (const page of fetch(...args)) {
            yield page;
            return;
          }
        },
    ),
  ],
  [
    "meanings",
    /no_email: employees 4: its work_email is no address/,
    withMap((record) => ({ ...record, work_email: record["work_email"] ?? "nobody" })),
  ],
  [
    "two-pages",
    /4 pages of employees were read, and 7 of their 14 records came twice: ask for each page/,
    withFetch(
      (fetch) =>
        async function* twice(...args) {
          for await (const page of fetch(...args)) {
            const records = "records" in page ? page.records : page;
            yield [...records, ...records];
          }
        },
    ),
  ],
  [
    "two-pages",
    /the fake has 7 employees, and 6 came of 7 raw records: ask until the provider/,
    withMap((record) => (record["remote_id"] === "4" ? null : record)),
  ],
  [
    "resume",
    /after the cursor of page 1/,
    withFetch(
      (fetch) => (context, session, parameters) =>
        fetch({ ...context, cursor: undefined }, session, parameters),
    ),
  ],
  [
    "quotas",
    /requests of reads name no quota/,
    withFetch(
      (fetch) => (context, session, parameters) =>
        fetch(withoutDraws(context), session, parameters),
    ),
  ],
  [
    "quotas",
    /no request draws on exports/,
    { ...staffdir.definition, limits: { quotas: { requests: {}, exports: { perDay: 1 } } } },
  ],
  [
    "changes",
    /`changes` gave 0 changed and 1 removed employees, .*: 1 are missing, 1 are as they were or other\. Yield/,
    withReader((reader) => ({
      changes: async function* onlyRemovals(...args) {
        for await (const page of reader.changes!(...args)) yield { ...page, changed: [] };
      },
    })),
  ],
  [
    "changes",
    /gave 2 changed and 0 removed employees, .*: 1 are there and gone\. Yield/,
    withReader((reader) => ({
      changesNameRemovals: true,
      changes: async function* noRemovals(...args) {
        for await (const { changed } of reader.changes!(...args)) yield { changed };
      },
    })),
  ],
  [
    "changes",
    /gave 2 changed and 0 removed employees, .*: 1 are missing\. Yield/,
    withReader((reader) => ({
      changes: async function* tooFew(...args) {
        for await (const { changed } of reader.changes!(...args))
          yield { changed, present: ["1", "2", "3", "7", "8", "9"] };
      },
    })),
  ],
  [
    "changes",
    /`changes` has to be an async generator/,
    withReader(() => ({ changes: rejectLater as never })),
  ],
  [
    "changes",
    /`fetch` was read to its end and does not say where changes go on: call context\.continueFrom/,
    withFetch(
      (fetch) => (context, session, parameters) =>
        fetch({ ...context, continueFrom: () => undefined }, session, parameters),
    ),
  ],
  [
    "changes",
    /`changes` was asked again .*, and it gave 7 of 7 employees: say by context\.continueFrom/,
    withReader((reader) => ({
      changes: (context, session) => reader.changes!(context, session, { version: 0 }),
    })),
  ],
  ["dead-session", /and it succeeded/, withFetch(swallow)],
  [
    "expired-session",
    /failed with AuthError reauthentication_required/,
    withMode(() => ({ refresh: async (_context, session) => session })),
  ],
  [
    "expired-session",
    /worked without a new session/,
    withMode(({ resources }) => ({
      resources: { employees: { ...resources.employees!, async *fetch() {} } },
    })),
  ],
  [
    "expired-between-pages",
    /gave 2 employees, and the next read 0: make each request by context.withSession/,
    withFetch(
      (fetch) => (context, session, parameters) =>
        swallow(fetch)({ ...context, withSession: (work) => work(session) }, session, parameters),
    ),
  ],
  [
    "expired-between-pages",
    /has to end after the first page, or `leavesOut` .*: pages of employees: 1, new sessions: 1/,
    withFetch(
      (fetch) =>
        async function* onePage(...args) {
          const all: unknown[] = [];
          for await (const page of fetch(...args))
            all.push(...("records" in page ? page.records : page));
          yield all;
        },
    ),
  ],
  [
    "filled-fields",
    /no record of employees fills dependents\[\]\.name \(team, unit\): fill the rest in a record, or name it in `neverFilled`/,
    withReader(() => ({ fields: () => [field("remote_id", "id"), dependentName] })),
  ],
  ["rate-limited-seconds", /and it succeeded/, withFetch(swallow)],
  ["rate-limited-date", /and it succeeded/, withFetch(swallow)],
  ["rate-limited", /and it succeeded/, withFetch(swallow)],
  ["server-error", /and it succeeded/, withFetch(swallow)],
  ["cut-off", /counts as complete/, withFetch(swallow)],
  [
    "aborted",
    /was to be aborted after its first page, and gave none: yield each answer as a page/,
    withReader(() => ({ fetch: noPage })),
  ],
  [
    "aborted",
    /aborted after its first page, and the adapter went on asking .*: \d+ requests in 100 ms\. Pass context\.signal/,
    withFetch(
      (fetch) =>
        async function* restless(context, session, parameters) {
          const free = { ...context, signal: new AbortController().signal };
          void askOnAndOn(free, session);
          yield* fetch(free, session, parameters);
        },
    ),
  ],
  [
    "repeated-page",
    /was the first one again, and the read of employees counts as complete with 2 of 7/,
    withFetch(swallow),
  ],
  [
    "repeated-page",
    /the read of employees asks for \/people again and again/,
    withReader(() => ({ fetch: askWithoutEnd })),
  ],
  [
    "endless-pages",
    /said that there is another one, and had no record, .* complete with 2 of 7/,
    withFetch(swallow),
  ],
  [
    "slow",
    /company are others when what was asked first is answered last/,
    withMode(({ resources }) => ({
      resources: {
        ...resources,
        company: { ...resources.company!, fetch: nameFirstAnswer },
      },
    })),
  ],
  [
    "hidden-field",
    /the system leaves out family, and 0 of 7 employees count as all/,
    withReader((reader) => ({
      map: (raw, context) =>
        (raw as { family?: string }).family === undefined ? null : reader.map(raw, context),
    })),
  ],
];

/** Asks StaffDir as its adapter does. */
function asker({ http }: ReadContext, session: Parameters<Fetch>[1]) {
  const origin = "https://api.staffdir.example";
  const { company, token } = session as { company: string; token: string };
  const client = http(origin, { draws: { requests: company } });
  const headers = { authorization: `Bearer ${token}` };
  return async (path: string): Promise<object> => {
    const { json } = await client.request({ url: origin + path, headers });
    return json() as object;
  };
}

/** Takes the answer that comes first for that of the request that was made first. */
async function* nameFirstAnswer(
  context: ReadContext,
  session: Parameters<Fetch>[1],
): AsyncGenerator<object[]> {
  const ask = asker(context, session);
  const answers: object[] = [];
  const note = async (path: string): Promise<void> => void answers.push(await ask(path));
  await Promise.all([note("/company"), note("/me")]);
  yield answers.slice(0, 1).map((answer) => ({ id: 1, name: Object.keys(answer).join(" ") }));
}

async function* askWithoutEnd(
  context: ReadContext,
  session: Parameters<Fetch>[1],
): AsyncGenerator<object[]> {
  const ask = asker(context, session);
  for (let after: number | null = 0; after !== null;) {
    const page: object = await ask(after === 0 ? "/people" : `/people?after=${after}`);
    const { people, next } = page as { people: object[]; next: number | null };
    yield people;
    after = next;
  }
}

async function askOnAndOn({ http }: ReadContext, session: Parameters<Fetch>[1]): Promise<void> {
  const client = http("https://api.staffdir.example", {
    draws: { requests: String(session["company"]) },
  });
  for (let asked = 0; asked < 20; asked += 1) {
    await client.request({ url: "https://api.staffdir.example/me" }).catch(() => undefined);
    await new Promise((done) => setTimeout(done, 20));
  }
}

async function runCheck(
  name: string,
  provider: ProviderDefinition,
  conformance: Conformance = staffdir.conformance,
): Promise<string | undefined> {
  const checks = describeProvider(provider, conformance);
  return await checks.find((candidate) => candidate.name === name)?.run();
}

test.each(broken)("a provider that breaks %s is told: %s", async (name, wrong, provider) => {
  await expect(runCheck(name, provider)).rejects.toThrow(wrong);
});

test.each(["own-zone", "slow"])(
  "%s blames nothing for records that are others each time",
  async (name) => {
    const restless = withMap((record) => ({ ...record, job_title: `seen ${(reads += 1)} times` }));
    expect(await runCheck(name, restless)).toBe(
      "employees are others at each read, also when nothing is changed: see the check `unchanged`",
    );
  },
);

test.each<[named: NonNullable<Conformance["neverFilled"]>, told: unknown]>([
  [{ employees: ["dependents[].name"] }, undefined],
  [
    { employees: ["dependents[].name", "remote_id"] },
    expect.stringMatching(/names remote_id of employees, which is filled/),
  ],
  [
    { employees: ["dependents[].name", "boss"] },
    expect.stringMatching(/names boss of employees, which no table has/),
  ],
  [
    { employees: ["dependents[].name"], payruns: [] },
    expect.stringMatching(/names payruns, which are not read/),
  ],
])("fields that are never filled are named: %j", async (neverFilled, told) => {
  const always = { ...field("gender"), isNull: "always" } as const;
  const fields = () => [field("remote_id", "id"), dependentName, always];
  const provider = withReader(() => ({ fields }));
  const checked = runCheck("filled-fields", provider, { ...staffdir.conformance, neverFilled });
  expect(await checked.catch(String)).toEqual(told);
});

test("every check has a provider that breaks it, but for those that only say what is not checked", () => {
  const names = describeProvider(staffdir.definition, staffdir.conformance).map(({ name }) => name);
  const byFaults = faults.flatMap(({ noticed }) => ("by" in noticed ? [noticed.by] : []));
  const breaking = [...broken.map(([name]) => name), ...byFaults, "unsaid"];
  expect(names.toSorted()).toEqual([...new Set(breaking)].toSorted());
});

test("an unknown scenario in leavesOut is refused with those that there are", () => {
  const conformance = { ...staffdir.conformance, leavesOut: { "two-page": "one is enough" } };
  expect(() => describeProvider(staffdir.definition, conformance as never)).toThrow(
    /^`leavesOut` names two-page, which is no scenario: there are usual, .*two-pages, /,
  );
});

test("a fetch that never settles is told, and each check has a bound of its own", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  try {
    const never = new Promise<never>(() => undefined);
    const begun = Promise.withResolvers<void>();
    async function* wait() {
      begun.resolve();
      yield await never;
    }
    const silent = failureOf(
      runCheck(
        "unicode",
        withFetch(() => wait),
      ),
    );
    await begun.promise;
    await vi.advanceTimersByTimeAsync(10_000);
    expect(await silent).toContain(
      "the read of employees gave no page for 10 seconds: a promise in it does not settle",
    );

    const closed: string[] = [];
    const stuck: Conformance = {
      start: async (scenario) => ({
        formValues: { company: "Lindgren", username: "ada", password: "right" },
        afterSignIn: () => never,
        close: () => void closed.push(scenario),
      }),
    };
    const free = withMode(() => ({
      login: async () => ({ session: {} }),
      check: async () => ({ unsupported: [] }),
      identity: async () => ({ name: "Ada", email: "ada@lindgren.example", phone_number: null }),
    }));
    const long = failureOf(runCheck("leavers", free, stuck));
    await vi.advanceTimersByTimeAsync(30_000);
    expect(await long).toContain(
      "it took longer than 30 seconds: a promise of the adapter or of its fake does not settle",
    );
    expect(closed).toEqual(["leavers"]);
  } finally {
    vi.useRealTimers();
  }
});

async function failureOf(work: Promise<unknown>): Promise<string> {
  return await work.then(
    () => "nothing failed",
    (error: unknown) => (error as Error).message,
  );
}
