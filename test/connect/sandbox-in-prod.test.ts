import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ConnectVisitor, headingOf, linkPath } from "../support/connect-visitor.ts";
import { createHarness, type Harness } from "../support/harness.ts";

const base = "/2023-03-01/management";
const employees = "/2023-03-01/xhr/employees";
type Owner = Awaited<ReturnType<Harness["createClient"]>>;

let harness: Harness;
beforeAll(async () => {
  harness = await createHarness({ env: { ENVIRONMENT: "prod", SANDBOX_ACCESS_TOKEN: "" } });
});
afterAll(() => harness.close());

const basicOf = ({ client, secret }: Owner): [string, string] => [client.clientId, secret];

async function allow(owner: Owner, allow_sandbox: boolean): Promise<void> {
  const { status, body } = await harness.http.post(`${base}/client`, {
    basic: basicOf(owner),
    json: { allow_sandbox },
  });
  expect([status, body]).toEqual([200, expect.objectContaining({ allow_sandbox })]);
}

const openLink = (owner: Owner, parameters: Record<string, string | undefined>) =>
  new ConnectVisitor(harness.baseUrl).ask("GET", linkPath(owner.client, parameters));

const links = [
  ["sandbox=true", { provider: undefined, sandbox: "true" }],
  ["provider=sandbox", { provider: "sandbox" }],
] as const;

describe("in prod, to a client that has allow_sandbox off", () => {
  test.each(links)("a link with %s leads back with invalid_request", async (_name, parameters) => {
    const owner = await harness.createClient();
    const { status, headers } = await openLink(owner, parameters);
    const { searchParams } = new URL(String(headers["location"]));
    expect([status, searchParams.get("error"), searchParams.get("error_description")]).toEqual([
      303,
      "invalid_request",
      expect.stringContaining("allow_sandbox"),
    ]);
  });

  test("no one-time link is made, and no connection without a browser", async () => {
    const basic = basicOf(await harness.createClient());
    const requests = [
      [`${base}/connect-session`, { scope: employees, sandbox: true, redirect_uri: linkTarget }],
      [`${base}/sandbox/connections`, { scenario: "user_good" }],
    ] as const;
    for (const [path, json] of requests) {
      const { status, body } = await harness.http.post(path, { basic, json });
      expect([path, status, body]).toEqual([
        path,
        400,
        expect.objectContaining({ validation_error: expect.stringContaining("allow_sandbox") }),
      ]);
    }
  });

  test("no link to sign in again is made", async () => {
    const owner = await harness.createClient();
    const { tokenId } = await harness.connect({ client: owner });
    const { status, body } = await harness.http.post(`${base}/connect-session`, {
      basic: basicOf(owner),
      json: { token: tokenId },
    });
    expect([status, body]).toEqual([
      400,
      expect.objectContaining({ validation_error: expect.stringContaining("allow_sandbox") }),
    ]);
  });

  test("other systems and the list of providers are as they were", async () => {
    const owner = await harness.createClient();
    const page = await openLink(owner, { provider: "odoo" });
    expect([page.status, headingOf(page)]).toEqual([200, expect.stringContaining("Odoo")]);
    const { body } = await harness.http.get("/providers");
    expect(JSON.stringify(body)).toContain('"sandbox"');
  });
});

describe("in prod, to a client that has allow_sandbox on", () => {
  test.each(links)("a link with %s shows the sandbox's sign-in", async (_name, parameters) => {
    const owner = await harness.createClient();
    await allow(owner, true);
    expect((await openLink(owner, parameters)).status).toBe(200);
    await allow(owner, false);
    expect((await openLink(owner, parameters)).status).toBe(303);
  });

  test("connections are made without a browser", async () => {
    const owner = await harness.createClient();
    await allow(owner, true);
    const { status } = await harness.http.post(`${base}/sandbox/connections`, {
      basic: basicOf(owner),
      json: { scenario: "user_good" },
    });
    expect(status).toBe(201);
  });
});

const linkTarget = "https://app.example.com/callback";
