import { afterEach, describe, expect, it } from "vitest";
import { listFormFields } from "../../../src/providers/form-field.ts";
import { odoo } from "../../../src/providers/odoo/index.ts";
import type { FakeOdooOptions } from "../../support/fake-odoo.ts";
import { closeAll, Customer, startFakeOdoo } from "../../support/odoo-customer.ts";
import { commonResources, odooTables, odooUsers } from "../../support/odoo-desk-data.ts";
import { TestClock } from "../../support/test-clock.ts";

afterEach(closeAll);

const key = "key-marker-2";

async function start(options: Partial<FakeOdooOptions> = {}, clock = new TestClock()) {
  const tables = odooTables({
    "hr.department": [{ id: 31, active: true, name: "Logistics" }],
    "hr.leave.type": [{ id: 2, name: "Sick Time Off" }],
    "hr.leave": [
      { id: 1, employee_id: 11, holiday_status_id: 2, state: "validate", number_of_days: 3 },
    ],
  });
  const fake = await startFakeOdoo({ version: 19, users: odooUsers, tables, ...options });
  const customer = new Customer(fake.origin, clock, undefined, {
    mode: "official",
    resources: commonResources,
  });
  return { fake, customer };
}

type Started = Awaited<ReturnType<typeof start>>;

async function signIn({ customer }: Started, formValues: Record<string, string> = {}) {
  const result = await customer.logIn({ database: "", key, ...formValues });
  if (!("session" in result)) throw new Error("the sign-in asks for more");
  return result.session;
}

/** What is asked on a day that depends on the day. */
async function askOn(day: string) {
  const started = await start({}, new TestClock(new Date(`${day}T12:00:00Z`)));
  const session = await signIn(started);
  started.fake.requests.length = 0;
  await started.customer.read("employees", session);
  return started.fake.requests.find(({ method }) => method === "default_get")?.kwargs;
}

describe("the form of an API key", () => {
  it("has the key as its secret, which is kept", () => {
    const { form, keepsSecret } = odoo.modes.official!;
    const secrets = listFormFields(form).filter(({ isSecret }) => isSecret);
    expect(secrets.map(({ name }) => name)).toEqual(["key"]);
    expect(keepsSecret).toBe(true);
  });
});

describe("a sign-in with an API key", () => {
  it("keeps the key, and whose it is", async () => {
    const started = await start();
    expect(await signIn(started, { key: ` ${key}` })).toEqual({
      url: started.fake.origin,
      database: "people",
      key,
      uid: 2,
    });
  });

  it.each([
    ["a wrong key", { key: "wrong" }, { code: "incorrect_username_or_password" }],
    [
      "no key but a word",
      { key: "schl\u00fcssel\u2013" },
      { code: "incorrect_username_or_password" },
    ],
    ["two keys", { key: `${key}\n${key}` }, { code: "incorrect_username_or_password" }],
    ["a database that is not there", { database: "nobody" }, { field: "database" }],
  ])("is refused with %s", async (_, formValues, expected) => {
    const started = await start();
    await expect(signIn(started, formValues)).rejects.toMatchObject(expected);
  });

  it("is refused with a database whose name no server can be told", async () => {
    const started = await start();
    started.fake.isListOpen = false;
    await expect(signIn(started, { database: "\u4eba\u4e8b" })).rejects.toMatchObject({
      field: "database",
    });
  });

  it("needs no database where the server has one and does not tell it, and asks for it else", async () => {
    const started = await start();
    started.fake.isListOpen = false;
    await expect(signIn(started)).resolves.toMatchObject({ database: null });
    started.fake.databases = ["people", "tests"];
    await expect(signIn(started)).rejects.toMatchObject({ field: "database" });
    await expect(signIn(started, { database: "nobody" })).rejects.toMatchObject({
      field: "database",
    });
    await expect(signIn(started, { database: "tests" })).resolves.toMatchObject({
      database: "tests",
    });
  });

  it("is refused when the key may read nothing of what is asked for, with the right", async () => {
    const users = odooUsers.map((user) => ({ ...user, groups: [] }));
    const started = await start({ users });
    const session = await signIn(started);
    await expect(started.customer.inspect(session)).rejects.toMatchObject({
      field: "key",
      explanation: expect.stringContaining("lacks the right base.group_user"),
    });
  });

  it("is refused by a server that is too old, and sends it no key", async () => {
    const started = await start({ version: 14 });
    await expect(signIn(started)).rejects.toMatchObject({
      field: "url",
      explanation:
        "This Odoo is version 14. The oldest that can be read with an API key is version 19.",
    });
    expect(started.fake.requests.map(({ path }) => path)).toEqual(["/web/webclient/version_info"]);
  });
});

describe("reading with an API key", () => {
  it("gives what a person who signed in gets, and no pay runs", async () => {
    const started = await start();
    const session = await signIn(started);
    const person = new Customer(started.fake.origin, undefined, undefined, {
      resources: commonResources,
    });
    const personal = await person.signIn();
    await expect(started.customer.inspect(session)).resolves.toMatchObject({
      identity: { name: "User 2" },
      unsupported: [],
      forbidden: [],
    });
    for (const resource of commonResources)
      expect(await started.customer.read(resource, session)).toEqual(
        await person.read(resource, personal),
      );
    expect(Object.keys(odoo.modes.official!.resources).sort()).toEqual([...commonResources].sort());
  });

  it("is in the language of the account, and in English when that is not installed any more", async () => {
    const users = odooUsers.map((user) => ({ ...user, lang: "de_DE" }));
    const started = await start({ users, translations: { de_DE: { Logistics: "Lager" } } });
    const session = await signIn(started);
    const names = async () =>
      (await started.customer.read("groups", session)).map(({ name }) => name);
    expect(await names()).toEqual(["Lager"]);
    delete started.fake.translations["de_DE"];
    expect(await names()).toEqual(["Logistics"]);
  });

  it.each([
    [
      "was taken away",
      401,
      '{"name":"werkzeug.exceptions.Unauthorized"}',
      "reauthentication_required",
    ],
    ["lost its right", 403, '{"name":"odoo.exceptions.AccessError"}', "insufficient_permission"],
  ])("fails when the key %s", async (_, status, body, code) => {
    const started = await start();
    const session = await signIn(started);
    const headers = { "content-type": "application/json" };
    started.fake.interfere = ({ model }) =>
      model === "res.company" ? { status, headers, body } : undefined;
    await expect(started.customer.read("company", session)).rejects.toMatchObject({ code });
  });

  it.each([
    [
      { name: "werkzeug.exceptions.NotFound", message: "the model 'hr.department' does not exist" },
      501,
    ],
    [
      {
        name: "werkzeug.exceptions.NotFound",
        message: "The method 'hr.department.search_read' does not exist",
      },
      500,
    ],
    [
      {
        name: "odoo.exceptions.MissingError",
        message: "Record does not exist or has been deleted.",
      },
      500,
    ],
    [{ error: "no such page" }, 500],
  ])("takes only a missing model for a module that is not installed: %j", async (body, status) => {
    const started = await start();
    const session = await signIn(started);
    const headers = { "content-type": "application/json" };
    started.fake.interfere = ({ model, method }) =>
      model === "hr.department" && method === "search_read"
        ? { status: 404, headers, body: JSON.stringify(body) }
        : undefined;
    await expect(started.customer.read("groups", session)).rejects.toMatchObject({
      name: status === 501 ? "OperationNotSupported" : "ProviderBug",
    });
  });

  it("fails when the database is gone", async () => {
    const started = await start();
    const session = await signIn(started);
    started.fake.databases = ["another"];
    await expect(started.customer.read("company", session)).rejects.toMatchObject({
      code: "reauthentication_required",
    });
  });

  it("answers differently on another day, so that no answer counts as unchanged", async () => {
    expect(await askOn("2026-03-02")).toMatchObject({ context: { default_name: "2026-03-02" } });
    expect(await askOn("2026-03-03")).toMatchObject({ context: { default_name: "2026-03-03" } });
  });

  it("logs neither the key nor data", async () => {
    const started = await start();
    const session = await signIn(started);
    await started.customer.read("employees", session);
    await signIn(started, { key: "key-marker-x" }).catch(() => undefined);
    expect(started.customer.logged.length).toBeGreaterThan(5);
    for (const marker of ["key-marker", "Nadia", "example.com"])
      expect(started.customer.logged.join("")).not.toContain(marker);
  });
});
