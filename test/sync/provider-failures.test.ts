import { setTimeout as delay } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import {
  AuthError,
  FieldError,
  OperationNotSupported,
  ProviderBug,
  ProviderDown,
  ProviderRateLimited,
} from "../../src/providers/errors.ts";
import { createReadTable } from "../../src/reading/read-store.ts";
import {
  disconnectAll,
  fetchData,
  january,
  retryAfter,
  signInAgain,
  version,
} from "../support/data-endpoints.ts";
import { createHarness, type Harness } from "../support/harness.ts";
import { runOnce } from "../support/run-once.ts";
import { Gate, StubProvider } from "../support/stub-provider.ts";

const stub = new StubProvider();

let harness: Harness;
beforeAll(async () => {
  harness = await createHarness({ registry: stub.registry() });
});
afterAll(() => harness.close());
beforeEach(() => {
  stub.reset();
  stub.pages = { company: [[{ remote_id: "c1" }]], groups: [[{ remote_id: "g1" }]] };
});
afterEach(async () => {
  vi.restoreAllMocks();
  await disconnectAll(harness);
});

const url = (path = "company"): string => `${version}/xhr/${path}`;
/** Of a run that nobody renews any more. */
const leaseSeconds = 10;
const connect = () => harness.connect({ provider: "stub" });
const get = (bearer: string, path?: string) => harness.http.get(url(path), { bearer });

/** Lets every try run that the job still has. */
async function exhaust(token: string): Promise<number[]> {
  const waits: number[] = [];
  expect((await get(token)).status).toBe(202);
  await harness.drain();
  for (
    let reply = await get(token);
    reply.status === 202 && waits.length < 10;
    reply = await get(token)
  ) {
    waits.push(retryAfter(reply));
    await harness.drain({ includeDelayed: true });
  }
  return waits;
}

const refuse = (): never => {
  throw new AuthError("incorrect_username_or_password");
};

describe("a provider that is down", () => {
  beforeEach(() => {
    stub.onFetch = () => {
      throw new ProviderDown("down");
    };
  });

  test("is tried four times behind the 202, within two minutes", async () => {
    const { token } = await connect();
    const waits = await exhaust(token);
    expect(stub.fetches).toHaveLength(4);
    expect(waits).toHaveLength(3);
    expect(waits.reduce((sum, wait) => sum + wait, 0)).toBeLessThanOrEqual(120);
    expect((await get(token)).status).toBe(503);
  });

  test("is not tried any more when two minutes are over, however few tries there were", async () => {
    const requestedAt = harness.clock.now().getTime();
    const triedAfter: number[] = [];
    stub.onFetch = () => {
      triedAfter.push((harness.clock.now().getTime() - requestedAt) / 1000);
      harness.clock.advance(70);
      throw new ProviderDown("down");
    };
    const { token } = await connect();
    await exhaust(token);
    expect((await get(token)).status).toBe(503);
    expect(triedAfter.length).toBeGreaterThan(1);
    expect(Math.max(...triedAfter)).toBeLessThanOrEqual(120);
  });

  test("has its tries all the same when the read waited long for a place between them", async () => {
    stub.onFetch = ({ number }) => {
      if (number < 3) throw new ProviderDown("for a moment");
    };
    const { token } = await connect();
    await get(token);
    harness.clock.advance(300);
    await harness.drain();
    harness.clock.advance(300);
    await harness.drain();
    expect((await get(token)).status).toBe(202);
    await harness.drain({ includeDelayed: true });
    expect((await get(token)).status).toBe(200);
  });

  describe("has two minutes that never begin later than now", () => {
    beforeEach(() => {
      stub.onFetch = () => {
        harness.clock.advance(70);
        throw new ProviderDown("down");
      };
    });

    test("when the worker of a read that waited long for a place was killed", async () => {
      const { token } = await connect();
      await get(token);
      harness.clock.advance(600);
      expect(await createReadTable(harness.services.pool, []).claim()).toBeDefined();
      harness.clock.advance(leaseSeconds + 1);
      await exhaust(token);
      expect(stub.fetches).toHaveLength(2);
    });

    test("when a read that the provider had made wait was cancelled, and somebody asks again", async () => {
      const { onFetch } = stub;
      stub.onFetch = () => {
        throw new ProviderRateLimited(3_600);
      };
      const { token } = await connect();
      await get(token);
      await harness.drain();
      const [read] = await harness.database.query("select id from reads where state = 'pending'");
      await harness.services.reads.cancel(String(read!["id"]));
      harness.clock.advance(61);
      stub.fetches.length = 0;
      stub.onFetch = onFetch;
      await exhaust(token);
      expect(stub.fetches).toHaveLength(2);
    });
  });

  test("and then answers nothing at all has failed when two minutes are over", async () => {
    const { token } = await connect();
    await get(token);
    await harness.drain();
    harness.clock.advance(117);
    const gate = new Gate();
    stub.onFetch = () => gate.pass();
    const startedAt = performance.now();
    await harness.drain({ includeDelayed: true });
    expect(performance.now() - startedAt).toBeLessThan(10_000);
    expect((await get(token)).status).toBe(503);
    gate.open();
  });

  test("is answered 503 to every caller for 60 s, with the seconds that remain and without a job; then a request starts anew", async () => {
    const { token } = await connect();
    await exhaust(token);
    for (const [advance, left] of [
      [0, 60],
      [59, 1],
    ] as const) {
      harness.clock.advance(advance);
      const replies = await Promise.all(Array.from({ length: 5 }, () => get(token)));
      for (const reply of replies) expect([reply.status, retryAfter(reply)]).toEqual([503, left]);
    }
    await harness.drain({ includeDelayed: true });
    expect(stub.fetches).toHaveLength(4);
    harness.clock.advance(1);
    stub.onFetch = () => undefined;
    await fetchData(harness, token, url());
  });

  test("says nothing of another resource, nor of another connection", async () => {
    const { token } = await connect();
    await exhaust(token);
    const other = await connect();
    expect((await get(token, "groups")).status).toBe(202);
    expect((await get(other.token)).status).toBe(202);
  });

  test("for one try is a 200 after the next", async () => {
    stub.onFetch = ({ number }) => {
      if (number < 3) throw new ProviderDown("for a moment");
    };
    const { token } = await connect();
    expect(await exhaust(token)).toHaveLength(2);
    expect((await get(token)).status).toBe(200);
  });

  test("while stored data is refreshed leaves it served until its hour is over, and is tried again now and then", async () => {
    stub.onFetch = () => undefined;
    const { token } = await connect();
    await fetchData(harness, token, url());
    stub.onFetch = () => {
      throw new ProviderDown("down");
    };
    for (const advance of [901, 61, 61]) {
      harness.clock.advance(advance);
      for (let tries = 0; tries < 4; tries += 1) {
        expect((await get(token)).status).toBe(200);
        await harness.drain({ includeDelayed: true });
      }
    }
    expect(stub.fetches).toHaveLength(1 + 3 * 4);
    harness.clock.advance(3_600 - 901 - 61 - 61 - 1);
    expect((await get(token)).status).toBe(200);
    harness.clock.advance(2);
    expect((await get(token)).status).toBe(202);
    expect((await exhaust(token)).length).toBeGreaterThan(0);
    expect((await get(token)).status).toBe(503);
  });

  test("does not keep Cache-Control: no-cache from being told so", async () => {
    stub.onFetch = () => undefined;
    const { token } = await connect();
    await fetchData(harness, token, url());
    harness.clock.advance(61);
    stub.onFetch = () => {
      throw new ProviderDown("down");
    };
    const noCache = () =>
      harness.http.get(url(), { bearer: token, headers: { "cache-control": "no-cache" } });
    expect((await noCache()).status).toBe(202);
    for (let tries = 0; tries < 4; tries += 1) await harness.drain({ includeDelayed: true });
    expect((await noCache()).status).toBe(503);
    expect((await get(token)).status).toBe(200);
  });
});

describe("a right that is missing for one resource", () => {
  test("leaves the others readable, and heals within an hour when it is given back", async () => {
    stub.onFetch = ({ resource }) => {
      if (resource === "company") throw new AuthError("insufficient_permission");
    };
    const { token } = await connect();
    await get(token);
    await harness.drain();
    expect(await get(token)).toMatchObject({
      status: 401,
      body: { code: "insufficient_permission" },
    });
    expect((await fetchData(harness, token, url("groups"))).status).toBe(200);
    stub.onFetch = () => undefined;
    expect((await get(token)).status).toBe(401);
    harness.clock.advance(3_601);
    expect((await fetchData(harness, token, url())).status).toBe(200);
  });

  test("forgets the other ranges of dates: after the next sign-in each is read anew at once", async () => {
    stub.pages = { payruns: [[]] };
    const { token, tokenId } = await connect();
    const february = { start_date: "2026-02-01", end_date: "2026-02-28" };
    await fetchData(harness, token, url("payruns"), january);
    stub.onFetch = () => {
      throw new AuthError("insufficient_permission");
    };
    const query = february;
    expect((await harness.http.get(url("payruns"), { bearer: token, query })).status).toBe(202);
    await harness.drain();
    harness.clock.advance(60);
    await signInAgain(harness, tokenId);
    stub.onFetch = () => undefined;
    await fetchData(harness, token, url("payruns"), january);
    expect(stub.fetches).toHaveLength(3);
  });
});

describe("a provider that asks to wait", () => {
  test("is not asked before, and then answers", async () => {
    stub.onFetch = ({ number }) => {
      if (number === 1) throw new ProviderRateLimited(20);
    };
    const { token } = await connect();
    await get(token);
    await harness.drain();
    const reply = await get(token);
    expect([reply.status, retryAfter(reply)]).toEqual([202, 20]);
    await harness.drain();
    expect(stub.fetches).toHaveLength(1);
    harness.clock.advance(20);
    await harness.drain({ includeDelayed: true });
    expect((await get(token)).status).toBe(200);
  });

  test("is asked more and more seldom when it does not say for how long", async () => {
    stub.onFetch = () => {
      throw new ProviderRateLimited(0);
    };
    const { token } = await connect();
    await get(token);
    const waits: number[] = [];
    for (let run = 0; run < 10; run += 1) {
      await harness.drain();
      const { rows } = await harness.services.pool.query<{ due: Date }>(
        "select due_at as due from reads where state = 'pending'",
      );
      const seconds = (rows[0]!.due.getTime() - harness.clock.now().getTime()) / 1000;
      waits.push(seconds);
      harness.clock.advance(seconds);
    }
    expect(waits).toEqual([1, 2, 4, 8, 16, 32, 64, 128, 256, 300]);
  });

  test.each([0, -5, 0.001, 121, 3_600, 1e300, Number.NaN, Number.POSITIVE_INFINITY])(
    "for %d seconds is waited for, a day long at most",
    async (seconds) => {
      stub.onFetch = () => {
        throw new ProviderRateLimited(seconds);
      };
      const { token } = await connect();
      await get(token);
      for (let waits = 0; waits < 5; waits += 1) await harness.drain({ includeDelayed: true });
      expect((await get(token)).status).toBe(202);
      harness.clock.advance(24 * 3600);
      await harness.drain({ includeDelayed: true });
      const reply = await get(token);
      expect(reply.status).toBe(503);
      expect(retryAfter(reply)).toBeGreaterThanOrEqual(60);
    },
  );
});

/** A connection whose one fetch found that there is no such operation; the next one would find it. */
async function connectUnsupported() {
  const connection = await connect();
  await get(connection.token);
  await harness.drain();
  const reply = await get(connection.token);
  expect([reply.status, reply.body]).toEqual([501, { message: expect.stringMatching(/./) }]);
  stub.onFetch = () => undefined;
  return connection;
}

describe("an operation that a job finds unsupported", () => {
  beforeEach(() => {
    stub.onFetch = () => {
      throw new OperationNotSupported("not in this account");
    };
  });

  test("is 501 for 24 hours without a job, and then a request starts anew", async () => {
    const { token } = await connectUnsupported();
    for (const advance of [60, 3_600, 24 * 3600 - 3_661]) {
      harness.clock.advance(advance);
      expect((await get(token)).status).toBe(501);
    }
    await harness.drain();
    expect(stub.fetches).toHaveLength(1);
    harness.clock.advance(1);
    await fetchData(harness, token, url());
  });

  test("is asked for anew as soon as the end user has signed in again", async () => {
    const { token, tokenId } = await connectUnsupported();
    harness.clock.advance(1);
    await signInAgain(harness, tokenId);
    expect((await fetchData(harness, token, url())).status).toBe(200);
  });

  test("by a run that began before the end user signed in again is not kept", async () => {
    const gate = new Gate();
    stub.onFetch = async () => {
      await gate.pass();
      throw new OperationNotSupported("under the earlier sign-in");
    };
    const { token, tokenId } = await connect();
    await get(token);
    const draining = harness.drain();
    await gate.reached;
    harness.clock.advance(1);
    await signInAgain(harness, tokenId);
    harness.clock.advance(1);
    stub.onFetch = () => undefined;
    gate.open();
    await draining;
    expect((await get(token)).status).not.toBe(501);
  });

  test("says nothing of the others", async () => {
    const { token } = await connectUnsupported();
    expect((await fetchData(harness, token, url("groups"))).status).toBe(200);
  });
});

describe("an operation that the sign-in check finds missing", () => {
  test("is 501 before any job, until a sign-in finds it", async () => {
    stub.unsupported = ["payruns", "payslips"];
    const { token, tokenId } = await connect();
    for (const path of ["payruns", "payruns/x"])
      expect((await harness.http.get(url(path), { bearer: token, query: january })).status).toBe(
        501,
      );
    await harness.drain();
    expect(stub.fetches).toHaveLength(0);
    stub.unsupported = [];
    await signInAgain(harness, tokenId);
    expect((await harness.http.get(url("payruns"), { bearer: token, query: january })).status).toBe(
      202,
    );
  });
});

describe("a resource that was missing at the sign-in", () => {
  test("is looked for again after a day", async () => {
    stub.unsupported = ["groups"];
    const { token } = await connect();
    const groups = () => harness.http.get(url("groups"), { bearer: token });
    expect((await groups()).status).toBe(501);
    harness.clock.advance(24 * 3600);
    expect((await groups()).status).toBe(202);
    await harness.drain();
    expect((await groups()).status).toBe(200);
  });
});

describe("a refused password", () => {
  const slow = new StubProvider({ concurrency: 1 });
  let queued: Harness;
  beforeAll(async () => {
    queued = await createHarness({ registry: slow.registry() });
  });
  afterAll(() => queued.close());
  beforeEach(() => slow.reset());
  afterEach(() => disconnectAll(queued));

  const paths = ["company", "employees", "groups", "work-locations"];
  const ask = async (token: string): Promise<number[]> => {
    const replies = await Promise.all(
      paths.map((path) => queued.http.get(url(path), { bearer: token })),
    );
    return replies.map(({ status }) => status);
  };

  test("is tried once, also when more was asked for before it was known", async () => {
    slow.onFetch = refuse;
    const { token } = await queued.connect({ provider: "stub" });
    expect(await ask(token)).toEqual([202, 202, 202, 202]);
    await queued.drain();
    expect(slow.fetches).toHaveLength(1);
    expect(await ask(token)).toEqual([401, 401, 401, 401]);
  });

  test("is tried once in 24 hours of asking", async () => {
    slow.onFetch = refuse;
    const { token } = await queued.connect({ provider: "stub" });
    expect((await queued.http.get(url(), { bearer: token })).status).toBe(202);
    for (let hour = 0; hour < 24; hour += 1) {
      await queued.drain({ includeDelayed: true });
      expect(await ask(token)).toEqual([401, 401, 401, 401]);
      queued.clock.advance(3_600);
    }
    expect(slow.fetches).toHaveLength(1);
  });

  test("is not tried by a job that waits for its next try", async () => {
    slow.onFetch = ({ resource }) => {
      if (resource === "groups") throw new ProviderDown("for a moment");
      refuse();
    };
    const { token } = await queued.connect({ provider: "stub" });
    await queued.http.get(url("groups"), { bearer: token });
    await queued.drain();
    await queued.http.get(url("company"), { bearer: token });
    await queued.drain();
    expect((await queued.http.get(url("company"), { bearer: token })).status).toBe(401);
    const before = slow.fetches.length;
    await queued.drain({ includeDelayed: true });
    expect(slow.fetches).toHaveLength(before);
  });

  test("is no reason not to use the next one: what waited is fetched after the next sign-in", async () => {
    slow.onFetch = refuse;
    const { token, tokenId } = await queued.connect({ provider: "stub" });
    await ask(token);
    await queued.drain();
    slow.onFetch = () => undefined;
    queued.clock.advance(1);
    await signInAgain(queued, tokenId);
    await ask(token);
    await queued.drain({ includeDelayed: true });
    expect(await ask(token)).toEqual([200, 200, 200, 200]);
  });
});

describe("a refusal that comes late", () => {
  test("by a run that began before the end user signed in again is not kept", async () => {
    const gate = new Gate();
    stub.onFetch = async () => {
      await gate.pass();
      throw new AuthError("reauthentication_required");
    };
    const { token, tokenId } = await connect();
    await get(token);
    const draining = harness.drain();
    await gate.reached;
    harness.clock.advance(1);
    await signInAgain(harness, tokenId);
    stub.onFetch = () => undefined;
    gate.open();
    await draining;
    expect((await get(token)).status).not.toBe(401);
    await harness.drain();
    expect((await get(token)).status).toBe(200);
  });
});

describe("an adapter that is not as it should be", () => {
  test.each<[string, () => void]>([
    [
      "throws an error of its own",
      () => {
        stub.onFetch = () => {
          throw new TypeError("x is undefined");
        };
      },
    ],
    [
      "throws before there is anything to iterate",
      () => {
        stub.onCall = () => {
          throw new TypeError("x is undefined");
        };
      },
    ],
    [
      "throws a text",
      () => {
        stub.onFetch = () => {
          throw "no" as unknown as Error;
        };
      },
    ],
    [
      "throws nothing",
      () => {
        stub.onFetch = () => {
          throw undefined as unknown as Error;
        };
      },
    ],
    [
      "throws an abort of its own",
      () => {
        stub.onFetch = () => {
          throw new DOMException("stop", "AbortError");
        };
      },
    ],
    [
      "throws what belongs to a sign-in",
      () => {
        stub.onFetch = () => {
          throw new FieldError("username", "wrong");
        };
      },
    ],
    [
      "throws the contract's own word for it",
      () => {
        stub.onFetch = () => {
          throw new ProviderBug("broken");
        };
      },
    ],
    [
      "throws while it maps",
      () => {
        stub.map = () => {
          throw new TypeError("x is undefined");
        };
      },
    ],
    [
      "yields what is no page",
      () => {
        stub.pages = { company: [null as never] };
      },
    ],
    [
      "yields a page that is a number",
      () => {
        stub.pages = { company: [5 as never] };
      },
    ],
  ])("%s: the job ends, and the caller sees a 500", async (_name, prepare) => {
    prepare();
    const { token } = await connect();
    await get(token);
    await harness.drain();
    const reply = await get(token);
    expect([reply.status, reply.body]).toEqual([500, { message: expect.stringMatching(/./) }]);
  });

  test("ignores the signal of a worker that ends: the run ends at once, stores nothing, and another worker takes it up", async () => {
    const gate = new Gate();
    stub.onFetch = () => gate.pass();
    const { token, tokenId } = await connect();
    await get(token);
    const ending = new AbortController();
    const running = runOnce(harness, tokenId, ending.signal).then(
      () => "ended",
      () => "left",
    );
    await gate.reached;
    ending.abort();
    expect(await Promise.race([running, delay(5_000, "held up")])).toBe("left");
    expect((await get(token)).status).toBe(202);
    stub.onFetch = () => undefined;
    harness.clock.advance(leaseSeconds + 1);
    await harness.drain();
    expect((await get(token)).status).toBe(200);
    gate.open();
  });

  test("is told by the signal, and may end by itself", async () => {
    let wasTold = false;
    const gate = new Gate();
    stub.onFetch = async ({ context }) => {
      context.signal.addEventListener("abort", () => void (wasTold = true));
      await gate.pass();
    };
    const { token, tokenId } = await connect();
    await get(token);
    const ending = new AbortController();
    const running = runOnce(harness, tokenId, ending.signal).catch(() => "left");
    await gate.reached;
    ending.abort();
    expect([await running, wasTold]).toEqual(["left", true]);
    gate.open();
  });

  test("never ends: its time is up one day, and that is a failure that passes", async () => {
    const dayMs = 24 * 3_600_000;
    const real = globalThis.setTimeout;
    const timesUp: (() => void)[] = [];
    vi.spyOn(globalThis, "setTimeout").mockImplementation(((work: () => void, ms: number) => {
      if (ms === dayMs) timesUp.push(work);
      return real(work, ms);
    }) as typeof setTimeout);
    const gate = new Gate();
    stub.onFetch = () => gate.pass();
    const { token } = await connect();
    await get(token);
    const draining = harness.drain();
    await gate.reached;
    expect(timesUp).toHaveLength(1);
    timesUp[0]?.();
    await draining;
    expect((await get(token)).status).toBe(202);
    vi.restoreAllMocks();
    stub.onFetch = () => undefined;
    await harness.drain({ includeDelayed: true });
    expect((await get(token)).status).toBe(200);
    gate.open();
  });
});
