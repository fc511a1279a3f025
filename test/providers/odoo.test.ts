import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import type { Session } from "../../src/providers/contract.ts";
import {
  type AuthError,
  FieldError,
  OperationNotSupported,
  ProviderBug,
  ProviderDown,
} from "../../src/providers/errors.ts";
import { listFormFields } from "../../src/providers/form-field.ts";
import {
  employment,
  isValid,
  toEmploymentStatus,
  toEmploymentType,
  toStartDate,
  toTerminationDate,
} from "../../src/providers/odoo/contracts.ts";
import { splitName } from "../../src/providers/kit/words.ts";
import { toEmployee } from "../../src/providers/odoo/employee-fields.ts";
import { toOrigin } from "../../src/providers/kit/web-origin.ts";
import { signInForm } from "../../src/providers/odoo/form.ts";
import { odoo } from "../../src/providers/odoo/index.ts";
import { toIdentity } from "../../src/providers/odoo/inspect.ts";
import {
  type FakeOdoo,
  fault,
  type FakeOdooOptions,
  type FakeUser,
  type Interference,
  type OdooRow,
  type OdooTables,
  type SeenRequest,
} from "../support/fake-odoo.ts";
import { closeAll, Customer, password, startFakeOdoo } from "../support/odoo-customer.ts";
import { bankAccount } from "../support/odoo-desk-data.ts";
import { TestClock } from "../support/test-clock.ts";

const timeOffOfficer = "hr_holidays.group_hr_holidays_user";
const everyGroup = ["base.group_user", "hr.group_hr_user", "hr.group_hr_manager", timeOffOfficer];
const officerGroups = ["base.group_user", "hr.group_hr_user", timeOffOfficer];
const users: FakeUser[] = [
  { uid: 2, login: "ines@example.com", password, groups: everyGroup },
  { uid: 5, login: "otto@example.com", password, groups: everyGroup, otp: "271828" },
  { uid: 6, login: "officer@example.com", password, groups: officerGroups },
  { uid: 7, login: "plain@example.com", password, groups: everyGroup.slice(0, 1) },
  { uid: 8, login: "portal@example.com", password, groups: [] },
];
const resources = ["company", "employees", "groups", "work-locations"] as const;

/** Nadia has every field that the API returns. Ōe has one name and nothing else. Bram left. */
function createTables(version: 14 | 19): OdooTables {
  const isNew = version === 19;
  const home = {
    street: "Kade 12",
    street2: "2 hoog",
    city: "Gent",
    zip: "9000",
    state_id: 72,
    country_id: 20,
  };
  const privateHome = Object.fromEntries(
    Object.entries(home).map(([field, value]) => [`private_${field}`, value]),
  );
  const nadia = {
    id: 11,
    active: true,
    name: "Nadia van den Éynde",
    barcode: "N-0011",
    identification_id: "85.07.30-033.61",
    ssnid: "850730-033",
    birthday: "1985-07-30",
    marital: "cohabitant",
    country_id: 20,
    create_date: "2021-04-01 23:10:00",
    work_email: "nadia@example.com",
    private_email: "nadia@home.example",
    mobile_phone: "+32 470 00 00 11",
    emergency_contact: "Jan Peeters",
    emergency_phone: "+32 470 00 00 12",
    job_title: "Planner",
    department_id: 32,
    category_ids: [41, 42],
    parent_id: 12,
    departure_date: false,
    ...(isNew
      ? {
          ...privateHome,
          sex: "female",
          employee_type: "employee",
          work_location_id: 51,
          bank_account_ids: [61],
          primary_bank_account_id: 61,
        }
      : {}),
    ...(isNew
      ? {}
      : {
          gender: "female",
          work_location: "Dock 3",
          address_id: 72,
          address_home_id: 71,
          bank_account_id: 61,
        }),
  };
  const contract = {
    active: true,
    job_id: 81,
    department_id: 31,
    currency_id: 1,
    contract_type_id: 91,
  };
  return {
    "res.users": users.map(({ uid, login }) => ({
      id: uid,
      name: `User ${uid}`,
      login,
      email: uid === 2 ? "ines.work@example.com" : false,
      phone: uid === 2 ? "+32 9 000 00 00" : false,
    })),
    "res.company": [
      {
        id: 1,
        active: true,
        name: "Ferme & Fils",
        vat: "BE0477472701",
        street: "Quai 1",
        street2: false,
        city: "Namur",
        zip: "5000",
        state_id: false,
        country_id: 20,
      },
      {
        id: 2,
        active: true,
        name: "Maple Yard",
        vat: "/",
        street: "1 Pier Rd",
        street2: false,
        city: "Victoria",
        zip: "V8V 1A1",
        state_id: 73,
        country_id: 38,
      },
      { id: 3, active: false, name: "Closed", vat: false },
    ],
    "res.partner": [
      { id: 71, name: "Nadia", ...home },
      {
        id: 72,
        name: "Dock",
        street: "Dok 3",
        street2: false,
        city: "Antwerpen",
        zip: "2000",
        state_id: 71,
        country_id: 20,
      },
      {
        id: 73,
        name: "Atoll",
        street: "Beach 1",
        street2: false,
        city: "Funafuti",
        zip: false,
        state_id: false,
        country_id: 99,
      },
    ],
    "res.country": [
      { id: 20, name: "Belgium", code: "BE" },
      { id: 38, name: "Canada", code: "CA" },
      { id: 99, name: "Tuvalu", code: "TV" },
    ],
    "res.country.state": [
      { id: 71, name: "Antwerpen", code: "VAN" },
      { id: 72, name: "Oost-Vlaanderen", code: "VOV" },
      { id: 73, name: "British Columbia", code: "BC" },
    ],
    "res.currency": [{ id: 1, name: "EUR" }],
    "res.partner.bank": [bankAccount],
    "hr.job": [{ id: 81, name: "Junior planner" }],
    "hr.department": [
      { id: 31, active: true, name: "Logistics", parent_id: false },
      { id: 32, active: true, name: "Planning / Night", parent_id: 31 },
    ],
    "hr.employee.category": [
      { id: 41, name: "First aid" },
      { id: 42, name: "大阪" },
    ],
    "hr.work.location": [
      { id: 51, active: true, name: "Dock 3", location_type: "office", address_id: 72 },
      { id: 52, active: true, name: "Atoll", location_type: "other", address_id: 73 },
    ],
    "hr.contract.type": [{ id: 91, name: "Voltijds", code: "Full-Time" }],
    "hr.leave": [
      {
        id: 1,
        employee_id: 12,
        state: "validate",
        request_date_from: "2026-03-01",
        request_date_to: "2026-03-02",
        number_of_days: 2,
        "holiday_status_id.time_type": "leave",
      },
    ],
    "hr.employee": [
      nadia,
      { id: 12, active: true, name: "大江", parent_id: false },
      {
        id: 13,
        active: false,
        name: "Bram  de  Wit ",
        departure_date: "2025-12-31",
        ...(isNew ? { sex: "other" } : { gender: "other" }),
        marital: "divorced",
      },
    ] as OdooRow[],
    "hr.version": [
      {
        id: 101,
        ...contract,
        employee_id: 11,
        date_version: "2021-04-01",
        contract_date_start: "2021-04-01",
        contract_date_end: false,
        wage: 2500.5,
        employee_type: "employee",
        job_title: "Junior planner",
      },
      {
        id: 102,
        ...contract,
        employee_id: 11,
        date_version: "2024-01-01",
        contract_date_start: "2021-04-01",
        contract_date_end: false,
        wage: 3000,
        employee_type: "employee",
        job_title: "Planner",
        department_id: 32,
      },
      {
        id: 103,
        ...contract,
        active: false,
        employee_id: 11,
        date_version: "2023-01-01",
        contract_date_start: "2021-04-01",
        contract_date_end: false,
        wage: 1,
      },
      {
        id: 104,
        employee_id: 12,
        active: true,
        date_version: "2010-01-01",
        wage: 0,
        currency_id: 1,
        job_title: "Nothing",
      },
      {
        id: 105,
        employee_id: false,
        active: true,
        date_version: "2010-01-01",
        wage: 9999,
        currency_id: 1,
        job_title: "Template",
      },
    ],
    "hr.contract": [
      {
        id: 111,
        ...contract,
        employee_id: 11,
        date_start: "2021-04-01",
        date_end: "2023-12-31",
        state: "close",
        kanban_state: "normal",
        wage: 2500.5,
        schedule_pay: "monthly",
      },
      {
        id: 112,
        ...contract,
        employee_id: 11,
        date_start: "2024-01-01",
        date_end: false,
        state: "open",
        kanban_state: "normal",
        wage: 3000,
        schedule_pay: "bi-weekly",
        department_id: 32,
      },
      {
        id: 113,
        ...contract,
        employee_id: 11,
        date_start: "2026-06-01",
        date_end: false,
        state: "draft",
        kanban_state: "normal",
        wage: 9999,
      },
      {
        id: 114,
        ...contract,
        employee_id: 11,
        date_start: "2020-01-01",
        date_end: false,
        state: "cancel",
        kanban_state: "normal",
        wage: 9999,
      },
    ],
  };
}

const opened: (() => unknown)[] = [];
afterEach(async () => {
  await closeAll();
  await Promise.all(opened.splice(0).map((close) => close()));
});

async function startOdoo(options: Partial<FakeOdooOptions> = {}): Promise<FakeOdoo> {
  const version = options.version ?? 19;
  return await startFakeOdoo({ version, users, tables: createTables(version), ...options });
}

/** A server and a customer who signed in to it. */
async function startSignedIn(options?: Partial<FakeOdooOptions>, username?: string) {
  const fake = await startOdoo(options);
  const customer = new Customer(fake.origin);
  return { fake, customer, session: await customer.signIn(username) };
}

/** A server with an archived department and an archived location, and a customer who signed in to it. */
async function startArchived() {
  const signedIn = await startSignedIn();
  const { tables } = signedIn.fake;
  tables["hr.department"]![1]!["active"] = false;
  tables["hr.work.location"]![0]!["active"] = false;
  return signedIn;
}

/** The statuses that an account in this time zone reads. */
async function readStatuses(
  { tz, tables }: { tz?: string; tables: OdooTables },
  now: Date,
): Promise<{ statuses: unknown[]; fake: FakeOdoo }> {
  const fake = await startOdoo({ users: [{ ...users[0]!, ...(tz && { tz }) }], tables });
  const customer = new Customer(fake.origin, new TestClock(now));
  const people = await customer.read("employees", await customer.signIn());
  return { statuses: people.map((person) => person.employment_status), fake };
}

/** Signs in up to the question for the second factor. */
async function challenge(customer: Customer): Promise<Session> {
  const result = await customer.logIn({ username: "otto@example.com" });
  if (!("challenge" in result)) throw new Error("no second factor is asked for");
  return result.challenge.state;
}

function createPeople(count: number): OdooRow[] {
  return Array.from({ length: count }, (_, index) => ({
    id: 1_000 - index,
    active: index % 2 === 0,
    name: `Person ${1_000 - index}`,
  }));
}

const limitedFields = (
  "employment_status employment_type start_date termination_date employments " +
  "employment_history compensation_history custom_fields"
).split(" ");
const fullTimeId = { "hr.contract.type": { 91: "hr.contract_type_full_time" } };
const isEmployeePage = ({ model, method }: SeenRequest): boolean =>
  model === "hr.employee" && method === "search_read";
const isSecondPage = ({ model, kwargs }: SeenRequest): boolean =>
  model === "hr.employee" && JSON.stringify(kwargs["domain"] ?? []).includes('">",950]');
const period = (start: string, end: string | null = null) => ({
  start,
  end,
});

const json = (body: object): Interference => ({
  status: 200,
  headers: { "content-type": "application/json" },
  body: JSON.stringify({ jsonrpc: "2.0", id: null, ...body }),
});
const onPath = (path: string, interference: Interference) => (request: SeenRequest) =>
  request.path.startsWith(path) ? interference : undefined;
const onModel = (model: string, interference: Interference) => (request: SeenRequest) =>
  request.model === model ? interference : undefined;
const account = (formValues: Record<string, string>) => odoo.modes.xhr!.account!(formValues);
const refusal = (code: AuthError["code"]) => expect.objectContaining({ name: "AuthError", code });

const nameOf = (database: string, uid: number) =>
  odoo.modes.xhr!.accountOfSession!({ url: "https://acme.odoo.com", database, cookies: "", uid });

describe("the account of a session", () => {
  it("is the user of a database by number, however the login was typed", () => {
    expect(nameOf("acme", 7)).toEqual(["acme", "7"]);
    expect(nameOf("acme", 8)).not.toEqual(nameOf("acme", 7));
    expect(nameOf("ACME", 7)).not.toEqual(nameOf("acme", 7));
  });
});

describe("the form", () => {
  it("marks only the password as secret", () => {
    expect(
      listFormFields(signInForm).map(({ name, isSecret, isRequired }) => [
        name,
        isSecret,
        isRequired,
      ]),
    ).toEqual([
      ["url", false, true],
      ["database", false, false],
      ["username", false, true],
      ["password", true, true],
      ["timesheets", false, false],
      ["payroll_categories", false, false],
    ]);
  });

  it.each([
    ["https://acme.odoo.com", "https://acme.odoo.com"],
    ["https://acme.odoo.com///", "https://acme.odoo.com"],
    [" https://acme.odoo.com/odoo/employees?debug=1#id=3 ", "https://acme.odoo.com"],
    ["http://erp.example:8069/web#action=1", "http://erp.example:8069"],
    ["HTTPS://ACME.odoo.com/web", "https://acme.odoo.com"],
    ["acme.odoo.com/web", "https://acme.odoo.com"],
    ["ftp://acme.odoo.com", null],
    ["javascript:alert(1)", null],
    ["https://user:secret@acme.odoo.com", null],
    ["https://", null],
    ["", null],
  ])("turns the address %j into %j", (typed, origin) => {
    expect(toOrigin(typed)).toBe(origin);
    expect(signInForm.shape.url.safeParse(typed).success).toBe(origin !== null);
  });

  it.each([
    ["https://acme.odoo.com", "acme", "ines@example.com"],
    [" HTTPS://Acme.Odoo.com:443/web?debug=1#home ", " acme ", " Ines@Example.com"],
    ["acme.odoo.com.", "acme", "INES@example.com "],
  ])("counts %j, %j, %j as the same account", (url, database, username) => {
    expect(account({ url, database, username, password })).toEqual({
      origin: "https://acme.odoo.com",
      tenant: "acme",
      login: "ines@example.com",
    });
  });

  it("tells accounts apart by the address, the database and the user name", () => {
    const typed = { url: "acme.odoo.com:8443", username: "ines@example.com", password };
    const known = { origin: "https://acme.odoo.com:8443", login: "ines@example.com" };
    expect(account(typed)).toEqual({ ...known, tenant: "" });
    expect(account({ ...typed, database: "People" })).toEqual({ ...known, tenant: "People" });
    expect(account({ ...typed, url: "ftp://x" })).toEqual({ tenant: "", login: known.login });
  });
});

describe("sign-in", () => {
  it("sends the password once and does not store it", async () => {
    const fake = await startOdoo();
    const customer = new Customer(`${fake.origin}/odoo/`);
    const session = await customer.signIn();
    expect(session).toEqual({
      url: fake.origin,
      database: "people",
      cookies: expect.stringContaining("cookie-marker"),
      uid: 2,
    });
    expect(JSON.stringify(session)).not.toContain("password-marker");
    expect(fake.passwordsTried).toBe(1);
  });

  it("refuses an address that is not allowed at its field, and sends nothing there", async () => {
    const fake = await startOdoo();
    const failure = await new Customer(fake.origin, new TestClock(), [])
      .logIn()
      .catch((error: unknown) => error);
    expect(failure).toMatchObject({ kind: "field", field: "url" });
    expect(fake.requests).toEqual([]);
  });

  it("works when the server does not list its databases, or blocks that page", async () => {
    const fake = await startOdoo();
    fake.isListOpen = false;
    await expect(new Customer(fake.origin).signIn()).resolves.toMatchObject({ uid: 2 });
    fake.interfere = onPath("/web/database/list", json({ result: [] }));
    await expect(new Customer(fake.origin).signIn()).resolves.toMatchObject({ uid: 2 });
    fake.interfere = onPath("/web/database/list", { status: 403, body: "<h1>Forbidden</h1>" });
    await expect(new Customer(fake.origin).signIn()).resolves.toMatchObject({ uid: 2 });
  });

  it.each([14, 19] as const)("finds the only database of version %i by itself", async (version) => {
    const fake = await startOdoo({ version });
    for (const database of ["", "  "]) {
      const { session } = (await new Customer(fake.origin).logIn({ database })) as {
        session: Session;
      };
      expect(session).toMatchObject({ database: "people", uid: 2 });
    }
  });

  it("asks for the database when there are several, or the server does not list them", async () => {
    const fake = await startOdoo();
    const logIn = () => new Customer(fake.origin).logIn({ database: "" });
    fake.databases = ["people", "tests"];
    await expect(logIn()).rejects.toMatchObject({
      field: "database",
      explanation: expect.stringContaining("several databases"),
    });
    const hidden = {
      field: "database",
      explanation: expect.stringContaining("does not tell the name"),
    };
    fake.databases = [];
    await expect(logIn()).rejects.toMatchObject(hidden);
    fake.databases = ["people"];
    fake.isListOpen = false;
    await expect(logIn()).rejects.toMatchObject(hidden);
    expect(fake.passwordsTried).toBe(0);
  });

  it("takes the database that is connected when the person signs in again and leaves it empty", async () => {
    const { fake, customer, session: before } = await startSignedIn();
    fake.databases = ["people", "tests"];
    expect(await customer.logIn({ database: "" }, before)).toHaveProperty(
      "session.database",
      "people",
    );
  });

  it.each<[string, RequestListener]>([
    [
      "a page",
      (_, response) => void response.setHeader("content-type", "text/html").end("<h1>Welcome</h1>"),
    ],
    ["nothing", (_, response) => void response.writeHead(204).end()],
    ["JSON", (_, response) => void response.end(JSON.stringify({ result: { uid: 2 } }))],
    [
      "what a health check answers",
      (_, response) => void response.end(JSON.stringify({ status: "pass" })),
    ],
    ["the request itself", (request, response) => void request.pipe(response)],
    [
      "JSON-RPC of another program",
      (_, response) =>
        void response.end(JSON.stringify({ jsonrpc: "2.0", id: null, result: ["people"] })),
    ],
  ])("sends no password to a server that answers with %s", async (_, answer) => {
    const received: string[] = [];
    const server = createServer((request, response) => {
      received.push(String(request.url), JSON.stringify(request.headers));
      request.on("data", (bytes: Buffer) => received.push(bytes.toString()));
      response.setHeader("content-type", "application/json");
      answer(request, response);
    }).listen(0, "127.0.0.1");
    await once(server, "listening");
    opened.push(() => server.close());
    const { port } = server.address() as AddressInfo;
    for (const database of ["people", ""]) {
      const failure = new Customer(`http://127.0.0.1:${port}`).logIn({ database });
      await expect(failure).rejects.toMatchObject({ kind: "field", field: "url" });
    }
    expect(received.length).toBeGreaterThan(0);
    for (const typed of ["password", "ines@example.com", "people"])
      expect(received.join("\n")).not.toContain(typed);
  });

  it.each(["no@example.com", "ines@example.com"])(
    "refuses %s with a wrong password",
    async (username) => {
      const fake = await startOdoo();
      await expect(
        new Customer(fake.origin).logIn({ username, password: "wrong" }),
      ).rejects.toEqual(refusal("incorrect_username_or_password"));
      expect(fake.passwordsTried).toBe(1);
    },
  );

  it.each([
    ["lists its databases, so no password is sent", true, "listed", 0],
    ["checks its own list", false, "listed", 1],
    ["just connects", false, "connected", 1],
    ["finds no Odoo in it", false, "empty", 1],
  ] as const)(
    "refuses a wrong database at its field when the server %s",
    async (_, isListOpen, unknownDatabase, passwordsTried) => {
      const fake = await startOdoo();
      Object.assign(fake, { isListOpen, unknownDatabase });
      const failure = await new Customer(fake.origin)
        .logIn({ database: "nobody" })
        .catch((error: unknown) => error);
      expect(failure).toBeInstanceOf(FieldError);
      expect(failure).toMatchObject({ field: "database" });
      expect(fake.passwordsTried).toBe(passwordsTried);
    },
  );

  it("lets another person sign in again, but not to another address or database", async () => {
    const { fake, customer, session: before } = await startSignedIn();
    expect(await customer.logIn({ username: "ines@example.com" }, before)).toHaveProperty(
      "session.uid",
    );
    const tried = fake.passwordsTried;
    for (const [field, value] of [
      ["url", fake.origin.replace("127.0.0.1", "localhost")],
      ["database", "another"],
    ] as const) {
      const failure = await customer
        .logIn({ [field]: value }, before)
        .catch((error: unknown) => error);
      expect(failure).toBeInstanceOf(FieldError);
      expect(failure).toMatchObject({
        field,
        explanation: expect.stringContaining("another Odoo"),
      });
    }
    expect(fake.passwordsTried).toBe(tried);
  });

  it.each([
    ["12", [12, 0, 0, "final", 0, ""]],
    ["11", ["saas~11", 5, 0, "final", 0, ""]],
    ["8", [8, 0, 0, "final", 0]],
  ])("tells an Odoo of version %s at the address that it is too old", async (version, given) => {
    const fake = await startOdoo();
    const result = { server_version: "x", server_version_info: given, protocol_version: 1 };
    fake.interfere = onPath("/web/webclient/version_info", json({ result }));
    await expect(new Customer(fake.origin).logIn()).rejects.toMatchObject({
      field: "url",
      explanation: `This Odoo is version ${version}. The oldest that can be read is version 14.`,
    });
    expect(fake.passwordsTried).toBe(0);
  });

  it.each([
    [
      "an address without an Odoo",
      "/web/",
      { status: 404, headers: { "content-type": "text/html" }, body: "<h1>Not Found</h1>" },
      { field: "url" },
    ],
    [
      "another web site",
      "/web/",
      { status: 200, headers: { "content-type": "text/html" }, body: "<h1>Welcome</h1>" },
      { field: "url" },
    ],
    [
      "another API",
      "/web/",
      { status: 200, headers: { "content-type": "application/json" }, body: "[]" },
      { field: "url" },
    ],
    [
      "a redirect of the first request",
      "/web/",
      { status: 301, headers: { location: "https://elsewhere.example/" }, body: "" },
      { field: "url" },
    ],
    [
      "a redirect of the password",
      "/web/session",
      { status: 308, headers: { location: "https://elsewhere.example/" }, body: "" },
      { field: "url" },
    ],
    ["a failing server", "/web/session", { status: 502, body: "" }, { kind: "down" }],
    [
      "a server that is too busy",
      "/web/session",
      { status: 429, headers: { "retry-after": "1" }, body: "" },
      { kind: "rate-limited", afterSeconds: 1 },
    ],
    [
      "a failing database",
      "/web/session",
      json(fault("psycopg2.OperationalError", "too many connections")),
      { kind: "down" },
    ],
    [
      "an unknown fault",
      "/web/session",
      json(fault("odoo.exceptions.UserError", "Nadia is away")),
      { kind: "bug" },
    ],
  ] as const)("refuses %s after at most one attempt", async (_, path, interference, expected) => {
    const fake = await startOdoo();
    fake.interfere = onPath(path, interference);
    await expect(new Customer(fake.origin).logIn()).rejects.toMatchObject(expected);
    expect(
      fake.requests.filter(({ path }) => path === "/web/session/authenticate").length,
    ).toBeLessThan(2);
  });
});

describe("a second factor", () => {
  it("is asked for after the password, and the right answer signs in with a new cookie", async () => {
    const fake = await startOdoo();
    const customer = new Customer(fake.origin);
    const asked = await customer.logIn({ username: "otto@example.com" });
    expect(asked).toEqual({
      challenge: { kind: "otp", prompt: expect.any(String), state: expect.any(Object) },
    });
    const { state } = (asked as { challenge: { state: Session } }).challenge;
    expect(JSON.stringify(state)).not.toContain("password-marker");
    const result = await customer.answer(state, " 271828 ");
    expect(result).toEqual({
      session: {
        url: fake.origin,
        database: "people",
        cookies: expect.stringContaining("cookie-marker-2"),
        uid: 5,
      },
    });
    await expect(customer.inspect((result as { session: Session }).session)).resolves.toMatchObject(
      { identity: { name: "User 5", email: "otto@example.com", phone_number: null } },
    );
    expect(fake.passwordsTried).toBe(1);
  });

  it("may be answered again after a wrong answer, without another e-mail", async () => {
    const fake = await startOdoo();
    const customer = new Customer(fake.origin);
    const state = await challenge(customer);
    await expect(customer.answer(state, "000000")).rejects.toEqual(refusal("incorrect_mfa_or_otp"));
    await expect(customer.answer(state, "x")).rejects.toEqual(refusal("incorrect_mfa_or_otp"));
    await expect(customer.answer(state, "271828")).resolves.toMatchObject({ session: { uid: 5 } });
    expect(fake.passwordsTried).toBe(1);
    // One request opens the page and three send answers.
    expect(fake.requests.filter(({ path }) => path === "/web/login/totp").length).toBe(4);
  });

  it("has to be started again when the server has ended its session", async () => {
    const fake = await startOdoo();
    const customer = new Customer(fake.origin);
    const state = await challenge(customer);
    fake.endSessions();
    await expect(customer.answer(state, "271828")).rejects.toEqual(
      refusal("reauthentication_required"),
    );
    fake.interfere = onPath("/web/login/totp", {
      status: 303,
      headers: { location: "/web/login" },
      body: "",
    });
    await expect(customer.answer(state, "271828")).rejects.toEqual(
      refusal("reauthentication_required"),
    );
  });

  it("is not sent twice when the server fails", async () => {
    const fake = await startOdoo();
    const customer = new Customer(fake.origin);
    const state = await challenge(customer);
    fake.requests.length = 0;
    fake.interfere = onPath("/web/login/totp", { status: 503, body: "" });
    await expect(customer.answer(state, "271828")).rejects.toBeInstanceOf(ProviderDown);
    expect(fake.requests.length).toBe(1);
  });
});

const warnedLimits = ({ logged }: Customer): unknown[] =>
  logged
    .map((line) => JSON.parse(line) as { msg: string; limit?: string })
    .flatMap(({ msg, limit }) => (msg === "outbound request failed" ? [limit] : []));
const jsonHeaders = { "content-type": "application/json" };
const bodyOf = (bytes: number): string =>
  JSON.stringify({ jsonrpc: "2.0", result: [], filler: "x".repeat(bytes) });

describe("an answer that is too large", () => {
  it("ends the sign-in: a list of databases", async () => {
    const fake = await startOdoo();
    const customer = new Customer(fake.origin);
    fake.interfere = onPath("/web/database/list", {
      status: 200,
      headers: jsonHeaders,
      body: bodyOf(1_100_000),
    });
    await expect(customer.logIn()).rejects.toBeInstanceOf(ProviderBug);
    expect([warnedLimits(customer), fake.passwordsTried]).toEqual([["sign-in"], 0]);
  });

  it("ends the sign-in: a page for the second factor", async () => {
    const fake = await startOdoo();
    const customer = new Customer(fake.origin);
    fake.interfere = onPath("/web/login/totp", {
      status: 200,
      headers: { "content-type": "text/html" },
      body: "<input ".repeat(50_000),
    });
    const signIn = customer.logIn({ username: "otto@example.com" });
    await expect(signIn).rejects.toBeInstanceOf(ProviderBug);
    expect(warnedLimits(customer)).toEqual(["page"]);
  });

  it("ends the sign-in: many answers together, each of an allowed size", async () => {
    const fake = await startOdoo();
    const customer = new Customer(fake.origin);
    const session = await customer.signIn();
    let lastId = 0;
    fake.interfere = ({ method }) =>
      method === "search_read"
        ? { status: 200, headers: jsonHeaders, body: JSON.stringify({ result: fullPage() }) }
        : undefined;
    const fullPage = () =>
      Array.from({ length: 200 }, () => ({ id: (lastId += 1), name: "x".repeat(5_000) }));
    fake.requests.length = 0;
    await expect(customer.inspect(session)).rejects.toBeInstanceOf(ProviderBug);
    const asked = fake.requests.filter(({ method }) => method === "search_read");
    expect(asked.length).toBeGreaterThan(1);
    expect(asked.length).toBeLessThan(10);
  });

  it("is another one for records", async () => {
    const fake = await startOdoo();
    const customer = new Customer(fake.origin);
    const session = await customer.signIn();
    const answerRecords = (bytes: number) => {
      fake.interfere = ({ method }) =>
        method === "search_read"
          ? { status: 200, headers: jsonHeaders, body: bodyOf(bytes) }
          : undefined;
    };
    answerRecords(1_100_000);
    expect(await customer.read("groups", session)).toEqual([]);
    answerRecords(21_000_000);
    await expect(customer.read("groups", session)).rejects.toBeInstanceOf(ProviderBug);
    expect(warnedLimits(customer)).toEqual(["reply"]);
  });
});

describe("check", () => {
  const limited = { employees: limitedFields };
  const missing = "insufficient_permission";
  it.each([
    [14, "ines@example.com", { unsupported: ["work-locations"], forbidden: [], limited: {} }],
    [19, "ines@example.com", { unsupported: [], forbidden: [], limited: {} }],
    [14, "officer@example.com", { unsupported: ["work-locations"], forbidden: [], limited }],
    [19, "officer@example.com", { unsupported: [], forbidden: [], limited }],
    [14, "plain@example.com", { unsupported: ["work-locations"], forbidden: ["employees"] }],
    [19, "plain@example.com", { unsupported: [], forbidden: ["employees"], limited: {} }],
  ] as const)(
    "on version %i lets %s sign in and lists what the account may not read",
    async (version, username, expected) => {
      const { customer, session } = await startSignedIn({ version }, username);
      await expect(customer.inspect(session)).resolves.toMatchObject(expected);
    },
  );

  it.each([
    [14, "portal@example.com", resources, "base.group_user"],
    [19, "portal@example.com", resources, "base.group_user"],
    [19, "portal@example.com", ["employees"], "hr.group_hr_user"],
    [19, "plain@example.com", ["employees", "payruns"], "hr.group_hr_user"],
  ] as const)(
    "on version %i refuses %s, who may read none of %j, and names the right %s",
    async (version, username, wanted, right) => {
      const { customer, session } = await startSignedIn({ version }, username);
      await expect(customer.inspect(session, wanted)).rejects.toMatchObject({
        field: "username",
        explanation: `This account may read nothing of what is asked for. In Odoo it lacks the right ${right}.`,
      });
    },
  );

  it.each([
    [14, "plain@example.com", ["read", missing, "read"]],
    [19, "plain@example.com", ["read", missing, "read"]],
    [19, "portal@example.com", [missing, missing, missing]],
  ] as const)(
    "on version %i is right about %s: company, employees and groups are %j",
    async (version, username, expected) => {
      const { customer, session } = await startSignedIn({ version }, username);
      const outcomes = [];
      for (const resource of ["company", "employees", "groups"] as const) {
        const outcome = customer.read(resource, session).then(() => "read");
        outcomes.push(await outcome.catch(({ code }: AuthError) => code));
      }
      expect(outcomes).toEqual(expected);
    },
  );

  it("names the status of people as limited without the right to the leave of others", async () => {
    const groups = everyGroup.filter((group) => group !== timeOffOfficer);
    const { customer, session } = await startSignedIn({ users: [{ ...users[0]!, groups }] });
    const people = await customer.read("employees", session);
    expect(customer.limited).toEqual([["employment_status"]]);
    expect(people.map((person) => person.employment_status)).not.toContain("leave");
  });

  it("knows the status of people where no contracts are installed", async () => {
    const { customer, session } = await startSignedIn(
      { version: 14, without: ["hr.contract"] },
      "officer@example.com",
    );
    await expect(customer.inspect(session)).resolves.toMatchObject({ limited: {} });
    const people = await customer.read("employees", session);
    expect(customer.limited).toEqual([]);
    expect(people.map((person) => person.employment_status)).toEqual([
      "active",
      "leave",
      "inactive",
    ]);
  });

  it.each([14, 19] as const)("lists what version %i has not installed", async (version) => {
    const { customer, session } = await startSignedIn({
      version,
      without: ["hr.employee", "hr.department", "hr.work.location"],
    });
    await expect(customer.inspect(session)).resolves.toMatchObject({
      unsupported: ["employees", "groups", "work-locations"],
    });
  });

  it("returns the identity of who signed in", async () => {
    const { customer, session } = await startSignedIn();
    const { identity } = await customer.inspect(session);
    expect(identity).toEqual({
      name: "User 2",
      email: "ines.work@example.com",
      phone_number: "+32 9 000 00 00",
    });
  });

  it.each([
    ["ines@example.com", "ines@example.com"],
    ["admin", ""],
    ["ines @ home", ""],
  ])("takes the login %j for the address %j", (login, email) => {
    expect(toIdentity({ id: 2, name: "Ines", login, email: false }).email).toBe(email);
  });
});

describe("a failure while reading", () => {
  const html = { "content-type": "text/html" };
  it.each<[string, Interference, unknown]>([
    [
      "an expired session",
      json(fault("odoo.http.SessionExpiredException", "Session expired")),
      refusal("reauthentication_required"),
    ],
    [
      "a closed account",
      json(fault("odoo.exceptions.AccessDenied", "Access Denied")),
      refusal("reauthentication_required"),
    ],
    [
      "a cookie that names no database",
      { status: 404, headers: html, body: "No database is selected" },
      refusal("reauthentication_required"),
    ],
    [
      "a model that the account may not read",
      json(fault("odoo.exceptions.AccessError", "You are not allowed to see Nadia")),
      refusal("insufficient_permission"),
    ],
    [
      "a model that is not installed",
      json({ error: { code: 404, data: { name: "werkzeug.exceptions.NotFound" } } }),
      expect.any(OperationNotSupported),
    ],
    [
      "a model that is not installed, before 17",
      json(fault("builtins.KeyError", "res.company")),
      expect.any(OperationNotSupported),
    ],
    [
      "a key that is not a model",
      json(fault("builtins.KeyError", "Nadia")),
      expect.any(ProviderBug),
    ],
    [
      "a failing database",
      json(fault("psycopg2.errors.SerializationFailure", "Nadia")),
      expect.any(ProviderDown),
    ],
    [
      "another fault",
      json(fault("odoo.exceptions.ValidationError", "Nadia is 41")),
      expect.any(ProviderBug),
    ],
    [
      "a request to wait",
      { status: 429, headers: { "retry-after": "120" }, body: "" },
      expect.objectContaining({ name: "ProviderRateLimited", afterSeconds: 120 }),
    ],
    ["maintenance", { status: 503, body: "" }, expect.any(ProviderDown)],
    [
      "a fault of the web server",
      { status: 500, headers: html, body: "<h1>Nadia</h1>" },
      expect.any(ProviderDown),
    ],
    [
      "a page in place of an answer",
      { status: 200, headers: html, body: "<h1>Nadia</h1>" },
      expect.any(ProviderBug),
    ],
    [
      "half an answer",
      {
        status: 200,
        headers: { "content-type": "application/json" },
        body: `{"result": [{"name": "Nadia"`,
      },
      expect.any(ProviderDown),
    ],
    ["a result of another shape", json({ result: [{ name: "Nadia" }] }), expect.any(ProviderBug)],
    ["no result", json({}), expect.any(ProviderBug)],
  ])("becomes an error of the contract without data: %s", async (_, interference, expected) => {
    const { fake, customer, session } = await startSignedIn();
    fake.interfere = onModel("res.company", interference);
    const failure = await customer.read("company", session).catch((error: unknown) => error);
    expect(failure).toEqual(expected);
    expect(String(failure) + customer.logged.join("")).not.toContain("Nadia");
  });

  it("that ends soon is retried, because reading twice does no harm", async () => {
    const { fake, customer, session } = await startSignedIn();
    const failures: Interference[] = [
      { status: 502, body: "" },
      { status: 429, headers: { "retry-after": "1" }, body: "" },
    ];
    fake.interfere = ({ model }) => (model === "res.company" ? failures.shift() : undefined);
    await expect(customer.read("company", session)).resolves.toHaveLength(2);
  });

  it.each([
    [1, refusal("reauthentication_required")],
    [2, refusal("reauthentication_required")],
  ])(
    "is reauthentication_required for an ended session, with %i databases",
    async (count, expected) => {
      const fake = await startOdoo();
      fake.databases = ["people", "tests"].slice(0, count);
      const customer = new Customer(fake.origin);
      const session = await customer.signIn();
      fake.endSessions();
      await expect(customer.read("employees", session)).rejects.toEqual(expected);
      await expect(customer.inspect(session)).rejects.toEqual(expected);
    },
  );
});

describe("cookies", () => {
  it("that the server replaces are saved, and work the next time", async () => {
    const { fake, customer, session } = await startSignedIn();
    fake.rotates = true;
    await customer.read("company", session);
    const newest = customer.saved.at(-1);
    expect(newest).toMatchObject({
      uid: 2,
      cookies: expect.not.stringContaining('cookie-marker-1"'),
    });
    await expect(customer.read("company", newest!)).resolves.toHaveLength(2);
    await expect(customer.read("company", session)).rejects.toEqual(
      refusal("reauthentication_required"),
    );
  });

  it("that the server replaces during the check are in the resulting session", async () => {
    const { fake, customer, session } = await startSignedIn();
    fake.rotates = true;
    const inspected = await customer.inspect(session);
    fake.rotates = false;
    await expect(customer.read("company", inspected.session)).resolves.toHaveLength(2);
  });

  it("that stay the same are saved only once a day, so that they do not expire", async () => {
    const { customer, session } = await startSignedIn();
    await customer.read("company", session);
    expect(customer.saved).toEqual([]);
    const yesterday = new Date(Date.now() - 24 * 60 * 60 * 1_000).toISOString().slice(0, 10);
    await customer.read("company", {
      ...session,
      cookies: String(session["cookies"]).replaceAll(
        /"(creation|lastAccessed)":"[^T]+/g,
        `"$1":"${yesterday}`,
      ),
    });
    expect(customer.saved).toHaveLength(1);
  });
});

describe("a session whose connection is gone", () => {
  it("is ended, and no other one of the same person", async () => {
    const { fake, customer, session } = await startSignedIn();
    const other = await customer.signIn();
    await customer.logOut(session);
    expect(fake.openSessions).toBe(1);
    await expect(customer.read("company", session)).rejects.toEqual(
      refusal("reauthentication_required"),
    );
    expect(await customer.read("company", other)).toHaveLength(2);
  });

  it("may have ended before", async () => {
    const { fake, customer, session } = await startSignedIn();
    fake.endSessions();
    await expect(customer.logOut(session)).resolves.toBeUndefined();
    fake.databases = ["people", "payroll"];
    await expect(customer.logOut(session)).resolves.toBeUndefined();
  });

  it("is a failure when the server fails", async () => {
    const { fake, customer, session } = await startSignedIn();
    fake.interfere = () => ({ status: 500, body: "" });
    await expect(customer.logOut(session)).rejects.toBeInstanceOf(ProviderDown);
  });
});

describe("company", () => {
  it("lists the companies of the account that are not archived", async () => {
    const { customer, session } = await startSignedIn();
    expect(await customer.read("company", session)).toEqual([
      {
        remote_id: "1",
        legal_name: "Ferme & Fils",
        display_name: "Ferme & Fils",
        tax_id: "BE0477472701",
        address: {
          street_address: "Quai 1",
          locality: "Namur",
          administrative_area: null,
          country: "BE",
          post_code: "5000",
        },
      },
      {
        remote_id: "2",
        legal_name: "Maple Yard",
        display_name: "Maple Yard",
        tax_id: null,
        address: {
          street_address: "1 Pier Rd",
          locality: "Victoria",
          administrative_area: "BC",
          country: "CA",
          post_code: "V8V 1A1",
        },
      },
    ]);
  });
});

describe("groups", () => {
  it("are departments and tags, and their ids differ", async () => {
    const { customer, session } = await startSignedIn();
    expect(await customer.read("groups", session)).toEqual([
      { remote_id: "department-31", name: "Logistics", type: "department" },
      { remote_id: "department-32", name: "Planning / Night", type: "department" },
      { remote_id: "category-41", name: "First aid", type: "team" },
      { remote_id: "category-42", name: "大阪", type: "team" },
    ]);
  });
});

describe("what is archived", () => {
  it("is not in the groups and not in the work locations", async () => {
    const { customer, session } = await startArchived();
    const groups = await customer.read("groups", session);
    expect(groups.map(({ remote_id }) => remote_id)).toEqual([
      "department-31",
      "category-41",
      "category-42",
    ]);
    const locations = await customer.read("work-locations", session);
    expect(locations.map(({ remote_id }) => remote_id)).toEqual(["52"]);
  });

  it("keeps its name where an employee has it, without the id of a record that is not there", async () => {
    const { customer, session } = await startArchived();
    const [nadia] = await customer.read("employees", session);
    expect(nadia?.groups?.map(({ remote_id }) => remote_id)).toEqual([
      "department-31",
      "category-41",
      "category-42",
    ]);
    expect(nadia?.work_location).toMatchObject({
      remote_id: null,
      name: "Dock 3",
      address: { locality: "Antwerpen" },
    });
    expect(nadia?.employments?.[1]).toMatchObject({
      group_remote_id: null,
      group_name: "Planning / Night",
    });
  });
});

describe("the fields of a model", () => {
  it("are asked for once in a read, and never where every version has them", async () => {
    const { fake, customer, session } = await startSignedIn();
    for (const resource of resources) {
      fake.requests.length = 0;
      await customer.read(resource, session);
      const asked = fake.requests.flatMap(({ method, model }) =>
        method === "fields_get" ? [String(model)] : [],
      );
      expect(asked).toEqual([...new Set(asked)]);
      for (const model of ["res.country", "res.country.state", "res.partner"])
        expect(asked).not.toContain(model);
    }
  });
});

describe("the language of the account", () => {
  const translations = {
    de_DE: {
      Logistics: "Lager und Logistik",
      "Dock 3": "Hafenbecken 3",
      "First aid": "Erste Hilfe",
      "Junior planner": "Nachwuchsplanerin",
    },
  };
  const german = { ...users[0]!, lang: "de_DE" };

  it("is the one of every call", async () => {
    const { fake, customer, session } = await startSignedIn({ users: [german], translations });
    fake.requests.length = 0;
    await customer.inspect(session);
    for (const resource of resources) await customer.read(resource, session);
    const calls = fake.requests.filter(({ path }) => path.startsWith("/web/dataset/"));
    expect(calls.length).toBeGreaterThan(20);
    for (const { kwargs } of calls) expect(kwargs).toHaveProperty("context.lang", "de_DE");
  });

  it("names departments, tags, jobs and locations", async () => {
    const { customer, session } = await startSignedIn({ users: [german], translations });
    expect((await customer.read("groups", session)).map(({ name }) => name)).toEqual([
      "Lager und Logistik",
      "Planning / Night",
      "Erste Hilfe",
      "大阪",
    ]);
    const [location] = await customer.read("work-locations", session);
    expect(location).toMatchObject({ name: "Hafenbecken 3" });
    const [nadia] = await customer.read("employees", session);
    expect(nadia).toMatchObject({
      work_location: { name: "Hafenbecken 3" },
      employments: [{ group_name: "Lager und Logistik" }, {}],
    });
  });

  it.each([
    ["is not installed any more", { ...german, lang: "fr_FR" }],
    ["is not known", { ...german, lang: "" }],
  ])("gives way to English when it %s", async (_, user) => {
    const { customer, session } = await startSignedIn({ users: [user], translations });
    await expect(customer.inspect(session)).resolves.toMatchObject({ forbidden: [] });
    const [group] = await customer.read("groups", session);
    expect(group).toMatchObject({ name: "Logistics" });
  });
});

describe("work locations", () => {
  it("have their related address; a country outside of the enumeration is null", async () => {
    const { customer, session } = await startSignedIn();
    expect(await customer.read("work-locations", session)).toEqual([
      {
        remote_id: "51",
        name: "Dock 3",
        type: "office",
        address: {
          street_address: "Dok 3",
          locality: "Antwerpen",
          administrative_area: "Antwerpen",
          country: "BE",
          post_code: "2000",
        },
      },
      {
        remote_id: "52",
        name: "Atoll",
        type: "other",
        address: {
          street_address: "Beach 1",
          locality: "Funafuti",
          administrative_area: null,
          country: null,
          post_code: null,
        },
      },
    ]);
  });

  it("are not supported before version 15", async () => {
    const { customer, session } = await startSignedIn({ version: 14 });
    await expect(customer.read("work-locations", session)).rejects.toBeInstanceOf(
      OperationNotSupported,
    );
  });
});

describe("employees", () => {
  const dock = {
    street_address: "Dok 3",
    locality: "Antwerpen",
    administrative_area: "Antwerpen",
    country: "BE",
    post_code: "2000",
  };
  const night = { remote_id: "department-32", name: "Planning / Night", type: "department" };
  const logistics = { remote_id: "department-31", name: "Logistics", type: "department" };
  const job = {
    pay_period: "MONTH",
    currency: "eur",
    pay_frequency: null,
    group_remote_id: "department-31",
    group_name: "Logistics",
  };
  const nightJob = { ...job, group_remote_id: "department-32", group_name: "Planning / Night" };
  const nadia = {
    remote_id: "11",
    employee_number: "N-0011",
    first_name: "Nadia van den",
    last_name: "Éynde",
    display_full_name: "Nadia van den Éynde",
    nationality: "BE",
    job_title: "Planner",
    work_email: "nadia@example.com",
    personal_email: "nadia@home.example",
    mobile_phone_number: "+32 470 00 00 11",
    tax_id: "850730-033",
    gender: "female",
    marital_status: "other",
    date_of_birth: "1985-07-30",
    employment_status: "active",
    employment_type: "full_time",
    start_date: "2021-04-01",
    termination_date: null,
    remote_created_at: "2021-04-01",
    home_location: {
      street_address: "Kade 12, 2 hoog",
      locality: "Gent",
      administrative_area: "Oost-Vlaanderen",
      country: "BE",
      post_code: "9000",
    },
    work_location: { remote_id: "51", name: "Dock 3", type: "office", address: dock },
    manager: { remote_id: "12", first_name: "大江", last_name: "", work_email: null },
    bank_account: {
      account_number: "BE71 0961 2345 6769",
      bank_name: "Testbank",
      bic: "GKCCBEBB",
      holder_name: "N. van den Éynde",
      iban: "BE71096123456769",
    },
    employments: [
      {
        ...job,
        job_title: "Junior planner",
        effective_date: "2021-04-01",
        employment_type: "full_time",
        pay_rate: 2500.5,
      },
      {
        ...nightJob,
        job_title: "Planner",
        effective_date: "2024-01-01",
        employment_type: "full_time",
        pay_rate: 3000,
      },
    ],
    groups: [
      night,
      logistics,
      { remote_id: "category-41", name: "First aid", type: "team" },
      { remote_id: "category-42", name: "大阪", type: "team" },
    ],
    emergency_contacts: [
      {
        first_name: "Jan",
        last_name: "Peeters",
        relationship: null,
        mobile_phone_number: "+32 470 00 00 12",
        primary_contact: true,
      },
    ],
    custom_fields: null,
  };

  it("have every field that version 19 has", async () => {
    const { customer, session } = await startSignedIn();
    const [first] = await customer.read("employees", session);
    expect(first).toEqual(nadia);
  });

  it("have every field that version 14 has", async () => {
    const { customer, session } = await startSignedIn({ version: 14 });
    const [first] = await customer.read("employees", session);
    expect(first).toEqual({
      ...nadia,
      employment_type: null,
      work_location: { remote_id: null, name: "Dock 3", type: null, address: dock },
      employments: [
        {
          ...job,
          job_title: "Junior planner",
          effective_date: "2021-04-01",
          employment_type: null,
          pay_rate: 2500.5,
          pay_frequency: "monthly",
        },
        {
          ...nightJob,
          job_title: "Junior planner",
          effective_date: "2024-01-01",
          employment_type: null,
          pay_rate: 3000,
          pay_frequency: "biweekly",
        },
      ],
    });
  });

  it.each([14, 19] as const)(
    "of version %i include people who left or are on leave",
    async (version) => {
      const { customer, session } = await startSignedIn({ version });
      const [, oe, bram] = await customer.read("employees", session);
      expect(oe).toMatchObject({
        first_name: "大江",
        last_name: "",
        employment_status: "leave",
        employments: [],
        groups: [],
        emergency_contacts: [],
      });
      expect(bram).toMatchObject({
        first_name: "Bram de",
        last_name: "Wit",
        employment_status: "inactive",
        termination_date: "2025-12-31",
        gender: "not_specified",
        marital_status: "divorced",
      });
    },
  );

  it("have null for every field that Odoo gives as false", async () => {
    const fields =
      "active name barcode birthday sex marital country_id job_title department_id parent_id " +
      "work_location_id category_ids private_street private_country_id primary_bank_account_id " +
      "create_date departure_date emergency_contact";
    const record = {
      id: 9,
      ...Object.fromEntries(fields.split(" ").map((field) => [field, false])),
    };
    const raw = {
      ...record,
      departments: [],
      contracts: null,
      areContractsHidden: false,
      isOnLeave: false,
      added: {},
      isCompanyTold: false,
      today: "2026-03-02",
    };
    const mapped = toEmployee(raw, raw);
    const {
      remote_id,
      first_name,
      last_name,
      employment_status,
      employments,
      groups,
      emergency_contacts,
      ...others
    } = mapped;
    expect({
      remote_id,
      first_name,
      last_name,
      employment_status,
      employments,
      groups,
      emergency_contacts,
    }).toEqual({
      remote_id: "9",
      first_name: "",
      last_name: "",
      employment_status: "inactive",
      employments: null,
      groups: [],
      emergency_contacts: [],
    });
    expect(Object.values(others).filter((value) => value !== null)).toEqual([]);
  });

  it("lack the fields that the account may not read, such as pay for an officer", async () => {
    for (const version of [14, 19] as const) {
      const fake = await startOdoo({ version });
      const customer = new Customer(fake.origin);
      const session = await customer.signIn("officer@example.com");
      await expect(customer.inspect(session)).resolves.toMatchObject({
        forbidden: [],
        limited: { employees: limitedFields },
      });
      const [first, , bram] = await customer.read("employees", session);
      expect(customer.limited).toEqual([limitedFields]);
      expect(first).toMatchObject({
        remote_id: "11",
        date_of_birth: "1985-07-30",
        employments: null,
        start_date: null,
        employment_status: null,
        employment_type: null,
      });
      expect(bram).toMatchObject({
        employment_status: "inactive",
        employments: null,
        termination_date: "2025-12-31",
      });
    }
  });

  it.each(["hr.department", "hr.leave", "res.partner.bank", "res.partner", "hr.contract.type"])(
    "are complete but for the data of %s when that cannot be read",
    async (model) => {
      const { fake, customer, session } = await startSignedIn();
      for (const missing of [
        json(fault("odoo.exceptions.AccessError", "No")),
        json({ error: { code: 404, data: { name: "werkzeug.exceptions.NotFound" } } }),
      ]) {
        fake.interfere = onModel(model, missing);
        await expect(customer.read("employees", session)).resolves.toHaveLength(3);
      }
    },
  );

  describe("of a company whose day is another one than in UTC", () => {
    const contract = { active: true, wage: 1, currency_id: 1, contract_date_end: false };
    const rowsOf = (version: object): OdooTables => ({
      ...createTables(19),
      "hr.employee": [
        { id: 11, active: true, name: "Nadia" },
        { id: 12, active: true, name: "大江" },
      ],
      "hr.version": [{ id: 101, employee_id: 11, ...contract, ...version }],
    });
    const beginning = { date_version: "2026-03-03", contract_date_start: "2026-03-03" };
    const ended = {
      date_version: "2020-01-01",
      contract_date_start: "2020-01-01",
      contract_date_end: "2026-03-02",
    };
    const evening = new Date("2026-03-02T20:30:00Z");
    const idOfPage = async (hour: number) => {
      const now = new Date(Date.UTC(2026, 2, 2, hour));
      const { fake } = await readStatuses({ tz: "Asia/Tokyo", tables: rowsOf(ended) }, now);
      return fake.requests.find(isEmployeePage)?.requestId;
    };

    it.each([
      ["Asia/Tokyo", beginning, "active"],
      ["Europe/Brussels", beginning, "pending"],
      [undefined, beginning, "pending"],
      ["Mars/Olympus", beginning, "pending"],
      ["Asia/Tokyo", ended, "inactive"],
      ["America/Lima", ended, "active"],
    ])("have the status of the day in %s: %j is %s", async (tz, version, expected) => {
      const { statuses } = await readStatuses(
        { ...(tz && { tz }), tables: rowsOf(version) },
        evening,
      );
      expect(statuses[0]).toBe(expected);
    });

    it("are on leave on that day", async () => {
      const tables = rowsOf(ended);
      const earlier = new Date("2026-03-02T23:30:00Z");
      expect((await readStatuses({ tz: "America/Lima", tables }, earlier)).statuses[1]).toBe(
        "leave",
      );
      expect((await readStatuses({ tz: "Asia/Tokyo", tables }, earlier)).statuses[1]).toBe(
        "active",
      );
    });

    it("have the day of the company's working hours when the account has no time zone", async () => {
      const tables = rowsOf(beginning);
      tables["res.users"]![0]!["company_id"] = 1;
      tables["res.company"]![0]!["resource_calendar_id"] = 5;
      const calendars = { "resource.calendar": [{ id: 5, name: "38 hours", tz: "Asia/Tokyo" }] };
      const { statuses } = await readStatuses({ tables: { ...tables, ...calendars } }, evening);
      expect(statuses[0]).toBe("active");
    });

    it("come in answers that differ from day to day, so that none counts as unchanged", async () => {
      expect(await idOfPage(10)).toBe(await idOfPage(14));
      expect(await idOfPage(14)).not.toBe(await idOfPage(16));
    });
  });

  it.each([
    ["mobile", { mobile_phone: "1", private_phone: "2", phone: "3", work_phone: "4" }, "1"],
    ["private", { mobile_phone: false, private_phone: "2", phone: "3", work_phone: "4" }, "2"],
    ["work", { mobile_phone: " ", private_phone: false, work_phone: "4" }, "4"],
    ["no", {}, null],
  ])("have the %s number as their mobile phone", async (_, numbers, expected) => {
    const { fake, customer, session } = await startSignedIn();
    fake.tables["hr.employee"] = [{ id: 11, active: true, name: "Nadia", ...numbers }];
    const [nadia] = await customer.read("employees", session);
    expect(nadia?.mobile_phone_number).toBe(expected);
  });

  it("have before version 17 the number that is called private there", async () => {
    const { fake, customer, session } = await startSignedIn({ version: 14 });
    fake.tables["hr.employee"] = [
      { id: 11, active: true, name: "Nadia", phone: "3", work_phone: "4" },
    ];
    const [nadia] = await customer.read("employees", session);
    expect(nadia?.mobile_phone_number).toBe("3");
  });

  it.each([
    ["its code, whatever its name", { code: "Part-Time", name: "Full-Time" }, {}, "part_time"],
    ["its code, not its id", { code: "Mini", name: "x" }, fullTimeId, null],
    ["its id when it has no code", { code: false, name: "Vollzeit" }, fullTimeId, "full_time"],
    ["nothing else, such as its name", { code: false, name: "Full-Time" }, {}, null],
  ])("know the type of a contract by %s", async (_, type, externalIds, expected) => {
    const { fake, customer, session } = await startSignedIn({ externalIds });
    fake.tables["hr.contract.type"] = [{ id: 91, ...type }];
    const [nadia] = await customer.read("employees", session);
    expect(nadia?.employment_type).toBe(expected);
    expect(nadia?.employments?.[0]).toMatchObject({ employment_type: expected });
  });

  it("are refused, and do not look deleted, when the right to read them was withdrawn", async () => {
    const own = { ...users[0]!, groups: [...everyGroup] };
    const { customer, session } = await startSignedIn({ users: [own] });
    await customer.inspect(session);
    own.groups = ["base.group_user"];
    await expect(customer.read("employees", session)).rejects.toEqual(
      refusal("insufficient_permission"),
    );
  });

  it.each([
    ["came back after three days", "2023-07-04", "2023-07-04", "2021-04-01"],
    ["had a weekend between two contracts", "2023-07-03", "2021-04-01", undefined],
    ["will come back", "2026-04-01", "2026-04-01", "2021-04-01"],
  ])(
    "who %s have the first day of the time without a gap, and the first one ever beside it",
    async (_, again, start_date, original_start_date) => {
      const { fake, customer, session } = await startSignedIn();
      const [first, second] = fake.tables["hr.version"]!;
      Object.assign(first!, { contract_date_end: "2023-06-30" });
      Object.assign(second!, { date_version: again, contract_date_start: again });
      const [nadia] = await customer.read("employees", session);
      expect(nadia).toMatchObject({ start_date, termination_date: null });
      expect(nadia?.custom_fields?.["original_start_date"]).toBe(original_start_date);
      expect(nadia?.employments?.map(({ effective_date }) => effective_date)).toEqual([
        "2021-04-01",
        again,
      ]);
    },
  );

  it.each([
    [{ name: "Belgium", code: "BE" }, "BE", null],
    [{ name: "Tuvalu", code: "TV" }, "TV", null],
    [{ name: "Kosovo", code: "XK" }, null, { nationality: "Kosovo" }],
    [{ name: "Ruritania", code: false }, null, { nationality: "Ruritania" }],
    [{ name: false, code: false }, null, null],
  ])("of the country %j have the nationality %j", async (of, nationality, custom_fields) => {
    const { fake, customer, session } = await startSignedIn();
    fake.tables["res.country"]![0] = { id: 20, ...of };
    const [nadia] = await customer.read("employees", session);
    expect(nadia).toMatchObject({ nationality, custom_fields });
  });

  it("are the same the second time, in the same order", async () => {
    const { customer, session } = await startSignedIn();
    expect(await customer.read("employees", session)).toEqual(
      await customer.read("employees", session),
    );
  });

  describe("of more than a page", () => {
    it.each([
      [200, [200]],
      [250, [200, 50]],
      [400, [200, 200]],
      [0, []],
    ])("come, when there are %i, in pages of %j", async (count, sizes) => {
      const { customer, session } = await startSignedIn({
        tables: { ...createTables(19), "hr.employee": createPeople(count) },
      });
      const pages = await customer.readPages("employees", session);
      expect(pages.map((page) => page.length)).toEqual(sizes);
      expect(new Set(pages.flat().map(({ remote_id }) => remote_id)).size).toBe(count);
    });

    it("are complete when one is deleted between two pages", async () => {
      const { fake, customer, session } = await startSignedIn({
        tables: { ...createTables(19), "hr.employee": createPeople(250) },
      });
      const seen: string[] = [];
      for await (const page of customer.host.read({
        ...customer.call,
        resource: "employees",
        session,
        parameters: {},
        onSession: () => {},
      })) {
        seen.push(...page.raw.map((raw) => page.map(raw)!.remote_id));
        fake.tables["hr.employee"] = fake.tables["hr.employee"]!.filter(({ id }) => id !== 751);
      }
      expect(seen).toHaveLength(250);
    });

    it("fail when the second page fails or does not come, and never look like a small company", async () => {
      const { fake, customer, session } = await startSignedIn({
        tables: { ...createTables(19), "hr.employee": createPeople(250) },
      });
      fake.interfere = (request) => (isSecondPage(request) ? { status: 500, body: "" } : undefined);
      await expect(customer.read("employees", session)).rejects.toBeInstanceOf(ProviderDown);
      fake.interfere = (request) => {
        if (!isSecondPage(request)) return undefined;
        setImmediate(() => customer.abort.abort());
        return "silence";
      };
      await expect(customer.read("employees", session)).rejects.toMatchObject({
        name: "AbortError",
      });
    });
  });
});

describe("the mapping", () => {
  const today = "2026-03-02";
  const facts = { isArchived: false, departureDate: null, contracts: [], isOnLeave: false };

  it.each([
    ["without any facts", {}, "active", null, null],
    ["archived", { isArchived: true, isOnLeave: true }, "inactive", null, null],
    ["contracts are hidden", { contracts: null, isOnLeave: true }, null, null, null],
    [
      "archived, contracts are hidden",
      { isArchived: true, contracts: null },
      "inactive",
      null,
      null,
    ],
    [
      "left yesterday, contracts are hidden",
      { departureDate: "2026-03-01", contracts: null },
      "inactive",
      null,
      "2026-03-01",
    ],
    ["left yesterday", { departureDate: "2026-03-01" }, "inactive", null, "2026-03-01"],
    ["leaves today", { departureDate: today }, "active", null, today],
    ["on leave", { isOnLeave: true }, "leave", null, null],
    ["contract runs", { contracts: [period("2020-01-01")] }, "active", "2020-01-01", null],
    ["contract starts today", { contracts: [period(today)] }, "active", today, null],
    [
      "contract starts tomorrow",
      { contracts: [period("2026-03-03")], isOnLeave: true },
      "pending",
      "2026-03-03",
      null,
    ],
    [
      "contract ends today",
      { contracts: [period("2020-01-01", today)] },
      "active",
      "2020-01-01",
      null,
    ],
    [
      "contract ended yesterday",
      { contracts: [period("2020-01-01", "2026-03-01")] },
      "inactive",
      "2020-01-01",
      "2026-03-01",
    ],
    [
      "contract will end",
      { contracts: [period("2020-01-01", "2027-01-01")] },
      "active",
      "2020-01-01",
      null,
    ],
    [
      "between two contracts",
      { contracts: [period("2020-01-01", "2021-01-01"), period("2026-04-01")] },
      "pending",
      "2026-04-01",
      null,
    ],
    [
      "second contract runs",
      { contracts: [period("2025-01-01"), period("2020-01-01", "2021-01-01")] },
      "active",
      "2025-01-01",
      null,
    ],
    [
      "archived before the contract ended",
      { isArchived: true, contracts: [period("2020-01-01")] },
      "inactive",
      "2020-01-01",
      null,
    ],
    [
      "left, and the contract ended before",
      { departureDate: "2026-02-02", contracts: [period("2020-01-01", "2025-12-31")] },
      "inactive",
      "2020-01-01",
      "2026-02-02",
    ],
  ] as const)("gives status, start and end: %s", (_, known, status, start, end) => {
    const { isArchived, departureDate, contracts, isOnLeave } = { ...facts, ...known };
    expect([
      toEmploymentStatus(!isArchived, departureDate, contracts, isOnLeave, today),
      toStartDate(contracts, today),
      toTerminationDate(departureDate, contracts, today),
    ]).toEqual([status, start, end]);
  });

  it.each([
    ["Full-Time", "employee", "full_time"],
    ["Part-Time", "freelance", "part_time"],
    ["Full Time", null, "full_time"],
    ["full_time", null, "full_time"],
    ["Permanent", "employee", null],
    [null, "worker", null],
    [null, "contractor", "contractor"],
    ["Temporary", "freelance", "contractor"],
    [null, "student", "other"],
    [null, "trainee", "other"],
    [null, null, null],
  ])("turns contract type %s and employee type %s into %s", (code, employeeType, expected) => {
    expect(toEmploymentType(code, employeeType)).toBe(expected);
  });

  it.each([
    ["only a default", { date_version: "2010-01-01", contract_date_start: false, wage: 0 }],
    [
      "no longer valid",
      { date_version: "2020-02-01", contract_date_start: "2020-01-01", wage: 5, active: false },
    ],
    ["a draft", { date_start: "2020-02-01", wage: 5, state: "draft", kanban_state: "normal" }],
    ["cancelled", { date_start: "2020-02-01", wage: 5, state: "cancel" }],
  ])("leaves out a contract that is %s", (_, record) => {
    expect(isValid({ id: 1, ...record })).toBe(false);
  });

  it.each([
    [
      "pay without dates",
      { date_version: "2010-01-01", contract_date_start: false, wage: 10 },
      { pay_rate: 10, effective_date: "2010-01-01" },
    ],
    [
      "dates without pay",
      { date_version: "2020-02-01", contract_date_start: "2020-01-01", wage: 0 },
      { pay_rate: null, pay_period: null, effective_date: "2020-02-01" },
    ],
    [
      "pay by the hour",
      { date_start: "2020-02-01", wage: 0, wage_type: "hourly", hourly_wage: 17.25 },
      { pay_rate: 17.25, pay_period: "HOUR" },
    ],
    [
      "the state of a ready draft",
      { date_start: "2020-02-01", wage: 5, state: "draft", kanban_state: "done" },
      { pay_rate: 5 },
    ],
    [
      "pay each quarter",
      { date_start: "2020-02-01", wage: 5, schedule_pay: "quarterly" },
      { pay_frequency: "other", pay_period: "MONTH" },
    ],
    [
      "pay each year",
      { date_start: "2020-02-01", wage: 5, schedule_pay: "annually" },
      { pay_frequency: "year" },
    ],
    [
      "pay twice a month",
      { date_start: "2020-02-01", wage: 5, schedule_pay: "semi-monthly" },
      { pay_frequency: "semimonthly" },
    ],
  ])("keeps a contract with %s", (_, record, expected) => {
    expect(isValid({ id: 1, ...record })).toBe(true);
    expect(employment.map({ id: 1, ...record }, { today })).toMatchObject(expected);
  });

  it.each([
    ["Nadia", "Nadia", ""],
    ["Nadia Éynde", "Nadia", "Éynde"],
    ["Nadia  van den\u00a0Éynde", "Nadia van den", "Éynde"],
    ["李 小龍", "李", "小龍"],
    [null, "", ""],
  ])("splits the name %j into %j and %j", (name, first_name, last_name) => {
    expect(splitName(name)).toEqual({ first_name, last_name });
  });
});

describe("the log", () => {
  it("contains no password, cookie or data, also of failures", async () => {
    const { fake, customer, session } = await startSignedIn();
    await customer.inspect(session);
    for (const resource of resources) await customer.read(resource, session);
    await customer.logIn({ password: "password-marker-2" }).catch(() => undefined);
    await customer.answer(await challenge(customer), "code-marker").catch(() => undefined);
    fake.interfere = onPath("/web/dataset", { status: 500, body: "Nadia" });
    await customer.read("employees", session).catch(() => undefined);
    const log = customer.logged.join("\n");
    expect(customer.logged.length).toBeGreaterThan(10);
    for (const marker of [
      "password-marker",
      "cookie-marker",
      "code-marker",
      "csrf",
      "c5rf",
      "session_id",
      "Nadia",
      "example.com",
      "people",
      "/web/",
    ])
      expect(log).not.toContain(marker);
  });
});
