import { setTimeout as delay } from "node:timers/promises";
import { Client } from "pg";
import { describe, expect, test } from "vitest";
import type { Reply } from "../support/http-client.ts";
import { countLockWaits } from "../support/lock-waits.ts";
import { SeededRandom } from "../support/seeded-random.ts";
import { untilTrue } from "../support/until-true.ts";
import { people, person, type Company } from "../support/webhook-harness.ts";
import { stageWebhooks } from "../support/webhook-stage.ts";

const companyCount = 12;
const rounds = 8;

const { harness, receiver } = await stageWebhooks();

/** Until it is told to stop: replays of everything, two schedulers, and an address that is set again and again. What is refused is given back. */
async function disturb(
  clientId: string,
  random: SeededRandom,
  until: { isOver: boolean },
): Promise<unknown[]> {
  const errors: unknown[] = [];
  const note = (error: unknown): void => void errors.push((error as Error).message);
  while (!until.isOver) {
    const found = (await harness.deliveriesOf(clientId))
      .slice(0, companyCount)
      .filter(() => random.chance(0.4));
    const replays = found.map((delivery) => harness.services.webhooks.replay(delivery).catch(note));
    const polls = random.chance(0.3)
      ? [harness.services.webhooks.pollNow(undefined).catch(note)]
      : [];
    await Promise.all([
      ...replays,
      ...polls,
      harness.tick().catch(note),
      harness.tick().catch(note),
    ]);
    // An update that comes between reading the client and writing it is a conflict, which is said and is no failure.
    if (random.chance(0.3)) await harness.listen(clientId, receiver.url).catch(() => undefined);
    await delay(20);
  }
  return errors;
}

describe("deliveries, polls, replays and changes of the address at once", () => {
  test("wait for each other and never collide, for a client with many connections whose endpoint comes and goes", async () => {
    const random = new SeededRandom(4);
    const first = await harness.watchCompany(people(3), receiver.url);
    const companies: Company[] = [first];
    while (companies.length < companyCount)
      companies.push(await harness.connectCompany(people(3), { client: first }));
    await harness.settle();
    harness.logLines.length = 0;
    receiver.answer = async (response) => {
      await delay(random.below(15));
      response.writeHead(random.pick([200, 200, 204, 500, 410, 429])).end();
    };
    const errors: unknown[] = [];
    for (let round = 0; round < rounds; round += 1) {
      for (const company of companies)
        company.people = [
          ...people(3),
          person(10 + round),
          person(1, { last_name: `Name${round}` }),
        ].slice(round % 2);
      harness.clock.advance(3_600);
      const until = { isOver: false };
      const disturbed = disturb(first.client.clientId, random, until);
      void delay(400).then(() => (until.isOver = true));
      await harness.work({ includeDelayed: true });
      errors.push(...(await disturbed));
      await harness.work({ includeDelayed: true });
    }
    expect(receiver.received.length).toBeGreaterThan(companyCount * 2);
    expect(errors).toEqual([]);
    expect(
      harness.logLines
        .map((line) => JSON.parse(line) as { level: number })
        .filter(({ level }) => level >= 40),
    ).toEqual([]);
  });
});

const waitsForLock = async (): Promise<boolean> => (await countLockWaits(harness.database)) > 0;

describe("who changes the polls of a client", () => {
  const changes: Record<string, (company: Company) => Promise<unknown>> = {
    "a poll that is asked for": () => harness.services.webhooks.pollNow(undefined),
    "an address that is set": async ({ client }) => {
      await harness.listen(client.clientId, receiver.url);
      await harness.tick();
    },
    "an address that is removed": async ({ client }) => {
      await harness.listen(client.clientId, null);
      await harness.tick();
    },
  };

  test.each(Object.entries(changes))(
    "locks them in one order, so that nobody waits in a circle: %s",
    async (_name, change) => {
      const company = await harness.watchCompany(people(1), receiver.url);
      for (let more = 0; more < 3; more += 1)
        await harness.connectCompany(people(1), { client: company });
      await harness.settle();
      const [lowest] = await harness.database.query(
        "select min(connection_id::text) as id from polls where client_id = $1",
        [company.client.clientId],
      );
      const first = [lowest?.["id"]];
      // It stands after the others now: who takes them as they come, takes it last.
      await harness.database.query("update polls set slot = slot where connection_id = $1", first);
      const other = new Client({ connectionString: harness.database.url });
      await other.connect();
      try {
        await other.query("begin");
        await other.query("select from polls where connection_id = $1 for update", first);
        const changing = change(company);
        await untilTrue("the change waits", waitsForLock);
        const { rowCount: free } = await other.query(
          "select from polls where client_id = $1 for update skip locked",
          [company.client.clientId],
        );
        await other.query("commit");
        await changing;
        expect(free).toBe(4);
      } finally {
        await other.end();
      }
    },
  );
});

type AnyQuery = (...words: unknown[]) => Promise<unknown>;

/** Comes once, after a statement of some transaction that holds these words, and before its next one. */
function comeAfter(words: string, intervene: () => Promise<void>): () => void {
  const pool = harness.services.pool as unknown as { connect: AnyQuery };
  const connect = pool.connect.bind(pool);
  let isDone = false;
  pool.connect = async (...given) => {
    // The pool asks itself so for a single statement.
    if (given.length > 0) return await connect(...given);
    const client = (await connect(...given)) as { query: AnyQuery };
    const query = client.query.bind(client);
    client.query = async (...statement) => {
      const result = await query(...statement);
      if (!isDone && String(statement[0]).includes(words)) {
        isDone = true;
        await intervene();
      }
      return result;
    };
    return client;
  };
  return () => void (pool.connect = connect);
}

describe("a disconnect that comes while a body is being made", () => {
  test("is answered, and nothing is sent any more", async () => {
    await harness.disconnectCompanies();
    receiver.reset();
    harness.logLines.length = 0;
    const company = await harness.watchCompany(people(3), receiver.url);
    company.people = people(4);
    let disconnected: Promise<Reply> | undefined;
    const restore = comeAfter(
      "from receiver_states where connection_id = $1 for update",
      async () => {
        disconnected = harness.http.post("/2023-03-01/management/disconnect", {
          bearer: company.token,
        });
        await untilTrue("the disconnect waits", waitsForLock);
      },
    );
    await harness.pollNextHour();
    restore();
    const reply = await disconnected;
    expect({ status: reply?.status, body: reply?.body }).toEqual({
      status: 200,
      body: { disconnected: true },
    });
    await harness.settle({ includeDelayed: true });
    expect(
      await harness.database.query("select 1 from deliveries where connection_id = $1", [
        company.connectionId,
      ]),
    ).toEqual([]);
  });
});
