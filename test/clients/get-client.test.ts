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

/** A client with two secrets, of which somebody else has changed the first. */
async function createSpoiled(change: string) {
  const { client, secret } = await harness.createClient();
  const { secrets, newSecret } = harness.services.clients.rotateSecrets(client);
  await harness.services.clients.update(client, { secrets });
  await harness.database.query(
    `update client_secrets set ${change} where client_id = $1 and position = 1`,
    [client.clientId],
  );
  return { clientId: client.clientId, spoiled: newSecret, secret };
}

describe("foreign bytes in the row of one secret", () => {
  test.each([
    ["of what is sealed", "sealed = sealed || '\\x00'"],
    ["of what is sealed and not bound", "sealed = '\\x00', is_bound = false"],
  ])("%s leave the other secret as good as before, and are logged", async (_what, change) => {
    const { clientId, spoiled, secret } = await createSpoiled(change);
    const linesBefore = harness.logLines.length;
    const reply = await harness.http.get(url, { basic: [clientId, secret] });
    expect(reply.status).toBe(200);
    const { client_secret: shown } = reply.body as { client_secret: string[] };
    expect(shown).toContain(`********${secret.slice(-4)}`);
    const wrong = await harness.http.get(url, { basic: [clientId, `${secret}x`] });
    expect(wrong.status).toBe(401);
    const lines = harness.logLines.slice(linesBefore).join("\n");
    expect(lines).toMatch(/"level":50.*"position":1.*a secret of a client does not open/);
    for (const each of [spoiled, secret]) expect(lines).not.toContain(each);
  });

  test("of another key leave the client unused until an operator confirms it, and are logged", async () => {
    const { clientId, secret } = await createSpoiled("key_id = 'unknown'");
    const linesBefore = harness.logLines.length;
    const get = () => harness.http.get(url, { basic: [clientId, secret] });
    expect((await get()).status).toBe(401);
    expect(harness.logLines.slice(linesBefore).join("\n")).toMatch(
      /"level":50.*a client was changed in the database by somebody else/,
    );
    await harness.services.clients.confirm(clientId);
    expect((await get()).status).toBe(200);
  });

  test("are gone with the next rotation", async () => {
    const { clientId, secret } = await createSpoiled("sealed = '\\x00'");
    const rotated = await harness.http.post(url, {
      basic: [clientId, secret],
      json: { rotate_secret: true },
    });
    expect(rotated.status).toBe(200);
    const { client_secret: shown, new_client_secret: fresh } = rotated.body as {
      client_secret: string[];
      new_client_secret: string;
    };
    expect(shown).toEqual([`********${fresh.slice(-4)}`, `********${secret.slice(-4)}`]);
  });
});
