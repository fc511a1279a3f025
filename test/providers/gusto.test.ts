import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { gusto } from "../../src/providers/gusto/index.ts";
import { ProviderRegistry } from "../../src/providers/registry.ts";
import { sandbox } from "../../src/providers/sandbox/index.ts";
import { aimProvider } from "../support/aim-provider.ts";
import { ApprovingClient, type Approved } from "../support/approving-client.ts";
import { textOf } from "../support/connect-visitor.ts";
import { createHarness, type Harness } from "../support/harness.ts";
import type { Reply } from "../support/http-client.ts";
import {
  allScopes,
  application,
  codeOfEmployee,
  codeOfOtherCompany,
  FakeGusto,
  otherCode,
  rightCode,
} from "../support/vendors/fake-gusto.ts";
import { createCompany, runId } from "../support/vendors/gusto-company.ts";

const paths = ["employees", "payruns", "payruns/:payrun_id", "identity"];
const scopes = paths.map((path) => `/2023-03-01/xhr/${path}`);

let fake: FakeGusto;
let harness: Harness;
let client: ApprovingClient;
beforeAll(async () => {
  fake = new FakeGusto({ company: createCompany(), now: () => harness.clock.now() });
  harness = await createHarness({
    registry: new ProviderRegistry([sandbox, aimProvider(gusto, await fake.start())]),
    env: {
      PROVIDER_GUSTO_CLIENT_ID: application.clientId,
      PROVIDER_GUSTO_CLIENT_SECRET: application.clientSecret,
    },
  });
  client = await ApprovingClient.create(harness);
});
afterAll(async () => {
  await harness.close();
  await fake.stop();
});
beforeEach(() => {
  fake.scopes = allScopes;
  harness.clock.advance(61);
});

const link = (): string => client.link({ mode: "xhr", provider: "gusto", scope: scopes.join(" ") });

const approve = (path: string, code = rightCode): Promise<Approved> => client.approve(path, code);
const read = (bearer: string, path: string): Promise<Reply> =>
  client.read(bearer, `/2023-03-01/xhr/${path}`);

describe("a sign-in at Gusto", () => {
  test("leads to its page without scopes, and to people, pay runs, payslips and who signed in", async () => {
    const seen = await approve(link());
    expect(seen.address.origin + seen.address.pathname).toBe(
      "https://api.gusto.com/oauth/authorize",
    );
    expect(seen.address.searchParams.has("scope")).toBe(false);
    const token = await client.exchange(seen);
    expect((await read(token, "employees")).body).toHaveLength(60);
    const { body: runs } = await read(token, "payruns?start_date=2026-02-16&end_date=2026-02-22");
    expect(runs).toMatchObject([{ remote_id: runId(1), state: "paid" }]);
    const [{ id }] = runs as [{ id: string }];
    const { body: slips } = await read(token, `payruns/${id}`);
    expect(slips).toHaveLength(40);
    expect((slips as { gross_pay: number; earnings: unknown }[])[0]).toMatchObject({
      gross_pay: 283_883,
      earnings: expect.any(Array) as unknown,
    });
    const { body: who } = await read(token, "identity");
    expect(who).toEqual({
      name: "Ada Maple",
      email: "ada@maple.example",
      phone_number: "4155550100",
    });
    await client.disconnect(token);
  });

  test("names the company, where who approved may not be read", async () => {
    const hidden = new Set(["company_admin:read", "compensations:read"]);
    fake.scopes = allScopes.filter((scope) => !hidden.has(scope));
    const token = await client.exchange(await approve(link()));
    expect((await read(token, "identity")).body).toEqual({
      name: "Maple & Söhne LLC",
      email: "",
      phone_number: null,
    });
    // What the scopes of the token do not have is not asked for.
    expect(await read(token, "employees")).toMatchObject({ status: 200 });
    await client.disconnect(token);
  });

  test("of somebody who is no administrator shows its page again", async () => {
    const page = await approve(link(), codeOfEmployee);
    expect(page.left).toBeUndefined();
    expect(textOf(page)).toContain("No company was approved");
  });

  test("again has to be for the same company, and by the same administrator", async () => {
    const token = await client.exchange(await approve(link()));
    fake.revokeTokens();
    expect(await read(token, "employees")).toMatchObject({
      status: 401,
      body: { code: "reauthentication_required" },
    });
    const other = await approve(await client.linkAgain(), codeOfOtherCompany);
    expect(textOf(other)).toContain("another company than the one that is connected");
    const another = await approve(await client.linkAgain(), otherCode);
    expect(textOf(another)).toContain("You signed in to another Gusto account");
    await approve(await client.linkAgain());
    expect((await read(token, "employees")).body).toHaveLength(60);
    await client.disconnect(token);
  });
});

describe("a token of Gusto", () => {
  test("is refreshed before it ends, and revoked with the last connection that reads by the approval", async () => {
    const [first, second] = [
      await client.exchange(await approve(link())),
      await client.exchange(await approve(link())),
    ];
    const before = { ...fake.counts };
    await client.disconnect(first);
    expect(fake.counts.revoked).toBe(before.revoked);
    harness.clock.advance(7_300);
    expect((await read(second, "employees")).status).toBe(200);
    expect(fake.counts.refreshes).toBe(before.refreshes + 1);
    await client.disconnect(second);
    expect(fake.counts.revoked).toBe(before.revoked + 1);
  });
});
