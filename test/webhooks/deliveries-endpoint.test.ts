import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import { publicLoopback } from "../support/public-loopback.ts";
import { answers } from "../support/receiver.ts";
import { people, person, whoIn, type Company } from "../support/webhook-harness.ts";
import { stageWebhooks } from "../support/webhook-stage.ts";

const url = "/2023-03-01/management/deliveries";

const { harness, receiver } = await stageWebhooks({ webhookWays: publicLoopback() });

type Entry = Record<string, unknown> & { id: string };

const basicOf = ({ client, secret }: Company): [string, string] => [client.clientId, secret];
const list = (company: Company, query: Record<string, string> = {}) =>
  harness.http.get(url, { basic: basicOf(company), query });
const entries = async (company: Company, query?: Record<string, string>) =>
  (await list(company, query)).body as Entry[];
const replay = (company: Company, id: string) =>
  harness.http.post(`${url}/${id}/replay`, { basic: basicOf(company) });

/** A company of two, and so many deliveries: each adds one. */
async function companyWith(count: number): Promise<Company> {
  const company = await harness.watchCompany(people(2), receiver.url);
  for (let added = 1; added <= count; added += 1) {
    company.people = people(2 + added);
    await harness.pollNextHour();
  }
  return company;
}

describe("GET deliveries 200", () => {
  test("lists counts and outcomes, and no employee", async () => {
    const company = await harness.watchCompany(people(9), receiver.url);
    company.people = [
      ...people(6),
      person(7, { last_name: "Renamed" }),
      person(8),
      person(10),
      person(11),
    ];
    await harness.pollNextHour();
    const reply = await list(company);
    expect(reply.status).toBe(200);
    expect(reply.headers["cache-control"]).toBe("private, no-store");
    expect(reply.body).toEqual([
      {
        id: receiver.last.id,
        token: company.tokenId,
        event: null,
        status: "delivered",
        attempts: 1,
        created_at: harness.clock.now().toISOString(),
        next_attempt_at: null,
        last_status: 204,
        last_error: null,
        added: 2,
        removed: 1,
        updated: 1,
      },
    ]);
    expect(reply.bytes.toString()).not.toMatch(/First|Last|Renamed|r7/);
  });

  test("tells when a pending body is tried next, and the last answer of the receiver", async () => {
    receiver.answer = answers.status(503, { "retry-after": "600" });
    const company = await companyWith(1);
    const inTenMinutes = new Date(harness.clock.now().getTime() + 600_000).toISOString();
    expect(await entries(company)).toMatchObject([
      { status: "pending", attempts: 1, last_status: 503, next_attempt_at: inTenMinutes },
    ]);
  });

  test("the newest is first, and a page goes on after the last id of the one before", async () => {
    const company = await companyWith(5);
    const all = await entries(company);
    expect(all.map(({ id }) => id)).toEqual(receiver.ids.toReversed());
    const first = await entries(company, { limit: "2" });
    const second = await entries(company, { limit: "2", after: first[1]!.id });
    const third = await entries(company, { limit: "2", after: second[1]!.id });
    expect([...first, ...second, ...third]).toEqual(all);
    expect(await entries(company, { after: third[0]!.id })).toEqual([]);
  });

  test("is empty where nothing was sent, and holds nothing of another client", async () => {
    const mine = await companyWith(1);
    const other = await harness.watchCompany(people(2), receiver.url);
    expect(await entries(other)).toEqual([]);
    expect(await entries(other, { after: (await entries(mine))[0]!.id })).toEqual([]);
  });
});

const lineOf = async (company: Company) => (await entries(company))[0]!;
const detailsOf = async (company: Company, id: string) =>
  (await harness.http.get(`${url}/${id}`, { basic: basicOf(company) })).body as Entry;

describe("why a delivery failed", () => {
  test.each([
    ["refused_target", () => "http://10.0.0.1/"],
    ["connection_failed", () => "http://127.0.0.1:9/"],
    ["unresolvable", () => "https://nowhere.invalid/"],
    ["tls", () => receiver.url.replace("http:", "https:")],
  ])("%s", async (error, address) => {
    const company = await harness.watchCompany(people(2), address());
    company.people = people(3);
    await harness.pollNextHour();
    const entry = await lineOf(company);
    expect(entry).toMatchObject({ status: "pending", last_status: null, last_error: error });
    expect(await detailsOf(company, entry.id)).toMatchObject({
      last_error: error,
      last_reply: null,
    });
  });

  test("a status, with how the reply began, until an attempt succeeds", async () => {
    const reply = `no column "phone" for ${"é".repeat(1_000)}`;
    receiver.answer = answers.status(422, {}, reply);
    const company = await companyWith(1);
    const entry = await lineOf(company);
    expect(entry).toMatchObject({ last_status: 422, last_error: "status" });
    expect(entry).not.toHaveProperty("last_reply");
    const { last_reply: shown } = (await detailsOf(company, entry.id)) as unknown as {
      last_reply: string;
    };
    expect(reply.startsWith(shown)).toBe(true);
    expect(Buffer.byteLength(shown)).toBeGreaterThanOrEqual(1_023);
    expect(Buffer.byteLength(shown)).toBeLessThanOrEqual(1_024);

    const other = await harness.connectCompany(people(1));
    const refused = await harness.http.get(`${url}/${entry.id}`, { basic: basicOf(other) });
    expect([refused.status, refused.bytes.toString()]).toEqual([
      404,
      expect.not.stringContaining("phone"),
    ]);

    receiver.answer = answers.status(204);
    await replay(company, entry.id);
    await harness.work();
    expect(await detailsOf(company, entry.id)).toMatchObject({
      status: "delivered",
      last_status: 204,
      last_error: null,
      last_reply: null,
    });
  });

  test.each([
    ["without a body", answers.status(500)],
    ["of an encoding", answers.status(500, { "content-encoding": "gzip" }, "\u001f\u008b")],
  ])("a reply %s is none", async (_case, answer) => {
    receiver.answer = answer;
    const company = await companyWith(1);
    const { id } = await lineOf(company);
    expect(await detailsOf(company, id)).toMatchObject({ last_error: "status", last_reply: null });
  });

  test("of a reply without end the beginning is kept", async () => {
    receiver.answer = answers.endless(500);
    const company = await companyWith(1);
    const { id } = await lineOf(company);
    expect(await detailsOf(company, id)).toMatchObject({ last_reply: "x".repeat(1_024) });
  });

  test("the reply is sealed in the database, and goes with the connection", async () => {
    receiver.answer = answers.status(500, {}, "jane.doe@example.com is no user of ours");
    const company = await companyWith(1);
    const stored = () =>
      harness.database.query(
        "select sealed_public_reply as reply from deliveries where client_id = $1",
        [company.client.clientId],
      );
    const [{ reply }] = (await stored()) as unknown as [{ reply: Buffer }];
    expect(reply.length).toBeGreaterThan(39);
    expect(reply.toString("latin1")).not.toContain("jane");
    await harness.http.post("/2023-03-01/management/disconnect", { bearer: company.token });
    expect(await stored()).toEqual([]);
  });
});

describe("GET deliveries 400", () => {
  test.each([
    ["limit", "0"],
    ["limit", "201"],
    ["limit", "many"],
    ["limit", "1.5"],
    ["after", "yesterday"],
    ["after", ""],
  ])("%s=%j", async (name, value) => {
    const company = await harness.connectCompany(people(1));
    const reply = await list(company, { [name]: value });
    expect(reply.status).toBe(400);
    expect((reply.body as { validation_error: string }).validation_error).toContain(name);
  });
});

describe("401", () => {
  test.each([
    ["GET", url],
    ["POST", `${url}/${randomUUID()}/replay`],
  ])("%s with no, wrong or Bearer credentials", async (method, path) => {
    const company = await harness.connectCompany(people(1));
    for (const credentials of [
      {},
      { basic: [company.client.clientId, "wrong"] as [string, string] },
      { bearer: company.token },
    ]) {
      const reply = await harness.http.request(method, path, credentials);
      expect(reply.status).toBe(401);
      expect(reply.body).toMatchObject({
        error: "authentication_error",
        code: "incorrect_username_or_password",
      });
    }
  });
});

describe("POST replay 200", () => {
  test("sends the same bytes under the same id", async () => {
    const company = await companyWith(1);
    const reply = await replay(company, receiver.last.id);
    expect(reply.status).toBe(200);
    expect(reply.body).toMatchObject({
      id: receiver.last.id,
      status: "pending",
      attempts: 1,
      next_attempt_at: harness.clock.now().toISOString(),
    });
    await harness.work();
    const [first, second] = receiver.received;
    expect(second?.id).toBe(first?.id);
    expect(second?.bytes.equals(first!.bytes)).toBe(true);
    expect(await entries(company)).toMatchObject([{ status: "delivered", attempts: 2 }]);
  });

  test("what was about to be tried later is tried at once", async () => {
    receiver.answerNext(answers.status(503, { "retry-after": "7200" }));
    const company = await companyWith(1);
    expect((await replay(company, receiver.last.id)).status).toBe(200);
    await harness.work();
    expect(receiver.ids).toEqual([receiver.ids[0], receiver.ids[0]]);
    expect(await entries(company)).toMatchObject([{ status: "delivered" }]);
  });

  test("after a later body was acknowledged those whom it was about are told of as they are now, under a new id", async () => {
    const company = await companyWith(1);
    const [{ id: old }] = (await entries(company)) as [Entry];
    company.people = [...people(2), person(3, { last_name: "Married" })];
    await harness.pollNextHour();
    const reply = await replay(company, old);
    expect(reply.status).toBe(200);
    const { id } = reply.body as Entry;
    expect(receiver.ids).not.toContain(id);
    await harness.work();
    expect(receiver.last.id).toBe(id);
    expect(whoIn(receiver.last)).toEqual({ added: [], removed: [], updated: ["r3"] });
    expect(receiver.last.body.updated).toMatchObject([{ last_name: "Married" }]);
  });

  test("then whoever has left since is removed, as last seen, with all other pending changes", async () => {
    const company = await companyWith(1);
    const old = receiver.last;
    company.people = people(2);
    await harness.pollNextHour();
    company.people = people(1);
    receiver.answerNext(answers.status(500));
    const { id } = (await replay(company, old.id)).body as Entry;
    await harness.work();
    expect(receiver.last.id).toBe(id);
    expect(whoIn(receiver.last)).toEqual({ added: [], removed: ["r3"], updated: [] });
    expect(receiver.last.body.removed).toEqual(old.body.added);
  });

  test("a body counts as acknowledged also when it was sent once more in vain", async () => {
    const company = await companyWith(2);
    const [first, second] = receiver.ids as [string, string];
    receiver.answer = answers.status(500);
    await replay(company, second);
    for (let attempt = 0; attempt < 10; attempt += 1) {
      await harness.work({ includeDelayed: true });
      const [{ next_attempt_at: next }] = (await entries(company)) as [
        Entry & { next_attempt_at: string | null },
      ];
      if (next !== null)
        harness.clock.advance((Date.parse(next) - harness.clock.now().getTime()) / 1000);
    }
    expect(await entries(company)).toMatchObject([{ id: second, status: "failed" }, { id: first }]);
    const { id } = (await replay(company, first)).body as Entry;
    expect([first, second]).not.toContain(id);
  });

  test("resumes an endpoint that is gone", async () => {
    receiver.answerNext(answers.status(410));
    const company = await companyWith(1);
    expect(await harness.statusOf(company.client.clientId)).toBe("gone");
    expect((await replay(company, receiver.last.id)).status).toBe(200);
    expect(await harness.statusOf(company.client.clientId)).toBe("active");
    await harness.settle();
    await harness.work({ includeDelayed: true });
    expect(await entries(company)).toMatchObject([{ id: receiver.ids[0], status: "delivered" }]);
    company.people = people(4);
    await harness.pollNextHour();
    expect(whoIn(receiver.last)).toEqual({ added: ["r4"], removed: [], updated: [] });
  });

  test("an endpoint that is gone again at once keeps its pending changes", async () => {
    receiver.answer = answers.status(410);
    const company = await companyWith(1);
    await replay(company, receiver.last.id);
    await harness.work({ includeDelayed: true });
    expect(await harness.statusOf(company.client.clientId)).toBe("gone");
    await harness.settle();
    expect(await entries(company)).toMatchObject([
      { id: receiver.ids[0], status: "pending", next_attempt_at: null },
    ]);
    receiver.answer = answers.status(204);
    await harness.listen(company.client.clientId, receiver.url);
    await harness.settle();
    expect(await entries(company)).toMatchObject([{ id: receiver.ids[0], status: "delivered" }]);
  });

  test("a body from before the webhooks were switched off and on says nothing of what is known since", async () => {
    const company = await companyWith(1);
    const [old] = receiver.ids as [string];
    await harness.listen(company.client.clientId, null);
    await harness.tick();
    company.people = people(1);
    await harness.listen(company.client.clientId, receiver.url);
    await harness.settle();
    await replay(company, old);
    await harness.work();
    company.people = [person(1), person(9)];
    await harness.pollNextHour();
    expect(receiver.received.slice(1).map(({ id }) => id === old)).toEqual([true, false]);
    expect(whoIn(receiver.last)).toEqual({ added: ["r9"], removed: [], updated: [] });
  });
});

describe("POST replay 404", () => {
  test.each([
    ["an id that is none", "nonsense"],
    ["an id that was never given out", randomUUID()],
  ])("%s", async (_case, id) => {
    const company = await harness.connectCompany(people(1));
    const reply = await replay(company, id);
    expect(reply.status).toBe(404);
    expect(reply.body).toEqual({ message: expect.any(String) as string, id });
  });

  test("an older one, while nothing is known of who is there now", async () => {
    const company = await companyWith(2);
    const [old] = receiver.ids as [string];
    await harness.listen(company.client.clientId, null);
    await harness.tick();
    await harness.listen(company.client.clientId, receiver.url);
    const reply = await replay(company, old);
    expect([reply.status, reply.body]).toEqual([
      404,
      { message: expect.stringContaining("after the next poll") as string, id: old },
    ]);
    await harness.settle();
    expect((await replay(company, old)).status).toBe(200);
    await harness.work();
    expect(receiver.ids.slice(2)).not.toContain(old);
    expect(whoIn(receiver.last)).toEqual({ added: [], removed: [], updated: ["r3"] });
  });

  test("another client's, in the same words as for what does not exist", async () => {
    const mine = await companyWith(1);
    const other = await harness.connectCompany(people(1));
    const { id } = receiver.last;
    const [reply, unknown] = [await replay(other, id), await replay(other, randomUUID())];
    expect(reply.status).toBe(404);
    expect((reply.body as { message: string }).message).toBe(
      (unknown.body as { message: string }).message,
    );
    await harness.work();
    expect(receiver.received).toHaveLength(1);
    expect(await entries(mine)).toMatchObject([{ attempts: 1 }]);
  });

  test("one of a token that was disconnected", async () => {
    const company = await companyWith(1);
    await harness.http.post("/2023-03-01/management/disconnect", { bearer: company.token });
    expect((await replay(company, receiver.last.id)).status).toBe(404);
    expect(await entries(company)).toEqual([]);
  });
});
