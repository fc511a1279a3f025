import { brotliDecompressSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Scope } from "../../src/model/index.ts";
import { createHarness, type Harness } from "../support/harness.ts";
import type { Reply } from "../support/http-client.ts";
import { refusal, refusedWith } from "../support/refusals.ts";
import { Gate, StubProvider } from "../support/stub-provider.ts";
import { untilTrue } from "../support/until-true.ts";

const url = "/2023-03-01/xhr/payslips";
const payruns = "/2023-03-01/xhr/payruns";
const scope = "/2023-03-01/xhr/payruns/:payrun_id" as Scope;
const autumn = { start_date: "2025-11-01", end_date: "2025-12-31" };

type Slip = { payrun_id: string; payment_date: string };

let harness: Harness;
beforeAll(async () => {
  harness = await createHarness();
});
afterAll(() => harness.close());

const get = (bearer: string, query: Record<string, string> = autumn, headers = {}) =>
  harness.http.get(url, { bearer, query, headers });

/** Asks until it is no 202, and lets what is due run between. */
async function ready(bearer: string, ask: () => Promise<Reply> = () => get(bearer)) {
  const pending: Reply[] = [];
  for (;;) {
    const reply = await ask();
    if (reply.status !== 202) return { reply, pending };
    pending.push(reply);
    await harness.drain({ includeDelayed: true });
  }
}

const readsOf = async (tokenId: string): Promise<unknown[]> =>
  await harness.database.query(
    `select r.parameters, r.requests from reads r join connections c on c.id = r.connection_id
     where c.token_id = $1 and r.resource = 'payslips'`,
    [tokenId],
  );

describe("the payslips of a range", () => {
  test("are those of each of its pay runs, in their order, once all of them were read", async () => {
    const { token, tokenId } = await harness.connect();
    const { reply, pending } = await ready(token);
    expect(reply.status).toBe(200);
    const runs = (await harness.http.get(payruns, { bearer: token, query: autumn })).body as {
      id: string;
    }[];
    expect(runs.length).toBeGreaterThan(4);
    const slips: unknown[] = [];
    for (const { id } of runs) {
      const own = await harness.http.get(`${payruns}/${id}`, { bearer: token });
      expect(own.status).toBe(200);
      slips.push(...(own.body as unknown[]));
    }
    expect(reply.body).toEqual(slips);
    // The list first, then four at a time, each of them once.
    expect(pending).toHaveLength(1 + Math.ceil(runs.length / 4));
    expect(await readsOf(tokenId)).toHaveLength(runs.length);
    for (const { headers, body } of pending) {
      expect(Number(headers["retry-after"])).toBeGreaterThanOrEqual(1);
      expect(body).toEqual({ message: expect.any(String) });
    }
  });

  test("have one tag, their age is that of the oldest part, and they come compressed", async () => {
    const { token } = await harness.connect();
    const { reply } = await ready(token);
    harness.clock.advance(120);
    const again = await get(token);
    expect(again.headers["etag"]).toBe(reply.headers["etag"]);
    expect(again.headers["age"]).toBe("120");
    const tag = { "if-none-match": String(reply.headers["etag"]) };
    expect((await get(token, autumn, tag)).status).toBe(304);
    const compressed = await get(token, autumn, { "accept-encoding": "br" });
    expect(compressed.headers["content-encoding"]).toBe("br");
    expect(brotliDecompressSync(compressed.bytes).equals(reply.bytes)).toBe(true);
  });

  test("of paid runs are served for a day without a read, those of others as all data is", async () => {
    const { token, tokenId } = await harness.connect();
    const range = { start_date: "2026-02-01", end_date: "2026-04-30" };
    const ask = () => get(token, range);
    await ready(token, ask);
    const list = await harness.http.get(payruns, { bearer: token, query: range });
    const unpaid = (list.body as { state: string }[]).filter(({ state }) => state !== "paid");
    expect(unpaid.length).toBeGreaterThan(0);
    const requests = async (): Promise<number> =>
      ((await readsOf(tokenId)) as { requests: number }[]).filter((read) => read.requests > 1)
        .length;
    expect(await requests()).toBe(0);
    harness.clock.advance(2 * 3_600);
    expect((await ready(token, ask)).reply.status).toBe(200);
    expect(await requests()).toBe(unpaid.length);
    harness.clock.advance(24 * 3_600);
    expect((await ready(token, ask)).reply.status).toBe(200);
    expect(await requests()).toBe((await readsOf(tokenId)).length);
  });

  test("come with one call that waits, as each read makes room for the next", async () => {
    const { token } = await harness.connect();
    const reply = get(token, autumn, { prefer: "wait=30" });
    const over = new AbortController();
    void reply.finally(() => over.abort());
    while (!over.signal.aborted) await harness.drain();
    expect((await reply).status).toBe(200);
    expect((await reply).headers["preference-applied"]).toBe("wait=30");
  });

  test("need the scopes of payslips and of pay runs, and no other", async () => {
    const both = await harness.connect({ scopes: [scope, payruns] });
    expect((await ready(both.token)).reply.status).toBe(200);
    for (const [has, lacks] of [
      [scope, payruns],
      [payruns as Scope, scope],
    ] as const) {
      const { token } = await harness.connect({ scopes: [has] });
      const reply = await get(token);
      expect(refusal(reply)).toEqual(refusedWith(403));
      expect(reply.headers["www-authenticate"]).toContain(`scope="${lacks}"`);
    }
  });

  test("are an empty list where there is no pay run", async () => {
    const { token } = await harness.connect();
    const range = { start_date: "1999-01-01", end_date: "1999-12-31" };
    const { reply } = await ready(token, () => get(token, range));
    expect([reply.status, reply.body]).toEqual([200, []]);
  });

  test.each<[string, Record<string, string>]>([
    ["end_date", { start_date: "2025-01-01", end_date: "2026-02-05" }],
    ["start_date", { start_date: "2025-02-01", end_date: "2025-01-01" }],
    ["start_date", { end_date: "2025-01-01" }],
    ["end_date", { start_date: "2025-01-01", end_date: "31.01.2025" }],
  ])("with a wrong %s are a 400 that names it", async (name, query) => {
    const { token } = await harness.connect();
    const reply = await get(token, query);
    expect([reply.status, reply.body]).toEqual([
      400,
      expect.objectContaining({ validation_error: expect.stringContaining(`${name}: `) }),
    ]);
    expect(refusal(await get("rc_at_dev_x", query))).toEqual(refusedWith(401));
  });

  test("of 400 days are asked for at once, and not those of 401", async () => {
    const { token } = await harness.connect();
    const first = { start_date: "2025-01-01" };
    expect((await get(token, { ...first, end_date: "2026-02-04" })).status).toBe(202);
    expect((await get(token, { ...first, end_date: "2026-02-05" })).status).toBe(400);
  });

  test.each([
    ["user_expired", 401],
    ["user_no_payroll", 501],
    ["user_down", 503],
  ])("of %s are refused as those of a run are: %i", async (user, status) => {
    const { token } = await harness.connect({ user });
    expect((await ready(token)).reply.status).toBe(status);
  });

  test("are no half list when one run cannot be read: the reply says so", async () => {
    const { token, tokenId } = await harness.connect();
    await ready(token);
    await harness.database.query(
      `update reads r set outcome = 'broken', kept_until = $2 from connections c
       where c.id = r.connection_id and c.token_id = $1 and r.resource = 'payslips'`,
      [tokenId, new Date(harness.clock.now().getTime() + 60_000)],
    );
    await harness.database.query(
      `delete from snapshots s using connections c where c.id = s.connection_id and c.token_id = $1
       and s.resource = 'payslips' and s.parameters = (select min(parameters) from snapshots o
         where o.connection_id = s.connection_id and o.resource = 'payslips')`,
      [tokenId],
    );
    const refused = await get(token);
    expect([refused.status, refused.body]).toEqual([500, { message: expect.any(String) }]);
  });
});

test("a run that takes long to read keeps no other one waiting, for a caller who waits", async () => {
  const stub = new StubProvider();
  const beside = await createHarness({ registry: stub.registry() });
  try {
    const names = ["1", "2", "3", "4", "5", "6", "7"];
    stub.pages = {
      payruns: [names.map((name) => ({ remote_id: name, payment_date: `2025-11-0${name}` }))],
      payslips: [[]],
    };
    const { token } = await beside.connect({ provider: "stub" });
    const slips = () => stub.fetches.filter(({ resource }) => resource === "payslips");
    const gate = new Gate();
    stub.onFetch = async (fetch) => {
      if (fetch === slips()[0]) await gate.pass();
    };
    const reply = beside.http.get(url, {
      bearer: token,
      query: autumn,
      headers: { prefer: "wait=30" },
    });
    const over = new AbortController();
    void reply.finally(() => over.abort());
    const working = (async () => {
      while (!over.signal.aborted) await beside.drain();
    })();
    await untilTrue("all others were read", () => slips().length === names.length);
    gate.open();
    expect((await reply).status).toBe(200);
    await working;
  } finally {
    await beside.close();
  }
});

test("the slips of a run that a disconnect ends are not sent", async () => {
  const { token } = await harness.connect();
  const { reply } = await ready(token);
  expect((reply.body as Slip[]).length).toBeGreaterThan(0);
  await harness.http.post("/2023-03-01/management/disconnect", { bearer: token });
  expect(refusal(await get(token))).toEqual(refusedWith(403));
});
