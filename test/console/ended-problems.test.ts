import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { noteProblems, removeOldRows } from "../../src/console/index.ts";
import { resources, resourcesOfScopes, scopes, type Scope } from "../../src/model/index.ts";
import { rollcall } from "../support/command-line.ts";
import type { ConnectVisitor } from "../support/connect-visitor.ts";
import { visitAsDeveloper, visitAsOperator } from "../support/console-visitors.ts";
import { createHarness, type Harness } from "../support/harness.ts";

type Owner = Awaited<ReturnType<Harness["createClient"]>>;
type Connected = Awaited<ReturnType<Harness["connect"]>>;

const path = "/console/problems/ended";
const hour = 3_600;

let harness: Harness;
let owner: Owner;
let other: Owner;
beforeAll(async () => {
  harness = await createHarness({ env: { CONSOLE: "on" } });
});
beforeEach(async () => {
  await harness.database.query("delete from console_problems");
  await harness.database.query("update console_looks set looked_at = '-infinity'");
  await harness.database.query("update reads set outcome = 'stored' where outcome is not null");
  [owner, other] = [await harness.createClient(), await harness.createClient()];
});
afterAll(() => harness.close());

interface Ended {
  what: string;
  from: string | undefined;
  to: string | undefined;
  href: string | undefined;
}

const clean = (html: string): string => html.replaceAll(/<[^>]*>/g, "").trim();
const momentOf = (part: string, word: string): string | undefined =>
  new RegExp(`<li>${word} <time datetime="([^"]+)"`).exec(part)?.[1];

async function look(one: ConnectVisitor, at = path): Promise<{ ended: Ended[]; older?: string }> {
  const { html, status } = await one.ask("GET", at);
  expect(status).toBe(200);
  const ended = html
    .split('<li><div class="row-head">')
    .slice(1)
    .map((part) => ({
      what: clean(/<p class="row-title">(.*?)<\/p>/s.exec(part)?.[1] ?? ""),
      from: momentOf(part, "from"),
      to: momentOf(part, "to"),
      href: /<p class="row-title"><a href="([^"]+)"/.exec(part)?.[1],
    }));
  const [, older] = /<a class="button" href="([^"]+)">Older/.exec(html) ?? [];
  return { ended, ...(older !== undefined && { older: older.replaceAll("&amp;", "&") }) };
}

const endedOf = async (of: Owner): Promise<Ended[]> =>
  (await look(await visitAsDeveloper(harness, of))).ended;
const endedOfAll = async (): Promise<Ended[]> => (await look(await visitAsOperator(harness))).ended;

async function read(token: string, path = "employees"): Promise<void> {
  await harness.http.get(`/2023-03-01/xhr/${path}`, { bearer: token });
  await harness.drain();
}

async function change({ tokenId }: Connected, name: string, json: object = {}): Promise<void> {
  const at = `/2023-03-01/management/sandbox/connections/${tokenId}/${name}`;
  const basic: [string, string] = [owner.client.clientId, owner.secret];
  expect((await harness.http.post(at, { basic, json })).status).toBeLessThan(300);
}

const now = (): string => harness.clock.now().toISOString();
const after = (seconds: number): string => {
  harness.clock.advance(seconds);
  return now();
};

/** As the schedule of a worker does once a minute. */
async function noteFor(minutes: number): Promise<void> {
  for (let minute = 0; minute < minutes; minute += 1) {
    harness.clock.advance(60);
    await noteProblems(harness.services);
  }
}

describe("of a connection", () => {
  test("a sign-in that ended and is made again is there with both times, for its client alone", async () => {
    const connected = await harness.connect({ client: owner });
    await change(connected, "fail", { code: "reauthentication_required" });
    const from = after(hour);
    await read(connected.token);
    expect(await endedOf(owner)).toEqual([]);
    const to = after(3 * hour);
    await change(connected, "sign-in");
    const expected = [
      {
        what: "Sandbox no longer accepts the sign-in: the session has ended.",
        from,
        to,
        href: `/console/connections/${connected.tokenId}`,
      },
    ];
    expect(await endedOf(owner)).toEqual(expected);
    expect(await endedOfAll()).toEqual(expected);
    expect(await endedOf(other)).toEqual([]);
  });

  test("one whose token ended is there, too, and one that its code was never exchanged for is not", async () => {
    const connected = await harness.connect({ client: owner });
    await change(connected, "fail", { code: "captcha_challenge" });
    await read(connected.token);
    harness.clock.advance(1);
    const unclaimed = await harness.connect({ client: owner });
    await harness.database.query(
      `update connections set claimed_at = null, expires_at = service_now(), rights = '{"employees":
         {"isForbidden": true, "limited": [], "checkedAt": "2026-01-01T00:00:00Z"}}' where token_id = $1`,
      [unclaimed.tokenId],
    );
    await harness.services.connections.removeUnclaimed();
    const to = after(hour);
    await harness.http.post("/2023-03-01/management/disconnect", { bearer: connected.token });
    expect(await endedOf(owner)).toEqual([
      expect.objectContaining({ what: expect.stringContaining("captcha"), to }),
    ]);
  });

  test("a right that came back is there, and one that no scope covers is not", async () => {
    const connected = await harness.connect({
      client: owner,
      scopes: ["/2023-03-01/xhr/employees", "/2023-03-01/xhr/time-off-entries"],
    });
    const from = after(hour);
    await change(connected, "rights", { forbidden: ["time-off-entries", "timesheets"] });
    const to = after(hour);
    await change(connected, "rights", { forbidden: [] });
    const what = "The account at Sandbox may not read time off entries.";
    expect(await endedOf(owner)).toEqual([expect.objectContaining({ what, from, to })]);
    expect(await endedOf(other)).toEqual([]);
  });

  test.each(scopes)("what %s covers is what the catalogue says", async (scope: Scope) => {
    const rights = Object.fromEntries(
      resources.map((name) => [name, { isForbidden: true, limited: [], checkedAt: now() }]),
    );
    const { tokenId } = await harness.connect({ client: owner });
    await harness.database.query(
      "update connections set scopes = array[$2], rights = $3 where token_id = $1",
      [tokenId, scope, JSON.stringify(rights)],
    );
    await harness.database.query("delete from connections where token_id = $1", [tokenId]);
    const rows = await harness.database.query("select resource from console_problems");
    expect(rows.map(({ resource }) => resource)).toEqual(resourcesOfScopes([scope]));
  });

  test("what somebody wrote of another client's connection is not shown", async () => {
    const connected = await harness.connect({ client: owner });
    await change(connected, "fail", { code: "reauthentication_required" });
    await read(connected.token);
    await change(connected, "sign-in");
    expect(await endedOf(owner)).toHaveLength(1);
    await harness.database.query("update console_problems set client_id = $1", [
      other.client.clientId,
    ]);
    expect(await endedOf(other)).toEqual([]);
  });
});

/** From now on the receiver takes nothing, or everything again. */
const fail = (of: Owner, isFailing: boolean): Promise<unknown> =>
  harness.database.query(
    `insert into webhook_endpoints (client_id, status, has_changed, failing_since)
     values ($1, 'active', false, case when $2 then service_now() end)
     on conflict (client_id) do update set failing_since = excluded.failing_since`,
    [of.client.clientId, isFailing],
  );

describe("what a worker notes once a minute", () => {
  test("a receiver that failed is there five minutes after it took something again", async () => {
    const from = after(hour);
    await fail(owner, true);
    await noteFor(10);
    const to = now();
    await fail(owner, false);
    await noteFor(5);
    expect(await endedOf(owner)).toEqual([]);
    await noteFor(1);
    const what = expect.stringMatching(/^The receiver of the client doesn’t take what is sent/);
    expect(await endedOf(owner)).toEqual([{ what, from, to, href: undefined }]);
    expect(await endedOfAll()).toEqual([{ what, from, to, href: undefined }]);
    expect(await endedOf(other)).toEqual([]);
  });

  test("a provider that fails is one problem while its reads are tried again, of each client and of all", async () => {
    const connected = [];
    for (const client of [owner, other])
      connected.push(await harness.connect({ client, user: "user_good" }));
    for (const { token } of connected) await read(token);
    const set = (outcome: string, ...of: Owner[]): Promise<unknown> =>
      harness.database.query(
        "update reads set outcome = $1, settled_at = service_now() where client_id = any($2)",
        [outcome, of.map(({ client }) => client.clientId)],
      );
    const from = after(hour);
    await set("unavailable", owner);
    await noteFor(1);
    const fromOfOther = now();
    await set("unavailable", other);
    await noteFor(2);
    await set("stored", owner, other);
    await noteFor(3);
    await set("unavailable", owner, other);
    await noteFor(2);
    const to = now();
    await set("stored", owner, other);
    await noteFor(6);
    const what = "Sandbox gives no answer when employees are read.";
    for (const found of [await endedOf(owner), await endedOfAll()])
      expect(found).toEqual([expect.objectContaining({ what, from, to })]);
    expect(await endedOf(other)).toEqual([
      expect.objectContaining({ what, from: fromOfOther, to }),
    ]);
    const [row] = await harness.database.query(
      "select client_id, times from console_problems where seen_by = 'operator' and kind = 'provider_away'",
    );
    expect(row).toEqual({ client_id: null, times: 2 });
  });

  test("one that lasts is one problem, also while more reads fail in another way than are looked at", async () => {
    const { token } = await harness.connect({ client: owner, user: "user_good" });
    await read(token);
    const from = after(hour);
    const set = (outcome: string): Promise<unknown> =>
      harness.database.query(
        "update reads set outcome = $1, settled_at = service_now() where client_id = $2 and parameters = ''",
        [outcome, owner.client.clientId],
      );
    await set("broken");
    await noteFor(1);
    await harness.database.query(
      `insert into reads select made.* from reads r, generate_series(1, 200) number,
         jsonb_populate_record(r, jsonb_build_object('id', gen_random_uuid(), 'resource', 'payruns', 'parameters', number::text,
           'outcome', 'unavailable', 'settled_at', service_now())) made
       where r.client_id = $1`,
      [owner.client.clientId],
    );
    await noteFor(7);
    expect(await endedOf(owner)).toEqual([]);
    await harness.database.query("delete from reads where client_id = $1 and parameters <> ''", [
      owner.client.clientId,
    ]);
    await noteFor(1);
    const to = now();
    await set("stored");
    await noteFor(7);
    const ended = await endedOf(owner);
    expect(ended.filter(({ what }) => what.includes("employees"))).toEqual([
      expect.objectContaining({ from, to }),
    ]);
  });

  test("reads that waited for a quota are there for their client", async () => {
    const { token } = await harness.connect({ client: owner });
    await read(token);
    const from = after(hour);
    await harness.database.query(
      `update reads set state = 'pending', outcome = null, waits = 1, requested_at = service_now(),
         due_at = service_now() + interval '2 minutes' where client_id = $1`,
      [owner.client.clientId],
    );
    await noteFor(1);
    const to = now();
    await noteFor(7);
    const ended = { what: "Sandbox takes no more requests for now.", from, to };
    expect(await endedOf(owner)).toEqual([expect.objectContaining(ended)]);
    expect(await endedOf(other)).toEqual([]);
  });

  test("a time without a worker is there for operators, and no start is one", async () => {
    await noteFor(1);
    await harness.database.query("update console_looks set looked_at = '-infinity'");
    await noteFor(1);
    const from = now();
    const to = after(hour);
    await noteProblems(harness.services);
    await noteFor(2);
    const found = await endedOfAll();
    expect(found.filter(({ what }) => what.startsWith("No worker runs"))).toEqual([
      expect.objectContaining({ from, to }),
    ]);
  });

  test("one look is made in a minute, whichever worker makes it", async () => {
    await noteFor(1);
    await fail(owner, true);
    await Promise.all([noteProblems(harness.services), noteProblems(harness.services)]);
    const open = "select from console_problems where ended_at is null and client_id = $1";
    expect(await harness.database.query(open, [owner.client.clientId])).toEqual([]);
    harness.clock.advance(60);
    await Promise.all([noteProblems(harness.services), noteProblems(harness.services)]);
    expect(await harness.database.query(open, [owner.client.clientId])).toHaveLength(1);
    await fail(owner, false);
  });
});

/** Two have ended in each millisecond. */
async function fill(of: Owner, count: number): Promise<void> {
  await harness.database.query(
    `insert into console_problems (key, seen_by, kind, client_id, provider, resource, times, since, found_at, ended_at)
     select '', 'all', 'provider_away', $1, 'p' || n, 'employees', 1, service_now(), service_now(),
       service_now() - make_interval(secs => floor(n / 2) / 1000) from generate_series(1, $2::integer) n`,
    [of.client.clientId, count],
  );
}

test("each is on one page, however many there are", async () => {
  await fill(owner, 120);
  await fill(other, 1);
  const one = await visitAsDeveloper(harness, owner);
  const seen: string[] = [];
  let pages = 0;
  for (let at: string | undefined = path; at !== undefined; pages += 1) {
    const { ended, older } = await look(one, at);
    seen.push(...ended.map(({ what }) => what));
    at = older;
  }
  expect(pages).toBe(3);
  expect(seen).toHaveLength(120);
  expect(new Set(seen).size).toBe(120);
  expect(await look(one, `${path}?before=nonsense`)).toEqual(await look(one, path));
});

test("what ended more than 30 days ago is gone, and what lasts stays", async () => {
  await fill(owner, 1);
  harness.clock.advance(29 * 24 * hour);
  await harness.database.query(
    `insert into console_problems (key, seen_by, kind, times, since, found_at)
     values ('open', 'operator', 'polls_late', 1, service_now() - interval '60 days', service_now())`,
  );
  await removeOldRows(harness.services);
  expect(await endedOf(owner)).toHaveLength(1);
  harness.clock.advance(24 * hour + 1);
  await removeOldRows(harness.services);
  expect(await endedOf(owner)).toEqual([]);
  const rows = await harness.database.query("select key from console_problems");
  expect(rows).toEqual([{ key: "open" }]);
});

test("a command prints them, of all clients or of one", async () => {
  const connected = await harness.connect({ client: owner });
  await change(connected, "fail", { code: "reauthentication_required" });
  const since = after(hour);
  await read(connected.token);
  const ended = after(hour);
  await change(connected, "sign-in");
  const list = async (...args: string[]): Promise<unknown> =>
    (await rollcall(["problems", "--ended", ...args, "--json"], harness.environment)).json();
  const expected = [
    expect.objectContaining({
      kind: "sign_in_ended",
      since,
      ended,
      token: connected.tokenId,
      client_id: owner.client.clientId,
      times: 1,
    }),
  ];
  expect(await list()).toEqual(expected);
  expect(await list("--client", owner.client.clientId)).toEqual(expected);
  expect(await list("--client", other.client.clientId)).toEqual([]);
  for (const args of [[], ["--ended"]]) {
    const unknown = await rollcall(["problems", ...args, "--client", "typo"], harness.environment);
    expect({ ...unknown, json: undefined }).toMatchObject({ code: 1, stdout: "" });
    expect(unknown.stderr).toBe("rollcall: no client has the id typo\n");
  }
  await fill(owner, 5);
  expect(await list("--limit", "2")).toHaveLength(2);
  const printed = await rollcall(["problems", "--ended"], harness.environment);
  expect(printed.stdout).toContain("no longer accepts the sign-in");
});
