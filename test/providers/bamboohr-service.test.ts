import { afterAll, beforeAll, expect, test } from "vitest";
import type { Scope } from "../../src/model/index.ts";
import { secondsBetween } from "../../src/platform/clock.ts";
import { bamboohr } from "../../src/providers/bamboohr/index.ts";
import { ProviderRegistry } from "../../src/providers/registry.ts";
import { sandbox } from "../../src/providers/sandbox/index.ts";
import { version } from "../support/data-endpoints.ts";
import { createHarness, type Harness } from "../support/harness.ts";
import { aimProvider } from "../support/aim-provider.ts";
import { bambooKey, FakeBamboo } from "../support/vendors/fake-bamboohr.ts";
import { WaitingClock } from "../support/waiting-clock.ts";

const paths = ["employees", "time-off-balances"].map((path) => `${version}/xhr/${path}`);
const [employees = "", balances = ""] = paths;

let clock: WaitingClock;
let fake: FakeBamboo;
let harness: Harness;
let bearer: string;
beforeAll(async () => {
  clock = new WaitingClock();
  const now = () => clock.now();
  fake = await FakeBamboo.start({ people: 750, pageSize: 2_500, keyOpensAll: true, now });
  const registry = new ProviderRegistry([sandbox, aimProvider(bamboohr, fake.origin)]);
  harness = await createHarness({ clock, registry });
  const formValues = { companyDomain: "lindgren", key: bambooKey };
  const scopes = paths as Scope[];
  ({ token: bearer } = await harness.connect({ provider: "bamboohr", scopes, formValues }));
});
afterAll(async () => {
  await harness.close();
  await fake.stop();
});

/** Runs what is due until there are data, and returns them. */
async function readWhole(path: string): Promise<unknown[]> {
  for (let runs = 0; runs < 20; runs += 1) {
    const { status, body } = await harness.http.get(path, { bearer });
    if (status === 200) return body as unknown[];
    const { rows } = await harness.services.pool.query<{ due: Date | null }>(
      "select max(due_at) as due from reads where state = 'pending'",
    );
    const seconds = secondsBetween(clock.now(), rows[0]?.due ?? clock.now());
    if (seconds > 0) clock.advance(seconds);
    await harness.drain();
  }
  throw new Error("there are no data after 20 runs");
}

test("balances of 600 people end although BambooHR cuts the run short, with one request for each", async () => {
  const asked = /\/employees\/(\d+)\/time_off\/calculator/;
  const idOf = ({ path }: { path: string }): string | undefined => asked.exec(path)?.[1];
  let refused: string | undefined;
  fake.interfere = (request) => {
    if (refused !== undefined || fake.countOf(asked) < 300) return undefined;
    refused = idOf(request);
    return { status: 429, headers: { "retry-after": "900" } };
  };
  const records = await readWhole(balances);
  const ids = fake.requests.flatMap((request) => idOf(request) ?? []);
  const present = fake.people.filter(({ status }) => status === "Active").map(({ id }) => id);
  expect(records).toHaveLength(3 * present.length);
  expect(ids.toSorted()).toEqual([...present, refused].toSorted());
});

test("employees are read again for two requests when nothing changed", async () => {
  const people = await readWhole(employees);
  expect(people).toHaveLength(750);
  clock.advance(1_800);
  await harness.http.get(employees, { bearer });
  const before = fake.requests.length;
  await harness.drain();
  expect(fake.requests.slice(before).map(({ path }) => path.split("?")[0])).toEqual([
    "/api/v1/employees/changed",
    "/api/v1/time_off/requests",
  ]);
  expect(await readWhole(employees)).toEqual(people);
});
