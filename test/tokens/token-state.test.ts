import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { scopesOfMode, type Scope } from "../../src/model/index.ts";
import { createReadTable } from "../../src/reading/read-store.ts";
import { signInAgain } from "../support/sign-in-again.ts";
import { createHarness, type Harness } from "../support/harness.ts";
import { readWhenReady } from "../support/read-when-ready.ts";
import type { Reply } from "../support/http-client.ts";
import { statementsOf } from "../support/statements.ts";

const base = "/2023-03-01/management/tokens";
const xhr = (path: string): Scope => `/2023-03-01/xhr/${path}` as Scope;

type Connected = Awaited<ReturnType<Harness["connect"]>>;

let harness: Harness;
beforeAll(async () => {
  harness = await createHarness();
});
afterAll(() => harness.close());

const ask = ({ client, secret }: Pick<Connected, "client" | "secret">, id: string) =>
  harness.http.get(`${base}/${id}`, { basic: [client.clientId, secret] });

const now = (): string => harness.clock.now().toISOString();

async function stateOf(connected: Connected): Promise<Record<string, unknown>> {
  const reply = await ask(connected, connected.tokenId);
  expect(reply.status).toBe(200);
  return reply.body as Record<string, unknown>;
}

async function resourceOf(connected: Connected, name: string): Promise<unknown> {
  const { resources } = (await stateOf(connected)) as { resources: { resource: string }[] };
  return resources.find(({ resource }) => resource === name);
}

const idle = {
  read_at: null,
  records: null,
  took_seconds: null,
  outcome: null,
  state: "idle",
  waits_for: null,
  waits_until: null,
  next_read_at: null,
};

describe("the status", () => {
  test("is that of the list, with what the client calls the connection and what it may read", async () => {
    const label = { reference: "customer-4711", metadata: { plan: "team" } };
    const connected = await harness.connect({ label });
    const list = await harness.http.get(base, {
      basic: [connected.client.clientId, connected.secret],
    });
    const [entry] = list.body as object[];
    const state = await stateOf(connected);
    expect(state).toMatchObject({ ...entry, ...label, since: now(), reason: null });
    expect((state["resources"] as { resource: string }[]).map(({ resource }) => resource)).toEqual([
      "company",
      "employees",
      "groups",
      "payruns",
      "payslips",
      "time-off-balances",
      "time-off-entries",
      "timesheets",
      "work-locations",
    ]);
  });

  test("says since when the end user has to sign in again and why, and since when not any more", async () => {
    const connected = await harness.connect({ user: "user_expired" });
    harness.clock.advance(100);
    await harness.http.get(xhr("groups"), { bearer: connected.token });
    await harness.drain();
    const refused = { status: "reauthentication_required", reason: "reauthentication_required" };
    expect(await stateOf(connected)).toMatchObject({ ...refused, valid: true, since: now() });
    harness.clock.advance(100);
    const { id = "" } =
      (await harness.services.connections.find({ tokenId: connected.tokenId })) ?? {};
    await signInAgain(harness, id);
    expect(await stateOf(connected)).toMatchObject({
      status: "active",
      reason: null,
      since: now(),
    });
  });

  test("says since when the token is disconnected, and nothing of what was deleted", async () => {
    const connected = await harness.connect({ label: { reference: "gone", metadata: null } });
    harness.clock.advance(100);
    await harness.http.post("/2023-03-01/management/disconnect", { bearer: connected.token });
    expect(await stateOf(connected)).toMatchObject({
      status: "disconnected",
      valid: false,
      since: now(),
      reason: null,
      reference: null,
      scopes: scopesOfMode("xhr"),
      resources: [],
    });
  });
});

describe("a resource", () => {
  test("waits for a place, runs, and says when it was read, how long that took and how much it was", async () => {
    const connected = await harness.connect({ scopes: [xhr("employees"), xhr("groups")] });
    const { token } = connected;
    expect(await resourceOf(connected, "employees")).toEqual({ resource: "employees", ...idle });
    expect(await resourceOf(connected, "groups")).toEqual({ resource: "groups", ...idle });
    await harness.http.get(xhr("groups"), { bearer: token });
    expect(await resourceOf(connected, "groups")).toMatchObject({
      state: "waiting",
      waits_for: "place",
      waits_until: null,
    });
    const table = createReadTable(harness.services.pool, []);
    const claimed = await table.claim();
    expect(await resourceOf(connected, "groups")).toMatchObject({
      state: "running",
      waits_for: null,
    });
    await harness.database.query("update reads set lease_until = null, due_at = $2 where id = $1", [
      claimed?.id,
      harness.clock.now(),
    ]);
    harness.clock.advance(7);
    await harness.drain();
    const groups = await readWhenReady(harness.http, xhr("groups"), { bearer: token });
    expect(await resourceOf(connected, "groups")).toMatchObject({
      ...idle,
      read_at: now(),
      records: (groups.body as unknown[]).length,
      took_seconds: 7,
      outcome: "stored",
    });
  });

  test("counts the employees that are stored, and names its next poll", async () => {
    const connected = await harness.connect({ scopes: [xhr("employees")] });
    const found = await harness.services.clients.find(connected.client.clientId);
    await harness.services.clients.update(found!, { webhookUri: "https://app.example.com/hook" });
    await harness.http.get(xhr("employees"), { bearer: connected.token });
    await harness.drain();
    await harness.services.webhooks.schedulePolls();
    const { body } = await harness.http.get(xhr("employees"), { bearer: connected.token });
    const state = (await resourceOf(connected, "employees")) as Record<string, string>;
    expect(state).toMatchObject({ records: (body as unknown[]).length });
    const seconds = (Date.parse(state["next_read_at"] ?? "") - Date.parse(now())) / 1_000;
    expect(seconds).toBeGreaterThan(0);
    expect(seconds).toBeLessThanOrEqual(3_600);
  });

  test.each([
    ["user_limited", "quota"],
    ["user_down", "provider"],
  ])("of %s waits for the %s, and says until when", async (user, what) => {
    const connected = await harness.connect({ user, scopes: [xhr("groups")] });
    await harness.http.get(xhr("groups"), { bearer: connected.token });
    await harness.drain();
    const state = (await resourceOf(connected, "groups")) as Record<string, string>;
    expect(state).toMatchObject({ state: "waiting", waits_for: what, read_at: null });
    expect(Date.parse(state["waits_until"] ?? "")).toBeGreaterThan(Date.parse(now()));
  });

  test("says how its last read ended", async () => {
    const scopes = [xhr("groups"), xhr("payruns")];
    const connected = await harness.connect({ user: "user_down", scopes });
    await harness.http.get(xhr("groups"), { bearer: connected.token });
    for (let tries = 0; tries < 4; tries += 1) await harness.drain({ includeDelayed: true });
    expect(await resourceOf(connected, "groups")).toMatchObject({
      state: "idle",
      outcome: "unavailable",
    });
    const other = await harness.connect({ user: "user_no_payroll", scopes });
    expect(await stateOf(other)).toMatchObject({ unsupported: ["payruns", "payslips"] });
  });
});

test("another client's token, an unknown one and what is no id are the same 404", async () => {
  const [mine, other] = [await harness.connect(), await harness.connect()];
  const replies: Reply[] = [];
  for (const id of [other.tokenId, randomUUID(), "x"]) replies.push(await ask(mine, id));
  for (const { status, body } of replies)
    expect([status, body]).toEqual([404, { message: expect.any(String), id: expect.any(String) }]);
  expect(replies[0]?.body).toEqual({ message: "The token is not known.", id: other.tokenId });
  const credential = await ask(mine, mine.token);
  expect([credential.status, credential.body]).toEqual([404, expect.objectContaining({ id: "" })]);
});

test("what somebody wrote into the database is not shown as the client's", async () => {
  const [mine, other] = [await harness.connect(), await harness.connect()];
  for (const table of ["tokens", "connections"])
    await harness.database.query(
      `update ${table} set client_id = $1 where ${table === "tokens" ? "id" : "token_id"} = $2`,
      [mine.client.clientId, other.tokenId],
    );
  expect((await ask(mine, other.tokenId)).status).toBe(404);
});

test("it takes one statement, and one for what the client calls the connection", async () => {
  const connected = await harness.connect();
  expect(await statementsOf(() => ask(connected, connected.tokenId))).toEqual([
    "find-client-or-decoy",
    "token-state",
    "find-labels",
  ]);
});
