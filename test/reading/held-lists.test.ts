import { randomBytes } from "node:crypto";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { kit } from "../../src/providers/kit.ts";
import { decompress } from "../../src/platform/compression.ts";
import { systemClock } from "../../src/platform/clock.ts";
import { createLog } from "../../src/platform/log.ts";
import { AddressPolicy, createGuardedAgent } from "../../src/platform/outbound/index.ts";
import { systemRandom } from "../../src/platform/random.ts";
import type { ChangedPage, ProviderDefinition } from "../../src/providers/contract.ts";
import { ProviderHost } from "../../src/providers/provider-host.ts";
import { ProviderRegistry } from "../../src/providers/registry.ts";
import type { KeptPages } from "../../src/reading/call-services.ts";
import { readWhole, type ReadTask } from "../../src/reading/records/index.ts";
import { unlimitedQuotas } from "../support/unlimited-quotas.ts";

// What a read makes of ids that are none, of two records with one id, and of a list of those who are there still.

interface Person {
  id?: string;
  name: string;
  boss?: string;
  /** A field that no record has. */
  shoe?: number;
}

let people: Person[] = [];
let changed: ChangedPage<Person>[] = [];
let fetches = 0;
/** Gives people one by one, of whom the first ones hide a field, as far as so many. */
let givesUntil: number | undefined;
beforeEach(() => {
  givesUntil = undefined;
  people = [];
  changed = [];
  fetches = 0;
});

const definition: ProviderDefinition = {
  apiVersion: 1,
  name: "lists",
  title: "Lists",
  modes: {
    xhr: {
      form: kit.z.object({}),
      login: async () => ({ session: {} }),
      check: async () => ({ unsupported: [] }),
      identity: async () => ({ name: "Ada", email: "ada@lists.example", phone_number: null }),
      resources: {
        employees: kit.defineReader<"employees", Person>({
          async *fetch(context) {
            fetches += 1;
            context.continueFrom({ at: 1 });
            if (givesUntil === undefined) return yield people;
            for (let at = Number(context.cursor?.["at"] ?? 0); at < people.length; at += 1) {
              if (at === givesUntil) throw new kit.ProviderDown("it stopped");
              if (at === 0) context.limited(["bank_account"]);
              const isLast = at === people.length - 1;
              yield isLast ? [people[at]!] : { records: [people[at]!], cursor: { at: at + 1 } };
            }
          },
          async *changes(context) {
            context.continueFrom({ at: 2 });
            yield* changed;
          },
          map: ({ id, name, ...more }) => ({ remote_id: String(id), last_name: name, ...more }),
        }),
        "time-off-balances": kit.defineReader<"time-off-balances", Person>({
          async *fetch() {
            yield people;
          },
          map: ({ id, boss }) => ({
            employee_remote_id: String(id),
            policy_remote_id: String(boss),
          }),
        }),
      },
    },
  },
};
const agent = createGuardedAgent({
  policy: new AddressPolicy([]),
  allowsHttp: false,
  resolve: async () => [],
});
afterAll(() => agent.destroy());
const host = new ProviderHost({
  registry: new ProviderRegistry([definition]),
  agentOf: () => agent,
  clock: systemClock,
  random: systemRandom,
  log: createLog({ level: "silent" }),
});
const idKey = randomBytes(32);
const fingerprintKey = randomBytes(32);

async function answer(
  resource: "employees" | "time-off-balances",
  { base, stored, kept }: Partial<Pick<ReadTask, "base" | "stored" | "kept">> = {},
  keep: (pages: KeptPages) => Promise<void> = async () => undefined,
) {
  const task: ReadTask = {
    clientId: "",
    provider: "lists",
    mode: "xhr",
    resource,
    parameters: "{}",
    fetchParameters: {},
    session: {},
    today: "2026-03-02",
    idKey,
    fingerprintKey,
    stored,
    sessionVersion: 1,
    settings: {},
    kept,
    base,
    bounds: { maxBytes: 1e6, maxListBytes: 1e6, maxRecords: 1e4, maxPageMs: 10_000 },
  };
  return await readWhole(host, task, {
    signal: new AbortController().signal,
    onPage: () => undefined,
    onSession: () => undefined,
    services: {
      quotas: unlimitedQuotas.of(),
      renewSession: () => Promise.reject(new Error("no session ends here")),
      keep,
    },
  });
}

async function read(...asked: Parameters<typeof answer>) {
  const given = await answer(...asked);
  const { list } = given;
  if (!list) throw new Error("the read gave no list");
  const records = JSON.parse((await decompress(list.body)).toString()) as Record<string, unknown>[];
  return { answer: given, list, records, names: records.map(({ last_name: name }) => name) };
}

/** A list, and what a read of its changes makes of it. */
async function readChanges(pages: ChangedPage<Person>[]) {
  people = ["ada", "bo", "cy"].map((name) => ({ id: name, name }));
  const { list } = await read("employees");
  changed = pages;
  const { body, index } = list;
  const base = { cursor: { at: 1 }, body, index: index!, limited: [] };
  return await read("employees", { base });
}

describe("an id that is none", () => {
  test("refuses the read of a record that has to have it", async () => {
    people = [{ name: "ada" }];
    await expect(read("employees")).rejects.toThrow(
      "a record of employees lacks what every such record must have: remote_id",
    );
  });

  test("is null where it may be, and counted", async () => {
    people = [{ id: "1", name: "ada" }];
    const { answer, records } = await read("time-off-balances");
    expect(records[0]).toMatchObject({ policy_remote_id: null, policy_id: null });
    expect(answer.nulledFields).toEqual({ policy_remote_id: 1 });
  });
});

describe("two records with one id", () => {
  test("that are the same are one, as where pages have moved", async () => {
    people = [
      { id: "1", name: "ada" },
      { id: "1", name: "ada" },
    ];
    const { answer, names } = await read("employees");
    expect(names).toEqual(["ada"]);
    expect(answer).toMatchObject({ isSteady: true, nulledFields: {} });
  });

  test("that differ are counted, and nobody counts as gone by such a list", async () => {
    people = [
      { id: "1", name: "ada" },
      { id: "1", name: "bo" },
    ];
    const { answer, names } = await read("employees");
    expect(names).toEqual(["ada"]);
    expect(answer).toMatchObject({ isSteady: false, nulledFields: { remote_id: 1 } });
  });
});

describe("a list that was stored before", () => {
  test("is as steady as it was when the same answer comes again", async () => {
    people = [
      { id: "1", name: "ada" },
      { id: "1", name: "bo" },
    ];
    const { answer: stored } = await read("employees");
    expect(await answer("employees", { stored })).toMatchObject({ list: null, isSteady: false });
  });

  test("and has changed, says which fields there are not", async () => {
    people = [{ id: "1", name: "ada" }];
    const { answer: stored } = await read("employees");
    people = [{ id: "1", name: "ada", shoe: 39 }];
    const { unknownFields } = await answer("employees", { stored });
    expect(unknownFields).toEqual(["shoe"]);
  });
});

describe("changes with those who are present", () => {
  test("take away who is not, over all pages", async () => {
    const { names } = await readChanges([
      { changed: [{ id: "bo", name: "Bo" }], present: ["ada"] },
      { changed: [], present: ["bo"] },
    ]);
    expect(names).toEqual(["ada", "Bo"]);
    expect(fetches).toBe(1);
  });

  test("take away nobody when they do not say it", async () => {
    const { names } = await readChanges([{ changed: [{ id: "bo", name: "Bo" }] }]);
    expect(names).toEqual(["ada", "Bo", "cy"]);
  });

  test("that lack somebody who has changed are not believed: everything is read", async () => {
    const { names } = await readChanges([
      { changed: [{ id: "bo", name: "Bo" }], present: ["ada"] },
    ]);
    expect(names).toEqual(["ada", "bo", "cy"]);
    expect(fetches).toBe(2);
  });
});

test("a read that goes on where it stopped knows what the pages before showed as hidden", async () => {
  people = ["ada", "bo", "cy"].map((name) => ({ id: name, name }));
  givesUntil = 1;
  const pages: KeptPages[] = [];
  const keep = async (more: KeptPages): Promise<void> => void pages.push(more);
  await expect(answer("employees", {}, keep)).rejects.toThrow("it stopped");
  const [{ records, count: _count, ...end }] = pages as [KeptPages];
  givesUntil = Infinity;
  const { answer: given, names } = await read("employees", { kept: { ...end, parts: [records] } });
  expect([names, given.limited]).toEqual([["ada", "bo", "cy"], ["bank_account"]]);
});
