import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { ProviderDefinition } from "../../src/providers/contract.ts";
import { employmentHero } from "../../src/providers/employment-hero/index.ts";
import { ProviderRegistry } from "../../src/providers/registry.ts";
import { sandbox } from "../../src/providers/sandbox/index.ts";
import { aimProvider } from "../support/aim-provider.ts";
import { ConnectVisitor, linkPath, textOf, workSignIns } from "../support/connect-visitor.ts";
import { version } from "../support/data-endpoints.ts";
import { createHeroKeys } from "../support/fake-employment-hero-conformance.ts";
import { createHarness, exchangeBody, type Harness } from "../support/harness.ts";
import {
  businessId,
  createBusiness,
  createOtherBusiness,
  createPeople,
  otherBusinessId,
} from "../support/vendors/employment-hero-company.ts";
import { FakeEmploymentHero } from "../support/vendors/fake-employment-hero.ts";
import { untilSettled, WaitingClock } from "../support/waiting-clock.ts";

const clock = new WaitingClock();
const business = createBusiness(createPeople());
const fake = new FakeEmploymentHero([business, createOtherBusiness()], createHeroKeys());
const at = (resource: string): string => `${version}/xhr/${resource}`;
let harness: Harness;

beforeAll(async () => {
  await fake.start();
  harness = await createHarness({ clock, registry: registryWith(employmentHero) });
});
afterAll(async () => {
  await harness.close();
  await fake.stop();
});
beforeEach(() => {
  fake.requests.length = 0;
  fake.interfere = () => undefined;
  fake.keys = createHeroKeys();
  business.people = createPeople();
});

function registryWith(definition: ProviderDefinition): ProviderRegistry {
  return new ProviderRegistry([sandbox, aimProvider(definition, fake.origin)]);
}

async function readOf(of: Harness, bearer: string, resource: string) {
  const get = () => of.http.get(at(resource), { bearer });
  await untilSettled(of, get);
  return await get();
}

async function connect() {
  const formValues = { region: "sg", key: "key-of-one" };
  const { token } = await harness.connect({ provider: "employment-hero", formValues });
  fake.requests.length = 0;
  return (resource: string) => readOf(harness, token, resource);
}

test("a key of a bureau asks for the business, and nothing of another one is read", async () => {
  // Nobody waits for the limit of each second, as this time stands.
  const limits = { quotas: { address: { atOnce: 9 }, business: { atOnce: 9 } } };
  const own = await createHarness({ registry: registryWith({ ...employmentHero, limits }) });
  const { client, secret } = await own.createClient();
  const work = workSignIns(own);
  const visitor = new ConnectVisitor(own.baseUrl);
  const form = await visitor.open(linkPath(client, { provider: "employment-hero" }));
  const fields = { region: "sg", key: " key-of-bureau " };
  const sent = await visitor.send(form, "sign-in", fields);
  await work.drained();
  const asked = await visitor.open(sent.path);
  expect(textOf(asked)).toContain("Durian & Daughters, Singapore");
  const { left = "" } = await visitor.answer(asked, `sg/${businessId}`);
  await work.stop();
  const code = new URL(left).searchParams.get("code") ?? "";
  const json = exchangeBody({ client, secret, code });
  const { body } = await own.http.post(`${version}/management/token`, { json });
  const { access_token: token } = body as { access_token: string };
  const company = await readOf(own, token, "company");
  const people = await readOf(own, token, "employees");
  await own.close();
  expect(company.body).toMatchObject([{ display_name: "Merlion Tea" }]);
  expect(people.body).toHaveLength(60);
  const paths = fake.requests.map(({ path }) => path);
  expect(paths.length).toBeGreaterThan(5);
  expect(paths.filter((path) => path.includes(String(otherBusinessId)))).toEqual([]);
});

test("of a user who came to see some of the people, nobody is read and nobody looks deleted", async () => {
  const read = await connect();
  fake.keys = fake.keys.map((one) => ({ ...one, access: "Restricted" as const }));
  business.people = business.people.slice(0, 3);
  for (const resource of ["employees", "time-off-balances"])
    expect(await read(resource)).toMatchObject({
      status: 401,
      body: { code: "insufficient_permission" },
    });
  expect(await read("groups")).toMatchObject({ status: 200 });
  expect(fake.requests.some(({ path }) => path.endsWith("/unstructured"))).toBe(false);
});

test("5,000 people are read with the least of requests, four a second", async () => {
  const read = await connect();
  business.people = createPeople(4_940);
  const startedAt = clock.now().getTime();
  const { body } = await read("employees");
  const ids = new Set((body as { remote_id: string }[]).map((one) => one.remote_id));
  expect(ids.size).toBe(5_000);
  // Fifty full pages and the empty one after them, the access, and three lists that people are joined with.
  const least = 51 + 1 + 3;
  expect(fake.requests.length).toBeLessThanOrEqual(Math.floor(least * 1.05));
  expect(clock.now().getTime() - startedAt).toBeGreaterThanOrEqual(((least - 8) / 4) * 1_000);
  // A poll an hour takes less than a tenth of what is free in a day.
  expect(fake.requests.length * 24).toBeLessThanOrEqual((4 * 86_400) / 10);
});
