import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createHarness, type Harness } from "../support/harness.ts";
import type { Reply } from "../support/http-client.ts";

const base = "/2023-03-01/management/sandbox/connections";
const xhr = (path: string): string => `/2023-03-01/xhr/${path}`;

interface Made {
  token: string;
  access_token: string;
}

let harness: Harness;
let owner: Awaited<ReturnType<Harness["createClient"]>>;
beforeAll(async () => {
  harness = await createHarness();
  owner = await harness.createClient();
});
afterAll(() => harness.close());

const basic = (): [string, string] => [owner.client.clientId, owner.secret];
const post = (path: string, json?: object): Promise<Reply> =>
  harness.http.post(`${base}${path}`, { basic: basic(), ...(json && { json }) });
const connect = async (scenario = "user_good"): Promise<Made> =>
  (await post("", { scenario })).body as Made;
const get = ({ access_token: bearer }: Made, path: string, query = {}): Promise<Reply> =>
  harness.http.get(xhr(path), { bearer, query });

/** What a GET answers at once, and when the read has ended. */
async function readAgain(made: Made, path: string, query = {}): Promise<[number, Reply]> {
  const { status } = await get(made, path, query);
  await harness.drain();
  return [status, await get(made, path, query)];
}

const year = { start_date: "2026-01-01", end_date: "2026-12-31" };
const people = [
  { remote_id: "e1", first_name: "Ada", last_name: "Byron", bank_account: { iban: "DE1" } },
  { remote_id: "e2", last_name: "Grace", employment_status: "leave" },
];
const run = {
  remote_id: "p1",
  start_date: "2026-03-01",
  end_date: "2026-03-31",
  payment_date: "2026-03-31",
};

describe("sign-in", () => {
  test("401, signs in again, works", async () => {
    const made = await connect();
    const [, before] = await readAgain(made, "employees");
    await post(`/${made.token}/fail`, { code: "reauthentication_required" });
    const [first, refused] = await readAgain(made, "employees");
    expect([first, refused.status]).toEqual([202, 401]);
    expect(refused.body).toMatchObject({ code: "reauthentication_required" });
    expect((await post(`/${made.token}/sign-in`)).body).toMatchObject({ failure: null });
    const [again, after] = await readAgain(made, "employees");
    expect([again, after.status]).toEqual([202, 200]);
    expect(after.body).toEqual(before.body);
  });

  test("as the user of another scenario, and 400 for one that is refused", async () => {
    const made = await connect("user_expired");
    await readAgain(made, "groups");
    expect((await get(made, "groups")).status).toBe(401);
    const good = await post(`/${made.token}/sign-in`, { scenario: "user_good" });
    expect(good.body).toMatchObject({ scenario: "user_good" });
    expect((await readAgain(made, "groups"))[1].status).toBe(200);
    const refused = await post(`/${made.token}/sign-in`, { scenario: "user_captcha" });
    expect(refused.body).toHaveProperty(
      "validation_error",
      "scenario: the sign-in of user_captcha is refused (captcha_challenge)",
    );
    expect((await post(`/${made.token}/sign-in`, { scenario: "nobody" })).status).toBe(400);
  });
});

describe("rights", () => {
  test("that are missing hide fields and a resource, and are there as soon as they are given back", async () => {
    const made = await connect();
    const { body: taken } = await post(`/${made.token}/rights`, {
      limited: ["bank_account"],
      forbidden: ["time-off-entries"],
    });
    expect(taken).toMatchObject({ limited: ["bank_account"], forbidden: ["time-off-entries"] });
    const [, employees] = await readAgain(made, "employees");
    const accounts = (employees.body as { bank_account: unknown }[]).map(
      ({ bank_account: account }) => account,
    );
    expect(new Set(accounts)).toEqual(new Set([null]));
    const [, absences] = await readAgain(made, "time-off-entries", year);
    expect(absences).toMatchObject({ status: 401, body: { code: "insufficient_permission" } });
    const listed = await harness.http.get("/2023-03-01/management/tokens", { basic: basic() });
    expect((listed.body as { token: string }[]).find(({ token }) => token === made.token)).toEqual(
      expect.objectContaining({
        forbidden: ["time-off-entries"],
        limited: { employees: ["bank_account"] },
      }),
    );
    await post(`/${made.token}/rights`, {});
    const [first, back] = await readAgain(made, "time-off-entries", year);
    expect([first, back.status]).toEqual([202, 200]);
  });

  test("are missing by scenario, too", async () => {
    const [, fields] = await readAgain(await connect("user_fewer_fields"), "employees");
    const hidden = (fields.body as Record<string, unknown>[]).map(
      ({ tax_id: tax, bank_account: bank }) => [tax, bank],
    );
    expect(hidden).toEqual(hidden.map(() => [null, null]));
    const [, absences] = await readAgain(
      await connect("user_fewer_rights"),
      "time-off-entries",
      year,
    );
    expect(absences.status).toBe(401);
  });
});

describe("records", () => {
  test("people that are set are the company: the next GET is 202, and then they are the list", async () => {
    const made = await connect();
    await readAgain(made, "employees");
    expect((await post(`/${made.token}/records`, { employees: people })).body).toMatchObject({
      set: ["employees"],
    });
    const [first, set] = await readAgain(made, "employees");
    expect(first).toBe(202);
    expect(set.body).toMatchObject([
      { remote_id: "e1", display_full_name: "Ada Byron", bank_account: { iban: "DE1" } },
      { remote_id: "e2", first_name: "", employment_status: "leave" },
    ]);
    expect(set.body).toHaveLength(2);
    expect((await readAgain(made, "time-off-balances"))[1].body).toEqual([]);
    await post(`/${made.token}/records`, { employees: null });
    const [again, back] = await readAgain(made, "employees");
    expect(again).toBe(202);
    expect((back.body as unknown[]).length).toBeGreaterThan(2);
  });

  test("a pay run is paid", async () => {
    const made = await connect();
    const set = (state: string) =>
      post(`/${made.token}/records`, { payruns: [{ ...run, state, type: "regular" }] });
    await set("pending");
    const [, pending] = await readAgain(made, "payruns", year);
    expect(pending.body).toMatchObject([{ remote_id: "p1", state: "pending" }]);
    await set("paid");
    const [first, paid] = await readAgain(made, "payruns", year);
    expect(first).toBe(202);
    const [{ id, state }] = paid.body as [{ id: string; state: string }];
    expect(state).toBe("paid");
    const [, slips] = await readAgain(made, `payruns/${id}`);
    expect(slips.body).toContainEqual(expect.objectContaining({ payrun_id: id }));
  });

  test("payslips and absences that are set are those that are read, by run and by day", async () => {
    const made = await connect();
    const slip = { ...run, payrun_remote_id: "p1", employee_remote_id: "e1", gross_pay: 100 };
    const { remote_id: _run, ...named } = slip;
    const absence = { employee_remote_id: "e1", amount: 1, unit: "days" };
    await post(`/${made.token}/records`, {
      payruns: [run, { ...run, remote_id: "p2" }],
      payslips: [named, { ...named, payrun_remote_id: "p2", gross_pay: 200 }],
      time_off_entries: [
        { ...absence, remote_id: "a1", start_date: "2026-03-02", end_date: "2026-03-02" },
        { ...absence, remote_id: "a2", start_date: "2025-03-02", end_date: "2025-03-02" },
      ],
    });
    const [, runs] = await readAgain(made, "payruns", year);
    const id = (runs.body as { id: string; remote_id: string }[]).find(
      ({ remote_id: of }) => of === "p2",
    )!.id;
    expect((await readAgain(made, `payruns/${id}`))[1].body).toMatchObject([{ gross_pay: 200 }]);
    const [, absences] = await readAgain(made, "time-off-entries", year);
    expect(absences.body).toMatchObject([{ remote_id: "a1" }]);
  });

  test("stay over a simulated hour and a sign-in", async () => {
    const made = await connect();
    await post(`/${made.token}/records`, { employees: people });
    await post(`/${made.token}/advance`);
    await post(`/${made.token}/sign-in`);
    expect((await readAgain(made, "employees"))[1].body).toHaveLength(2);
  });

  test.each<[string, object, string]>([
    ["no list", {}, "names no list"],
    ["an unknown list", { teams: [] }, "teams"],
    ["a record without its id", { employees: [{ last_name: "x" }] }, "employees.0.remote_id: "],
    ["an empty id", { payruns: [{ remote_id: "" }] }, "payruns.0.remote_id: is empty"],
    [
      "a value of another kind",
      { employees: [people[0], { ...people[1], start_date: "1.3.2026" }] },
      "employees.1.start_date: ",
    ],
    ["a misspelt field", { employees: [{ ...people[1], lastname: "x" }] }, "employees.0"],
    [
      "a misspelt field of a part",
      { employees: [{ ...people[1], bank_account: { IBAN: "x" } }] },
      "employees.0.bank_account.IBAN: is no field of such a record",
    ],
    [
      "an id that stands twice",
      {
        time_off_entries: [1, 2].map(() => ({
          remote_id: "a",
          employee_remote_id: "e",
          amount: 1,
          unit: "days",
        })),
      },
      "time_off_entries.1.remote_id: stands twice in the list",
    ],
    [
      "more than 200 records",
      { payruns: Array.from({ length: 201 }, (_, index) => ({ remote_id: `p${index}` })) },
      "payruns",
    ],
  ])("400 for %s", async (_, json, says) => {
    const { token } = await connect();
    const reply = await post(`/${token}/records`, json);
    expect(reply.status).toBe(400);
    expect((reply.body as { validation_error: string }).validation_error).toContain(says);
  });

  test("413 for more than 100 kB", async () => {
    const { token } = await connect();
    const long = { ...people[1], custom_fields: { note: "x".repeat(100_000) } };
    expect((await post(`/${token}/records`, { employees: [long] })).status).toBe(413);
  });
});

test("an hour that passes shows with the next GET, never the old list", async () => {
  const made = await connect();
  const [, before] = await readAgain(made, "employees");
  await post(`/${made.token}/advance`);
  const [first, after] = await readAgain(made, "employees");
  expect(first).toBe(202);
  expect(after.body).not.toEqual(before.body);
});
