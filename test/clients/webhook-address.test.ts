import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { mintCredential } from "../../src/platform/crypto/index.ts";
import { rollcall } from "../support/command-line.ts";
import { createHarness, type Harness } from "../support/harness.ts";

const url = "/2023-03-01/management/client";

let harness: Harness;
let dev: Harness;
let owner: Awaited<ReturnType<Harness["createClient"]>>;
let other: typeof owner;
beforeAll(async () => {
  dev = await createHarness({ env: { OUTBOUND_ALLOW_WEBHOOKS: "" } });
  owner = await dev.createClient();
  other = await dev.createClient();
  harness = await inProd(`10.1.2.0/24:8443,${owner.client.clientId}=[fd00::/8]:443`);
});
afterAll(async () => {
  await harness.close();
  await dev.close();
});

/** The same service as `prod`, with these ranges for webhooks. */
async function inProd(ranges: string): Promise<Harness> {
  const { database, environment } = dev;
  return await createHarness({
    database,
    env: {
      ...environment,
      ENVIRONMENT: "prod",
      SANDBOX_ACCESS_TOKEN: mintCredential("at", "prod"),
      OUTBOUND_ALLOW_WEBHOOKS: ranges,
    },
  });
}

async function set(at: Harness, webhookUri: string, { client, secret } = other) {
  const basic: [string, string] = [client.clientId, secret];
  return await at.http.post(url, { basic, json: { webhook_uri: webhookUri } });
}

const unreachable = [
  "https://localhost/hooks",
  "https://LOCALHOST./hooks",
  "https://app.localhost/hooks",
  "https://127.0.0.1/hooks",
  "https://127.1/hooks",
  "https://0x7f000001/hooks",
  "https://[::1]/hooks",
  "https://[::ffff:127.0.0.1]/hooks",
  "https://10.0.0.1/hooks",
  "https://192.168.1.1/hooks",
  "https://169.254.169.254/hooks",
  "https://[fe80::1]/hooks",
  "https://0.0.0.0/hooks",
  "https://intranet/hooks",
  "https://intranet./hooks",
  "https://printer.local/hooks",
  "https://app.corp.INTERNAL./hooks",
  "https://metadata.google.internal/hooks",
  "https://router.home.arpa/hooks",
  "https://app.invalid/hooks",
];

describe("in prod a webhook address that can never be reached is a 400 that says so", () => {
  test.each(unreachable)("%s", async (address) => {
    const reply = await set(harness, address);
    expect([reply.status, reply.body]).toEqual([
      400,
      expect.objectContaining({
        validation_error: expect.stringMatching(/^webhook_uri: can never be reached/) as string,
      }),
    ]);
  });

  test.each([
    "https://app.example.com/hooks",
    "https://hooks.internal.example.com/hooks",
    "https://local.example.com/hooks",
    "https://93.184.216.34/hooks",
    "https://[2606:4700::1111]/hooks",
  ])("and %s is none", async (address) => {
    expect((await set(harness, address)).status).toBe(200);
  });
});

describe("what a range for webhooks has can be reached", () => {
  test("by everybody, on its port", async () => {
    expect((await set(harness, "https://10.1.2.3:8443/hooks")).status).toBe(200);
    expect((await set(harness, "https://receiver:8443/hooks")).status).toBe(200);
    expect((await set(harness, "https://receiver.corp.internal:8443/hooks")).status).toBe(200);
    expect((await set(harness, "https://receiver.corp.internal/hooks")).status).toBe(400);
    expect((await set(harness, "https://10.1.2.3/hooks")).status).toBe(400);
    expect((await set(harness, "https://10.1.3.3:8443/hooks")).status).toBe(400);
  });

  test("or by the client that it is for", async () => {
    expect((await set(harness, "https://[fd00::1]/hooks", owner)).status).toBe(200);
    expect((await set(harness, "https://[fd00::1]/hooks", other)).status).toBe(400);
  });
});

test.each(unreachable)("outside of prod %s is taken, for trials", async (address) => {
  expect((await set(dev, address)).status).toBe(200);
});

test("the operator's command refuses such an address in the same words", async () => {
  const { client } = other;
  const words = [
    "client",
    "update",
    client.clientId,
    "--webhook-uri",
    "https://app.corp.internal/x",
  ];
  const { code, stderr } = await rollcall(words, harness.environment);
  expect(code).toBe(1);
  expect(stderr).toMatch(/webhook_uri: can never be reached/);
});
