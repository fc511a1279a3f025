import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  countFetches,
  fetchData,
  fetchList,
  january,
  listCasesOf,
  retryAfter,
  signInAgain,
  version,
} from "../support/data-endpoints.ts";
import type { Resource } from "../../src/model/index.ts";
import { createHarness, type Harness } from "../support/harness.ts";
import { TestClock } from "../support/test-clock.ts";

let harness: Harness;
beforeAll(async () => {
  harness = await createHarness();
});
afterAll(() => harness.close());

const url = (path: string): string => `${version}/xhr/${path}`;
/** Every list that can be asked for without an id. */
const lists = listCasesOf("xhr");

/** A connection of this user for which every list was fetched. */
function connectAndFetch(user: string) {
  const found = { token: "", lists: new Map<string, Record<string, unknown>[]>() };
  beforeAll(async () => {
    ({ token: found.token } = await harness.connect({ user }));
    for (const { path, query } of lists)
      await harness.http.get(url(path), { bearer: found.token, query });
    await harness.drain();
    for (const { path, query } of lists) {
      const { body } = await harness.http.get(url(path), { bearer: found.token, query });
      found.lists.set(path, body as Record<string, unknown>[]);
    }
  });
  return found;
}

describe("user_expired", () => {
  test("202, then 401 reauthentication_required on every endpoint and for good, until somebody signs in again", async () => {
    const { token, tokenId } = await harness.connect({ user: "user_expired" });
    expect((await harness.http.get(url("employees"), { bearer: token })).status).toBe(202);
    await harness.drain();
    const fetches = await countFetches(harness, tokenId);
    for (const days of [0, 1, 30]) {
      harness.clock.advance(days * 24 * 3600);
      for (const { path, query } of lists) {
        const reply = await harness.http.get(url(path), { bearer: token, query });
        expect([path, reply.status, reply.body]).toEqual([
          path,
          401,
          {
            error: "authentication_error",
            message: expect.stringMatching(/./),
            code: "reauthentication_required",
          },
        ]);
      }
    }
    expect(await countFetches(harness, tokenId)).toBe(fetches);
    await signInAgain(harness, tokenId);
    expect(await fetchList(harness, token, url("employees"))).not.toHaveLength(0);
  });
});

describe("user_down", () => {
  test("202, then 503 whose Retry-After counts down from 60 s, then anew", async () => {
    const { token } = await harness.connect({ user: "user_down" });
    const get = () => harness.http.get(url("company"), { bearer: token });
    expect((await get()).status).toBe(202);
    await harness.drain();
    for (let again = 0; again < 3; again += 1) {
      expect((await get()).status).toBe(202);
      await harness.drain({ includeDelayed: true });
    }
    for (const [advance, left] of [
      [0, 60],
      [15, 45],
      [44, 1],
    ] as const) {
      harness.clock.advance(advance);
      const reply = await get();
      expect([reply.status, reply.body, retryAfter(reply)]).toEqual([
        503,
        { message: expect.stringMatching(/./) },
        left,
      ]);
    }
    harness.clock.advance(1);
    expect((await get()).status).toBe(202);
  });
});

describe("user_limited", () => {
  test("202 with a Retry-After of at least the 5 s that the provider asks for, then 200, every time", async () => {
    const { token } = await harness.connect({ user: "user_limited" });
    for (let time = 1; time <= 2; time += 1) {
      expect((await harness.http.get(url("company"), { bearer: token })).status).toBe(202);
      await harness.drain();
      const limited = await harness.http.get(url("company"), { bearer: token });
      expect(limited.status).toBe(202);
      expect(retryAfter(limited)).toBeGreaterThanOrEqual(5);
      harness.clock.advance(5);
      await harness.drain({ includeDelayed: true });
      expect((await harness.http.get(url("company"), { bearer: token })).status).toBe(200);
      harness.clock.advance(3_601);
    }
  });
});

describe("user_no_payroll", () => {
  test("payruns and payslips are 501 before any job is made; the rest is there", async () => {
    const { token, tokenId } = await harness.connect({ user: "user_no_payroll" });
    for (const path of ["payruns", "payruns/unknown"]) {
      const reply = await harness.http.get(url(path), { bearer: token, query: january });
      expect([reply.status, reply.body]).toEqual([501, { message: expect.stringMatching(/./) }]);
    }
    expect(await countFetches(harness, tokenId)).toBe(0);
    expect(await fetchList(harness, token, url("timesheets"), january)).not.toHaveLength(0);
  });

  test("what a later sign-in finds is there from then on", async () => {
    const { token, tokenId } = await harness.connect({ user: "user_no_payroll" });
    await signInAgain(harness, tokenId, "user_good");
    expect(await fetchList(harness, token, url("payruns"), january)).not.toHaveLength(0);
  });
});

describe("user_sparse", () => {
  const sparse = connectAndFetch("user_sparse");
  /** The fields that are never null. Payslips need an id, so they have a test of their own. */
  const present: Record<Exclude<Resource, "payslips">, readonly string[]> = {
    company: [],
    employees: [
      "id",
      "remote_id",
      "first_name",
      "last_name",
      "display_full_name",
      "home_location",
      "work_location",
      "employments",
      "groups",
    ],
    groups: [],
    payruns: ["id", "remote_id"],
    timesheets: ["id", "remote_id", "employee_id", "employee_remote_id", "hours_worked"],
    "time-off-entries": ["id", "remote_id", "employee_id", "employee_remote_id", "amount", "unit"],
    "time-off-balances": ["employee_id", "employee_remote_id"],
    "work-locations": [],
  };

  test.each(Object.entries(present))(
    "%s have null wherever null is allowed, and are there all the same",
    (path, expected) => {
      const records = sparse.lists.get(path) ?? [];
      expect(records.length).toBeGreaterThan(0);
      for (const record of records) {
        const notNull = Object.keys(record).filter((field) => record[field] !== null);
        expect(notNull.sort()).toEqual([...expected].sort());
      }
    },
  );

  test("objects that are always there are so with their members null, and lists that are always there are empty", () => {
    const [person] = sparse.lists.get("employees") ?? [];
    const nothing = {
      street_address: null,
      locality: null,
      administrative_area: null,
      country: null,
      post_code: null,
    };
    expect(person).toMatchObject({
      home_location: nothing,
      work_location: { id: null, remote_id: null, name: null, type: null, address: null },
      employments: [],
      groups: [],
    });
  });

  test("payslips keep their dates and whose they are", async () => {
    const run = sparse.lists
      .get("payruns")
      ?.find(({ remote_id: remoteId }) => String(remoteId).startsWith("monthly"));
    const slips = await fetchList(harness, sparse.token, url(`payruns/${run?.["id"] as string}`));
    const required = [
      "employee_id",
      "employee_remote_id",
      "end_date",
      "payment_date",
      "payrun_id",
      "payrun_remote_id",
      "start_date",
    ];
    expect(slips.length).toBeGreaterThan(0);
    for (const slip of slips)
      expect(
        Object.keys(slip)
          .filter((field) => slip[field] !== null)
          .sort(),
      ).toEqual(required);
  });
});

describe("user_empty", () => {
  const empty = connectAndFetch("user_empty");

  test.each(lists.map(({ path }) => path))("%s is an empty array", (path) => {
    expect(empty.lists.get(path)).toEqual([]);
  });

  test("nobody has any status or id", async () => {
    const { token } = empty;
    expect(
      (
        await harness.http.get(url("employees"), {
          bearer: token,
          query: { employment_status: "active" },
        })
      ).body,
    ).toEqual([]);
    expect(
      (
        await harness.http.get(url("employee"), {
          bearer: token,
          query: { id: "AAAAAAAAAAAAAAAAAAAAAA" },
        })
      ).status,
    ).toBe(404);
  });
});

describe("user_large", () => {
  test("10,000 employees come whole, by status, and one by one", async () => {
    const { token } = await harness.connect({ user: "user_large" });
    const everybody = await fetchList(harness, token, url("employees"));
    expect(everybody).toHaveLength(10_000);
    expect(new Set(everybody.map(({ id }) => id)).size).toBe(10_000);
    const active = await harness.http.get(url("employees"), {
      bearer: token,
      query: { employment_status: "active" },
    });
    expect(
      active.bytes.toString() ===
        JSON.stringify(everybody.filter(({ employment_status: status }) => status === "active")),
    ).toBe(true);
    for (const position of [0, 4_999, 9_999]) {
      const reply = await harness.http.get(url("employee"), {
        bearer: token,
        query: { id: everybody[position]?.["id"] as string },
      });
      expect(reply.body).toEqual(everybody[position]);
    }
  });
});

/** Time passes while somebody sleeps for long, as it does outside of tests. */
class PassingClock extends TestClock {
  override async sleep(ms: number, signal?: AbortSignal): Promise<void> {
    if (ms >= 5_000) this.advance(ms / 1000);
    await super.sleep(ms, signal);
  }
}

describe("user_slow", () => {
  test("each fetch takes 10 s, which the next caller is told", async () => {
    const slow = await createHarness({ clock: new PassingClock() });
    try {
      const { token } = await slow.connect({ user: "user_slow" });
      const askedAt = slow.clock.now();
      const first = await fetchData(slow, token, url("company"));
      expect(first.headers["last-modified"]).toBe(
        new Date(askedAt.getTime() + 10_000).toUTCString(),
      );
      const other = await slow.connect({ user: "user_slow" });
      expect(retryAfter(await slow.http.get(url("company"), { bearer: other.token }))).toBe(10);
    } finally {
      await slow.close();
    }
  });
});
