import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createHarness, redirectUri, type Harness } from "../support/harness.ts";

const url = "/2023-03-01/management/client";

let harness: Harness;
beforeAll(async () => {
  harness = await createHarness();
});
afterAll(() => harness.close());

describe("200", () => {
  test("a new client's attributes are all there, and nothing else", async () => {
    const { client, secret } = await harness.createClient();
    const reply = await harness.http.get(url, { basic: [client.clientId, secret] });
    expect(reply.status).toBe(200);
    expect(reply.body).toEqual({
      client_id: client.clientId,
      client_secret: [`********${secret.slice(-4)}`],
      redirect_uris: [redirectUri],
      name: "Test",
      webhook_uri: null,
      webhook_status: null,
      logo_url: null,
      purpose: null,
      privacy_url: null,
      support_url: null,
      allow_sandbox: false,
    });
  });

  test("a client id is four groups of eight upper-case hex digits, and each client has its own", async () => {
    const made = await Promise.all(Array.from({ length: 20 }, () => harness.createClient()));
    for (const { client } of made)
      expect(client.clientId).toMatch(/^[0-9A-F]{8}(-[0-9A-F]{8}){3}$/);
    expect(new Set(made.map(({ client }) => client.clientId)).size).toBe(20);
    expect(new Set(made.map(({ secret }) => secret)).size).toBe(20);
  });

  test("each secret is masked to its last four characters, the one that signs first", async () => {
    const { client } = await harness.createClient();
    const secrets = [
      `first-${"a".repeat(26)}-1111`,
      `second-${"*".repeat(25)}-2222`,
      `${"z".repeat(124)}3333`,
    ];
    await harness.services.clients.update(client, { secrets });
    const reply = await harness.http.get(url, { basic: [client.clientId, secrets[1]!] });
    expect(reply.body).toHaveProperty("client_secret", [
      "********1111",
      "********2222",
      "********3333",
    ]);
    for (const secret of secrets) expect(reply.bytes.toString()).not.toContain(secret.slice(-5));
  });

  test("the reply is kept by no cache", async () => {
    const { client, secret } = await harness.createClient();
    const reply = await harness.http.get(url, { basic: [client.clientId, secret] });
    expect(reply.headers["cache-control"]).toBe("private, no-store");
  });
});

describe("401", () => {
  test("without credentials the reply asks for them", async () => {
    const reply = await harness.http.get(url);
    expect(reply.status).toBe(401);
    expect(reply.headers["www-authenticate"]).toBe('Basic realm="rollcall", charset="UTF-8"');
  });
});

describe("429", () => {
  test("a client whose window is full is told how long it lasts", async () => {
    const limited = await createHarness({ env: { RATE_LIMIT_GATED_CLIENT_5M: "2" } });
    try {
      const { client, secret } = await limited.createClient();
      const read = () => limited.http.get(url, { basic: [client.clientId, secret] });
      expect([(await read()).status, (await read()).status]).toEqual([200, 200]);
      limited.clock.advance(100);
      const refused = await read();
      expect(refused.status).toBe(429);
      expect(refused.headers["retry-after"]).toBe("200");
      expect(refused.body).toEqual({ message: expect.any(String) });
      limited.clock.advance(200);
      expect((await read()).status).toBe(200);
    } finally {
      await limited.close();
    }
  });
});

describe("500", () => {
  test("a stored secret that cannot be opened is a server error that tells and logs nothing of it", async () => {
    const { client, secret } = await harness.createClient();
    await harness.database.query(
      "update client_secrets set sealed = sealed || '\\x00' where client_id = $1",
      [client.clientId],
    );
    const linesBefore = harness.logLines.length;
    const reply = await harness.http.get(url, { basic: [client.clientId, secret] });
    expect(reply.status).toBe(500);
    expect(reply.body).toEqual({ message: expect.any(String) });
    const errors = harness.logLines
      .slice(linesBefore)
      .filter((line) => (JSON.parse(line) as { level: number }).level >= 50);
    expect(errors).toHaveLength(1);
    expect(harness.logLines.join("")).not.toContain(secret);
  });
});
