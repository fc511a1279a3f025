import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { secondsBetween } from "../../src/platform/clock.ts";
import { personio } from "../../src/providers/personio/index.ts";
import { ProviderRegistry } from "../../src/providers/registry.ts";
import { sandbox } from "../../src/providers/sandbox/index.ts";
import { version } from "../support/data-endpoints.ts";
import { createHarness, type Harness } from "../support/harness.ts";
import { untilTrue } from "../support/until-true.ts";
import { aimProvider } from "../support/aim-provider.ts";
import { FakePersonio } from "../support/vendors/fake-personio.ts";
import { createPeople } from "../support/vendors/personio-records.ts";
import { untilSettled, WaitingClock } from "../support/waiting-clock.ts";

const employees = `${version}/official/employees`;
const balances = `${version}/official/time-off-balances`;
const isBalance = ({ path }: { path: string }) => path.endsWith("/absences/balance");
const clock = new WaitingClock();
let fake: FakePersonio;
let harness: Harness;

beforeAll(async () => {
  fake = await FakePersonio.start();
  const aimed = aimProvider(personio, fake.origin);
  harness = await createHarness({ clock, registry: new ProviderRegistry([sandbox, aimed]) });
});
afterAll(async () => {
  await harness.close();
  await fake.stop();
});
beforeEach(() => {
  fake.people = createPeople();
  fake.compensations = [];
  fake.hidden = [];
  fake.interfere = () => undefined;
});

async function connect() {
  const { client_id, client_secret } = fake.credential;
  const connected = await harness.connect({
    provider: "personio",
    mode: "official",
    formValues: { client_id, client_secret },
  });
  fake.requests.length = 0;
  const get = (path: string) => harness.http.get(path, { bearer: connected.token });
  return { ...connected, get };
}

async function countKept(): Promise<number> {
  return (await harness.services.pool.query("select from read_parts")).rowCount ?? 0;
}

test("is one of the providers of its mode", async () => {
  const { body } = await harness.http.get("/providers");
  expect(body).toContainEqual({ mode: "official", providers: ["personio", "sandbox"] });
});

describe("balances, a request a person", () => {
  test("of many people go on where a worker ended, and nobody is asked for twice but a few", async () => {
    fake.people = createPeople(60);
    const { get } = await connect();
    expect((await get(balances)).status).toBe(202);
    const { queue, reads } = harness.services;
    const worker = reads.work(4);
    queue.work(worker.job);
    await untilTrue("pages are kept", async () => (await countKept()) > 0);
    await untilTrue("half of them came", () => fake.requests.filter(isBalance).length >= 30);
    await worker.stop(0);
    await queue.stopWorking(10_000);
    expect(fake.requests.filter(isBalance).length).toBeLessThan(60);
    expect(await untilSettled(harness, () => get(balances))).toBe(200);
    expect((await get(balances)).body).toHaveLength(120);
    expect(fake.requests.filter(isBalance).length).toBeLessThanOrEqual(60 + 20);
    expect(new Set(fake.requests.filter(isBalance).map(({ path }) => path)).size).toBe(60);
  });

  test("wait when Personio asks to, and does not say how long", async () => {
    const { get } = await connect();
    const times: number[] = [];
    fake.interfere = (request) => {
      if (!isBalance(request)) return undefined;
      times.push(clock.now().getTime());
      return times.length <= 2 ? { status: 429, body: "" } : undefined;
    };
    expect(await untilSettled(harness, () => get(balances))).toBe(200);
    expect((await get(balances)).body).toHaveLength(8);
    const next = times.find((time) => time > times[0]!);
    expect(next! - times[0]!).toBeGreaterThanOrEqual(1_000);
  });
});

test("what one customer is refused stops no other one, though all share our address", async () => {
  const { quotas } = harness.services;
  const drawFor = async (customer: string): Promise<number> => {
    const startedAt = clock.now();
    const draws = { address: "v1", customer };
    (await quotas.draw("personio", draws, AbortSignal.timeout(10_000))).end();
    return secondsBetween(startedAt, clock.now());
  };
  await quotas.pause("personio", { address: "v1", customer: "one" }, 30);
  expect(await drawFor("another")).toBe(0);
  expect(await drawFor("one")).toBeGreaterThanOrEqual(30);
  await quotas.pause("personio", { address: "v1" }, 20);
  expect(await drawFor("another")).toBeGreaterThanOrEqual(20);
});

test("the list of people is asked for fifteen times a second at most, and 300 times a minute", async () => {
  const { quotas } = harness.services;
  const secondsFor = async (requests: number, name: string): Promise<number> => {
    const startedAt = clock.now();
    for (let count = 0; count < requests; count += 1)
      (await quotas.draw("personio", { employees: name }, AbortSignal.timeout(20_000))).end();
    return secondsBetween(startedAt, clock.now());
  };
  expect(await secondsFor(15, "one")).toBe(0);
  expect(await secondsFor(1, "one")).toBeGreaterThanOrEqual(0.9);
  expect(await secondsFor(31, "two")).toBeLessThan(4);
  expect(personio.limits?.quotas).toMatchObject({
    employees: { perMinute: 300 },
    address: { perMinute: 2_000 },
  });
});

describe("a poll", () => {
  test("costs what changed, and the list is what a whole read would make", async () => {
    fake.people = createPeople(150);
    const { get } = await connect();
    expect(await untilSettled(harness, () => get(employees))).toBe(200);
    // One tells how many there are.
    expect(fake.countRequests("/v1/company/employees")).toBe(1 + 2);
    const [nadia, ...others] = createPeople(150);
    const position = { label: "Position", value: "Head", type: "standard" };
    const attributes = { ...(nadia!.record["attributes"] as object), position };
    const updatedAt = clock.now().toISOString().slice(0, 19);
    fake.people = [{ record: { type: "Employee", attributes }, updatedAt }, ...others];
    fake.compensations = [{ person: { id: "11" }, effective_from: "2020-01-01" }];
    clock.advance(3_601);
    fake.requests.length = 0;
    expect(await untilSettled(harness, () => get(employees))).toBe(200);
    expect(fake.requests.map(({ path }) => path)).toEqual([
      "/v1/company/employees/attributes",
      "/v1/company/employees",
      "/v1/company/time-offs",
      "/v1/company/employees",
      "/v2/compensations",
      "/v2/persons",
    ]);
    const people = (await get(employees)).body as Record<string, unknown>[];
    expect(people).toHaveLength(150);
    expect(people).toContainEqual(expect.objectContaining({ remote_id: "11", job_title: "Head" }));
  });

  test("leaves out who was deleted at the source, and keeps everybody else", async () => {
    fake.people = createPeople(150);
    const { get } = await connect();
    expect(await untilSettled(harness, () => get(employees))).toBe(200);
    fake.people = createPeople(150).filter((_person, index) => index !== 120);
    clock.advance(3_601);
    expect(await untilSettled(harness, () => get(employees))).toBe(200);
    expect(fake.requests.some(({ query }) => query["updated_since"] !== undefined)).toBe(true);
    const people = (await get(employees)).body as { remote_id: string }[];
    expect(people).toHaveLength(149);
    expect(people.map(({ remote_id: id }) => id)).not.toContain(String(100 + 120 - 4));
  });

  test("finds an attribute that may be read no more, and tells it", async () => {
    const { get, tokenId } = await connect();
    expect(await untilSettled(harness, () => get(employees))).toBe(200);
    fake.hidden = ["gender", "position"];
    clock.advance(3_601);
    expect(await untilSettled(harness, () => get(employees))).toBe(200);
    const people = (await get(employees)).body as Record<string, unknown>[];
    expect(people.every(({ gender }) => gender === null)).toBe(true);
    expect(await harness.services.connections.loadByToken(tokenId)).toMatchObject({
      limited: { employees: ["employment_history", "employments", "gender", "job_title"] },
    });
  });
});

test("a token of 24 hours is asked for anew before it ends, by one of those who need it", async () => {
  const { get } = await connect();
  clock.advance(86_400);
  const paths = ["employees", "groups", "company"].map((path) => `${version}/official/${path}`);
  await Promise.all(paths.map(get));
  await harness.drain();
  for (const path of paths) expect((await get(path)).status).toBe(200);
  expect(fake.countRequests("/v1/auth")).toBe(1);
});
