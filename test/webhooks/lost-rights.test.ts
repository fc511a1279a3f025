import { describe, expect, test } from "vitest";
import { AuthError } from "../../src/providers/errors.ts";
import { signInAgain } from "../support/sign-in-again.ts";
import { people, person, whoIn, type Company, type Person } from "../support/webhook-harness.ts";
import { answers } from "../support/receiver.ts";
import { stageWebhooks } from "../support/webhook-stage.ts";

const { harness, receiver, attemptAfter } = await stageWebhooks();

const limited = ["job_title"];
const news = () => receiver.received.map(whoIn);
const withJobs = (list: readonly Person[]): Person[] =>
  list.map((each) => ({ ...each, job_title: "Clerk" }));

describe("a right that is lost", () => {
  test("while a body is in flight takes nobody's last record along: who leaves then is told of later", async () => {
    const company = await harness.watchCompany(withJobs(people(40)), receiver.url);
    receiver.answer = answers.status(500);
    company.people = withJobs(people(41));
    await harness.pollNextHour();
    Object.assign(company, { limited, people: people(41).slice(1) });
    await harness.pollNextHour();
    receiver.reset();
    await attemptAfter(3_600);
    receiver.reset();
    for (let hours = 0; hours < 3; hours += 1) await harness.pollNextHour();
    await harness.settle();
    expect(news()).toEqual([{ added: [], removed: ["r1"], updated: [] }]);
    expect(receiver.last.body.removed[0]).toMatchObject({ last_name: "Last1" });
  });

  test("updates nobody when the last body is replayed and acknowledged again", async () => {
    const company = await harness.watchCompany(withJobs(people(9)), receiver.url);
    company.people = withJobs(people(10));
    await harness.pollNextHour();
    Object.assign(company, { limited, people: people(10) });
    await harness.pollNextHour();
    await harness.http.post(`/2023-03-01/management/deliveries/${receiver.last.id}/replay`, {
      basic: [company.client.clientId, company.secret],
    });
    await harness.settle();
    await harness.pollNextHour();
    const came = { added: ["r10"], removed: [], updated: [] };
    expect(news()).toEqual([came, came]);
  });

  test("and changes no record is noticed all the same: the next change is told", async () => {
    const company = await harness.watchCompany(people(9), receiver.url);
    company.limited = limited;
    await harness.pollNextHour();
    company.people = people(9).map((each) =>
      each.remote_id === "r4" ? person(4, { last_name: "Married" }) : each,
    );
    await harness.pollNextHour();
    expect(news()).toEqual([{ added: [], removed: [], updated: ["r4"] }]);
  });
});

describe("employees that a new sign-in may not read", () => {
  test.each<[string, Parameters<typeof signInAgain>[2]]>([
    ["because the account lacks the right", { forbidden: ["employees"] }],
    ["because the account has none", { unsupported: ["employees"] }],
  ])("%s, are reported by nobody; given back, they are news no more", async (_why, found) => {
    const company = await harness.watchCompany(people(9), receiver.url);
    company.onFetch = () => {
      throw new AuthError("insufficient_permission");
    };
    await signInAgain(harness, company.connectionId, found);
    for (let hours = 0; hours < 3; hours += 1) await harness.pollNextHour();
    await harness.settle();
    expect(news()).toEqual([]);
    company.onFetch = () => undefined;
    harness.clock.advance(1);
    await signInAgain(harness, company.connectionId);
    company.people = people(10);
    await harness.settle();
    expect(news()).toEqual([{ added: ["r10"], removed: [], updated: [] }]);
  });

  test("in part, are compared by what is left of them", async () => {
    const company = await harness.watchCompany(withJobs(people(9)), receiver.url);
    await signInAgain(harness, company.connectionId, { limited: { employees: limited } });
    Object.assign(company, { limited, people: people(10) });
    await harness.settle();
    await harness.pollNextHour();
    expect(news()).toEqual([{ added: ["r10"], removed: [], updated: [] }]);
  });
});

async function watch(count = 9): Promise<Company> {
  return await harness.watchCompany(withJobs(people(count)), receiver.url);
}

async function lose(company: Company, left: readonly Person[]): Promise<void> {
  Object.assign(company, { limited, people: left });
  await harness.pollNextHour();
}

async function giveBack(company: Company, all: readonly Person[]): Promise<void> {
  Object.assign(company, { limited: [], people: all });
  await harness.pollNextHour();
}

/** What `data.changed` told of the company, as counts. */
async function told({ client, secret }: Company): Promise<object[]> {
  await harness.services.events.place();
  const { body } = await harness.http.get("/2023-03-01/management/events", {
    basic: [client.clientId, secret],
  });
  type Told = Record<"added" | "updated" | "removed", { count: number }>;
  return (body as { events: { type: string; data: Told }[] }).events
    .filter(({ type }) => type === "data.changed")
    .map(({ data: { added, updated, removed } }) => ({
      added: added.count,
      updated: updated.count,
      removed: removed.count,
    }));
}

const cameOne = { added: 1, updated: 0, removed: 0 };

const came = (id: string) => ({ added: [id], removed: [], updated: [] });

/** A company whose employees are polled for events too. */
async function watchForEvents(): Promise<Company> {
  const { clients } = harness.services;
  const watched = await watch();
  const client = await clients.find(watched.client.clientId);
  await clients.update(client!, { pollResources: ["employees"] });
  return watched;
}

describe("a body that waits for a receiver that", () => {
  test.each<[string, number]>([
    ["is gone", 410],
    ["fails", 500],
  ])(
    "%s keeps no event waiting when a right is lost, and nobody is told of twice",
    async (_, status) => {
      const watched = await watchForEvents();
      receiver.answer = answers.status(status);
      watched.people = withJobs(people(10));
      await harness.pollNextHour();
      await lose(watched, people(10));
      watched.people = people(11);
      await harness.pollNextHour();
      expect(await told(watched)).toEqual([cameOne, cameOne]);
      receiver.reset();
      await harness.listen(watched.client.clientId, receiver.url);
      await harness.settle({ includeDelayed: true });
      expect(news()).toEqual([came("r10"), came("r11")]);
      await giveBack(watched, withJobs(people(11)));
      expect(news().slice(2)).toEqual([{ added: [], removed: [], updated: ["r10", "r11"] }]);
    },
  );

  test("is gone keeps no event waiting when a right is given back", async () => {
    const watched = await watchForEvents();
    await lose(watched, people(9));
    receiver.answer = answers.status(410);
    await lose(watched, people(10));
    await giveBack(watched, withJobs(people(11)));
    expect(await told(watched)).toEqual([cameOne, { added: 1, updated: 1, removed: 0 }]);
    receiver.reset();
    await harness.listen(watched.client.clientId, receiver.url);
    await harness.settle({ includeDelayed: true });
    expect(news()).toEqual([
      { added: ["r10"], removed: [], updated: [] },
      { added: ["r11"], removed: [], updated: ["r10"] },
    ]);
  });
});

describe("a right that is given back", () => {
  test("updates nobody who is what he was, and whoever changed meanwhile, once", async () => {
    const watched = await watch(279);
    await lose(watched, people(279));
    const promoted = withJobs(people(279)).map((each) =>
      each.remote_id === "r4" ? { ...each, job_title: "Head" } : each,
    );
    const left = promoted.map((each) => (each.remote_id === "r7" ? person(7) : each));
    await giveBack(watched, left);
    await harness.pollNextHour();
    await harness.settle();
    expect(news()).toEqual([{ added: [], removed: [], updated: ["r4", "r7"] }]);
    expect(receiver.last.body.updated.map((each) => each["job_title"]).toSorted()).toEqual([
      "Head",
      null,
    ]);
    expect((await harness.stateOf(watched))?.state.earlier).toEqual([]);
  });

  test("updates whom the receiver was told of without the fields, though he is what he was", async () => {
    const watched = await watch();
    await lose(watched, people(9));
    await lose(
      watched,
      people(9).map((each) => (each.remote_id === "r4" ? person(4, { last_name: "Wed" }) : each)),
    );
    await lose(watched, people(9));
    await giveBack(watched, withJobs(people(9)));
    const updated = { added: [], removed: [], updated: ["r4"] };
    expect(news()).toEqual([updated, updated, updated]);
    expect(receiver.last.body.updated[0]).toMatchObject({ last_name: "Last4", job_title: "Clerk" });
  });

  test("tells who came and who left while it was away", async () => {
    const watched = await watch();
    await lose(watched, people(9));
    await lose(watched, people(9, 2));
    await giveBack(watched, withJobs(people(8, 2)));
    expect(news()).toEqual([
      { added: ["r10"], removed: ["r1"], updated: [] },
      { added: [], removed: ["r10"], updated: [] },
    ]);
  });

  test("while a body is in flight updates whom that told of, and nobody else", async () => {
    const watched = await watch();
    await lose(watched, people(9));
    receiver.answer = answers.status(500);
    await lose(watched, people(10));
    await giveBack(watched, withJobs(people(10)));
    receiver.reset();
    await attemptAfter(3_600);
    await harness.pollNextHour();
    expect(news()).toEqual([
      { added: ["r10"], removed: [], updated: [] },
      { added: [], removed: [], updated: ["r10"] },
    ]);
  });

  test("after the account could not read employees at all updates nobody who is what he was", async () => {
    const watched = await watch();
    watched.onFetch = () => {
      throw new AuthError("insufficient_permission");
    };
    await harness.pollNextHour();
    watched.onFetch = () => undefined;
    watched.people = withJobs(people(9)).with(3, { ...person(4), job_title: "Head" });
    for (let hours = 0; hours < 3; hours += 1) await harness.pollNextHour();
    expect(news()).toEqual([{ added: [], removed: [], updated: ["r4"] }]);
  });

  test("while a program of before makes bodies updates everybody: it does not note whom it told", async () => {
    const watched = await watch();
    await lose(watched, people(9));
    await harness.database.query(
      `insert into deliveries (id, connection_id, client_id, token_id, status, sealed_body, added, removed, updated,
         created_at, settled_at)
       select connection_id, connection_id, client_id, token_id, 'delivered', '', 0, 0, 1, now(), now()
       from receiver_states where connection_id = $1`,
      [watched.connectionId],
    );
    await giveBack(watched, withJobs(people(9)));
    expect(news()[0]?.updated).toHaveLength(9);
  });

  test("leaves nothing readable, and is erased with the connection", async () => {
    const watched = await watch();
    await lose(watched, people(9));
    const [row] = await harness.database.query(
      "select earlier_lists::text as lists from receiver_states where connection_id = $1",
      [watched.connectionId],
    );
    const lists = String(row?.["lists"]);
    expect(lists.length).toBeLessThan(9 * 16 * 1.4 + 60);
    expect(Buffer.from(lists, "base64").toString("latin1")).not.toMatch(/Clerk|Last/);
    await harness.services.tokens.disconnectById(watched.tokenId);
    expect(
      await harness.database.query("select from receiver_states where connection_id = $1", [
        watched.connectionId,
      ]),
    ).toEqual([]);
  });
});
