import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Mode } from "../../src/model/index.ts";
import { countFetches, fetchList, version } from "../support/data-endpoints.ts";
import { createHarness, type Harness } from "../support/harness.ts";
import { StubProvider } from "../support/stub-provider.ts";

const url = (mode: Mode = "xhr"): string => `${version}/${mode}/employees`;
const statuses = ["active", "inactive", "pending", "leave"] as const;

type Employees = { id: string; employment_status: string | null }[];

const stub = new StubProvider();

let harness: Harness;
let connection: Awaited<ReturnType<Harness["connect"]>>;
let everybody: Employees;
beforeAll(async () => {
  harness = await createHarness({ registry: stub.registry() });
  connection = await harness.connect();
  everybody = (await fetchList(harness, connection.token, url())) as unknown as Employees;
});
afterAll(() => harness.close());

const get = (query: string, bearer = connection.token) =>
  harness.http.get(`${url()}${query}`, { bearer });

describe("employment_status", () => {
  test("without it everybody is in the list, also those of whom no status is known", () => {
    const known = new Set(everybody.map(({ employment_status: status }) => status));
    expect(known).toEqual(new Set([...statuses, null]));
  });

  test.each(statuses)(
    "%s gives exactly those whose status is explicitly that, in the order of the whole list",
    async (status) => {
      const reply = await get(`?employment_status=${status}`);
      expect(reply.status).toBe(200);
      expect(reply.body).toEqual(everybody.filter(({ employment_status: own }) => own === status));
      expect(reply.body).not.toHaveLength(0);
    },
  );

  test("people without a status are in no filtered list", async () => {
    const listed = await Promise.all(
      statuses.map(async (status) => (await get(`?employment_status=${status}`)).body as Employees),
    );
    const ids = new Set(listed.flat().map(({ id }) => id));
    const unknown = everybody.filter(({ employment_status: status }) => status === null);
    expect(unknown.length).toBeGreaterThan(0);
    expect(unknown.filter(({ id }) => ids.has(id))).toEqual([]);
    expect(ids.size).toBe(everybody.length - unknown.length);
  });

  test("every status is answered from the one fetch, warm", async () => {
    for (const status of statuses) await get(`?employment_status=${status}`);
    expect(await countFetches(harness, connection.tokenId)).toBe(1);
  });

  test.each<Mode>(["xhr", "official"])(
    "every status waits for the same one fetch, cold, in mode %s",
    async (mode) => {
      const { token, tokenId } = await harness.connect({ mode });
      for (const status of statuses)
        expect(
          (await harness.http.get(`${url(mode)}?employment_status=${status}`, { bearer: token }))
            .status,
        ).toBe(202);
      expect((await harness.http.get(url(mode), { bearer: token })).status).toBe(202);
      await harness.drain();
      for (const status of statuses) {
        const { body } = await harness.http.get(`${url(mode)}?employment_status=${status}`, {
          bearer: token,
        });
        expect(new Set((body as Employees).map((employee) => employee.employment_status))).toEqual(
          new Set([status]),
        );
      }
      expect(await countFetches(harness, tokenId)).toBe(1);
    },
  );

  test("nobody of a status is an empty array", async () => {
    const { token } = await harness.connect({ user: "user_sparse" });
    const all = await fetchList(harness, token, url());
    expect(all.length).toBeGreaterThan(0);
    for (const status of statuses)
      expect((await get(`?employment_status=${status}`, token)).body).toEqual([]);
  });
});

describe("400", () => {
  test.each([
    ["empty", "?employment_status="],
    ["without a value", "?employment_status"],
    ["unknown", "?employment_status=retired"],
    ["the word null", "?employment_status=null"],
    ["in upper case", "?employment_status=ACTIVE"],
    ["with a space", "?employment_status=active%20"],
    ["with a zero byte", "?employment_status=active%00"],
    ["a list", "?employment_status=active,leave"],
    ["a name of every object", "?employment_status=constructor"],
    ["repeated", "?employment_status=active&employment_status=leave"],
    ["repeated with one value", "?employment_status=active&employment_status=active"],
    ["repeated with a bad second value", "?employment_status=active&employment_status="],
  ])(
    "a status that is %s is refused by name, whether or not there is data",
    async (_name, query) => {
      const cold = await harness.connect();
      for (const { token, tokenId } of [connection, cold]) {
        const before = await countFetches(harness, tokenId);
        const reply = await get(query, token);
        expect(reply.status).toBe(400);
        expect(reply.body).toEqual({
          message: expect.stringMatching(/./),
          validation_error: expect.stringMatching(/employment_status/),
        });
        expect(await countFetches(harness, tokenId)).toBe(before);
      }
    },
  );
});

test("names are as the provider has them, with joiners wherever they are", async () => {
  const names = [
    "می\u200cخواهم",
    "അവന\u0d4d\u200d",
    "ا\u200cب",
    "A\u200dn\u200cn",
    "👩\u200d💻",
    "\u200dX\u200c",
  ];
  stub.pages = {
    employees: [names.map((name, index) => ({ remote_id: String(index), last_name: name }))],
  };
  const { token } = await harness.connect({ provider: "stub" });
  const people = await fetchList(harness, token, url());
  expect(people.map(({ last_name: name }) => name).toSorted()).toEqual(names.toSorted());
});
