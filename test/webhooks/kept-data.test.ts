import { brotliDecompressSync, gunzipSync, inflateRawSync, inflateSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { AuthError } from "../../src/providers/errors.ts";
import { signInAgain } from "../support/sign-in-again.ts";
import { answers } from "../support/receiver.ts";
import { people, person, whoIn, type Company } from "../support/webhook-harness.ts";
import { stageWebhooks } from "../support/webhook-stage.ts";

const marker = "Quetzalcoatl";
const hour = 3_600;
const day = 24 * hour;

const { harness, receiver } = await stageWebhooks();

async function companyWithNews(url = receiver.url): Promise<Company> {
  const company = await harness.watchCompany(people(9), url);
  company.people = [
    ...people(8),
    person(20, { first_name: marker, last_name: `van ${marker}`, tax_id: `TAX-${marker}` }),
  ];
  await harness.pollNextHour();
  return company;
}

function holdsMarker(read: () => string): boolean {
  try {
    return read().includes("Last1");
  } catch {
    return false;
  }
}

const sweepOld = () => harness.services.webhooks.removeOld();
const statuses = async ({ client }: Company) =>
  (await harness.deliveriesOf(client.clientId)).map(({ status }) => status);

describe("at rest", () => {
  test.each(["receiver_states", "deliveries", "delivery_attempts"])(
    "%s holds no employee in clear, as hex or as base64",
    async (table) => {
      const company = await companyWithNews();
      company.people = people(2);
      await harness.pollNextHour();
      const [counted] = await harness.database.query(`select count(*)::int as count from ${table}`);
      expect(counted?.["count"]).toBeGreaterThan(0);
      const rows = await harness.database.query(
        `select encode(convert_to(t::text, 'utf8'), 'escape') as text from ${table} t`,
      );
      const text = JSON.stringify(rows);
      const wanted = [marker, `van ${marker}`, "Last1"].flatMap((word) => [
        word,
        Buffer.from(word).toString("hex"),
        Buffer.from(word).toString("base64").slice(0, -4),
      ]);
      expect(wanted.filter((each) => text.includes(each))).toEqual([]);
    },
  );

  test.each([
    ["receiver_states", ["sealed_list", "sealed_index", "sealed_tombstones"]],
    ["deliveries", ["sealed_body", "sealed_public_reply"]],
  ])("what %s keeps sealed is no compressed text either", async (table, columns) => {
    await companyWithNews();
    const rows = await harness.database.query(`select ${columns.join(", ")} from ${table}`);
    const values = rows
      .flatMap((row) => Object.values(row))
      .filter((value): value is Buffer => Buffer.isBuffer(value));
    expect(values.length).toBeGreaterThan(0);
    for (const value of values)
      for (const expand of [brotliDecompressSync, gunzipSync, inflateSync, inflateRawSync])
        expect(holdsMarker(() => expand(value, { maxOutputLength: 1 << 20 }).toString())).toBe(
          false,
        );
  });

  test("a disconnect leaves nothing of a connection", async () => {
    receiver.answer = answers.status(500);
    const company = await companyWithNews();
    await harness.http.post("/2023-03-01/management/disconnect", { bearer: company.token });
    for (const table of ["polls", "receiver_states", "deliveries"])
      expect(
        await harness.database.query(`select 1 from ${table} where connection_id = $1`, [
          company.connectionId,
        ]),
      ).toEqual([]);
    harness.clock.advance(day);
    receiver.received.length = 0;
    await harness.settle({ includeDelayed: true });
    expect(receiver.received).toEqual([]);
  });
});

describe("logs", () => {
  test("tell what was sent and what came of it by ids, and hold no employee, no secret, no address and no answer", async () => {
    harness.logLines.length = 0;
    receiver.answerNext(answers.status(500, {}, `answer-of-the-receiver ${marker}`), answers.reset);
    const company = await companyWithNews(`${receiver.url}/hook-token-in-the-path?key=hook-key`);
    for (let attempt = 0; attempt < 2; attempt += 1) {
      harness.clock.advance(hour);
      await harness.work({ includeDelayed: true });
    }
    const log = harness.logLines.join("");
    const [{ id } = { id: "" }] = await harness.deliveriesOf(company.client.clientId);
    const attempts = harness.logLines
      .map((line) => JSON.parse(line) as Record<string, unknown>)
      .filter(({ deliveryId }) => deliveryId === id);
    expect(
      attempts.map(({ attempt, status, reason, outcome }) => [attempt, status, reason, outcome]),
    ).toEqual([
      [1, 500, "status", "postponed"],
      [2, null, "connection_failed", "postponed"],
      [3, 204, "ok", "delivered"],
    ]);
    const { "x-service-api-signature": signature, "webhook-signature": standard } =
      receiver.last.headers;
    for (const secret of [
      marker,
      "Last1",
      "hook-token-in-the-path",
      "hook-key",
      "answer-of-the-receiver",
      company.secret,
      String(signature),
      String(standard),
    ])
      expect(log).not.toContain(secret);
  });
});

describe("retention", () => {
  test("a body goes two weeks after it was settled, and not before", async () => {
    const company = await companyWithNews();
    harness.clock.advance(14 * day);
    await sweepOld();
    expect(await statuses(company)).toEqual(["delivered"]);
    harness.clock.advance(1);
    await sweepOld();
    expect(await statuses(company)).toEqual([]);
  });

  test("a body stays for as long as it is pending", async () => {
    receiver.answer = answers.status(410);
    const company = await companyWithNews();
    harness.clock.advance(80 * day);
    await sweepOld();
    expect(await statuses(company)).toEqual(["pending"]);
    receiver.answer = answers.status(204);
    await harness.listen(company.client.clientId, receiver.url);
    await harness.settle();
    await harness.work({ includeDelayed: true });
    expect(whoIn(receiver.last)).toEqual({ added: ["r20"], removed: ["r9"], updated: [] });
  });

  test("the baseline of a live connection stays, however long nothing changes", async () => {
    const company = await harness.watchCompany(people(9), receiver.url);
    for (let weeks = 0; weeks < 20; weeks += 1) {
      harness.clock.advance(7 * day);
      await harness.settle();
      await sweepOld();
    }
    company.people = people(10);
    await harness.pollNextHour();
    expect(receiver.received.map(whoIn)).toEqual([{ added: ["r10"], removed: [], updated: [] }]);
  });

  test("a list that could not be read for ninety days goes, and the next poll sets a new baseline", async () => {
    const company = await companyWithNews();
    receiver.received.length = 0;
    company.onFetch = () => {
      throw new AuthError("reauthentication_required");
    };
    await harness.pollNextHour();
    harness.clock.advance(89 * day);
    await sweepOld();
    expect(await harness.stateOf(company)).toBeDefined();
    harness.clock.advance(day);
    await sweepOld();
    expect(await harness.stateOf(company)).toBeUndefined();
    company.onFetch = () => undefined;
    company.people = people(3);
    await signInAgain(harness, company.connectionId);
    await harness.settle();
    expect((await harness.pollOf(company))?.outcome).toBe("baseline");
    expect(receiver.received).toEqual([]);
    company.people = people(4);
    await harness.pollNextHour();
    expect(receiver.received.map(whoIn)).toEqual([{ added: ["r4"], removed: [], updated: [] }]);
  });

  test("a body that outlives its list is delivered, and does not disturb the next list", async () => {
    receiver.answer = answers.status(410);
    const company = await companyWithNews();
    harness.clock.advance(91 * day);
    await sweepOld();
    expect(await harness.stateOf(company)).toBeUndefined();
    receiver.answer = answers.status(204);
    company.people = people(5);
    await harness.listen(company.client.clientId, receiver.url);
    await harness.settle();
    await harness.work({ includeDelayed: true });
    expect(await statuses(company)).toEqual(["delivered"]);
    company.people = people(6);
    await harness.pollNextHour();
    expect(whoIn(receiver.last)).toEqual({ added: ["r6"], removed: [], updated: [] });
  });
});

async function count(name: string, labels: Record<string, string>): Promise<number> {
  const metric = await harness.services.metrics.registry.getSingleMetric(name)!.get();
  const matching = metric.values.filter((value) =>
    Object.entries(labels).every(
      ([label, wanted]) => String((value.labels as Record<string, unknown>)[label]) === wanted,
    ),
  );
  return matching.reduce((sum, { value }) => sum + value, 0);
}

/** In seconds, of all polls so far. */
async function lagSoFar(): Promise<number> {
  const text = await harness.services.metrics.registry.getSingleMetricAsString(
    "rollcall_poll_lag_seconds",
  );
  return Number(/rollcall_poll_lag_seconds_sum (\S+)/.exec(text)?.[1]);
}

describe("metrics", () => {
  test.each<[string, (company: Company) => void]>([
    ["unchanged", () => undefined],
    ["changed", (company) => void (company.people = people(12))],
    ["broken", (company) => void (company.people = [{ last_name: "Nobody" } as never])],
    [
      "refused",
      (company) =>
        void (company.onFetch = () => Promise.reject(new AuthError("captcha_challenge"))),
    ],
  ])("count polls by outcome: %s", async (outcome, change) => {
    const company = await harness.watchCompany(people(9), receiver.url);
    change(company);
    const before = await count("rollcall_polls_total", { provider: "stub", outcome });
    await harness.pollNextHour();
    expect(await count("rollcall_polls_total", { provider: "stub", outcome })).toBe(before + 1);
  });

  test.each([
    [204, "delivered"],
    [500, "postponed"],
    [410, "suspended"],
  ])("count attempts by what they came to: %i is %s", async (status, outcome) => {
    receiver.answer = answers.status(status);
    const before = await count("rollcall_deliveries_total", { outcome });
    await companyWithNews();
    expect(await count("rollcall_deliveries_total", { outcome })).toBe(before + 1);
  });

  test("tell how late polls are: from their slot to their end", async () => {
    await harness.watchCompany(people(2), receiver.url);
    const before = await lagSoFar();
    const [row] = await harness.database.query(
      "select next_poll_at from polls where next_poll_at is not null order by next_poll_at limit 1",
    );
    harness.clock.advance(
      (new Date(String(row?.["next_poll_at"])).getTime() - harness.clock.now().getTime()) / 1000 +
        200,
    );
    await harness.tick();
    await harness.work();
    expect((await lagSoFar()) - before).toBeCloseTo(200, 0);
  });

  test("tell the age of the oldest body that nobody has acknowledged, and nothing when there is none", async () => {
    expect(await harness.services.webhooks.lists.undeliveredAge()).toBe(0);
    receiver.answer = answers.status(500);
    await companyWithNews();
    harness.clock.advance(2 * hour);
    expect(await harness.services.webhooks.lists.undeliveredAge()).toBe(2 * hour);
    receiver.answer = answers.status(204);
    await harness.work({ includeDelayed: true });
    expect(await harness.services.webhooks.lists.undeliveredAge()).toBe(0);
  });
});
