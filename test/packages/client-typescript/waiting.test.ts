import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { RollcallEvent } from "../../../packages/client-typescript/src/index.ts";
import { pending, ready, refused, standIn, type Answer } from "./stand-in.ts";

beforeEach(() => {
  vi.useFakeTimers();
  // Waits are as long as the service says, and backoffs half of the longest.
  vi.spyOn(Math, "random").mockReturnValue(0);
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

/** How a call ends, and after how many seconds. */
async function ending(call: Promise<unknown>) {
  const startMs = performance.now();
  const ended = call.then(
    (data) => ({ data }),
    (error: unknown) => ({ code: (error as { code?: string }).code ?? error }),
  );
  const outcome = ended.then((how) => ({
    ...how,
    seconds: Math.round((performance.now() - startMs) / 100) / 10,
  }));
  await vi.runAllTimersAsync();
  return await outcome;
}

const isReady = (change: Partial<RollcallEvent["data"]> = {}): RollcallEvent => ({
  id: "event-1",
  type: "data.ready",
  timestamp: "2026-11-26T10:00:00.000Z",
  data: {
    token: "token-1",
    provider: "sandbox",
    mode: "xhr",
    reference: null,
    metadata: null,
    resource: "employees",
    parameters: {},
    version: "v1",
    ...change,
  } as never,
});

describe("a read waits for its data", () => {
  test("with the replies held by the service, and no request before Retry-After", async () => {
    const { connection, asked, times } = standIn([pending(5), pending(7), ready([1])]);
    expect(await ending(connection.employees())).toEqual({ data: [1], seconds: 12 });
    expect(times()).toEqual([0, 5, 12]);
    expect(asked.map(({ headers }) => headers.get("prefer"))).toEqual([
      "wait=30",
      "wait=30",
      "wait=30",
    ]);
  });

  test("and comes back a little later than it was told, so that not all come at once", async () => {
    vi.mocked(Math.random).mockReturnValue(1);
    const { connection, times } = standIn([pending(10), ready()]);
    await ending(connection.groups());
    expect(times()).toEqual([0, 11]);
  });

  test("through a 429 and a 503, for as long as they say", async () => {
    const answers = [pending(1), refused(429, 4), refused(503, 3), refused(502), ready([1])];
    const { connection, times } = standIn(answers);
    expect(await ending(connection.company())).toMatchObject({ data: [1] });
    expect(times()).toEqual([0, 1, 5, 8, 10]);
  });

  test("and for a body that takes long, until the deadline", async () => {
    const { connection, times } = standIn([{ bodySeconds: 100 }]);
    expect(await ending(connection.employees())).toEqual({ data: [1], seconds: 100 });
    expect(times()).toEqual([0]);
    const late = standIn([{ bodySeconds: 100 }]);
    const ended = ending(late.connection.employees({}, { deadlineSeconds: 90 }));
    expect(await ended).toEqual({ code: "unreachable", seconds: 90 });
  });

  test("of events for ten minutes, so that a rate limit of five ends no follower", async () => {
    const page = ready({ events: [], after: "c1", more: true });
    const follow = (options = {}) => {
      const answers = [page, refused(429, 280), page, refused(503, 590), page];
      const { rollcall, asked } = standIn([...answers, refused(429, 601)], options);
      return { ended: ending(rollcall.events({ isFollowing: true }).next()), asked };
    };
    const { ended, asked } = follow();
    expect(await ended).toEqual({ code: "rate_limited", seconds: 870 });
    expect(asked[0]?.path).toContain("limit=1000");
    const { ended: shorter } = follow({ deadlineSeconds: 279 });
    expect(await shorter).toEqual({ code: "rate_limited", seconds: 0 });
  });

  test("until its deadline, which ends it with what stood in the way", async () => {
    const { connection, times } = standIn([pending(7)]);
    const read = connection.employees({}, { deadlineSeconds: 20 });
    expect(await ending(read)).toEqual({ code: "pending", seconds: 14 });
    await expect(read).rejects.toMatchObject({ retryAfterSeconds: 7 });
    expect(times()).toEqual([0, 7, 14]);
  });

  test("and asks for no longer a hold than is left", async () => {
    const { connection, asked } = standIn([pending(8), pending(1), ready()]);
    await ending(connection.groups({ deadlineSeconds: 10 }));
    expect(asked.map(({ headers }) => headers.get("prefer"))).toEqual(["wait=9", "wait=1", null]);
  });

  test("a reply that does not come is cut off at the deadline", async () => {
    const silent = standIn(["silence"]);
    expect(await ending(silent.connection.groups({ deadlineSeconds: 9 }))).toEqual({
      code: "unreachable",
      seconds: 9,
    });
    const busy = standIn([pending(1), "silence"]);
    expect(await ending(busy.connection.groups({ deadlineSeconds: 9 }))).toEqual({
      code: "pending",
      seconds: 9,
    });
  });

  test("a reply that hangs does not take the whole time", async () => {
    const { connection, times } = standIn(["silence", ready([1])]);
    expect(await ending(connection.identity())).toMatchObject({ data: [1] });
    expect(times()).toEqual([0, 30.3]);
  });

  test("not at all, when it is told to ask once", async () => {
    const { connection, asked } = standIn([pending(1), ready()]);
    const read = connection.employees({}, { asksOnce: true });
    expect(await ending(read)).toEqual({ code: "pending", seconds: 0 });
    expect(asked.map(({ headers }) => headers.get("prefer"))).toEqual([null]);
  });

  test("until its caller gives up, with the reason of the signal", async () => {
    const [before, meanwhile, held] = [
      standIn([ready()]),
      standIn([pending(9)]),
      standIn(["silence"]),
    ];
    const reason = new Error("the user left");
    await expect(before.connection.groups({ signal: AbortSignal.abort(reason) })).rejects.toBe(
      reason,
    );
    expect(before.asked).toEqual([]);
    for (const { connection, asked } of [meanwhile, held]) {
      const giving = new AbortController();
      const read = connection.groups({ signal: giving.signal });
      setTimeout(() => giving.abort(reason), 2_000);
      expect(await ending(read)).toEqual({ code: reason, seconds: 2 });
      expect(asked).toHaveLength(1);
    }
  });

  test("and sends nothing, when its caller gave up while a copy was looked for", async () => {
    const giving = new AbortController();
    const etags = {
      get() {
        giving.abort("left");
        return undefined;
      },
      set: () => undefined,
    };
    const { connection, asked } = standIn([ready()], { etags });
    await expect(connection.groups({ signal: giving.signal })).rejects.toBe("left");
    expect(asked).toEqual([]);
  });
});

describe("an event that is handed in", () => {
  const hasEvents = true;

  test("ends the wait of the reads that it is about", async () => {
    const { rollcall, connection, times } = standIn([pending(100), ready([1])], { hasEvents });
    setTimeout(() => rollcall.notify(isReady()), 3_000);
    expect(await ending(connection.employees({ employment_status: "active" }))).toMatchObject({
      data: [1],
    });
    expect(times()).toEqual([0, 3]);
  });

  test("is waited for until the deadline, also where the service says that it takes longer", async () => {
    const { rollcall, connection, times } = standIn([pending(300), ready([1])], { hasEvents });
    setTimeout(() => rollcall.notify(isReady({ resource: "groups" } as never)), 100_000);
    expect(await ending(connection.groups())).toMatchObject({ data: [1], seconds: 100 });
    expect(times()).toEqual([0, 100]);
    const without = standIn([pending(300)], { hasEvents });
    expect(await ending(without.connection.groups())).toEqual({ code: "pending", seconds: 120 });
    expect(without.asked).toHaveLength(1);
  });

  test("is not waited for by who has none", async () => {
    const { connection, asked } = standIn([pending(300)]);
    expect(await ending(connection.groups())).toEqual({ code: "pending", seconds: 0 });
    expect(asked).toHaveLength(1);
  });

  test("of other data, of another token and of another range asks for nothing", async () => {
    const { rollcall, connection, times } = standIn([pending(50), ready()], { hasEvents });
    const range = { start_date: "2026-01-01", end_date: "2026-01-31" };
    setTimeout(() => {
      const resource = "timesheets";
      rollcall.notify(isReady({ resource: "payruns", parameters: range } as never));
      rollcall.notify(isReady({ token: "token-2", resource, parameters: range } as never));
      const later = { ...range, end_date: "2026-02-28" };
      rollcall.notify(isReady({ resource, parameters: later } as never));
      rollcall.notify({ ...isReady(), type: "connection.healed" } as RollcallEvent);
    }, 3_000);
    await ending(connection.timesheets(range));
    expect(times()).toEqual([0, 50]);
  });

  test("that came while a reply was under way is not lost", async () => {
    const { rollcall, connection, times } = standIn([pending(100), ready([1])], { hasEvents });
    const read = connection.payslips({ payrun_id: "run-1" });
    const parameters = { payrun_id: "run-1" };
    rollcall.notify(isReady({ resource: "payslips", parameters } as never));
    expect(await ending(read)).toEqual({ data: [1], seconds: 0 });
    expect(times()).toEqual([0, 0]);
  });
});

const counts = async (
  answers: readonly Answer[],
  make: "advance" | "rename" | "rotate" | "replace" | "disconnect",
) => {
  const { rollcall, connection, asked } = standIn(answers);
  const calls = {
    advance: () => rollcall.sandbox.advance("token-1"),
    rename: () => rollcall.updateClient({ name: "Acme" }),
    rotate: () => rollcall.updateClient({ rotate_secret: true }),
    replace: () => rollcall.updateClient({ name: "Acme", client_secret: "rc_cs_new" }),
    disconnect: () => connection.disconnect(),
  };
  await ending(calls[make]());
  return asked.length;
};

describe("what is made again", () => {
  test("everything that was refused before it began", async () => {
    for (const make of ["advance", "rename", "rotate", "replace", "disconnect"] as const)
      expect([make, await counts([refused(429, 1), ready({})], make)]).toEqual([make, 2]);
  });

  test.each<[Answer, string]>([
    [refused(503, 1), "a 503"],
    ["network error", "a lost reply"],
  ])("after %o, what may be done twice and nothing else", async (answer) => {
    expect(await counts([answer, ready({})], "rename")).toBe(2);
    expect(await counts([answer, ready({})], "disconnect")).toBe(2);
    expect(await counts([answer, ready({})], "advance")).toBe(1);
    expect(await counts([answer, ready({})], "rotate")).toBe(1);
    expect(await counts([answer, ready({})], "replace")).toBe(1);
  });

  test("a read while nothing answers, later each time, up to its deadline", async () => {
    const { connection, times } = standIn(["network error"]);
    expect(await ending(connection.groups({ deadlineSeconds: 20 }))).toMatchObject({
      code: "unreachable",
    });
    expect(times()).toEqual([0, 0.3, 0.8, 1.8, 3.8, 7.8, 12.8, 17.8]);
  });

  test("nothing that says that it will be the same again", async () => {
    for (const status of [400, 401, 403, 404, 409, 500, 501]) {
      const { connection, asked } = standIn([refused(status)]);
      await ending(connection.groups());
      expect([status, asked.length]).toEqual([status, 1]);
    }
  });
});
