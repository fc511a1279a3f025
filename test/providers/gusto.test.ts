import { setTimeout as delay } from "node:timers/promises";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { gusto } from "../../src/providers/gusto/index.ts";
import { ProviderRegistry } from "../../src/providers/registry.ts";
import { sandbox } from "../../src/providers/sandbox/index.ts";
import { aimProvider } from "../support/aim-provider.ts";
import {
  carried,
  ConnectVisitor,
  linkPath,
  textOf,
  workSignIns,
  type Seen,
} from "../support/connect-visitor.ts";
import { createHarness, redirectUri, type Harness } from "../support/harness.ts";
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

const management = "/2023-03-01/management";
const paths = ["employees", "payruns", "payruns/:payrun_id", "identity"];
const scopes = paths.map((path) => `/2023-03-01/xhr/${path}`);
const noCache = { "cache-control": "no-cache" };

let fake: FakeGusto;
let harness: Harness;
let client: Awaited<ReturnType<Harness["createClient"]>>;
beforeAll(async () => {
  fake = new FakeGusto({ company: createCompany(), now: () => harness.clock.now() });
  harness = await createHarness({
    registry: new ProviderRegistry([sandbox, aimProvider(gusto, await fake.start())]),
    env: {
      PROVIDER_GUSTO_CLIENT_ID: application.clientId,
      PROVIDER_GUSTO_CLIENT_SECRET: application.clientSecret,
    },
  });
  client = await harness.createClient();
  workSignIns(harness);
});
afterAll(async () => {
  await harness.close();
  await fake.stop();
});
beforeEach(() => {
  fake.scopes = allScopes;
  harness.clock.advance(61);
});

const link = (): string =>
  linkPath(client.client, { mode: "xhr", provider: "gusto", scope: scopes.join(" ") });

/** To Gusto's page and back, when the person has approved. */
async function approve(path: string, code = rightCode): Promise<Seen & { address: URL }> {
  const visitor = new ConnectVisitor(harness.baseUrl);
  const { left = "" } = await visitor.send(await visitor.open(path), "sign-in");
  const address = new URL(left);
  const state = address.searchParams.get("state") ?? "";
  let seen = await visitor.open(
    `/connect/callback?${new URLSearchParams({ code, state }).toString()}`,
  );
  for (let look = 0; look < 200 && seen.html.includes("data-watch="); look += 1) {
    await delay(20);
    seen = await visitor.open(seen.path);
  }
  return { ...seen, address };
}

async function exchange(seen: Seen): Promise<string> {
  const { code } = Object.fromEntries(carried(seen));
  const { body } = await harness.http.post(`${management}/token`, {
    json: {
      client_id: client.client.clientId,
      client_secret: client.secret,
      grant_type: "authorization_code",
      code,
      redirect_uri: redirectUri,
    },
  });
  return (body as { access_token: string }).access_token;
}

async function read(bearer: string, path: string): Promise<Reply> {
  const get = (): Promise<Reply> =>
    harness.http.get(`/2023-03-01/xhr/${path}`, { bearer, headers: noCache });
  if ((await get()).status === 202) {
    await harness.drain();
    workSignIns(harness);
  }
  return await get();
}

async function linkAgain(): Promise<string> {
  const basic: [string, string] = [client.client.clientId, client.secret];
  const { body: listed } = await harness.http.get(`${management}/tokens`, { basic });
  const { token } = (listed as { token: string; valid: boolean }[]).findLast(({ valid }) => valid)!;
  const { body } = await harness.http.post(`${management}/connect-session`, {
    basic,
    json: { token },
  });
  const { pathname, search } = new URL((body as { connect_url: string }).connect_url);
  return pathname + search;
}

/** Gusto is told in the background. */
async function disconnect(bearer: string): Promise<void> {
  expect((await harness.http.post(`${management}/disconnect`, { bearer })).status).toBe(200);
  await harness.services.logOuts.done();
}

describe("a sign-in at Gusto", () => {
  test("leads to its page without scopes, and to people, pay runs, payslips and who signed in", async () => {
    const seen = await approve(link());
    expect(seen.address.origin + seen.address.pathname).toBe(
      "https://api.gusto.com/oauth/authorize",
    );
    expect(seen.address.searchParams.has("scope")).toBe(false);
    const token = await exchange(seen);
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
    await disconnect(token);
  });

  test("names the company, where who approved may not be read", async () => {
    const hidden = new Set(["company_admin:read", "compensations:read"]);
    fake.scopes = allScopes.filter((scope) => !hidden.has(scope));
    const token = await exchange(await approve(link()));
    expect((await read(token, "identity")).body).toEqual({
      name: "Maple & Söhne LLC",
      email: "",
      phone_number: null,
    });
    // What the scopes of the token do not have is not asked for.
    expect(await read(token, "employees")).toMatchObject({ status: 200 });
    await disconnect(token);
  });

  test("of somebody who is no administrator shows its page again", async () => {
    const page = await approve(link(), codeOfEmployee);
    expect(page.left).toBeUndefined();
    expect(textOf(page)).toContain("No company was approved");
  });

  test("again has to be for the same company, and by the same administrator", async () => {
    const token = await exchange(await approve(link()));
    fake.revokeTokens();
    expect(await read(token, "employees")).toMatchObject({
      status: 401,
      body: { code: "reauthentication_required" },
    });
    const other = await approve(await linkAgain(), codeOfOtherCompany);
    expect(textOf(other)).toContain("another company than the one that is connected");
    const another = await approve(await linkAgain(), otherCode);
    expect(textOf(another)).toContain("You signed in to another Gusto account");
    await approve(await linkAgain());
    expect((await read(token, "employees")).body).toHaveLength(60);
    await disconnect(token);
  });
});

describe("a token of Gusto", () => {
  test("is refreshed before it ends, and revoked with the last connection that reads by the approval", async () => {
    const [first, second] = [
      await exchange(await approve(link())),
      await exchange(await approve(link())),
    ];
    const before = { ...fake.counts };
    await disconnect(first);
    expect(fake.counts.revoked).toBe(before.revoked);
    harness.clock.advance(7_300);
    expect((await read(second, "employees")).status).toBe(200);
    expect(fake.counts.refreshes).toBe(before.refreshes + 1);
    await disconnect(second);
    expect(fake.counts.revoked).toBe(before.revoked + 1);
  });
});
