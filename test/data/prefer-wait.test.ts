import { setTimeout as delay } from "node:timers/promises";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import {
  AuthError,
  OperationNotSupported,
  ProviderBug,
  ProviderDown,
} from "../../src/providers/errors.ts";
import { systemClock } from "../../src/platform/clock.ts";
import { buildWorker, type Worker } from "../../src/start/worker.ts";
import { version } from "../support/data-endpoints.ts";
import { createHarness, type Harness } from "../support/harness.ts";
import { Gate, StubProvider } from "../support/stub-provider.ts";

const url = `${version}/xhr/company`;
const stub = new StubProvider();

// Who waits does so by the wall clock, and a worker has to run meanwhile. Each test sees its own job to the end.
let harness: Harness;
let worker: Worker;
beforeAll(async () => {
  harness = await createHarness({ clock: systemClock, registry: stub.registry() });
  worker = buildWorker(harness.services);
});
afterAll(async () => {
  await worker.stop();
  await harness.close();
});
beforeEach(() => {
  stub.reset();
  stub.pages = { company: [[{ remote_id: "c1", display_name: "One" }]] };
});

const connect = () => harness.connect({ provider: "stub" });
const get = (bearer: string, prefer?: string | string[]) =>
  harness.http.get(url, { bearer, headers: prefer === undefined ? {} : { prefer } });

describe("Prefer: wait=N", () => {
  test("the reply is held until the job is done, and is the 200", async () => {
    const { token } = await connect();
    const reply = await get(token, "wait=25");
    expect([reply.status, reply.body]).toEqual([
      200,
      [expect.objectContaining({ display_name: "One" })],
    ]);
    expect(reply.headers["preference-applied"]).toBe("wait=25");
  });

  test("however many wait, one job is run for them and all get its data", async () => {
    const gate = new Gate();
    stub.onFetch = () => gate.pass();
    const { token } = await connect();
    const waiting = Promise.all(Array.from({ length: 10 }, () => get(token, "wait=25")));
    await gate.reached;
    gate.open();
    expect((await waiting).map(({ status }) => status)).toEqual(
      Array.from({ length: 10 }, () => 200),
    );
    expect(stub.fetches).toHaveLength(1);
  });

  test("when the time is over before the job is done, the reply is the 202", async () => {
    const gate = new Gate();
    stub.onFetch = () => gate.pass();
    const { token } = await connect();
    const startedAt = performance.now();
    const reply = await get(token, "wait=1");
    const heldForMs = performance.now() - startedAt;
    gate.open();
    await get(token, "wait=25");
    expect(heldForMs).toBeGreaterThan(900);
    expect([reply.status, reply.body, reply.headers["preference-applied"]]).toEqual([
      202,
      { message: expect.any(String) },
      "wait=1",
    ]);
    expect(reply.headers["retry-after"]).toMatch(/^[1-9]\d*$/);
  });

  test("data that is there is sent at once", async () => {
    const { token } = await connect();
    await get(token, "wait=25");
    const reply = await get(token, "wait=25");
    expect([reply.status, reply.headers["preference-applied"]]).toEqual([200, "wait=25"]);
    expect(stub.fetches).toHaveLength(1);
  });

  test("nobody is held for more than 30 s: a longer wait is applied as that", async () => {
    const { token } = await connect();
    await get(token, "wait=25");
    expect((await get(token, "wait=3600")).headers["preference-applied"]).toBe("wait=30");
  });

  test.each<[string, string | string[]]>([
    ["among other preferences", "respond-async, wait=25"],
    ["in capitals and with spaces", "Wait = 25"],
    ["in quotes", 'wait="25"'],
    ["with a parameter", "wait=25; foo=bar"],
    ["in a header line of its own", ["respond-async", "wait=25"]],
  ])("it is understood %s", async (_name, prefer) => {
    const { token } = await connect();
    const reply = await get(token, prefer);
    expect([reply.status, reply.headers["preference-applied"]]).toEqual([200, "wait=25"]);
  });

  test.each([
    "wait",
    "wait=",
    "wait=soon",
    "wait=-1",
    "wait=1.5",
    "wait=1e1",
    "wait=0x10",
    "await=25",
    "wait 25",
    "respond-async",
    "",
  ])("%o says nothing that is understood, and is ignored", async (prefer) => {
    const gate = new Gate();
    stub.onFetch = () => gate.pass();
    const { token } = await connect();
    const reply = await get(token, prefer);
    gate.open();
    await get(token, "wait=25");
    expect([reply.status, reply.headers["preference-applied"]]).toEqual([202, undefined]);
  });

  test.each<[string, () => never, number]>([
    [
      "refuses",
      () => {
        throw new AuthError("captcha_challenge");
      },
      401,
    ],
    [
      "lacks the operation",
      () => {
        throw new OperationNotSupported("none");
      },
      501,
    ],
    [
      "breaks its own contract",
      () => {
        throw new ProviderBug("broken");
      },
      500,
    ],
  ])("a provider that %s ends the wait", async (_name, fail, status) => {
    stub.onFetch = fail;
    const { token } = await connect();
    const reply = await get(token, "wait=25");
    expect([reply.status, reply.headers["preference-applied"]]).toEqual([status, "wait=25"]);
  });

  test("a provider that is down for a moment is tried again within the wait", async () => {
    stub.onFetch = ({ number }) => {
      if (number === 1) throw new ProviderDown("for a moment");
    };
    const { token } = await connect();
    expect((await get(token, "wait=25")).status).toBe(200);
    expect(stub.fetches).toHaveLength(2);
  });

  test("a token that is disconnected meanwhile is answered 403", async () => {
    const gate = new Gate();
    stub.onFetch = () => gate.pass();
    const { token } = await connect();
    const waiting = get(token, "wait=25");
    await gate.reached;
    expect(
      (await harness.http.post(`${version}/management/disconnect`, { bearer: token })).status,
    ).toBe(200);
    gate.open();
    expect((await waiting).status).toBe(403);
  });

  test("a refused request does not wait", async () => {
    const { token } = await connect();
    expect(
      (
        await harness.http.get(`${version}/xhr/employees?employment_status=x`, {
          bearer: token,
          headers: { prefer: "wait=25" },
        })
      ).status,
    ).toBe(400);
    expect(
      (
        await harness.http.get(`${version}/xhr/payruns/unknown`, {
          bearer: token,
          headers: { prefer: "wait=25" },
        })
      ).status,
    ).toBe(404);
  });

  test("a caller that goes away while it waits leaves the job running", async () => {
    const gate = new Gate();
    stub.onFetch = () => gate.pass();
    const { token } = await connect();
    const leaving = new AbortController();
    const gone = fetch(harness.baseUrl + url, {
      headers: { authorization: `Bearer ${token}`, prefer: "wait=25" },
      signal: leaving.signal,
    }).catch(() => "gone");
    await gate.reached;
    leaving.abort();
    expect(await gone).toBe("gone");
    gate.open();
    expect((await get(token, "wait=25")).status).toBe(200);
    expect(stub.fetches).toHaveLength(1);
  });
});

describe("without Prefer", () => {
  test("the reply is the 202 at once, and the job runs by itself", async () => {
    const { token } = await connect();
    const reply = await get(token);
    expect([reply.status, reply.headers["preference-applied"]]).toEqual([202, undefined]);
    while ((await get(token)).status === 202) await delay(10);
    expect((await get(token)).status).toBe(200);
  });
});
