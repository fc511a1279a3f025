import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { formatText } from "../../src/connect/pages/format.ts";
import { en } from "../../src/connect/texts/en.ts";
import {
  carried,
  ConnectVisitor,
  headingOf,
  linkPath,
  textOf,
  workSignIns,
  type Seen,
} from "../support/connect-visitor.ts";
import { exchangeBody, createHarness, type Harness } from "../support/harness.ts";
import type { Reply } from "../support/http-client.ts";

const names = { client: "Test", provider: "Sandbox", fields: "user name or password" };
const day = { start_date: "2026-01-01", end_date: "2026-01-31" };

let harness: Harness;
let client: Awaited<ReturnType<Harness["createClient"]>>;
beforeAll(async () => {
  harness = await createHarness();
  client = await harness.createClient();
  workSignIns(harness);
});
afterAll(() => harness.close());

interface Walk {
  visitor: ConnectVisitor;
  page: Seen;
}

async function signIn(user: string, parameters: Record<string, string> = {}): Promise<Walk> {
  const visitor = new ConnectVisitor(harness.baseUrl);
  const secret = parameters["mode"] === "official" ? "api_key" : "password";
  const form = await visitor.open(linkPath(client.client, parameters));
  return { visitor, page: await visitor.submit(form, { username: user, [secret]: "anything" }) };
}

async function exchange(page: Seen): Promise<Reply> {
  const code = Object.fromEntries(carried(page))["code"] ?? "";
  return await harness.http.post("/2023-03-01/management/token", {
    json: exchangeBody({ ...client, code }),
  });
}

async function tokenOf(user: string): Promise<string> {
  const reply = await exchange((await signIn(user)).page);
  expect(reply.status).toBe(201);
  return (reply.body as { access_token: string }).access_token;
}

const read = (
  bearer: string,
  resource: string,
  query: Record<string, string> = {},
): Promise<Reply> => harness.http.get(`/2023-03-01/xhr/${resource}`, { bearer, query });

/** Draining ends with every worker of this process, those of the sign-ins too. */
async function drain(options?: { includeDelayed?: boolean }): Promise<void> {
  await harness.drain(options);
  workSignIns(harness);
}

/** Asks, lets the jobs that are due run, and asks again. */
async function readAfterFetch(
  bearer: string,
  resource: string,
  query: Record<string, string> = {},
): Promise<Reply> {
  expect((await read(bearer, resource, query)).status).toBe(202);
  await drain();
  return await read(bearer, resource, query);
}

describe("the simulated provider, by the name that is typed into its form", () => {
  test.each([
    ["user_bad_password", "incorrect_username_or_password"],
    ["user_captcha", "captcha_challenge"],
    ["user_setup_required", "additional_account_setup_required"],
    ["user_no_permission", "insufficient_permission"],
    ["nobody_of_this_name", "incorrect_username_or_password"],
  ] as const)("%s is refused with %s, in words, and can try again", async (user, code) => {
    const { visitor, page } = await signIn(user);
    expect(page.left).toBeUndefined();
    expect(page.status).toBe(200);
    expect(headingOf(page)).toBe(formatText(en.title.signIn, names));
    expect(textOf(page)).toContain(formatText(en.refusals[code], names));
    expect(
      carried(await visitor.submit(page, { username: "user_good", password: "anything" })).map(
        ([name]) => name,
      ),
    ).toContain("code");
  });

  test.each(["xhr", "official"])(
    "user_mfa is asked for a second factor in mode %s: a wrong one can be typed again, 123456 is right",
    async (mode) => {
      const { visitor, page } = await signIn("user_mfa", {
        mode,
        scope: `/2023-03-01/${mode}/employees`,
      });
      expect(headingOf(page)).toBe(en.title.question);
      expect(textOf(page)).toContain("Six-digit code from your authenticator app");
      const wrong = await visitor.answer(page, "654321");
      expect(textOf(wrong)).toContain(formatText(en.refusals.incorrect_mfa_or_otp, names));
      const reply = await exchange(await visitor.answer(wrong, "123456"));
      expect(reply).toMatchObject({
        status: 201,
        body: { mode, provider: "sandbox", scopes: [`/2023-03-01/${mode}/employees`] },
      });
    },
  );

  test.each(["user_good", "user_mfa"])("%s reads everybody after one 202", async (user) => {
    const { visitor, page } = await signIn(user);
    const reply = await exchange(user === "user_mfa" ? await visitor.answer(page, "123456") : page);
    const employees = await readAfterFetch(
      (reply.body as { access_token: string }).access_token,
      "employees",
    );
    expect(employees.status).toBe(200);
    const statuses = (employees.body as { employment_status: string | null }[]).map(
      ({ employment_status: status }) => status,
    );
    expect(new Set(statuses)).toEqual(new Set(["active", "inactive", "pending", "leave", null]));
  });

  test("user_expired signs in and is then asked to do it again", async () => {
    expect(await readAfterFetch(await tokenOf("user_expired"), "company")).toMatchObject({
      status: 401,
      body: { error: "authentication_error", code: "reauthentication_required" },
    });
  });

  test("user_down gets 202 and, when four attempts failed, 503", async () => {
    const token = await tokenOf("user_down");
    expect((await readAfterFetch(token, "company")).status).toBe(202);
    for (let attempt = 2; attempt <= 4; attempt += 1) await drain({ includeDelayed: true });
    const reply = await read(token, "company");
    expect(reply.status).toBe(503);
    expect(Number(reply.headers["retry-after"])).toBeGreaterThan(0);
  });

  test("user_limited is told to wait for five seconds at least, and then gets the data", async () => {
    const token = await tokenOf("user_limited");
    const pending = await readAfterFetch(token, "company");
    expect(pending.status).toBe(202);
    expect(Number(pending.headers["retry-after"])).toBeGreaterThanOrEqual(5);
    harness.clock.advance(6);
    await drain({ includeDelayed: true });
    expect((await read(token, "company")).status).toBe(200);
  });

  test("user_no_payroll has no payroll, and everything else", async () => {
    const token = await tokenOf("user_no_payroll");
    expect((await read(token, "payruns", day)).status).toBe(501);
    expect((await read(token, "payruns/any")).status).toBe(501);
    expect((await readAfterFetch(token, "company")).status).toBe(200);
  });

  test("user_sparse leaves out what may be null", async () => {
    const { status, body } = await readAfterFetch(await tokenOf("user_sparse"), "employees");
    expect(status).toBe(200);
    expect(
      (body as { personal_email: unknown; manager: unknown }[]).every(
        ({ personal_email: email, manager }) => email === null && manager === null,
      ),
    ).toBe(true);
  });

  test("user_empty has nobody and nothing", async () => {
    const token = await tokenOf("user_empty");
    for (const [resource, query] of [["employees"], ["groups"], ["timesheets", day]] as const)
      expect(await readAfterFetch(token, resource, query)).toMatchObject({ status: 200, body: [] });
  });

  test.each(["user_slow", "user_large"])(
    "%s signs in at once; a fetch is what takes long",
    async (user) => {
      const token = await tokenOf(user);
      const reply = await read(token, "company");
      expect(reply.status).toBe(202);
      expect(Number(reply.headers["retry-after"])).toBeGreaterThan(0);
    },
  );
});
