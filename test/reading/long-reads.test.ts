import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Scope } from "../../src/model/index.ts";
import { transaction } from "../../src/platform/db/index.ts";
import { sandbox } from "../../src/providers/sandbox/index.ts";
import { ProviderRegistry } from "../../src/providers/registry.ts";
import { fetchList, version } from "../support/data-endpoints.ts";
import { createHarness, type Harness } from "../support/harness.ts";
import people from "../support/vendors/people-provider.ts";
import {
  startPeopleVendor,
  type PeopleVendor,
  type PeopleVendorOptions,
} from "../support/vendors/people-vendor.ts";
import { untilSettled, WaitingClock } from "../support/waiting-clock.ts";

const employees = `${version}/xhr/employees`;

let clock: WaitingClock;
let harness: Harness;
const vendors: PeopleVendor[] = [];
beforeEach(async () => {
  clock = new WaitingClock();
  harness = await createHarness({ clock, registry: new ProviderRegistry([sandbox, people]) });
});
afterEach(async () => {
  await harness.close();
  await Promise.all(vendors.splice(0).map((vendor) => vendor.close()));
});

async function connect(options: PeopleVendorOptions, username = "acme") {
  const vendor = await startPeopleVendor({ now: () => clock.now().getTime(), ...options });
  vendors.push(vendor);
  const { token, tokenId } = await harness.connect({
    provider: "people",
    scopes: ["employees", "groups", "company"].map((path) => `${version}/xhr/${path}` as Scope),
    formValues: { url: vendor.url, username, password: "any" },
  });
  const get = (path = employees, headers = {}) =>
    harness.http.get(path, { bearer: token, headers });
  return { vendor, token, tokenId, get };
}

describe("a provider that takes 60 requests a minute", () => {
  test("is asked no faster, and everybody is read with one request for each", async () => {
    const { vendor, token } = await connect({ people: 150, perMinute: 60 });
    const startedAt = clock.now().getTime();
    expect(await fetchList(harness, token, employees)).toHaveLength(150);
    expect(vendor.counts()).toMatchObject({ requests: { people: 152 }, refused: 0 });
    expect(clock.now().getTime() - startedAt).toBeLessThan(200_000);
  });

  test("gives a long read all but its first three requests as a large one, and a small read its own", async () => {
    const { token } = await connect({ people: 20, perMinute: 60 });
    const counts = async () =>
      await harness.database.query(
        `select sum(requests)::integer as requests, sum(small)::integer as small from quota_counts
         where window_seconds = 60`,
      );
    await fetchList(harness, token, employees);
    expect(await counts()).toEqual([{ requests: 21, small: 3 }]);
    await fetchList(harness, token, `${version}/xhr/groups`);
    expect(await counts()).toEqual([{ requests: 22, small: 4 }]);
  });

  test("for each account: another one's requests are its own", async () => {
    const { vendor, token } = await connect({ people: 55, perMinute: 60 });
    const other = await harness.connect({
      provider: "people",
      formValues: { url: vendor.url, username: "other", password: "any" },
    });
    const startedAt = clock.now().getTime();
    await fetchList(harness, token, employees);
    await fetchList(harness, other.token, employees);
    expect(clock.now().getTime() - startedAt).toBeLessThan(30_000);
  });
});

describe("a provider that refuses more requests than it says", () => {
  test.each(["seconds", "date", "none"] as const)(
    "and says how long to wait as %s: the read goes on where it stopped",
    async (spelling) => {
      const { vendor, get } = await connect({ people: 90, perMinute: 25 });
      vendor.control({ spelling });
      expect(await untilSettled(harness, () => get())).toBe(200);
      expect((await get()).body).toHaveLength(90);
      const { requests, refused } = vendor.counts();
      expect(requests["people"]! - refused).toBeLessThanOrEqual(95);
    },
  );
});

/** Reads until the vendor refuses, so that the next run goes on. */
async function connectInterrupted(username?: string) {
  const connected = await connect({ people: 60, perMinute: 31 }, username);
  await connected.get();
  await harness.drain();
  expect((await connected.get()).status).toBe(202);
  return connected;
}

async function findKept(): Promise<{ sealed: Buffer }[]> {
  const { rows } = await harness.services.pool.query<{ sealed: Buffer }>(
    "select sealed_records as sealed from read_parts",
  );
  return rows;
}

/** Whoever asks while it goes on is told to wait. */
async function runsUntil(get: () => Promise<{ status: number }>, status: number): Promise<number> {
  let runs = 0;
  for (; (await get()).status === 202; runs += 1) {
    expect(runs).toBeLessThan(20);
    await harness.drain({ includeDelayed: true });
  }
  expect((await get()).status).toBe(status);
  return runs;
}

describe("a long read whose provider fails now and then", () => {
  test("goes on with the pages that it kept, however long ago it was asked for", async () => {
    const { vendor, get } = await connect({ people: 300, perMinute: 60 });
    const startedAt = clock.now().getTime();
    vendor.control({ fail: { from: "283", times: 1 } });
    expect(await runsUntil(() => get(), 200)).toBe(2);
    expect(clock.now().getTime() - startedAt).toBeGreaterThan(120_000);
    expect((await get()).body).toHaveLength(300);
    expect(vendor.counts().requests["people"]).toBeLessThanOrEqual(300 + 4 + 5);
  });

  test("has all its tries again after each page that it kept", async () => {
    const { vendor, get } = await connect({ people: 60 }, "unlimited");
    for (const from of ["8", "28", "48"]) {
      vendor.control({ fail: { from, times: 3 } });
      for (let tries = 0; tries < 3; tries += 1) {
        expect((await get()).status).toBe(202);
        await harness.drain({ includeDelayed: true });
      }
      clock.advance(100);
    }
    expect(await runsUntil(() => get(), 200)).toBe(1);
    expect((await get()).body).toHaveLength(60);
  });

  test("ends when it gets no further", async () => {
    const { vendor, get } = await connect({ people: 60 }, "unlimited");
    vendor.control({ fail: { from: "33", times: 1_000 } });
    expect(await runsUntil(() => get(), 503)).toBe(4);
    expect(await findKept()).toEqual([]);
  });

  test("still has its tries when it waited for the provider or for a place in between", async () => {
    const { vendor, get } = await connect({ people: 60, perMinute: 31 }, "unlimited");
    await get();
    await harness.drain();
    clock.advance(600);
    vendor.control({ fail: { from: "1", times: 1 }, perMinute: 1_000 });
    await harness.drain();
    expect(await runsUntil(() => get(), 200)).toBe(1);
    expect(vendor.counts().requests["people"]).toBeLessThan(70);
  });
});

describe("a read that takes several runs", () => {
  test("keeps pages that cost requests of a quota as they come, so that a kill loses few of them", async () => {
    const { token } = await connect({ people: 50 });
    await fetchList(harness, token, employees);
    const countKept = async (): Promise<number> => {
      const { rows } = await harness.services.pool.query<{ count: number }>(
        "select n_tup_ins::integer as count from pg_stat_user_tables where relname = 'read_parts'",
      );
      return rows[0]?.count ?? 0;
    };
    await expect.poll(countKept).toBeGreaterThanOrEqual(5);
  });

  test("keeps nothing that can be read without the connection's key, and nothing after its end", async () => {
    const { get } = await connectInterrupted();
    expect(await findKept()).not.toHaveLength(0);
    for (const { sealed } of await findKept())
      expect(sealed.toString("latin1")).not.toContain("First");
    expect(await untilSettled(harness, () => get())).toBe(200);
    expect(await findKept()).toEqual([]);
  });

  test("begins anew when the end user has signed in again", async () => {
    const { vendor, get } = await connectInterrupted();
    const before = vendor.counts().requests["people"]!;
    await harness.services.pool.query("update connections set sign_in_count = sign_in_count + 1");
    vendor.control({ perMinute: 1_000 });
    clock.advance(61);
    expect(await untilSettled(harness, () => get())).toBe(200);
    expect(vendor.counts().requests["people"]! - before).toBe(61);
    expect((await get()).body).toHaveLength(60);
  });

  test("begins anew when nobody went on with it for longer than a day, and may take as long as another one", async () => {
    const { vendor, get } = await connectInterrupted();
    const before = vendor.counts().requests["people"]!;
    clock.advance(7 * 86_400);
    expect(await untilSettled(harness, () => get())).toBe(200);
    // What it keeps from then on is taken up again, or it would come to no end.
    expect(vendor.counts().requests["people"]! - before).toBeGreaterThanOrEqual(61);
    expect((await get()).body).toHaveLength(60);
  });

  test("and begins anew is one that took from then on, as whoever asks next is told", async () => {
    const { vendor, get } = await connectInterrupted();
    vendor.control({ perMinute: 1_000 });
    clock.advance(7 * 86_400);
    expect(await untilSettled(harness, () => get())).toBe(200);
    clock.advance(2 * 86_400);
    const { status, headers } = await get();
    expect([status, Number(headers["retry-after"]) < 120]).toEqual([202, true]);
  });

  test("begins anew when the end user has chosen other settings, which its pages are made with", async () => {
    const { vendor, get, tokenId } = await connectInterrupted();
    const before = vendor.counts().requests["people"]!;
    const { connections, pool } = harness.services;
    const connection = (await connections.loadByToken(tokenId))!;
    const change = { names: ["time_zone"], values: { time_zone: "Europe/Berlin" } };
    await transaction(pool, (tx) => connections.settings.change(tx, connection, change));
    vendor.control({ perMinute: 1_000 });
    clock.advance(61);
    expect(await untilSettled(harness, () => get())).toBe(200);
    expect(vendor.counts().requests["people"]! - before).toBe(61);
    expect((await get()).body).toHaveLength(60);
  });

  test("is cancelled together with its parts, or not at all", async () => {
    const { vendor, get } = await connectInterrupted();
    const { pool, reads } = harness.services;
    const [{ id }] = (await pool.query<{ id: string }>("select id from reads")).rows as [
      { id: string },
    ];
    await harness.database.query(`
      create function refuse() returns trigger language plpgsql as $$
      begin raise exception 'terminating connection' using errcode = '57P01'; end $$;
      create trigger refuses before delete on read_parts for each row execute function refuse()`);
    await expect(reads.cancel(id)).rejects.toThrow("terminating connection");
    await harness.database.query("drop trigger refuses on read_parts");
    vendor.control({ perMinute: 1_000 });
    clock.advance(61);
    expect(await untilSettled(harness, () => get())).toBe(200);
    expect(vendor.counts().requests["people"]).toBeLessThan(70);
  });

  test("and is cancelled keeps none of its parts", async () => {
    const { get } = await connectInterrupted();
    const { pool, reads } = harness.services;
    for (const { id } of (await pool.query<{ id: string }>("select id from reads")).rows)
      await reads.cancel(id);
    expect((await get()).status).toBe(503);
    expect(await findKept()).toEqual([]);
  });

  test("has its parts deleted with the connection", async () => {
    await connectInterrupted();
    await harness.services.pool.query("delete from connections");
    expect((await harness.services.pool.query("select from read_parts")).rowCount).toBe(0);
  });
});

describe("an access token that has ended", () => {
  test("is renewed once for everybody who needs it, with a refresh token of one use", async () => {
    const { vendor, get } = await connect({ people: 10 });
    const paths = ["employees", "groups", "company"].map((path) => `${version}/xhr/${path}`);
    for (let round = 1; round <= 10; round += 1) {
      vendor.control({ expire: true });
      clock.advance(61);
      const noCache = { "cache-control": "no-cache" };
      await Promise.all(paths.map((path) => get(path, noCache)));
      await harness.drain();
      for (const path of paths) expect((await get(path)).status).toBe(200);
      expect(vendor.counts()).toMatchObject({ refreshes: round, refusedRefreshes: 0 });
    }
  });

  test("cannot be renewed any more: then the end user has to sign in again", async () => {
    const { vendor, get, tokenId } = await connect({ people: 10 });
    vendor.control({ expire: true });
    const { connections } = harness.services;
    const connection = await connections.loadByToken(tokenId);
    await connections.saveSession(connection!, { ...connection!.session, refresh: "used before" });
    await get();
    await harness.drain();
    expect(await get()).toMatchObject({ status: 401, body: { code: "reauthentication_required" } });
  });
});

/** A whole read, and what was asked after it. */
async function connectWithChanges() {
  const connected = await connect({ people: 30 }, "changes");
  const before = await fetchList(harness, connected.token, employees);
  return { ...connected, before, asked: connected.vendor.counts().requests };
}

describe("a provider that tells what has changed", () => {
  test("is asked for that alone, and the list is what a full read would have made", async () => {
    const { vendor, get, before, asked } = await connectWithChanges();
    vendor.control({ promote: ["3", "17"], remove: ["9"] });
    clock.advance(3_601);
    expect(await untilSettled(harness, () => get())).toBe(200);
    const { requests } = vendor.counts();
    expect([
      requests["people"]! - asked["people"]!,
      requests["changes"]! - asked["changes"]!,
    ]).toEqual([2, 1]);
    const byChanges = (await get()).body as Record<string, unknown>[];
    const expected = before
      .filter((person) => person["remote_id"] !== "9")
      .map((person) =>
        ["3", "17"].includes(String(person["remote_id"]))
          ? { ...person, job_title: "Head" }
          : person,
      );
    expect(byChanges).toEqual(expected);

    clock.advance(24 * 3600);
    expect(await untilSettled(harness, () => get())).toBe(200);
    expect(vendor.counts().requests["people"]! - requests["people"]!).toBe(30);
    expect((await get()).body).toEqual(expected);
  });

  test("is asked for those since the first page of a read that took several runs", async () => {
    const { vendor, get } = await connectInterrupted("acme with changes");
    vendor.control({ promote: ["3"], perMinute: 1_000 });
    clock.advance(61);
    expect(await untilSettled(harness, () => get())).toBe(200);
    const { requests } = vendor.counts();
    expect(requests["people"]).toBeLessThan(70);
    clock.advance(3_601);
    await get();
    await harness.drain();
    expect(vendor.counts().requests["people"]! - requests["people"]!).toBe(1);
    expect((await get()).body).toContainEqual(
      expect.objectContaining({ remote_id: "3", job_title: "Head" }),
    );
  });

  test("and has forgotten where they go on is read whole", async () => {
    const { vendor, get, asked } = await connectWithChanges();
    vendor.control({ promote: ["3"], forgetChanges: true });
    clock.advance(3_601);
    expect(await untilSettled(harness, () => get())).toBe(200);
    expect(vendor.counts().requests["people"]! - asked["people"]!).toBe(31);
    expect((await get()).body).toContainEqual(
      expect.objectContaining({ remote_id: "3", job_title: "Head" }),
    );
  });

  test("with nothing changed gives the same version, and goes on from there", async () => {
    const { vendor, get, asked } = await connectWithChanges();
    const { etag } = (await get()).headers;
    for (let round = 0; round < 2; round += 1) {
      clock.advance(3_601);
      expect(await untilSettled(harness, () => get())).toBe(200);
      expect((await get()).headers["etag"]).toBe(etag);
    }
    expect(vendor.counts().requests["people"]).toBe(asked["people"]);
  });
});

const rights = (tokenId: string) => harness.services.connections.loadByToken(tokenId);

describe("a right that is missing", () => {
  test("for one resource leaves the others readable", async () => {
    const { vendor, get, tokenId } = await connect({ people: 3 });
    vendor.control({ forbid: ["groups"] });
    expect(await untilSettled(harness, () => get(`${version}/xhr/groups`))).toBe(401);
    expect(await untilSettled(harness, () => get())).toBe(200);
    expect(await rights(tokenId)).toMatchObject({ forbidden: ["groups"], limited: {} });
    vendor.control({ forbid: [] });
    clock.advance(3_601);
    expect(await untilSettled(harness, () => get(`${version}/xhr/groups`))).toBe(200);
    expect(await rights(tokenId)).toMatchObject({ forbidden: [], limited: {} });
  });

  test("for some fields is told, until they are there again", async () => {
    const { vendor, get, tokenId } = await connect({ people: 3 });
    vendor.control({ hide: ["jobTitle"] });
    expect(await untilSettled(harness, () => get())).toBe(200);
    expect(await rights(tokenId)).toMatchObject({
      forbidden: [],
      limited: { employees: ["job_title"] },
    });
    vendor.control({ hide: [] });
    clock.advance(3_601);
    expect(await untilSettled(harness, () => get())).toBe(200);
    expect(await rights(tokenId)).toMatchObject({ limited: {} });
  });
});
