import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { registerBuiltIn } from "../../src/providers/built-in.ts";
import { ProviderRegistry } from "../../src/providers/registry.ts";
import { sandbox } from "../../src/providers/sandbox/index.ts";
import { xero } from "../../src/providers/xero/index.ts";
import { aimProvider } from "../support/aim-provider.ts";
import { ApprovingClient, type Approved } from "../support/approving-client.ts";
import { carried, textOf } from "../support/connect-visitor.ts";
import { openDescription } from "../support/described-vendor.ts";
import { tenants } from "../support/fake-xero-conformance.ts";
import { createHarness, type Harness } from "../support/harness.ts";
import type { Reply } from "../support/http-client.ts";
import { application, FakeXero, rightCode } from "../support/vendors/fake-xero.ts";
import { createCompanyAbroad, taxFileNumber } from "../support/vendors/xero-abroad.ts";
import { createCompany, createPerson } from "../support/vendors/xero-company.ts";

const scopes = ["employees", "company"].map((path) => `/2023-03-01/official/${path}`);
const { maple, oak } = tenants;

let fake: FakeXero;
let harness: Harness;
let client: ApprovingClient;
beforeAll(async () => {
  fake = new FakeXero({
    company: createCompany([createPerson(1), createPerson(2)]),
    tenants: [maple],
    now: () => harness.clock.now(),
    perMinute: 60,
  });
  const aimed = aimProvider(xero, await fake.start());
  harness = await createHarness({
    registry: new ProviderRegistry([sandbox, aimed]),
    env: {
      PROVIDER_XERO_CLIENT_ID: application.clientId,
      PROVIDER_XERO_CLIENT_SECRET: application.clientSecret,
    },
  });
  client = await ApprovingClient.create(harness);
});
afterAll(async () => {
  await harness.close();
  await fake.stop();
});
beforeEach(() => {
  fake.tenants = [maple];
  fake.deletedConnections.length = 0;
  harness.clock.advance(61);
});

const link = (): string =>
  client.link({ mode: "official", provider: "xero", scope: scopes.join(" ") });

const approve = (path: string, code = rightCode): Promise<Approved> => client.approve(path, code);
const read = (bearer: string, path = scopes[0]!): Promise<Reply> => client.read(bearer, path);

describe("the sign-in", () => {
  test("leads to Xero's page with the scopes of the link, and asks nothing for one organisation", async () => {
    const seen = await approve(link());
    expect(seen.address.origin + seen.address.pathname).toBe(
      "https://login.xero.com/identity/connect/authorize",
    );
    expect(seen.address.searchParams.get("scope")?.split(" ").toSorted()).toEqual(
      "accounting.settings.read email offline_access openid payroll.employees.read payroll.settings.read profile".split(
        " ",
      ),
    );
    const token = await client.exchange(seen);
    expect((await read(token)).body).toHaveLength(2);
    expect((await harness.http.get("/2023-03-01/official/company", { bearer: token })).status).toBe(
      202,
    );
    await client.disconnect(token);
  });

  test("asks which organisation, when several were approved just now", async () => {
    fake.tenants = [oak, maple, tenants.practice];
    const question = await approve(link());
    expect(textOf(question)).toContain("Maple & Söhne");
    expect(textOf(question)).toContain("Oak");
    const token = await client.exchange(await question.visitor.answer(question, maple.tenantId));
    expect((await read(token)).body).toHaveLength(2);
    await client.disconnect(token);
  });

  test("does not ask for organisations that were approved before", async () => {
    fake.tenants = [maple, { ...oak, authEventId: "another" }];
    const seen = await approve(link());
    expect(carried(seen)).toContainEqual(["code", expect.anything()]);
    await client.disconnect(await client.exchange(seen));
  });

  test.each([
    ["without an organisation", [tenants.practice], rightCode, /No organisation was approved/],
    [
      "with a code that Xero does not know",
      [maple],
      "invented",
      /ended the session right after you signed in/,
    ],
  ])("%s shows its page again", async (_name, found, code, message) => {
    fake.tenants = found;
    const page = await approve(link(), code);
    expect(page.left).toBeUndefined();
    expect(textOf(page)).toMatch(message);
  });
});

describe("an organisation that was disconnected at Xero", () => {
  test("is 401, and works with the same token when it is approved again, and no other one does", async () => {
    const token = await client.exchange(await approve(link()));
    expect((await read(token)).status).toBe(200);
    fake.tenants = [];
    harness.clock.advance(61);
    const refused = await read(token);
    expect(refused).toMatchObject({ status: 401, body: { code: "reauthentication_required" } });

    fake.tenants = [oak];
    const other = await approve(await client.linkAgain());
    expect(textOf(other)).toContain("another organisation than the one that is connected");
    expect((await read(token)).status).toBe(401);

    fake.tenants = [oak, maple];
    const back = await approve(await client.linkAgain());
    expect(carried(back)).not.toContainEqual(["code", expect.anything()]);
    expect((await read(token)).body).toHaveLength(2);
    await client.disconnect(token);
  });

  test("is told from a person who lost the role in it", async () => {
    const token = await client.exchange(await approve(link()));
    fake.interfere = ({ path }) =>
      path.includes("/Employees")
        ? { status: 403, body: { title: "Forbidden", detail: "AuthenticationUnsuccessful" } }
        : undefined;
    const refused = await read(token);
    fake.interfere = () => undefined;
    expect(refused).toMatchObject({ status: 401, body: { code: "insufficient_permission" } });
    await client.disconnect(token);
  });
});

describe("a disconnect", () => {
  test("ends the connection at Xero, also after the access token has ended", async () => {
    const token = await client.exchange(await approve(link()));
    harness.clock.advance(3_600);
    const { refreshes } = fake.counts;
    await client.disconnect(token);
    expect(fake.deletedConnections).toEqual([maple.id]);
    expect(fake.counts.refreshes).toBe(refreshes + 1);
  });

  test("leaves it alone while somebody else reads by it", async () => {
    const [first, second] = [
      await client.exchange(await approve(link())),
      await client.exchange(await approve(link())),
    ];
    await client.disconnect(first);
    expect(fake.deletedConnections).toEqual([]);
    harness.clock.advance(61);
    expect((await read(second)).status).toBe(200);
    await client.disconnect(second);
    expect(fake.deletedConnections).toEqual([maple.id]);
  });
});

describe("an organisation in Australia", () => {
  test("has its own payroll, by the country that the sign-in has found, and no tax number", async () => {
    const british = { ...fake.company };
    const people = [createPerson(1), createPerson(2, { endDate: "2025-06-30T00:00:00" })];
    Object.assign(fake.company, createCompanyAbroad(people, "AU"));
    const token = await client.exchange(await approve(link()));
    fake.paths.length = 0;
    const { body } = await read(token);
    expect(body).toMatchObject([
      { home_location: { administrative_area: "Western Australia" }, tax_id: null },
      { employment_status: "inactive" },
    ]);
    expect(JSON.stringify(body)).not.toContain(taxFileNumber);
    expect(fake.paths.filter((path) => path.endsWith("/Organisation"))).toEqual([]);
    await client.disconnect(token);
    Object.assign(fake.company, { australia: undefined }, british);
  });
});

describe("polls", () => {
  test("read no list as a whole after a day: everybody was read over again in slices", async () => {
    const token = await client.exchange(await approve(link()));
    await read(token);
    const { requests } = fake.counts;
    harness.clock.advance(25 * 3_600);
    fake.paths.length = 0;
    expect((await read(token)).status).toBe(200);
    expect(fake.counts.requests - requests).toBe(1 + 1 + 2 * 2);
    harness.clock.advance(3_600);
    fake.paths.length = 0;
    expect((await read(token)).status).toBe(200);
    expect(fake.paths).toEqual(["/Employees"]);
    await client.disconnect(token);
  });
});

test("every request is one that Xero's description allows", async () => {
  const description = await openDescription("xero");
  const british = fake.payrollRequests.filter(({ path }) => path.startsWith("/payroll.xro/2.0"));
  const asked = new Map(
    british.map((request) => [
      request.path.replaceAll(/[0-9a-f-]{36}/g, "id"),
      { ...request, path: request.path.slice("/payroll.xro/2.0".length), body: undefined },
    ]),
  );
  expect(asked.size).toBeGreaterThan(3);
  for (const request of asked.values()) expect(await description.check(request)).toEqual([]);
});

const modesWith = async (applications: Parameters<ProviderRegistry["offerWith"]>[0]) => {
  const registry = (await registerBuiltIn()).offerWith(applications);
  return Object.keys(registry.find("xero")?.modes ?? {}).toSorted();
};

describe("in the list of providers", () => {
  test("it is in both modes with an application of the operator's, and without one in none", async () => {
    expect(await modesWith({ xero: application })).toEqual(["official", "xhr"]);
    expect(await modesWith({})).toEqual([]);
  });
});
