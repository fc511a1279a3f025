import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  carried,
  ConnectVisitor,
  linkPath,
  textOf,
  workSignIns,
} from "../support/connect-visitor.ts";
import { createHarness, type Harness } from "../support/harness.ts";
import { manyProviders, SlowProvider } from "./browser/providers.ts";

const password = "pw-Marker-73192-quite-long";
const otp = "otp-Marker-91827";
const name = "name-marker-55120@acme.example";
/** As text, and as a column of bytes, a URL or an encoding would show it. */
const spellings = [password, otp, name].flatMap((text) => [
  text,
  Buffer.from(text).toString("hex"),
  Buffer.from(text).toString("base64").slice(0, 18),
  Buffer.from(text).toString("base64url").slice(0, 18),
  encodeURIComponent(text),
]);

const slow = new SlowProvider();
let harness: Harness;
let client: { clientId: string };
beforeAll(async () => {
  harness = await createHarness({ registry: manyProviders(slow) });
  ({ client } = await harness.createClient());
});
afterAll(async () => {
  slow.answer();
  await harness.close();
});

/** Every row of every table, the queue's too. */
async function dump(): Promise<string> {
  const tables = await harness.database.query(
    "select quote_ident(schemaname) || '.' || quote_ident(tablename) as name from pg_tables where schemaname not in ('pg_catalog', 'information_schema')",
  );
  expect(tables.length).toBeGreaterThan(10);
  const rows = await Promise.all(
    tables.map(({ name: table }) =>
      harness.database.query(`select t::text as row from ${String(table)} t`),
    ),
  );
  return rows
    .flat()
    .map(({ row }) => String(row))
    .join("\n");
}

async function whereTheyAre(): Promise<Record<string, string[]>> {
  const text = await dump();
  const log = harness.logLines.join("\n");
  return {
    database: spellings.filter((spelling) => text.includes(spelling)),
    log: spellings.filter((spelling) => log.includes(spelling)),
  };
}

const nowhere = { database: [], log: [] };

async function sealedOf(path: string): Promise<unknown> {
  const [row] = await harness.database.query(
    'select phase, sealed_submission is not null as submission, sealed_sign_in is not null as "signIn", sealed_prefill is not null as prefill, sealed_challenge is not null as challenge from connect_flows where id = $1',
    [path.split("/")[2]],
  );
  return row;
}

test("neither the code nor the state that a redirect carries is in a table or a log in clear", async () => {
  const signIns = workSignIns(harness);
  const one = new ConnectVisitor(harness.baseUrl);
  const back = await one.submit(await one.open(linkPath(client, { state: "state-marker-4711" })), {
    username: "user_good",
    password: "anything",
  });
  const { code = "" } = Object.fromEntries(carried(back));
  await one.open("/connect/01a1fd38-4e3b-76f0-aa4b-83ecbf6d43be?state=state-marker-4711");
  const everything = `${await dump()}\n${harness.logLines.join("\n")}`;
  for (const secret of [code, "state-marker-4711", ...one.cookies.values()]) {
    expect(everything).not.toContain(secret);
    expect(everything).not.toContain(Buffer.from(secret).toString("hex"));
  }
  await signIns.stop();
});

describe("what was typed", () => {
  test("is in no table, job or log in clear: not before it is taken up, not while it is tried, and not afterwards", async () => {
    const one = new ConnectVisitor(harness.baseUrl);
    const form = await one.begin(linkPath(client, { provider: "slow" }));
    const waiting = await one.send(form, "sign-in", { username: name, password });
    expect(await sealedOf(form.path)).toMatchObject({ phase: "running", submission: true });
    expect(await whereTheyAre()).toEqual(nowhere);

    workSignIns(harness);
    await slow.reached;
    expect(await sealedOf(form.path)).toMatchObject({ phase: "running", submission: false });
    expect(await whereTheyAre()).toEqual(nowhere);

    slow.answer();
    expect((await one.settle(waiting)).left).toContain("code=");
    expect(await sealedOf(form.path)).toEqual({
      phase: "finished",
      submission: false,
      signIn: false,
      prefill: false,
      challenge: false,
    });
    expect(await whereTheyAre()).toEqual(nowhere);
  });

  test("is gone from a sign-in that was refused, ended or declined, and never said in the log", async () => {
    const one = new ConnectVisitor(harness.baseUrl);
    const form = await one.begin(linkPath(client));
    const refused = await one.submit(form, { username: name, password });
    expect(await sealedOf(form.path)).toMatchObject({ phase: "form", submission: false });
    const code = await one.submit(refused, { username: "user_mfa", password });
    const wrong = await one.answer(code, otp);
    expect(await sealedOf(form.path)).toMatchObject({ phase: "challenged", submission: false });
    await one.send(wrong, "decline");
    expect(await sealedOf(form.path)).toEqual({
      phase: "declined",
      submission: false,
      signIn: false,
      prefill: false,
      challenge: false,
    });
    expect(await whereTheyAre()).toEqual(nowhere);
    expect(
      harness.logLines.some(
        (line) =>
          line.includes("a sign-in was refused") && line.includes("incorrect_username_or_password"),
      ),
    ).toBe(true);
  });

  test("is not kept in clear in what a provider says of a field either, which may quote it", async () => {
    const one = new ConnectVisitor(harness.baseUrl);
    const refused = await one.submit(await one.open(linkPath(client, { provider: "troubled" })), {
      username: "field",
      password,
    });
    expect(textOf(refused)).toContain("Only people of the <head office> may sign in here.");
    expect(await dump()).not.toContain("Only people of the");
    expect(harness.logLines.join("\n")).not.toContain("Only people of the");
  });

  test("is not said in the log either when the adapter fails, or when the form cannot be accepted", async () => {
    const one = new ConnectVisitor(harness.baseUrl);
    const form = await one.begin(linkPath(client, { provider: "troubled" }));
    const broken = await one.submit(form, { username: name, password });
    await one.send(broken, "sign-in", { form_token: "forged", username: name, password });
    await one.send(broken, "sign-in", { username: name, password: password.repeat(100) });
    expect(harness.logLines.some((line) => line.includes("a sign-in failed"))).toBe(true);
    expect(await whereTheyAre()).toEqual(nowhere);
  });
});
