import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import {
  AuthError,
  OperationNotSupported,
  ProviderBug,
  ProviderDown,
  ProviderRateLimited,
} from "../../src/providers/errors.ts";
import { disconnectAll, fetchData, signInAgain, version } from "../support/data-endpoints.ts";
import { createHarness, type Harness } from "../support/harness.ts";
import { countLockWaits } from "../support/lock-waits.ts";
import { runOnce } from "../support/run-once.ts";
import { untilTrue } from "../support/until-true.ts";
import { Gate, StubProvider, type StubFetch } from "../support/stub-provider.ts";

const stub = new StubProvider();

let harness: Harness;
beforeAll(async () => {
  harness = await createHarness({ registry: stub.registry() });
});
afterAll(() => harness.close());
beforeEach(() => stub.reset());
afterEach(() => disconnectAll(harness));

const url = `${version}/xhr/company`;
const company = (name: string) => ({ company: [[{ remote_id: "c1", display_name: name }]] });
const named = (name: string) => [expect.objectContaining({ display_name: name })];

const run = (tokenId: string): Promise<void> => runOnce(harness, tokenId);

/**
 * A run that is held inside the provider while a newer one begins, ends and stores its result. `atEnd` is what the provider
 * says to the older run when it goes on.
 */
async function overtake(atEnd: (fetch: StubFetch) => void) {
  const connection = await harness.connect({ provider: "stub" });
  const get = () => harness.http.get(url, { bearer: connection.token });
  expect((await get()).status).toBe(202);

  const gate = new Gate();
  stub.pages = company("older");
  stub.onFetch = async (fetch) => {
    await gate.pass();
    atEnd(fetch);
  };
  const older = run(connection.tokenId);
  await gate.reached;

  stub.pages = company("newer");
  stub.onFetch = () => undefined;
  await run(connection.tokenId);
  const before = await get();
  expect(before.body).toEqual(named("newer"));

  harness.clock.advance(10);
  gate.open();
  await older;
  return { ...connection, get, before };
}

async function countSuperseded(): Promise<number> {
  const { values } = await harness.services.metrics.reads.get();
  return values.find(({ labels }) => labels["outcome"] === "superseded")?.value ?? 0;
}

describe("a run that was overtaken by a newer one", () => {
  test("has its result refused: what the newer one stored stays, and stays as old as it is", async () => {
    const { get, before } = await overtake(() => undefined);
    const after = await get();
    expect([after.status, after.body]).toEqual([200, named("newer")]);
    expect(after.headers["etag"]).toBe(before.headers["etag"]);
    expect(after.headers["age"]).toBe("10");
  });

  test("is counted as superseded", async () => {
    const before = await countSuperseded();
    await overtake(() => undefined);
    expect(await countSuperseded()).toBe(before + 1);
  });

  test.each<[string, () => never]>([
    [
      "a provider that is down",
      () => {
        throw new ProviderDown("down");
      },
    ],
    [
      "a provider that asks to wait",
      () => {
        throw new ProviderRateLimited(30);
      },
    ],
    [
      "a bug",
      () => {
        throw new ProviderBug("broken");
      },
    ],
    [
      "an operation that is not supported",
      () => {
        throw new OperationNotSupported("none");
      },
    ],
    [
      "an ended session",
      () => {
        throw new AuthError("reauthentication_required");
      },
    ],
  ])("has its failure refused: %s", async (_name, fail) => {
    const { get, tokenId } = await overtake(fail);
    const after = await get();
    expect([after.status, after.body]).toEqual([200, named("newer")]);
    const [row] = await harness.database.query(
      "select state, outcome from reads f join connections c on c.id = f.connection_id where c.token_id = $1",
      [tokenId],
    );
    expect(row).toEqual({ state: "settled", outcome: "stored" });
  });

  test("does not put its session in the place of the newer one's", async () => {
    const connection = await harness.connect({ provider: "stub" });
    await harness.http.get(url, { bearer: connection.token });
    const storedSession = async (): Promise<string> => {
      const [row] = await harness.database.query(
        "select encode(sealed_session, 'hex') as sealed from connections where token_id = $1",
        [connection.tokenId],
      );
      return String(row?.["sealed"]);
    };
    const first = await storedSession();
    const gate = new Gate();
    stub.onFetch = async ({ context, session }) => {
      context.saveSession({ ...session, cookie: "older" });
      await gate.pass();
    };
    const older = run(connection.tokenId);
    await gate.reached;
    await untilTrue("the older one's is stored", async () => (await storedSession()) !== first);
    stub.onFetch = ({ context, session }) => context.saveSession({ ...session, cookie: "newer" });
    await run(connection.tokenId);
    gate.open();
    await older;
    stub.onFetch = () => undefined;
    harness.clock.advance(3_601);
    await fetchData(harness, connection.token, url);
    expect(stub.fetches.at(-1)?.session).toMatchObject({ cookie: "newer" });
  });

  test("before the newer one has ended leaves the right to settle to it", async () => {
    const connection = await harness.connect({ provider: "stub" });
    const get = () => harness.http.get(url, { bearer: connection.token });
    await get();
    const gates = [new Gate(), new Gate()] as const;
    stub.onFetch = ({ number }) => gates[number === 1 ? 0 : 1].pass();
    stub.pages = company("older");
    const older = run(connection.tokenId);
    await gates[0].reached;
    stub.pages = company("newer");
    const newer = run(connection.tokenId);
    await gates[1].reached;

    gates[0].open();
    await older;
    expect((await get()).status).toBe(202);
    gates[1].open();
    await newer;
    expect((await get()).body).toEqual(named("newer"));
  });
});

/** A run that goes on when there is a newer sign-in, and ends as `atEnd` does. */
async function signInMeanwhile(atEnd: (fetch: StubFetch) => void = () => undefined) {
  const connection = await harness.connect({ provider: "stub" });
  const get = (headers = {}) => harness.http.get(url, { bearer: connection.token, headers });
  stub.pages = company("earlier");
  await fetchData(harness, connection.token, url);
  harness.clock.advance(3_601);
  expect((await get()).status).toBe(202);
  const gate = new Gate();
  stub.onFetch = async (fetch) => {
    await gate.pass();
    atEnd(fetch);
  };
  const running = run(connection.tokenId);
  await gate.reached;
  harness.clock.advance(1);
  await signInAgain(harness, connection.tokenId);
  harness.clock.advance(1);
  return { ...connection, get, end: async () => (gate.open(), await running) };
}

describe("a run that began before the end user signed in again, perhaps to another account", () => {
  test.each<[string, () => void]>([
    ["a new list", () => (stub.pages = company("earlier, and changed"))],
    ["the list that is stored", () => undefined],
  ])("stores nothing: %s", async (_name, change) => {
    const { get, end } = await signInMeanwhile(change);
    await end();
    expect((await get()).status).toBe(202);
    stub.onFetch = () => undefined;
    stub.pages = company("later");
    await harness.drain();
    const reply = await get();
    expect([reply.status, reply.body]).toEqual([200, named("later")]);
    expect(stub.fetches.at(-1)?.session).toEqual({ signIn: stub.signIns });
  });

  test.each<[string, () => never]>([
    [
      "a missing right",
      () => {
        throw new AuthError("insufficient_permission");
      },
    ],
    [
      "a bug",
      () => {
        throw new ProviderBug("broken");
      },
    ],
  ])("does not end the read: %s", async (_name, fail) => {
    const { get, end } = await signInMeanwhile(fail);
    await end();
    stub.onFetch = () => undefined;
    await harness.drain();
    expect((await get()).status).toBe(200);
  });

  test("waits for a sign-in that is about to be stored, so that none comes in between", async () => {
    const { get, end, tokenId } = await signInMeanwhile();
    await harness.database.query(
      "update connections set sign_in_count = sign_in_count - 1 where token_id = $1",
      [tokenId],
    );
    const signingIn = await harness.services.pool.connect();
    await signingIn.query("begin");
    await signingIn.query(
      "update connections set sign_in_count = sign_in_count + 1 where token_id = $1",
      [tokenId],
    );
    const ended = end();
    await untilTrue("it waits", async () => (await countLockWaits(harness.database)) > 0);
    await signingIn.query("commit");
    signingIn.release();
    await ended;
    expect((await get()).status).toBe(202);
  });
});

describe("a session that a read replaced", () => {
  test("is what the next read begins with", async () => {
    const { token } = await harness.connect({ provider: "stub" });
    stub.onFetch = ({ context, session }) => context.saveSession({ ...session, cookie: "rotated" });
    await fetchData(harness, token, url);
    stub.onFetch = () => undefined;
    harness.clock.advance(3_601);
    await fetchData(harness, token, url);
    expect(stub.fetches.map(({ session }) => session["cookie"])).toEqual([undefined, "rotated"]);
  });

  test("is kept also when the read fails after it", async () => {
    const { token } = await harness.connect({ provider: "stub" });
    stub.onFetch = ({ context, session, number }) => {
      if (number > 1) return;
      context.saveSession({ ...session, cookie: "rotated" });
      throw new ProviderDown("after the cookie");
    };
    await harness.http.get(url, { bearer: token });
    await harness.drain();
    await harness.drain({ includeDelayed: true });
    expect(stub.fetches.map(({ session }) => session["cookie"])).toEqual([undefined, "rotated"]);
  });

  test("does not replace that of a sign-in that came meanwhile", async () => {
    const { token, tokenId } = await harness.connect({ provider: "stub" });
    await harness.http.get(url, { bearer: token });
    const gate = new Gate();
    stub.onFetch = async ({ context, session }) => {
      await gate.pass();
      context.saveSession({ ...session, cookie: "of the earlier sign-in" });
    };
    const running = run(tokenId);
    await gate.reached;
    await signInAgain(harness, tokenId);
    gate.open();
    await running;
    stub.onFetch = () => undefined;
    harness.clock.advance(3_601);
    await fetchData(harness, token, url);
    expect(stub.fetches.at(-1)?.session["cookie"]).toBeUndefined();
  });
});

test("the day in which a read has to end ends with it: nothing is held for the rest of that day", async ({
  onTestFinished,
}) => {
  onTestFinished(() => void vi.restoreAllMocks());
  const dayMs = 24 * 3_600_000;
  const { token, tokenId } = await harness.connect({ provider: "stub" });
  await harness.http.get(url, { bearer: token });
  const made = vi.spyOn(globalThis, "setTimeout");
  const cleared = vi.spyOn(globalThis, "clearTimeout");
  const ofSignals = vi.spyOn(AbortSignal, "timeout");
  const lease = new AbortController();
  const removed = vi.spyOn(lease.signal, "removeEventListener");
  await runOnce(harness, tokenId, lease.signal);
  const ofTheDay = made.mock.calls.flatMap(([, ms], index) =>
    ms === dayMs ? [made.mock.results[index]?.value] : [],
  );
  expect(ofTheDay).toHaveLength(1);
  expect(cleared.mock.calls).toContainEqual(ofTheDay);
  expect(removed).toHaveBeenCalledOnce();
  expect(ofSignals.mock.calls.filter(([ms]) => ms >= dayMs)).toEqual([]);
});
