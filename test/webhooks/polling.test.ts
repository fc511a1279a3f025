import { beforeEach, describe, expect, test, vi } from "vitest";
import type { AuthErrorCode } from "../../src/model/index.ts";
import {
  AuthError,
  OperationNotSupported,
  ProviderBug,
  ProviderDown,
  ProviderRateLimited,
} from "../../src/providers/errors.ts";
import { settleUnchanged } from "../../src/webhooks/poll-store.ts";
import { signInAgain } from "../support/sign-in-again.ts";
import { Gate } from "../support/stub-provider.ts";
import { untilTrue } from "../support/until-true.ts";
import {
  createWebhookHarness,
  people,
  person,
  whoIn,
  type Company,
} from "../support/webhook-harness.ts";
import { stageWebhooks } from "../support/webhook-stage.ts";

const client = "/2023-03-01/management/client";
const hour = 3_600;

const { harness, receiver } = await stageWebhooks();
beforeEach(() => void (harness.stub.unsupported = []));

const basicOf = ({ client: { clientId }, secret }: Company): [string, string] => [clientId, secret];
const outcomeOf = async (company: Company) => (await harness.pollOf(company))?.outcome;

async function pollHours(hours: number): Promise<void> {
  for (let done = 0; done < hours; done += 1) await harness.pollNextHour();
}

describe("what an unchanged poll costs", () => {
  test("its read begins with the schedule and settles it, and no job is made for it", async () => {
    const company = await harness.watchCompany(people(3), receiver.url);
    const before = await harness.pollOf(company);
    const enqueue = vi.spyOn(harness.services.queue, "enqueue");
    harness.clock.advance(hour);
    await harness.tick();
    expect((await harness.pollOf(company))?.state).toBe("pending");
    expect(await harness.services.reads.lists.list({ status: "pending", limit: 10 })).toMatchObject(
      [{ connectionId: company.connectionId, resource: "employees", priority: 1 }],
    );
    await harness.drain();
    const after = await harness.pollOf(company);
    expect(after).toMatchObject({ state: "idle", outcome: "unchanged" });
    expect(after?.polledAt?.getTime()).toBeGreaterThan(before?.polledAt?.getTime() ?? Infinity);
    expect(after?.run).not.toBe(before?.run);
    expect(enqueue.mock.calls.map(([queue]) => queue)).toEqual(["read"]);
    enqueue.mockRestore();
  });

  test("its answer and its read are settled by one statement, and nobody is told who does not wait", async () => {
    const company = await harness.watchCompany(people(3), receiver.url);
    const { listener, pool, reads } = harness.services;
    const notices: string[] = [];
    listener.observe((payload) => notices.push(payload));
    listener.start();
    harness.clock.advance(hour);
    await harness.tick();
    const [read] = await reads.lists.list({ status: "pending", limit: 1 });
    const query = vi.spyOn(pool, "query");
    await harness.drain();
    const texts = query.mock.calls.map(([statement]) => {
      const given = statement as unknown as string | { text: string };
      return typeof given === "string" ? given : given.text;
    });
    query.mockRestore();
    expect(await outcomeOf(company)).toBe("unchanged");
    const settling = texts.filter((text) => text.includes("set state = 'settled'"));
    expect(settling).toHaveLength(1);
    expect(settling[0]).toContain("touch_snapshot(");
    await untilTrue("notices are heard", async () => {
      await pool.query("select pg_notify('settled', 'heard')");
      return notices.includes("heard");
    });
    expect(notices).not.toContain(read?.id);
  });

  test("a read from before its slot does not settle it", async () => {
    const company = await harness.watchCompany(people(3), receiver.url);
    const state = await harness.stateOf(company);
    harness.clock.advance(hour);
    await harness.tick();
    const version = state?.state.version ?? "";
    const slot = (await harness.pollOf(company))?.slot ?? new Date(0);
    const settle = (storedAt: Date): ReturnType<typeof settleUnchanged> =>
      settleUnchanged(harness.services.pool, company.connectionId, {
        version,
        storedAt,
        limited: [],
      });
    expect(await settle(new Date(slot.getTime() - 1))).toBeUndefined();
    expect((await harness.pollOf(company))?.state).toBe("pending");
    expect(await settle(slot)).toMatchObject({ connectionId: company.connectionId });
    expect(await settle(slot)).toBeUndefined();
    await harness.drain();
  });

  test("one whose list is another one, or who suspects that somebody is missing, is compared", async () => {
    const company = await harness.watchCompany(people(10), receiver.url);
    company.people = people(4);
    await harness.pollNextHour();
    expect((await harness.stateOf(company))?.state.suspectedMissing.size).toBe(6);
    await harness.pollNextHour();
    expect(receiver.received.map((body) => whoIn(body).removed.length)).toEqual([6]);
  });

  test("a poll of a connection that is being removed leaves the others alone", async () => {
    const [removed, other] = [
      await harness.watchCompany(people(3), receiver.url),
      await harness.watchCompany(people(3), receiver.url),
    ];
    harness.clock.advance(hour);
    const remover = await harness.services.pool.connect();
    await remover.query("begin");
    await remover.query("select from connections where id = $1 for update", [removed.connectionId]);
    await harness.tick();
    // As long as the removal goes on: afterwards its poll begins, too.
    const reads = await harness.services.reads.lists.list({ status: "pending", limit: 10 });
    await remover.query("commit");
    remover.release();
    expect(reads.map(({ connectionId }) => connectionId)).toEqual([other.connectionId]);
    await harness.work();
    expect([await outcomeOf(removed), await outcomeOf(other)]).toEqual(["unchanged", "unchanged"]);
  });
});

describe("a poll that is due again before its last list is compared", () => {
  test("compares the list that it is due for, which has what changed in between", async () => {
    const company = await harness.watchCompany(people(3), receiver.url);
    const { connections } = harness.services;
    const lock = connections.lockAgainstRemoval.bind(connections);
    const comparing = new Gate();
    const held = vi.spyOn(connections, "lockAgainstRemoval");
    held.mockImplementationOnce(async (...args) => {
      await comparing.pass();
      return await lock(...args);
    });
    company.people = [person(1, { last_name: "Once" }), person(2), person(3)];
    harness.clock.advance(hour);
    await harness.tick();
    await harness.drain();
    await comparing.reached;
    company.people = [
      person(1, { last_name: "Once" }),
      person(2, { last_name: "Twice" }),
      person(3),
    ];
    harness.clock.advance(hour);
    await harness.tick();
    comparing.open();
    await harness.services.webhooks.polls.drained();
    await harness.work();
    held.mockRestore();
    expect(receiver.received.flatMap((body) => whoIn(body).updated)).toEqual(["r1", "r2"]);
    expect(await outcomeOf(company)).toBe("changed");
  });

  test("and one that was due between two milliseconds ends with its comparison", async () => {
    const company = await harness.watchCompany(people(3), receiver.url);
    await harness.database.query(
      "update polls set next_poll_at = next_poll_at + interval '7 microseconds'",
    );
    company.people = people(4);
    await harness.pollNextHour();
    expect(await harness.pollOf(company)).toMatchObject({ state: "idle", outcome: "changed" });
  });
});

describe("the webhook address", () => {
  test("set over the API it makes a baseline poll due at once, which sends nothing, and a poll an hour from then on", async () => {
    const company = await harness.connectCompany(people(2));
    await harness.tick();
    await harness.work();
    expect(company.fetches).toBe(0);
    const reply = await harness.http.post(client, {
      basic: basicOf(company),
      json: { webhook_uri: "https://hooks.example.com/rollcall" },
    });
    expect(reply.body).toMatchObject({
      webhook_uri: "https://hooks.example.com/rollcall",
      webhook_status: "active",
    });
    await harness.settle();
    expect(await outcomeOf(company)).toBe("baseline");
    expect(await harness.deliveriesOf(company.client.clientId)).toEqual([]);
    await pollHours(3);
    expect(company.fetches).toBe(4);
  });

  test.each([
    "http://hooks.example.com/",
    "ftp://hooks.example.com/",
    "hooks.example.com",
    "https://user:word@hooks.example.com/",
  ])("%s is refused in a hosted service", async (webhookUri) => {
    const company = await harness.connectCompany(people(1));
    const reply = await harness.http.post(client, {
      basic: basicOf(company),
      json: { webhook_uri: webhookUri },
    });
    expect(reply.status).toBe(400);
    expect((reply.body as { validation_error: string }).validation_error).toContain("webhook_uri");
  });

  test("null ends polls and what is pending, and a new one begins with a new baseline", async () => {
    const company = await harness.watchCompany(people(2), receiver.url);
    const reply = await harness.http.post(client, {
      basic: basicOf(company),
      json: { webhook_uri: null },
    });
    expect(reply.body).toMatchObject({ webhook_uri: null, webhook_status: null });
    company.people = people(4);
    await pollHours(2);
    expect(company.fetches).toBe(1);
    expect(await harness.stateOf(company)).toBeUndefined();
    await harness.listen(company.client.clientId, receiver.url);
    await harness.settle();
    expect(await outcomeOf(company)).toBe("baseline");
    expect(receiver.received).toEqual([]);
  });

  test.each([
    ["active", 204],
    ["gone", 410],
  ])("GET client tells the status: %s", async (status, answer) => {
    const company = await harness.watchCompany(people(2), receiver.url);
    receiver.answer = (response) => void response.writeHead(answer).end();
    company.people = people(3);
    await harness.pollNextHour();
    expect((await harness.http.get(client, { basic: basicOf(company) })).body).toMatchObject({
      webhook_status: status,
    });
  });

  test("a connection that is made later is polled for its baseline at once", async () => {
    const first = await harness.watchCompany(people(1), receiver.url);
    const second = await harness.connectCompany(people(5), { client: first });
    await harness.settle();
    expect(await outcomeOf(second)).toBe("baseline");
  });

  test.each([
    ["without the employees scope", { scopes: ["/2023-03-01/xhr/company" as const] }, 0],
    [
      "with the official employees scope",
      { mode: "official" as const, scopes: ["/2023-03-01/official/employees" as const] },
      1,
    ],
  ])("a connection %s", async (_case, options, fetches) => {
    const company = await harness.connectCompany(people(1), options);
    await harness.listen(company.client.clientId, receiver.url);
    await harness.settle();
    expect(company.fetches).toBe(fetches);
  });

  test("the shared sandbox token is never polled", async () => {
    harness.clock.advance(hour);
    await harness.services.webhooks.pollNow(undefined);
    const rows = await harness.database.query(
      "select 1 from polls where provider = 'sandbox' and (state = 'pending' or next_poll_at is not null or outcome is not null)",
    );
    expect(rows).toEqual([]);
  });
});

describe("a provider that refuses", () => {
  test.each<AuthErrorCode>([
    "reauthentication_required",
    "incorrect_username_or_password",
    "captcha_challenge",
  ])("with %s is not polled any more until somebody signs in again", async (code) => {
    const company = await harness.watchCompany(people(3), receiver.url);
    company.onFetch = () => {
      throw new AuthError(code);
    };
    await pollHours(4);
    expect(company.fetches).toBe(2);
    expect(await outcomeOf(company)).toBe("refused");
    company.onFetch = () => undefined;
    company.people = people(4);
    await signInAgain(harness, company.connectionId);
    await harness.settle();
    expect(receiver.received.map(whoIn)).toEqual([{ added: ["r4"], removed: [], updated: [] }]);
    await pollHours(2);
    expect(company.fetches).toBe(5);
  });

  test("with insufficient_permission is polled again the next hour", async () => {
    const company = await harness.watchCompany(people(3), receiver.url);
    company.onFetch = () => {
      throw new AuthError("insufficient_permission");
    };
    await pollHours(2);
    expect(await outcomeOf(company)).toBe("forbidden");
    company.onFetch = () => undefined;
    company.people = people(4);
    await pollHours(2);
    expect(receiver.received.map(whoIn)).toEqual([{ added: ["r4"], removed: [], updated: [] }]);
  });

  test("a data request that was refused stops the polls too, and `poll now` does not wake them", async () => {
    const company = await harness.watchCompany(people(3), receiver.url);
    company.onFetch = () => {
      throw new AuthError("reauthentication_required");
    };
    harness.clock.advance(hour / 2);
    await harness.http.get("/2023-03-01/xhr/employees", {
      bearer: company.token,
      headers: { "cache-control": "no-cache" },
    });
    await harness.drain();
    const { fetches } = company;
    expect(await harness.services.webhooks.pollNow(company.tokenId)).toEqual([]);
    await pollHours(3);
    expect(company.fetches).toBe(fetches);
  });

  test("a sign-in that comes while a poll finds out that it was refused is not undone", async () => {
    const company = await harness.watchCompany(people(3), receiver.url);
    const { pool } = harness.services;
    // The sign-in comes after the refusal was kept, and before the poll has ended.
    const query = pool.query.bind(pool);
    let isDone = false;
    pool.query = (async (...words: unknown[]) => {
      if (String(words[0]).includes("outcome = $3") && !isDone) {
        isDone = true;
        await signInAgain(harness, company.connectionId);
      }
      return await (query as (...all: unknown[]) => Promise<unknown>)(...words);
    }) as never;
    company.onFetch = () => {
      if (!isDone) throw new AuthError("reauthentication_required");
    };
    await harness.pollNextHour();
    pool.query = query;
    expect(isDone).toBe(true);
    company.people = people(4);
    await pollHours(2);
    expect(receiver.received.map(whoIn)).toEqual([{ added: ["r4"], removed: [], updated: [] }]);
  });
});

describe("a provider that fails", () => {
  test("for a while is tried again within the hour, and the list is compared then", async () => {
    const company = await harness.watchCompany(people(3), receiver.url);
    company.people = people(4);
    let failures = 2;
    company.onFetch = () => {
      failures -= 1;
      if (failures >= 0) throw new ProviderDown();
    };
    await harness.pollAtSlot(company);
    for (let tries = 0; tries < 3; tries += 1) {
      harness.clock.advance(40);
      await harness.work({ includeDelayed: true });
    }
    expect(receiver.received.map(whoIn)).toEqual([{ added: ["r4"], removed: [], updated: [] }]);
  });

  test.each([
    ["is down", () => new ProviderDown(), "unavailable"],
    ["breaks its contract", () => new ProviderBug("x"), "broken"],
  ])("and %s is polled again the next hour", async (_case, failure, outcome) => {
    const company = await harness.watchCompany(people(3), receiver.url);
    company.onFetch = () => {
      throw failure();
    };
    await harness.pollNextHour();
    for (let tries = 0; tries < 6; tries += 1) {
      harness.clock.advance(35);
      await harness.work({ includeDelayed: true });
    }
    expect(await outcomeOf(company)).toBe(outcome);
    company.onFetch = () => undefined;
    company.people = people(4);
    await harness.pollNextHour();
    expect(receiver.received.map(whoIn)).toEqual([{ added: ["r4"], removed: [], updated: [] }]);
  });

  test("and asks to wait for long is waited for, and the poll ends then", async () => {
    const company = await harness.watchCompany(people(3), receiver.url);
    company.onFetch = () => {
      throw new ProviderRateLimited(3_000);
    };
    await harness.pollNextHour();
    expect(await outcomeOf(company)).toBe("baseline");
    company.onFetch = () => undefined;
    company.people = people(4);
    harness.clock.advance(3_000);
    await harness.work();
    expect(await outcomeOf(company)).toBe("changed");
    expect(receiver.received.map(whoIn)).toEqual([{ added: ["r4"], removed: [], updated: [] }]);
  });

  test("because it lacks the employees for a day is polled again after that day", async () => {
    const company = await harness.watchCompany(people(3), receiver.url);
    company.onFetch = () => {
      throw new OperationNotSupported("x");
    };
    await pollHours(2);
    expect(await outcomeOf(company)).toBe("unsupported");
    company.onFetch = () => undefined;
    company.people = people(4);
    await pollHours(25);
    expect(receiver.received.map(whoIn)).toEqual([{ added: ["r4"], removed: [], updated: [] }]);
  });

  test("delays nobody but itself: the others are polled and told while it hangs", async () => {
    const gate = new Gate();
    const stuck = await harness.watchCompany(people(3), receiver.url);
    const healthy = await harness.watchCompany(people(3), receiver.url);
    stuck.onFetch = () => gate.pass();
    healthy.people = people(4);
    harness.clock.advance(hour);
    await harness.tick();
    const work = harness.work();
    await gate.reached;
    await untilTrue("the other company's news arrived", () =>
      receiver.received.some(({ token }) => token === healthy.tokenId),
    );
    expect(await outcomeOf(stuck)).toBe("baseline");
    gate.open();
    await work;
  });

  test("does not hold up those of another provider, even with every place of its own taken", async () => {
    const narrow = await createWebhookHarness({ concurrency: 1 });
    const gate = new Gate();
    try {
      const stuck = await narrow.watchCompany(people(3), receiver.url);
      // The clock orders the tokens.
      narrow.clock.advance(1);
      const sandbox = await narrow.connect({ client: stuck });
      await narrow.listen(stuck.client.clientId, receiver.url);
      stuck.onFetch = () => gate.pass();
      narrow.clock.advance(hour);
      await narrow.tick();
      const work = narrow.work();
      await gate.reached;
      const polled = async () =>
        await narrow.database.query(
          "select outcome from polls where token_id = $1 and outcome is not null",
          [sandbox.tokenId],
        );
      await untilTrue("the sandbox was polled", async () => (await polled()).length === 1);
      expect(await polled()).toEqual([{ outcome: "baseline" }]);
      gate.open();
      await work;
    } finally {
      gate.open();
      await narrow.close();
    }
  });
});

describe("a poll", () => {
  test("that was interrupted is made again by the sweeper, and nothing is told twice", async () => {
    const company = await harness.watchCompany(people(3), receiver.url);
    company.people = people(4);
    harness.clock.advance(hour);
    await harness.tick();
    await harness.services.queue.stopWorking(0);
    await harness.work();
    harness.clock.advance(61);
    await harness.sweep();
    await harness.work();
    expect(receiver.ids).toHaveLength(1);
  });

  test("whose list is as before changes nothing and sends nothing", async () => {
    const company = await harness.watchCompany(people(3), receiver.url);
    company.people = people(3).toReversed();
    await pollHours(3);
    expect(await outcomeOf(company)).toBe("unchanged");
    expect(await harness.deliveriesOf(company.client.clientId)).toEqual([]);
  });

  test("puts what it read where data requests find it", async () => {
    const company = await harness.watchCompany([person(1)], receiver.url);
    const reply = await harness.http.get("/2023-03-01/xhr/employees", { bearer: company.token });
    expect(reply.status).toBe(200);
    expect(reply.body).toMatchObject([{ remote_id: "r1" }]);
    expect(company.fetches).toBe(1);
  });

  test("of a token that was disconnected sends nothing any more", async () => {
    const company = await harness.watchCompany(people(3), receiver.url);
    company.people = people(4);
    harness.clock.advance(hour);
    await harness.tick();
    await harness.http.post("/2023-03-01/management/disconnect", { bearer: company.token });
    await harness.settle({ includeDelayed: true });
    expect(receiver.received).toEqual([]);
  });
});
