import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { sandboxControls } from "../../src/providers/index.ts";
import { dataEndpointCases, fetchData, locate, version } from "../support/data-endpoints.ts";
import { createHarness, type Harness } from "../support/harness.ts";
import type { Reply } from "../support/http-client.ts";
import { StubProvider } from "../support/stub-provider.ts";

const url = `${version}/xhr/employees`;
const stub = new StubProvider();

let harness: Harness;
beforeAll(async () => {
  harness = await createHarness({ registry: stub.registry() });
});
afterAll(() => harness.close());
beforeEach(() => stub.reset());

const strong = (weak: string): string => weak.replace("W/", "");
const etagOf = (reply: Reply): string => String(reply.headers["etag"]);

describe("Age, Last-Modified and ETag", () => {
  test.each(
    dataEndpointCases.map((endpoint) => [`${endpoint.mode}/${endpoint.path}`, endpoint] as const),
  )("%s has all three", async (_name, endpoint) => {
    const { token } = await harness.connect({ mode: endpoint.mode });
    const located = await locate(harness, token, endpoint);
    const fetchedAt = harness.clock.now();
    const { headers } = await fetchData(harness, token, located.url, located.query);
    expect(headers["age"]).toBe("0");
    expect(headers["last-modified"]).toBe(fetchedAt.toUTCString());
    expect(headers["etag"]).toMatch(/^W\/"[\x21\x23-\x7e]+"$/);
    const again = await harness.http.get(located.url, {
      bearer: token,
      query: located.query,
      headers: { "if-none-match": String(headers["etag"]) },
    });
    expect(again.status).toBe(304);
  });

  test("the data is as old as the provider's answer, not as the request for it", async () => {
    stub.onFetch = () => harness.clock.advance(7);
    const { token } = await harness.connect({ provider: "stub" });
    const { headers } = await fetchData(harness, token, url);
    expect(headers["age"]).toBe("0");
    expect(headers["last-modified"]).toBe(harness.clock.now().toUTCString());
  });

  test("Age counts whole seconds, Last-Modified stays", async () => {
    const { token } = await harness.connect();
    const first = await fetchData(harness, token, url);
    for (const [advance, age] of [
      [1, "1"],
      [58.6, "59"],
      [0.5, "60"],
      [839, "899"],
    ] as const) {
      harness.clock.advance(advance);
      const reply = await harness.http.get(url, { bearer: token });
      expect(reply.headers["age"]).toBe(age);
      expect(reply.headers["last-modified"]).toBe(first.headers["last-modified"]);
    }
  });

  test("data that is the same after a fetch keeps its entity tag and its bytes, and is young again", async () => {
    const { token } = await harness.connect();
    const first = await fetchData(harness, token, url);
    harness.clock.advance(3_601);
    const second = await fetchData(harness, token, url);
    expect(etagOf(second)).toBe(etagOf(first));
    expect(second.bytes.equals(first.bytes)).toBe(true);
    expect(second.headers["age"]).toBe("0");
    expect(second.headers["last-modified"]).not.toBe(first.headers["last-modified"]);
  });

  test("data that changed has another entity tag; what did not change keeps its own", async () => {
    const { token, tokenId } = await harness.connect();
    const groups = `${version}/xhr/groups`;
    const first = {
      employees: await fetchData(harness, token, url),
      groups: await fetchData(harness, token, groups),
    };
    const connection = await harness.services.connections.loadByToken(tokenId);
    if (!connection) throw new Error("the connection is gone");
    await harness.services.connections.saveSession(
      connection,
      sandboxControls.advance(connection.session),
    );
    harness.clock.advance(3_601);
    const second = {
      employees: await fetchData(harness, token, url),
      groups: await fetchData(harness, token, groups),
    };
    expect(second.employees.body).not.toEqual(first.employees.body);
    expect(etagOf(second.employees)).not.toBe(etagOf(first.employees));
    expect(etagOf(second.groups)).toBe(etagOf(first.groups));
  });
});

describe("If-None-Match", () => {
  let token: string;
  let tag: string;
  let whole: Reply;
  beforeAll(async () => {
    ({ token } = await harness.connect());
    whole = await fetchData(harness, token, url);
    tag = etagOf(whole);
  });

  const matching: [string, (tag: string) => string | string[]][] = [
    ["the tag", (weak) => weak],
    ["the tag as a strong one", (weak) => strong(weak)],
    ["a star", () => "*"],
    ["a list with the tag first", (weak) => `${weak}, "other"`],
    ["a list with the tag last", (weak) => `"other", W/"another", ${weak}`],
    ["a list without spaces", (weak) => `"other",${weak},"another"`],
    ["a list over two header lines", (weak) => ['"other"', weak]],
    ["a list with empty elements", (weak) => `, ,${weak},`],
  ];
  test.each(matching)("%s says that nothing changed: 304 without a body", async (_name, value) => {
    const reply = await harness.http.get(url, {
      bearer: token,
      headers: { "if-none-match": value(tag), "accept-encoding": "gzip" },
    });
    expect(reply.status).toBe(304);
    expect(reply.bytes).toHaveLength(0);
    for (const name of ["etag", "age", "last-modified", "cache-control", "vary"])
      expect([name, reply.headers[name]]).toEqual([name, whole.headers[name]]);
    expect(reply.headers["content-encoding"]).toBeUndefined();
    expect(reply.headers["transfer-encoding"]).toBeUndefined();
  });

  const different: [string, (tag: string) => string][] = [
    ["another tag", () => 'W/"other"'],
    ["a list of others", () => '"one", W/"two"'],
    ["the tag without quotes", (weak) => strong(weak).replaceAll('"', "")],
    ["the tag's beginning", (weak) => `${weak.slice(0, -2)}"`],
    ["the tag and more", (weak) => `${weak.slice(0, -1)}x"`],
    ["the tag with a lower-case w", (weak) => weak.replace("W/", "w/")],
    ["a quoted star", () => '"*"'],
    ["nothing", () => ""],
  ];
  test.each(different)("%s is answered with the data", async (_name, value) => {
    const reply = await harness.http.get(url, {
      bearer: token,
      headers: { "if-none-match": value(tag) },
    });
    expect(reply.status).toBe(200);
    expect(reply.headers["etag"]).toBe(tag);
  });

  test.each([
    ["a list of one status", "?employment_status=active"],
    ["an empty list of one status", "?employment_status=pending"],
  ])("%s has a tag of its own address that works alike", async (_name, query) => {
    const first = await harness.http.get(`${url}${query}`, { bearer: token });
    const reply = await harness.http.get(`${url}${query}`, {
      bearer: token,
      headers: { "if-none-match": etagOf(first) },
    });
    expect([reply.status, reply.bytes.length]).toEqual([304, 0]);
  });
});

const ask = (
  token: string,
  headers: Record<string, string>,
  path = url,
  query?: Record<string, string>,
): Promise<Reply> => harness.http.get(path, { bearer: token, headers, ...(query && { query }) });

/** Reads again, however young the stored data is. */
async function readAgain({ token, tokenId }: { token: string; tokenId: string }): Promise<void> {
  const connection = await harness.services.connections.loadByToken(tokenId);
  if (!connection) throw new Error("the connection is gone");
  await harness.services.sync.read({
    connectionId: connection.id,
    resource: "employees",
    parameters: "",
    authFailure: null,
    snapshot: undefined,
    maxAgeSeconds: 0,
  });
  await harness.drain();
  expect((await ask(token, {})).status).toBe(200);
}

const employee = (lastName: string) => ({
  employees: [[{ remote_id: "1", last_name: lastName }]],
});

/** Advances to so many milliseconds after the beginning of the next second. */
function advanceInto(ms: number): void {
  harness.clock.advance((1_000 - (harness.clock.now().getTime() % 1_000) + ms) / 1_000);
}

describe.each(["GET", "HEAD"])("several versions in one second, by %s", (method) => {
  test("whoever has an earlier one gets the last one", async () => {
    stub.pages = employee("A");
    const connected = await harness.connect({ provider: "stub" });
    const statusOf = async (headers: Record<string, string>): Promise<number> =>
      (await harness.http.request(method, url, { bearer: connected.token, headers })).status;
    advanceInto(100);
    const older = [await fetchData(harness, connected.token, url)];
    for (const name of ["B", "C"]) {
      harness.clock.advance(0.4);
      stub.pages = employee(name);
      await readAgain(connected);
      older.push(await ask(connected.token, {}));
    }
    // The last one comes once more, unchanged.
    await readAgain(connected);
    const second = harness.clock.now().toUTCString();
    expect(older.map(({ headers }) => headers["last-modified"])).toEqual([second, second, second]);
    expect(older.map(({ headers }) => headers["age"])).toEqual(["0", "0", "0"]);
    for (const advance of [0, 0.1, 5]) {
      harness.clock.advance(advance);
      expect(await statusOf({ "if-modified-since": second })).toBe(200);
    }
    const last = await ask(connected.token, {});
    expect(last.body).toMatchObject([{ last_name: "C" }]);
    expect(await statusOf({ "if-modified-since": String(last.headers["last-modified"]) })).toBe(
      304,
    );
    expect(
      await Promise.all(older.map((reply) => statusOf({ "if-none-match": etagOf(reply) }))),
    ).toEqual([200, 200, 304]);
  });

  test("what is read again and is the same is no later version", async () => {
    stub.pages = employee("A");
    const connected = await harness.connect({ provider: "stub" });
    advanceInto(100);
    const { headers } = await fetchData(harness, connected.token, url);
    harness.clock.advance(0.8);
    await readAgain(connected);
    const since = { "if-modified-since": String(headers["last-modified"]) };
    const reply = await harness.http.request(method, url, {
      bearer: connected.token,
      headers: since,
    });
    expect(reply.status).toBe(304);
  });
});

describe("If-Modified-Since", () => {
  test.each(
    dataEndpointCases.map((endpoint) => [`${endpoint.mode}/${endpoint.path}`, endpoint] as const),
  )("%s: the Last-Modified of a reply says that nothing changed", async (_name, endpoint) => {
    const { token } = await harness.connect({ mode: endpoint.mode });
    const located = await locate(harness, token, endpoint);
    harness.clock.advance(0.7);
    const whole = await fetchData(harness, token, located.url, located.query);
    const since = { "if-modified-since": String(whole.headers["last-modified"]) };
    const reply = await ask(token, since, located.url, located.query);
    expect([reply.status, reply.bytes.length]).toEqual([304, 0]);
    for (const name of ["etag", "age", "last-modified", "cache-control", "vary"])
      expect([name, reply.headers[name]]).toEqual([name, whole.headers[name]]);
  });

  test("a day that is before the data, or after today, is answered with the data", async () => {
    const { token } = await harness.connect();
    await fetchData(harness, token, url);
    const second = 1_000;
    const at = harness.clock.now().getTime();
    harness.clock.advance(60);
    const statuses = [];
    for (const ms of [at - second, at, at + 60 * second, at + 61 * second, at + 1e9])
      statuses.push((await ask(token, { "if-modified-since": new Date(ms).toUTCString() })).status);
    expect(statuses).toEqual([200, 304, 304, 200, 200]);
  });

  test("the older forms of a date are taken", async () => {
    const { token } = await harness.connect();
    await fetchData(harness, token, url);
    const [weekday = "", day = "", month = "", year = "", time = ""] = harness.clock
      .now()
      .toUTCString()
      .replace(",", "")
      .split(" ");
    const weekdays = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"];
    const long = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];
    for (const since of [
      `${long[weekdays.indexOf(weekday)]}, ${day}-${month}-${year.slice(2)} ${time} GMT`,
      `${weekday} ${month} ${String(Number(day)).padStart(2)} ${time} ${year}`,
    ])
      expect([since, (await ask(token, { "if-modified-since": since })).status]).toEqual([
        since,
        304,
      ]);
  });

  test.each([
    "yesterday",
    "0",
    "",
    "2026-11-24T00:00:00Z",
    "24 Nov 2026 00:00:00 GMT",
    "Tue, 24 Nov 2026 00:00:00",
    "Tue, 24 Nov 2026 00:00:00 +0000",
    "Sat, 31 Feb 2026 00:00:00 GMT",
    "Tue, 24 Nov 2026 25:00:00 GMT",
    "Tue, 24 Nov 2026 00:00:00 GMT, Tue, 24 Nov 2026 00:00:00 GMT",
  ])("%j is no date and counts as none", async (since) => {
    const { token } = await harness.connect();
    await fetchData(harness, token, url);
    expect((await ask(token, { "if-modified-since": since })).status).toBe(200);
  });

  test("counts for nothing beside If-None-Match", async () => {
    const { token } = await harness.connect();
    const whole = await fetchData(harness, token, url);
    const current = { "if-modified-since": String(whole.headers["last-modified"]) };
    const old = { "if-modified-since": "Sun, 06 Nov 1994 08:49:37 GMT" };
    const replies = await Promise.all([
      ask(token, { ...current, "if-none-match": '"other"' }),
      ask(token, { ...current, "if-none-match": "" }),
      ask(token, { ...old, "if-none-match": etagOf(whole) }),
    ]);
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 304]);
  });

  test("of an older version is answered with the newer data", async () => {
    stub.pages = { employees: [[{ remote_id: "1", last_name: "Old" }]] };
    const { token } = await harness.connect({ provider: "stub" });
    const old = String((await fetchData(harness, token, url)).headers["last-modified"]);
    stub.pages = { employees: [[{ remote_id: "1", last_name: "New" }]] };
    harness.clock.advance(3_601);
    await fetchData(harness, token, url);
    const reply = await ask(token, { "if-modified-since": old });
    expect([reply.status, reply.body]).toMatchObject([200, [{ last_name: "New" }]]);
  });

  test("finds no employee who is not there", async () => {
    const { token } = await harness.connect();
    const whole = await fetchData(harness, token, url);
    const since = { "if-modified-since": String(whole.headers["last-modified"]) };
    const reply = await ask(token, since, `${version}/xhr/employee`, { id: "nobody" });
    expect(reply.status).toBe(404);
  });
});

describe("If-None-Match as time goes by", () => {
  test("the tag of an older version is answered with the newer data", async () => {
    stub.pages = { employees: [[{ remote_id: "1", last_name: "Old" }]] };
    const connection = await harness.connect({ provider: "stub" });
    const old = etagOf(await fetchData(harness, connection.token, url));
    stub.pages = { employees: [[{ remote_id: "1", last_name: "New" }]] };
    harness.clock.advance(3_601);
    await fetchData(harness, connection.token, url);
    const reply = await harness.http.get(url, {
      bearer: connection.token,
      headers: { "if-none-match": old },
    });
    expect(reply.status).toBe(200);
    expect(reply.body).toMatchObject([{ last_name: "New" }]);
  });

  test("a 304 of ageing data has a refresh behind it, as the 200 has", async () => {
    const connection = await harness.connect({ provider: "stub" });
    const first = await fetchData(harness, connection.token, url);
    harness.clock.advance(1_000);
    const reply = await harness.http.get(url, {
      bearer: connection.token,
      headers: { "if-none-match": etagOf(first) },
    });
    expect(reply.status).toBe(304);
    await harness.drain();
    expect(stub.fetches).toHaveLength(2);
  });

  test("what is too old is 202, whatever the caller has", async () => {
    const { token } = await harness.connect();
    const tag = etagOf(await fetchData(harness, token, url));
    harness.clock.advance(3_601);
    for (const value of [tag, "*"])
      expect(
        (await harness.http.get(url, { bearer: token, headers: { "if-none-match": value } }))
          .status,
      ).toBe(202);
  });

  test("a disconnected token is 403, whatever the caller has", async () => {
    const { token } = await harness.connect();
    const tag = etagOf(await fetchData(harness, token, url));
    await harness.http.post(`${version}/management/disconnect`, { bearer: token });
    expect(
      (await harness.http.get(url, { bearer: token, headers: { "if-none-match": tag } })).status,
    ).toBe(403);
  });
});
