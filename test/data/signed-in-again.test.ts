import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { z } from "zod";
import type { Resource } from "../../src/model/index.ts";
import { transaction } from "../../src/platform/db/index.ts";
import { defineProvider } from "../../src/providers/contract.ts";
import { formField } from "../../src/providers/form-field.ts";
import { ProviderRegistry } from "../../src/providers/registry.ts";
import { sandbox } from "../../src/providers/sandbox/index.ts";
import { ConnectVisitor, workSignIns } from "../support/connect-visitor.ts";
import {
  countFetches,
  disconnectAll,
  fetchData,
  fetchList,
  january,
  listCasesOf,
  signInAgain,
  version,
} from "../support/data-endpoints.ts";
import { createHarness, type Harness } from "../support/harness.ts";
import { StubProvider } from "../support/stub-provider.ts";

const stub = new StubProvider();
const { official } = stub.definition.modes;
/** The same, whose form asks for nothing but a key. */
const keyed = defineProvider({
  ...stub.definition,
  name: "keyed",
  modes: {
    official: {
      ...official!,
      form: z.object({ api_key: formField({ title: "Key", isSecret: true }) }),
      keepsSecret: true,
    },
  },
});

let harness: Harness;
beforeAll(async () => {
  const registry = new ProviderRegistry([sandbox, stub.definition, keyed]);
  harness = await createHarness({ registry });
});
afterAll(() => harness.close());
beforeEach(() => {
  stub.reset();
  stub.pages = { employees: [[ann]] };
});
afterEach(() => disconnectAll(harness));

const ann = { remote_id: "r1", first_name: "Ann", last_name: "A", tax_id: "T1" };
const url = (path: string): string => `${version}/xhr/${path}`;
const february = { start_date: "2026-02-01", end_date: "2026-02-28" };

interface Asked {
  path: string;
  query: Record<string, string>;
}

/** Every list that can be asked for without an id, one of them for two ranges. */
const lists: readonly Asked[] = [
  ...listCasesOf("xhr"),
  { path: "time-off-entries", query: february },
];
const isOf =
  (...paths: string[]) =>
  ({ path }: Asked): boolean =>
    paths.includes(path);

type Connected = Awaited<ReturnType<Harness["connect"]>>;

/** A connection of which every list was read just now. */
async function connectAndRead(options: Parameters<Harness["connect"]>[0] = {}): Promise<Connected> {
  const connected = await harness.connect({ provider: "stub", ...options });
  const ask = () =>
    Promise.all(
      lists.map(({ path, query }) =>
        harness.http.get(url(path), { bearer: connected.token, query }),
      ),
    );
  // A connection has no more than four narrowed reads at once.
  for (let round = 0; round < 3; round += 1) {
    await ask();
    await harness.drain();
  }
  expect((await ask()).map(({ status }) => status)).toEqual(lists.map(() => 200));
  return connected;
}

async function statusesOf(
  { token: bearer }: Connected,
  asked: readonly Asked[],
): Promise<Set<number>> {
  const replies = await Promise.all(
    asked.map(({ path, query }) => harness.http.get(url(path), { bearer, query })),
  );
  return new Set(replies.map(({ status }) => status));
}

const withFields = (...fields: string[]) => ({ limited: { employees: fields } });
const others = (...paths: string[]): Asked[] => lists.filter((asked) => !isOf(...paths)(asked));

/** Signs in with another user name, as the operator's link allows. */
async function signInAs(tokenId: string, username: string): Promise<void> {
  const { connect, pool } = harness.services;
  const request = await connect.findReauthentication(tokenId, { mayChangeAccount: true });
  const secret = request.mode === "xhr" ? { password: "x" } : { api_key: "next" };
  const step = await connect.start(request, { username, ...secret });
  if (step.kind !== "signed-in") throw new Error("the provider asked for a second factor");
  await transaction(pool, (tx) => connect.reauthenticate(tx, tokenId, step.signIn));
}

describe("after a sign-in to the same account", () => {
  test("with the same rights all that is stored is served, and nothing is read", async () => {
    stub.unsupported = ["company"];
    stub.rights = { forbidden: ["groups"], ...withFields("tax_id") };
    const stored = others("company", "groups");
    const connected = await harness.connect({ provider: "stub" });
    stub.onCall = ({ resource }) =>
      void (stub.limited = resource === "employees" ? ["tax_id"] : []);
    for (const { path, query } of stored)
      await fetchData(harness, connected.token, url(path), query);
    const fetches = await countFetches(harness, connected.tokenId);
    await signInAgain(harness, connected.tokenId);
    expect(await statusesOf(connected, stored)).toEqual(new Set([200]));
    expect(await statusesOf(connected, lists.filter(isOf("company")))).toEqual(new Set([501]));
    expect(await statusesOf(connected, lists.filter(isOf("groups")))).toEqual(new Set([401]));
    expect(await countFetches(harness, connected.tokenId)).toBe(fetches);
  });

  test.each<[string, number, Resource, () => void]>([
    ["does not have", 501, "payruns", () => (stub.unsupported = ["payruns"])],
    [
      "may not read",
      401,
      "time-off-entries",
      () => (stub.rights = { forbidden: ["time-off-entries"] }),
    ],
  ])("what it %s any more is a %i at once, and the rest is served", async (...row) => {
    const [, status, resource, lose] = row;
    const connected = await connectAndRead();
    lose();
    await signInAgain(harness, connected.tokenId);
    expect(await statusesOf(connected, lists.filter(isOf(resource)))).toEqual(new Set([status]));
    expect(await statusesOf(connected, others(resource))).toEqual(new Set([200]));
    const { body } = await harness.http.get(
      `${version}/management/tokens/${connected.tokenId}/export`,
      {
        basic: [connected.client.clientId, connected.secret],
      },
    );
    expect(JSON.stringify(body)).not.toContain(`"resource":"${resource}"`);
  });

  test("what it may read again is read, although it was read a moment ago", async () => {
    const connected = await connectAndRead();
    stub.rights = { forbidden: ["time-off-entries"] };
    await signInAgain(harness, connected.tokenId);
    stub.rights = {};
    await signInAgain(harness, connected.tokenId);
    const entries = await fetchList(harness, connected.token, url("time-off-entries"), january);
    expect(entries).toEqual([]);
  });

  test("a list with fields that it may not read any more is read anew", async () => {
    const connected = await connectAndRead();
    const employees = () => fetchList(harness, connected.token, url("employees"));
    stub.rights = withFields("tax_id");
    stub.pages = { employees: [[{ ...ann, tax_id: null }]] };
    await signInAgain(harness, connected.tokenId);
    stub.limited = ["tax_id"];
    expect(await employees()).toEqual([expect.objectContaining({ tax_id: null })]);
    expect(await statusesOf(connected, others("employees"))).toEqual(new Set([200]));
    stub.rights = withFields("bank_account", "tax_id");
    await signInAgain(harness, connected.tokenId);
    await employees();
    stub.limited = [];
    stub.rights = withFields("tax_id");
    await signInAgain(harness, connected.tokenId);
    expect(await statusesOf(connected, lists)).toEqual(new Set([200]));
  });

  test("a read that goes on is not begun twice, and ends", async () => {
    const connected = await connectAndRead();
    harness.clock.advance(3_601);
    const get = () => harness.http.get(url("groups"), { bearer: connected.token });
    expect((await get()).status).toBe(202);
    stub.rights = { limited: { groups: ["name"] } };
    await signInAgain(harness, connected.tokenId);
    const fetches = await countFetches(harness, connected.tokenId);
    expect((await get()).status).toBe(202);
    expect(await countFetches(harness, connected.tokenId)).toBe(fetches);
    await harness.drain();
    expect((await get()).status).toBe(200);
  });
});

describe("after a sign-in to another account", () => {
  test.each<[string, (tokenId: string) => Promise<void>]>([
    ["that is another one for certain", (tokenId) => signInAs(tokenId, "somebody_else")],
    [
      "that may be another one, because the one before is not known",
      async (tokenId) => {
        await harness.database.query(
          "update connections set account_digest = null, sealed_account = null where token_id = $1",
          [tokenId],
        );
        await signInAs(tokenId, "user_good");
      },
    ],
  ])("%s, nothing of the one before is served", async (_what, signIn) => {
    const connected = await connectAndRead();
    await signIn(connected.tokenId);
    stub.pages = { employees: [[{ ...ann, first_name: "Bob" }]] };
    expect(await statusesOf(connected, lists.filter(isOf("payruns")))).toEqual(new Set([202]));
    await harness.drain();
    const people = await fetchList(harness, connected.token, url("employees"));
    expect(people).toEqual([expect.objectContaining({ first_name: "Bob" })]);
  });

  test("no other account is one that has a new key", async () => {
    const employees = `${version}/official/employees`;
    const connected = await harness.connect({ provider: "stub", mode: "official" });
    await fetchData(harness, connected.token, employees);
    await signInAs(connected.tokenId, "user_good");
    const { status } = await harness.http.get(employees, { bearer: connected.token });
    expect(status).toBe(200);
  });
});

test.each([
  ["the same key is the same account", "one", 200],
  ["another key may be another account", "two", 202],
])("where a key alone is typed, %s", async (_what, key, status) => {
  const employees = `${version}/official/employees`;
  const connected = await harness.connect({
    provider: "keyed",
    mode: "official",
    formValues: { api_key: "one" },
  });
  await fetchData(harness, connected.token, employees);
  const { connect, pool } = harness.services;
  const request = await connect.findReauthentication(connected.tokenId, {});
  const step = await connect.start(request, { api_key: key });
  if (step.kind !== "signed-in") throw new Error("the provider asked for a second factor");
  await transaction(pool, (tx) => connect.reauthenticate(tx, connected.tokenId, step.signIn));
  const reply = await harness.http.get(employees, { bearer: connected.token });
  expect(reply.status).toBe(status);
});

test("in the browser, by a link: pay runs and payslips that the user lacks are a 501", async () => {
  const connected = await harness.connect();
  const payruns = await fetchList(harness, connected.token, url("payruns"), january);
  const id = String(payruns[0]?.["id"]);
  await fetchData(harness, connected.token, url(`payruns/${id}`));
  const basic: [string, string] = [connected.client.clientId, connected.secret];
  const link = await harness.http.post(`${version}/management/connect-session`, {
    basic,
    json: { token: connected.tokenId },
  });
  const { connect_url: address } = link.body as { connect_url: string };
  workSignIns(harness);
  const visitor = new ConnectVisitor(harness.baseUrl);
  const form = await visitor.open(address.replace("https://api.example.com", ""));
  await visitor.submit(form, { username: "user_no_payroll", password: "anything" });
  const state = await harness.http.get(`${version}/management/tokens/${connected.tokenId}`, {
    basic,
  });
  expect(state.body).toMatchObject({ unsupported: ["payruns", "payslips"] });
  for (const path of ["payruns", `payruns/${id}`, "payslips"]) {
    const reply = await harness.http.get(url(path), { bearer: connected.token, query: january });
    expect([path, reply.status]).toEqual([path, 501]);
  }
});
