import { beforeEach, describe, expect, test } from "vitest";
import { AuthError, ProviderBug, ProviderDown } from "../../src/providers/errors.ts";
import { signInAgain } from "../support/sign-in-again.ts";
import { SeededRandom } from "../support/seeded-random.ts";
import { people, person, whoIn, type Company, type Person } from "../support/webhook-harness.ts";
import { stageWebhooks } from "../support/webhook-stage.ts";

const { harness, receiver } = await stageWebhooks();
beforeEach(() => void (harness.stub.map = (raw) => raw));

const sizes = [1, 9, 40];
const news = () => receiver.received.map(whoIn);

function shuffled(list: readonly Person[], seed: number): Person[] {
  const random = new SeededRandom(seed);
  return list
    .map((each) => ({ each, place: random.next() }))
    .sort((a, b) => a.place - b.place)
    .map(({ each }) => each);
}

/** The next poll answers like this, the one after it is whole again. */
async function hiccup(company: Company, answer: Partial<Company>): Promise<void> {
  const whole = {
    people: company.people,
    pageSize: company.pageSize,
    onFetch: company.onFetch,
    onPageEnd: company.onPageEnd,
  };
  Object.assign(company, answer);
  await harness.pollNextHour();
  for (let tries = 0; tries < 5; tries += 1) {
    harness.clock.advance(35);
    await harness.work({ includeDelayed: true });
  }
  Object.assign(company, whole);
}

const fails = (error: () => Error) => () => {
  throw error();
};

/** What a provider may say wrongly once, from the people who work there. */
const hiccups: [name: string, answer: (all: readonly Person[]) => Partial<Company>][] = [
  ["an empty list", () => ({ people: [] })],
  ["half a list", (all) => ({ people: all.slice(0, Math.floor(all.length / 2)) })],
  [
    "a list without its last fifth",
    (all) => ({ people: all.slice(0, Math.floor(all.length * 0.8) - 1) }),
  ],
  [
    "a failure after the first page",
    (all) => ({
      pageSize: Math.max(1, Math.floor(all.length / 3)),
      onPageEnd: fails(() => new ProviderDown()),
      onFetch: all.length === 1 ? fails(() => new ProviderDown()) : () => undefined,
    }),
  ],
  ["a failure before anything", () => ({ onFetch: fails(() => new ProviderBug("x")) })],
  ["everybody twice", (all) => ({ people: [...all, ...all] })],
  ["everybody in another order", (all) => ({ people: shuffled(all, 5) })],
  [
    "a person without the required id among them",
    (all) => ({ people: [...all.slice(1), { last_name: "Nobody" } as unknown as Person] }),
  ],
];

/** With characters that are longer as bytes, or written in another way in JSON. */
const named = (number: number): Person => person(number, { last_name: `Müller\n${number}` });

describe("Promise 14: a provider's hiccup never looks like a layoff", () => {
  describe.each(sizes)("in a company of %i", (size) => {
    test.each(hiccups)("%s says of nobody that they left", async (_name, answer) => {
      const company = await harness.watchCompany(people(size), receiver.url);
      await hiccup(company, answer(company.people));
      expect(news()).toEqual([]);
      await harness.pollNextHour();
      await harness.pollNextHour();
      expect(news()).toEqual([]);
    });

    test("only a second complete poll that agrees makes it a removal, with everybody as last seen", async () => {
      const company = await harness.watchCompany(people(size), receiver.url);
      company.people = [];
      await harness.pollNextHour();
      expect(news()).toEqual([]);
      await harness.pollNextHour();
      expect(receiver.received.map(whoIn)).toEqual([
        {
          added: [],
          removed: people(size)
            .map(({ remote_id: id }) => id)
            .sort(),
          updated: [],
        },
      ]);
      expect(
        receiver.last.body.removed.every(
          ({ first_name: first, last_name: last }) =>
            String(first).startsWith("First") && String(last).startsWith("Last"),
        ),
      ).toBe(true);
    });

    test("a failed poll between two that agree confirms nothing, and forgets nothing", async () => {
      const company = await harness.watchCompany(people(size), receiver.url);
      company.people = [];
      await harness.pollNextHour();
      await hiccup(company, { onFetch: fails(() => new ProviderBug("x")) });
      expect(news()).toEqual([]);
      await harness.pollNextHour();
      expect(receiver.last.body.removed).toHaveLength(size);
    });
  });

  test("what is kept of everybody of a large company takes no more than their list did, and is told of as last seen", async () => {
    const all = Array.from({ length: 5_200 }, (_, index) => named(index + 1));
    const company = await harness.watchCompany(all, receiver.url);
    const bytesOf = async (column: string): Promise<number> => {
      const rows = await harness.database.query(
        `select octet_length(${column}) as bytes from receiver_states where connection_id = $1`,
        [company.connectionId],
      );
      return Number(rows[0]?.["bytes"]);
    };
    const ofList = await bytesOf("sealed_list");
    company.people = [];
    await harness.pollNextHour();
    expect(await bytesOf("sealed_tombstones")).toBeLessThan(2 * ofList);
    company.people = [named(7)];
    await harness.pollNextHour();
    const removed = receiver.received.flatMap(({ body }) => body.removed);
    expect(removed.map(({ last_name: last }) => last).toSorted()).toEqual(
      all
        .filter((each) => each["remote_id"] !== "r7")
        .map((each) => each["last_name"])
        .toSorted(),
    );
  });

  test("while a removal is held, who is added and who is updated goes out", async () => {
    const company = await harness.watchCompany(people(9), receiver.url);
    company.people = [person(9, { last_name: "Renamed" }), person(20)];
    await harness.pollNextHour();
    expect(receiver.received.map(whoIn)).toEqual([
      { added: ["r20"], removed: [], updated: ["r9"] },
    ]);
  });

  test("one person of nine who leaves is told of at once, as last seen", async () => {
    const company = await harness.watchCompany(people(9), receiver.url);
    company.people = people(9).map((each) =>
      each.remote_id === "r4" ? person(4, { last_name: "Married" }) : each,
    );
    await harness.pollNextHour();
    company.people = people(9).filter(({ remote_id: id }) => id !== "r4");
    await harness.pollNextHour();
    expect(whoIn(receiver.last)).toEqual({ added: [], removed: ["r4"], updated: [] });
    expect(receiver.last.body.removed).toEqual(receiver.received[0]?.body.updated);
  });

  test("a refusal is no list either, and after the next sign-in the list is held against the one before", async () => {
    const company = await harness.watchCompany(people(9), receiver.url);
    await hiccup(company, { onFetch: fails(() => new AuthError("reauthentication_required")) });
    await signInAgain(harness, company.connectionId);
    company.people = people(10);
    await harness.settle();
    expect(receiver.received.map(whoIn)).toEqual([{ added: ["r10"], removed: [], updated: [] }]);
  });
});

const detailed = (fields: Record<string, unknown>): Person =>
  person(1, {
    custom_fields: fields,
    home_location: { country: "DE", locality: "Köln" },
    groups: [{ remote_id: "g1", name: "A", type: "team" }],
  });

describe("what is no change", () => {
  test.each<[string, Person]>([
    [
      "the keys of a person in another order",
      Object.fromEntries(
        Object.entries(detailed({ a: 1, b: { c: 2, d: [1, 2] } })).toReversed(),
      ) as Person,
    ],
    ["the keys of the custom fields in another order", detailed({ b: { c: 2, d: [1, 2] }, a: 1 })],
    ["the keys within a custom field in another order", detailed({ a: 1, b: { d: [1, 2], c: 2 } })],
    [
      "an address with its keys in another order",
      {
        ...detailed({ a: 1, b: { c: 2, d: [1, 2] } }),
        home_location: { locality: "Köln", country: "DE" },
      },
    ],
    [
      "a field that the model does not know",
      { ...detailed({ a: 1, b: { c: 2, d: [1, 2] } }), seen_at: "2026-03-02" },
    ],
    [
      "a null that was left out before",
      { ...detailed({ a: 1, b: { c: 2, d: [1, 2] } }), tax_id: null },
    ],
  ])("%s", async (_case, again) => {
    const company = await harness.watchCompany(
      [detailed({ a: 1, b: { c: 2, d: [1, 2] } }), person(2)],
      receiver.url,
    );
    company.people = [again, person(2)];
    await harness.pollNextHour();
    expect(news()).toEqual([]);
  });

  test.each<[string, Record<string, unknown>]>([
    ["a name", { last_name: "Other" }],
    ["a custom field", { custom_fields: { a: 2 } }],
    ["a place deep within", { home_location: { country: "FR" } }],
    ["the status", { employment_status: "leave" }],
  ])("but %s is", async (_case, fields) => {
    const company = await harness.watchCompany(
      [
        person(1, {
          custom_fields: { a: 1 },
          home_location: { country: "DE" },
          employment_status: "active",
        }),
        person(2),
      ],
      receiver.url,
    );
    company.people = [
      person(1, {
        custom_fields: { a: 1 },
        home_location: { country: "DE" },
        employment_status: "active",
        ...fields,
      }),
      person(2),
    ];
    await harness.pollNextHour();
    expect(receiver.received.map(whoIn)).toEqual([{ added: [], removed: [], updated: ["r1"] }]);
    expect(receiver.last.body.updated).toMatchObject([fields]);
  });

  test("people are told apart by the provider's own id: a new id with the same name is somebody else", async () => {
    const company = await harness.watchCompany([person(1), person(2), person(3)], receiver.url);
    company.people = [person(1), person(2), { ...person(3), remote_id: "r30" }];
    await harness.pollNextHour();
    expect(receiver.received.map(whoIn)).toEqual([
      { added: ["r30"], removed: ["r3"], updated: [] },
    ]);
  });

  test("every object of a body is an Employee as GET employees gives it", async () => {
    const company = await harness.watchCompany(people(2), receiver.url);
    company.people = [person(1, { last_name: "Renamed" }), person(2), person(3)];
    await harness.pollNextHour();
    const { body } = await harness.http.get("/2023-03-01/xhr/employees", { bearer: company.token });
    const served = body as Record<string, unknown>[];
    expect(receiver.last.body).toEqual({
      added: served.filter(({ remote_id: id }) => id === "r3"),
      removed: [],
      updated: served.filter(({ remote_id: id }) => id === "r1"),
    });
  });
});
