import { randomBytes, randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import { fieldsWithout } from "../../src/model/index.ts";
import { decompress } from "../../src/platform/compression.ts";
import type { Queryable } from "../../src/platform/db/index.ts";
import { openPolledEmployees } from "../../src/webhooks/employee-list.ts";
import { findSealed } from "../../src/webhooks/delivery-store.ts";
import { openBody } from "../../src/webhooks/delivery-body.ts";
import { sweepWebhooks } from "../../src/webhooks/sweep.ts";
import { openTombstones } from "../../src/webhooks/tombstones.ts";
import { dumpTables } from "../support/dump-tables.ts";
import { answers } from "../support/receiver.ts";
import { Gate } from "../support/stub-provider.ts";
import {
  people,
  webhookDependencies,
  whoIn,
  type Company,
  type Person,
} from "../support/webhook-harness.ts";
import { stageWebhooks } from "../support/webhook-stage.ts";

const { harness, receiver } = await stageWebhooks();
const { http, services } = harness;

const client = "/2023-03-01/management/client";
const employees = "/2023-03-01/xhr/employees";
const iban = "DE00CANARY0000000001";
const all = ["bank_account", "date_of_birth", "ethnicity", "relatives", "tax_id"] as const;

/** All that can be switched off, in each of them. */
function withAll(list: readonly Person[]): Person[] {
  return list.map((each) => ({
    ...each,
    bank_account: { iban },
    tax_id: "CANARY-tax",
    date_of_birth: "1985-07-30",
    ethnicity: "mixed",
    dependents: [{ name: "CANARY-child", relationship: "child" }],
    emergency_contacts: [{ first_name: "CANARY-contact" }],
  }));
}

async function switchOff({ client: { clientId }, secret }: Company, fields: readonly string[]) {
  return await http.post(client, { basic: [clientId, secret], json: { fields_off: fields } });
}

async function read({ token }: Company, headers: Record<string, string> = {}) {
  return await http.get(employees, { bearer: token, headers });
}

/** The employees, when they have been read. */
async function readList(company: Company): Promise<Record<string, unknown>[]> {
  await read(company);
  await harness.drain();
  const reply = await read(company);
  expect(reply.status).toBe(200);
  return reply.body as Record<string, unknown>[];
}

/** All that is kept of a connection for its webhooks, opened. */
async function openKept({ connectionId }: Company): Promise<string> {
  const { dataKey } = (await services.connections.openKey(connectionId))!;
  const state = await harness.stateOf({ connectionId });
  const list = state && openPolledEmployees(dataKey, connectionId, state.employees);
  const gone = await openTombstones(dataKey, connectionId, state?.sealedTombstones ?? null);
  const deliveries = await harness.database.query(
    `select id from deliveries where connection_id = '${connectionId}'`,
  );
  const bodies = deliveries.map(async ({ id }) => {
    const sealed = await findSealed(services.pool, String(id), "sealed_body");
    return openBody(dataKey, String(id), sealed!).toString();
  });
  return [
    list ? (await decompress(list.body)).toString() : "",
    ...gone.values(),
    ...(await Promise.all(bodies)),
  ].join("\n");
}

describe("fields that a client has switched off", () => {
  test("are null in each record, and the others stay", async () => {
    const company = await harness.connectCompany(withAll(people(2)));
    const before = await readList(company);
    expect(before[0]).toMatchObject({ bank_account: { iban }, tax_id: "CANARY-tax" });
    const updated = await switchOff(company, all);
    expect(updated.body).toHaveProperty("fields_off", all);
    const after = await readList(company);
    const off = Object.fromEntries(fieldsWithout(all).map((field) => [field, null]));
    expect(after).toEqual(before.map((each) => ({ ...each, ...off })));
    expect(JSON.stringify(after)).not.toContain("CANARY");
  });

  test("are not asked of the adapter", async () => {
    const company = await harness.connectCompany(withAll(people(1)));
    await switchOff(company, ["bank_account", "relatives"]);
    await readList(company);
    const { context } = harness.stub.fetches.at(-1)!;
    const wanted = ["bank_account", "dependents", "emergency_contacts", "tax_id", "job_title"];
    expect(wanted.filter((field) => context.isWanted(field))).toEqual(["tax_id", "job_title"]);
  });

  test("do not count as rights that the account lacks", async () => {
    const company = await harness.connectCompany(withAll(people(1)));
    company.limited = ["bank_account", "gender"];
    await switchOff(company, ["bank_account"]);
    await readList(company);
    const { clientId } = company.client;
    const reply = await http.get("/2023-03-01/management/tokens", {
      basic: [clientId, company.secret],
    });
    expect(reply.body).toMatchObject([{ limited: { employees: ["gender"] } }]);
  });

  test("are all of them for a client whose row somebody else has changed", async () => {
    const company = await harness.connectCompany(withAll(people(1)));
    const { clientId } = company.client;
    await switchOff(company, ["tax_id"]);
    await harness.database.query(
      `update clients set fields_off = '{}' where client_id = '${clientId}'`,
    );
    expect(await readList(company)).toMatchObject([
      { tax_id: null, bank_account: null, date_of_birth: null },
    ]);
  });

  test("may be in no byte of the database, the logs, the replies and the webhooks", async () => {
    const company = await harness.connectCompany([]);
    await switchOff(company, ["bank_account"]);
    const logged = harness.logLines.length;
    company.people = withAll(people(2));
    await harness.listen(company.client.clientId, receiver.url);
    await harness.tick();
    await harness.work();
    company.people = withAll(people(3));
    await harness.pollNextHour();
    const list = await readList(company);
    expect(whoIn(receiver.last)).toMatchObject({ added: ["r3"] });
    const found = [
      JSON.stringify(list),
      receiver.received.map(({ bytes }) => bytes.toString()).join("\n"),
      await openKept(company),
      await dumpTables(harness.database.url),
      harness.logLines.slice(logged).join("\n"),
    ].map((text) => text.includes(iban));
    expect(found).toEqual([false, false, false, false, false]);
  });
});

describe("after the reply", () => {
  test("nothing old is served: the next GET is 202, also with the ETag of before", async () => {
    const company = await harness.connectCompany(withAll(people(2)));
    await readList(company);
    const before = await read(company);
    const headers = { "if-none-match": String(before.headers["etag"]) };
    expect((await read(company, headers)).status).toBe(304);
    await switchOff(company, ["tax_id"]);
    expect((await read(company, headers)).status).toBe(202);
    const [row] = await harness.database.query(
      `select count(*)::integer as stored from snapshots where connection_id = '${company.connectionId}'`,
    );
    expect(row).toEqual({ stored: 0 });
  });

  test("and of many connections a few are removed by one statement, so that it does not take too long", async () => {
    const asked: number[] = [];
    const tx: Queryable = {
      query: async (query, values) => {
        const [connectionIds] = values as [string[]];
        asked.push(connectionIds.length);
        return await services.pool.query(query, values);
      },
    };
    const ids = Array.from({ length: 1_200 }, () => randomUUID());
    await services.pollSource.remove(tx, ids);
    expect([Math.max(...asked), asked.reduce((sum, each) => sum + each)]).toEqual([500, 2_400]);
  });

  test("a read that began before stores nothing", async () => {
    const company = await harness.connectCompany(withAll(people(1)));
    const gate = new Gate();
    company.onFetch = () => gate.pass();
    await read(company);
    const working = harness.drain();
    await gate.reached;
    await switchOff(company, ["bank_account"]);
    company.onFetch = () => undefined;
    gate.open();
    await working;
    expect(await readList(company)).toMatchObject([{ bank_account: null }]);
  });

  test("the same list sent again changes nothing: what is stored is served", async () => {
    const company = await harness.connectCompany(withAll(people(1)));
    await switchOff(company, ["tax_id", "bank_account"]);
    await readList(company);
    await switchOff(company, ["bank_account", "tax_id"]);
    expect((await read(company)).status).toBe(200);
  });

  test("what is switched on again is read again", async () => {
    const company = await harness.connectCompany(withAll(people(1)));
    await switchOff(company, all);
    await readList(company);
    await switchOff(company, []);
    expect((await read(company)).status).toBe(202);
    expect(await readList(company)).toMatchObject([{ bank_account: { iban } }]);
  });
});

describe("webhooks", () => {
  test("tell nobody as updated because a field was switched off or on, and lose no change", async () => {
    const company = await harness.watchCompany(withAll(people(9)), receiver.url);
    await switchOff(company, all);
    company.people = withAll(people(10));
    await harness.pollNextHour();
    await switchOff(company, []);
    await harness.pollNextHour();
    company.people = withAll(people(11));
    await harness.pollNextHour();
    expect(receiver.received.map(whoIn)).toEqual([
      { added: ["r10"], removed: [], updated: [] },
      // Of whom the receiver knows nulls.
      { added: [], removed: [], updated: ["r10"] },
      { added: ["r11"], removed: [], updated: [] },
    ]);
  });

  test("a body that waits is sent without what was switched off since", async () => {
    const company = await harness.watchCompany(withAll(people(2)), receiver.url);
    receiver.answer = answers.status(500);
    company.people = withAll(people(3));
    await harness.pollNextHour();
    expect(receiver.last.bytes.toString()).toContain(iban);
    await switchOff(company, ["bank_account"]);
    receiver.reset();
    harness.clock.advance(3_600);
    await harness.work({ includeDelayed: true });
    expect(whoIn(receiver.last)).toMatchObject({ added: ["r3"] });
    expect(receiver.last.body.added[0]).toMatchObject({ bank_account: null, tax_id: "CANARY-tax" });
  });

  test("a sweep removes it from the lists and bodies that are kept", async () => {
    const company = await harness.watchCompany(withAll(people(9)), receiver.url);
    company.people = withAll(people(10).slice(1));
    await harness.pollNextHour();
    expect(await openKept(company)).toContain(iban);
    await switchOff(company, ["bank_account"]);
    await harness.sweep();
    const kept = await openKept(company);
    expect(kept).not.toContain(iban);
    expect(kept).toContain("CANARY-tax");
    const { clientId } = company.client;
    await http.post(`/2023-03-01/management/deliveries/${receiver.last.id}/replay`, {
      basic: [clientId, company.secret],
    });
    await harness.work();
    expect(receiver.last.body.removed).toMatchObject([{ remote_id: "r1", bank_account: null }]);
  });
});

/** Companies of one client, in the order in which they are cleaned. */
async function watchMany(count: number): Promise<Company[]> {
  const first = await harness.watchCompany(withAll(people(2)), receiver.url);
  const made = [first];
  while (made.length < count)
    made.push(
      await harness.watchCompany(withAll(people(2)), receiver.url, {
        client: first,
      }),
    );
  return made.toSorted((a, b) => (a.connectionId < b.connectionId ? -1 : 1));
}

const areKept = async (companies: readonly Company[]): Promise<boolean[]> =>
  await Promise.all(companies.map(async (each) => (await openKept(each)).includes(iban)));

describe("a sweep that removes it", () => {
  test("and ends early is gone on with by the next one", async () => {
    const companies = await watchMany(3);
    await switchOff(companies[0]!, ["bank_account"]);
    const dependencies = webhookDependencies(services);
    let elapsedMs = 0;
    const clock = {
      ...dependencies.clock,
      now: () => harness.clock.now(),
      elapsedMs: () => elapsedMs,
    };
    // A connection takes all the time of a sweep.
    const connections = {
      listIds: services.connections.listIds.bind(services.connections),
      lockAgainstRemoval: services.connections.lockAgainstRemoval.bind(services.connections),
      openKey: async (id: string) => {
        elapsedMs += 60_000;
        return await services.connections.openKey(id);
      },
    } as unknown as typeof dependencies.connections;
    const kept: boolean[][] = [];
    for (let sweeps = 0; sweeps < 3; sweeps += 1) {
      await sweepWebhooks({ ...dependencies, clock, connections });
      kept.push(await areKept(companies));
    }
    expect(kept).toEqual([
      [false, true, true],
      [false, false, true],
      [false, false, false],
    ]);
  });

  test("takes turns between clients, however many connections one of them has", async () => {
    const watch = (client?: Company) =>
      harness.watchCompany(withAll(people(2)), receiver.url, client && { client });
    // The first of them is begun with.
    const [first, last] = [await watch(), await watch()].toSorted((a, b) =>
      a.client.clientId < b.client.clientId ? -1 : 1,
    ) as [Company, Company];
    const companies = [first, last];
    while (companies.length < 7) companies.push(await watch(first));
    for (const each of [first, last]) await switchOff(each, ["bank_account"]);
    const dependencies = webhookDependencies(services);
    let elapsedMs = 0;
    const clock = {
      ...dependencies.clock,
      now: () => harness.clock.now(),
      elapsedMs: () => elapsedMs,
    };
    const connections = {
      listIds: services.connections.listIds.bind(services.connections),
      lockAgainstRemoval: services.connections.lockAgainstRemoval.bind(services.connections),
      openKey: async (id: string) => {
        elapsedMs += 8_000;
        return await services.connections.openKey(id);
      },
    } as unknown as typeof dependencies.connections;
    await sweepWebhooks({ ...dependencies, clock, connections });
    expect(await areKept([last])).toEqual([false]);
    expect(await areKept(companies)).toContain(true);
    await harness.sweep();
    expect(await areKept(companies)).not.toContain(true);
  });

  test("and fails for a connection goes on with those behind it, and is not done before that one is", async () => {
    const companies = await watchMany(2);
    const other = await harness.watchCompany(withAll(people(2)), receiver.url);
    const id = companies[0]!.connectionId;
    const [row] = await harness.database.query(
      "select sealed_list as sealed from receiver_states where connection_id = $1",
      [id],
    );
    const store = (sealed: unknown) =>
      harness.database.query(
        "update receiver_states set sealed_list = $2 where connection_id = $1",
        [id, sealed],
      );
    await store(randomBytes(100));
    await switchOff(companies[0]!, ["bank_account"]);
    await switchOff(other, ["bank_account"]);
    await expect(harness.sweep()).rejects.toThrow("1 connections could not be swept");
    expect(await areKept([companies[1]!, other])).toEqual([false, false]);
    expect(harness.logLines.join("")).toContain(`"connectionId":"${id}"`);
    await store(row?.["sealed"]);
    await harness.sweep();
    expect(await areKept([companies[0]!])).toEqual([false]);
    await harness.sweep();
    const [endpoint] = await harness.database.query(
      "select cleans_due as due, uncleaned from webhook_endpoints where client_id = $1",
      [companies[0]!.client.clientId],
    );
    expect(endpoint).toEqual({ due: 0, uncleaned: [] });
  });

  test("begins with the first connection again when more is switched off", async () => {
    const companies = await watchMany(2);
    await switchOff(companies[0]!, ["tax_id"]);
    await harness.database.query(
      "update webhook_endpoints set cleaned_to = $1 where cleans_due > 0",
      [companies[1]!.connectionId],
    );
    await switchOff(companies[0]!, ["tax_id", "bank_account"]);
    await harness.sweep();
    expect(await areKept(companies)).toEqual([false, false]);
  });

  test("also finds the lists of a client that has its employees polled for events alone", async () => {
    const company = await harness.connectCompany(withAll(people(2)));
    const { clientId } = company.client;
    await services.clients.update((await services.clients.find(clientId))!, {
      pollResources: ["employees"],
    });
    await harness.settle();
    expect(await areKept([company])).toEqual([true]);
    await switchOff(company, ["bank_account"]);
    await harness.sweep();
    expect(await areKept([company])).toEqual([false]);
    expect(await harness.statusOf(clientId)).toBeNull();
  });
});

describe("400", () => {
  const bad = {
    "a field that cannot be switched off": ["first_name"],
    "a field twice": ["tax_id", "tax_id"],
    "what is no list": "tax_id",
  };

  test.each(Object.entries(bad))("%s", async (_name, fields) => {
    const { client: made, secret } = await harness.createClient();
    const reply = await http.post(client, {
      basic: [made.clientId, secret],
      json: { fields_off: fields },
    });
    expect(reply.status).toBe(400);
    expect(reply.body).toHaveProperty(
      "validation_error",
      expect.stringMatching(/^fields_off/) as string,
    );
  });
});
