import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";
import type { Connection, Refreshed } from "../../src/connections/index.ts";
import { ProviderRegistry } from "../../src/providers/registry.ts";
import { sandbox } from "../../src/providers/sandbox/index.ts";
import { RunSession } from "../../src/reading/run-session.ts";
import { fetchData, version } from "../support/data-endpoints.ts";
import { createHarness, type Harness } from "../support/harness.ts";
import { runOnce } from "../support/run-once.ts";
import { signInAgain } from "../support/sign-in-again.ts";
import { Gate } from "../support/stub-provider.ts";
import people from "../support/vendors/people-provider.ts";
import { startPeopleVendor, type PeopleVendor } from "../support/vendors/people-vendor.ts";

const company = `${version}/xhr/company`;

let harness: Harness;
beforeAll(async () => {
  harness = await createHarness({ registry: new ProviderRegistry([sandbox, people]) });
});
const vendors: PeopleVendor[] = [];
afterAll(async () => {
  await harness.close();
  await Promise.all(vendors.map((vendor) => vendor.close()));
});
afterEach(() => void vi.restoreAllMocks());

/** A connection whose access token has ended, and whose refresh token works once. */
async function connectEnded() {
  let beforeRefresh: (() => Promise<void>) | undefined;
  const vendor = await startPeopleVendor({
    beforeAnswer: async (path) => (path === "/token" ? await beforeRefresh?.() : undefined),
  });
  vendors.push(vendor);
  const connected = await harness.connect({
    provider: "people",
    formValues: { url: vendor.url, username: "acme", password: "any" },
  });
  vendor.control({ expire: true });
  return {
    ...connected,
    vendor,
    get: () => harness.http.get(company, { bearer: connected.token }),
    onRefresh: (wait: () => Promise<void>) => void (beforeRefresh = wait),
  };
}

const load = async (tokenId: string): Promise<Connection> =>
  (await harness.services.connections.loadByToken(tokenId))!;

/** What stores a session ends so often, as when the server shuts down. */
async function failToStore(times: number, column = "session_version"): Promise<void> {
  await harness.database.query(`
    drop sequence if exists failures;
    create sequence failures;
    create or replace function fail_at_first() returns trigger language plpgsql as $$
    begin
      if nextval('failures') <= ${times} then
        raise exception 'terminating connection' using errcode = '57P01';
      end if;
      return new;
    end $$;
    create trigger fails before update of ${column} on connections for each row
      execute function fail_at_first()`);
}

test("a refreshed session is stored, though the database was away when it came", async () => {
  const { token, vendor } = await connectEnded();
  await failToStore(4);
  expect((await fetchData(harness, token, company)).status).toBe(200);
  expect(vendor.counts()).toMatchObject({ refreshes: 1, refusedRefreshes: 0 });
  await harness.database.query("drop trigger fails on connections");
});

test("a session that a read replaced is stored, though the database was away when it came", async () => {
  const formValues = { username: "user_limited", password: "any" };
  const { token, tokenId } = await harness.connect({ formValues });
  await failToStore(4, "sealed_session");
  const before = await load(tokenId);
  await harness.http.get(company, { bearer: token });
  await harness.drain();
  expect((await load(tokenId)).session).not.toEqual(before.session);
  await harness.database.query("drop trigger fails on connections");
});

test("of sessions that a read replaces while one is being stored, the newest alone is stored", async () => {
  const { tokenId } = await harness.connect();
  const stored: unknown[] = [];
  const gate = new Gate();
  const connections = {
    saveSession: async (_connection: Connection, session: unknown) => {
      stored.push(session);
      await gate.pass();
    },
  } as unknown as Harness["services"]["connections"];
  const dependencies = { ...harness.services, connections };
  const session = new RunSession(dependencies, await load(tokenId), new AbortController().signal);
  session.save({ number: 1 });
  await gate.reached;
  for (const number of [2, 3, 4]) session.save({ number });
  gate.open();
  await session.end();
  expect(stored).toEqual([{ number: 1 }, { number: 4 }]);
});

test("a refresh that has begun is finished and stored, though its run ends", async () => {
  const { token, tokenId, vendor, get, onRefresh } = await connectEnded();
  const gate = new Gate();
  onRefresh(() => gate.pass());
  await get();
  const ending = new AbortController();
  const running = runOnce(harness, tokenId, ending.signal).then(
    () => "ended",
    () => "left",
  );
  await gate.reached;
  ending.abort();
  gate.open();
  expect(await running).toBe("left");
  expect((await load(tokenId)).sessionVersion).toBe(2);
  harness.clock.advance(11);
  expect((await fetchData(harness, token, company)).status).toBe(200);
  expect(vendor.counts()).toMatchObject({ refreshes: 1, refusedRefreshes: 0 });
});

test("a provider that answers no refresh is down for the read, which is tried again", async () => {
  const { get, onRefresh } = await connectEnded();
  const gate = new Gate();
  onRefresh(() => gate.pass());
  const real = globalThis.setTimeout;
  const timesUp: (() => void)[] = [];
  vi.spyOn(globalThis, "setTimeout").mockImplementation(((work: () => void, ms: number) => {
    if (ms === 4_000) timesUp.push(work);
    return real(work, ms);
  }) as typeof setTimeout);
  await get();
  const draining = harness.drain();
  await gate.reached;
  expect(timesUp).toHaveLength(1);
  for (let steps = 0; steps < 5; steps += 1) timesUp.at(-1)?.();
  await draining;
  vi.restoreAllMocks();
  gate.open();
  expect((await get()).status).toBe(202);
  expect(harness.logLines.join("")).not.toContain("for a reason of ours");
});

/** Somebody who wants a newer session, at a provider that answers as the test says. */
function renew(connection: Connection, signal = new AbortController().signal) {
  const asked = Promise.withResolvers<PromiseWithResolvers<Refreshed>>();
  let isAsked = false;
  const renewed = harness.services.connections.renewSession(connection, {
    version: connection.sessionVersion,
    refresh: async () => {
      isAsked = true;
      const answer = Promise.withResolvers<Refreshed>();
      asked.resolve(answer);
      return await answer.promise;
    },
    timedOut: () => new Error("timed out"),
    signal,
  });
  renewed.catch(() => undefined);
  return { asked: asked.promise, renewed, isAsked: () => isAsked };
}

/** Two who asked the provider, the second one after the time of the first was over. */
async function overtake() {
  const { tokenId } = await harness.connect({
    provider: "people",
    formValues: { url: vendors[0]!.url, username: "acme", password: "any" },
  });
  const connection = await load(tokenId);
  const first = renew(connection);
  const late = await first.asked;
  harness.clock.advance(61);
  const second = renew(connection);
  return { connection, first, late, second, newer: await second.asked };
}

test("who is too late with a refresh ends nobody else's", async () => {
  const { connection, first, late, second, newer } = await overtake();
  late.reject(new Error("away"));
  await expect(first.renewed).rejects.toThrow("away");
  const third = renew(connection);
  newer.resolve({ session: { is: "new" } });
  const expected = { session: { is: "new" }, version: connection.sessionVersion + 1 };
  expect(await second.renewed).toEqual(expected);
  expect(await third.renewed).toEqual(expected);
  expect(third.isAsked()).toBe(false);
});

test("who asked under an earlier sign-in gets no session of the next one, and refreshes none", async () => {
  const { tokenId } = await connectEnded();
  const connection = await load(tokenId);
  await signInAgain(harness, connection.id);
  const late = renew(connection);
  expect(await late.renewed).toBeUndefined();
  expect(late.isAsked()).toBe(false);
});

test("who is refused after somebody else's refresh has the session of that one", async () => {
  const { connection, first, late, second, newer } = await overtake();
  newer.resolve({ session: { is: "new" } });
  await second.renewed;
  late.resolve({ refused: "reauthentication_required" });
  expect(await first.renewed).toEqual({
    session: { is: "new" },
    version: connection.sessionVersion + 1,
  });
});
