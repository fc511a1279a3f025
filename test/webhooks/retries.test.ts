import { describe, expect, test } from "vitest";
import { answers } from "../support/receiver.ts";
import { untilTrue } from "../support/until-true.ts";
import { people, whoIn, type Company } from "../support/webhook-harness.ts";
import { stageWebhooks } from "../support/webhook-stage.ts";

const { harness, receiver, changedCompany, attemptAfter } = await stageWebhooks();

const minute = 60;
const hour = 3_600;
const day = 24 * hour;
/** After the attempt before, for the second attempt and on. */
const schedule = [
  5,
  5 * minute,
  30 * minute,
  2 * hour,
  5 * hour,
  10 * hour,
  14 * hour,
  20 * hour,
  24 * hour,
];

/** Two of one client, each with news. */
async function changedPair(): Promise<[Company, Company]> {
  const first = await harness.watchCompany(people(2), receiver.url);
  const second = await harness.watchCompany(people(2), receiver.url, { client: first });
  first.people = people(3);
  second.people = people(4);
  return [first, second];
}

const only = async ({ client }: Company) => {
  const found = await harness.deliveriesOf(client.clientId);
  expect(found).toHaveLength(1);
  return found[0]!;
};

async function secondsToNext(company: Company): Promise<number> {
  return ((await only(company)).nextAttemptAt!.getTime() - harness.clock.now().getTime()) / 1000;
}

describe("the schedule", () => {
  test("is ten attempts, each within a tenth of its place, and then the body is kept as failed", async () => {
    receiver.answer = answers.status(500);
    const company = await changedCompany();
    await harness.pollNextHour();
    const waits: number[] = [];
    for (const delay of schedule) {
      const wait = await secondsToNext(company);
      expect(wait / delay).toBeGreaterThanOrEqual(0.9);
      expect(wait / delay).toBeLessThanOrEqual(1.1);
      waits.push(wait / delay);
      await attemptAfter(wait);
    }
    expect(new Set(waits).size).toBeGreaterThan(3);
    const [first, ...others] = receiver.received;
    expect(others.slice(0, 9)).toHaveLength(9);
    expect(
      others.slice(0, 9).every(({ id, bytes }) => id === first?.id && bytes.equals(first.bytes)),
    ).toBe(true);
    const [, failed] = await harness.deliveriesOf(company.client.clientId);
    expect(failed).toMatchObject({
      id: first?.id,
      status: "failed",
      attempts: 10,
      nextAttemptAt: null,
      lastStatus: 500,
    });
  });

  test("no attempt comes before its time", async () => {
    receiver.answer = answers.status(500);
    const company = await changedCompany();
    await harness.pollNextHour();
    await attemptAfter((await secondsToNext(company)) - 0.5);
    expect(receiver.received).toHaveLength(1);
    await attemptAfter(0.5);
    expect(receiver.received).toHaveLength(2);
  });

  test("an attempt is written down with its number, what came of it and how long it took", async () => {
    receiver.answerNext(answers.status(500), answers.reset);
    const company = await changedCompany();
    await harness.pollNextHour();
    await attemptAfter(6);
    await attemptAfter(6 * minute);
    expect(await harness.services.webhooks.lists.attempts((await only(company)).id)).toMatchObject([
      { number: 1, status: 500, reason: "status" },
      { number: 2, status: null, reason: "connection_failed" },
      { number: 3, status: 204, reason: "ok" },
    ]);
  });
});

describe("what counts as taken", () => {
  test.each([200, 201, 202, 204, 206, 299])("%i does", async (status) => {
    receiver.answer = answers.status(status);
    const company = await changedCompany();
    await harness.pollNextHour();
    expect(await only(company)).toMatchObject({
      status: "delivered",
      lastStatus: status,
      attempts: 1,
    });
  });

  test.each([300, 301, 302, 304, 307, 308, 400, 401, 404, 422, 429, 500, 502, 503])(
    "%i does not, and the body is tried again",
    async (status) => {
      receiver.answer = answers.status(status, { location: `${receiver.url}/elsewhere` });
      const company = await changedCompany();
      await harness.pollNextHour();
      expect(await only(company)).toMatchObject({
        status: "pending",
        lastStatus: status,
        attempts: 1,
      });
      expect(receiver.received.map(({ path }) => path)).toEqual(["/hook"]);
    },
  );

  test("a connection that is cut after the body was sent does not", async () => {
    receiver.answer = answers.reset;
    const company = await changedCompany();
    await harness.pollNextHour();
    expect(await only(company)).toMatchObject({ status: "pending", lastStatus: null });
  });

  test("an answer that never ends is cut off, and its status counts", async () => {
    receiver.answer = answers.endless(200);
    const company = await changedCompany();
    await harness.pollNextHour();
    expect(await only(company)).toMatchObject({ status: "delivered" });
  });
});

describe("Retry-After", () => {
  const inTwoHours = () => new Date(harness.clock.now().getTime() + 2 * hour * 1000).toUTCString();

  test.each([
    ["of a 429 makes it later", 429, () => "7200", 2 * hour],
    ["of a 503 makes it later", 503, () => "7200", 2 * hour],
    ["may be a date", 429, inTwoHours, 2 * hour],
    ["of two days is two days", 503, () => "172800", 2 * day],
    ["never makes it later than five days", 429, () => "9999999999", 5 * day],
  ])("%s", async (_case, status, value, expected) => {
    receiver.answer = (response) =>
      void response.writeHead(status, { "retry-after": value() }).end();
    const company = await changedCompany();
    await harness.pollNextHour();
    expect(await secondsToNext(company)).toBe(expected);
  });

  test.each([
    ["of a 429 never makes it earlier", 429, "0"],
    ["of another answer means nothing", 500, "7200"],
    ["that nobody can read means nothing", 503, "soon"],
  ])("%s", async (_case, status, value) => {
    receiver.answer = answers.status(status, { "retry-after": value });
    const company = await changedCompany();
    await harness.pollNextHour();
    expect(await secondsToNext(company)).toBeGreaterThanOrEqual(4.5);
    expect(await secondsToNext(company)).toBeLessThanOrEqual(5.5);
  });
});

describe("410", () => {
  test("makes the endpoint gone: nothing more is sent, polls stop, and pending changes are kept", async () => {
    receiver.answer = answers.status(410);
    const company = await changedCompany();
    await harness.pollNextHour();
    expect(await harness.statusOf(company.client.clientId)).toBe("gone");
    expect(await only(company)).toMatchObject({
      status: "pending",
      nextAttemptAt: null,
      lastStatus: 410,
    });
    const { fetches } = company;
    for (let hours = 0; hours < 3; hours += 1) await harness.pollNextHour();
    await harness.settle({ includeDelayed: true });
    expect(receiver.received).toHaveLength(1);
    expect(company.fetches).toBe(fetches);
  });

  test("when the address is set again the same body goes out, and polls go on", async () => {
    receiver.answerNext(answers.status(410));
    const company = await changedCompany();
    await harness.pollNextHour();
    const { fetches } = company;
    harness.clock.advance(day);
    await harness.listen(company.client.clientId, `${receiver.url}/new`);
    await harness.settle();
    await harness.sweep();
    await harness.work({ includeDelayed: true });
    expect(await harness.statusOf(company.client.clientId)).toBe("active");
    const [first, second] = receiver.received;
    expect(second).toMatchObject({ id: first?.id, path: "/hook/new" });
    expect(second?.bytes.equals(first!.bytes)).toBe(true);
    expect(company.fetches).toBe(fetches + 1);
  });

  test("holds for every connection of the client, also one whose attempt was under way", async () => {
    const [first, second] = await changedPair();
    receiver.answerNext(answers.status(500), answers.status(500));
    await harness.pollNextHour();
    receiver.received.length = 0;
    receiver.answer = async (response, request) => {
      const isFirst = request.headers["x-service-api-token"] === first.tokenId;
      if (isFirst)
        await untilTrue("both attempts are under way", () => receiver.received.length === 2);
      else
        await untilTrue(
          "the endpoint is known to be gone",
          async () => (await harness.statusOf(first.client.clientId)) === "gone",
        );
      response.writeHead(isFirst ? 410 : 500).end();
    };
    await attemptAfter(10);
    expect(receiver.received).toHaveLength(2);
    await attemptAfter(hour);
    await harness.settle({ includeDelayed: true });
    expect(receiver.received).toHaveLength(2);
    expect(
      (await harness.deliveriesOf(second.client.clientId)).map(({ status, nextAttemptAt }) => ({
        status,
        nextAttemptAt,
      })),
    ).toEqual(Array.from({ length: 2 }, () => ({ status: "pending", nextAttemptAt: null })));
  });

  test("a body that is made after the endpoint is gone waits", async () => {
    receiver.answer = answers.status(410);
    const [first, second] = await changedPair();
    harness.clock.advance(hour);
    // Both polls have pending changes; the second one ends only when the first one's body has been refused.
    second.onFetch = () =>
      untilTrue(
        "the endpoint is known to be gone",
        async () => (await harness.statusOf(first.client.clientId)) === "gone",
      );
    await harness.tick();
    await harness.work();
    expect(receiver.received).toHaveLength(1);
    second.onFetch = () => undefined;
    await harness.listen(first.client.clientId, receiver.url);
    receiver.answer = answers.status(204);
    await harness.settle();
    expect(receiver.received.map(whoIn)).toContainEqual({
      added: ["r3", "r4"],
      removed: [],
      updated: [],
    });
  });
});

describe("five days of nothing but failures", () => {
  test("pause the endpoint; pending changes go out when the address is set again", async () => {
    receiver.answer = answers.status(500);
    const company = await changedCompany();
    await harness.pollNextHour();
    const { clientId } = company.client;
    for (let half = 0; half < 11 && (await harness.statusOf(clientId)) === "active"; half += 1) {
      await attemptAfter(day / 2);
      await harness.settle({ includeDelayed: true });
      expect(await harness.statusOf(clientId)).toBe(half < 9 ? "active" : "paused");
    }
    const sent = receiver.received.length;
    harness.clock.advance(2 * day);
    await harness.settle({ includeDelayed: true });
    expect(receiver.received).toHaveLength(sent);
    receiver.answer = answers.status(204);
    await harness.listen(clientId, receiver.url);
    await harness.settle();
    await harness.sweep();
    await harness.work();
    expect(receiver.last.body.added).toMatchObject([{ remote_id: "r3" }]);
    expect(await harness.statusOf(clientId)).toBe("active");
  });

  test("a success between them begins the count anew", async () => {
    receiver.answer = answers.status(500);
    const company = await changedCompany();
    await harness.pollNextHour();
    await attemptAfter(2 * day);
    receiver.answerNext(answers.status(204));
    await attemptAfter(2 * day);
    company.people = people(4);
    await harness.pollNextHour();
    await attemptAfter(2 * day);
    expect(await harness.statusOf(company.client.clientId)).toBe("active");
  });
});
