import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { mintCredential } from "../../src/platform/crypto/index.ts";
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
      event_uri: null,
      event_types: null,
      event_status: null,
      poll_resources: ["employees"],
      logo_url: null,
      brand_color: null,
      purpose: null,
      privacy_url: null,
      support_url: null,
      allow_sandbox: false,
      fields_off: [],
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

const errorsSince = (start: number): string[] =>
  harness.logLines.slice(start).filter((line) => line.includes('"level":50'));

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

  test.each([
    ["of its key", "key_id = 'unknown'"],
    ["of its digest", "digest = '\\x00'"],
  ])(
    "%s leave the client unused until an operator confirms it, in one line, and let nobody in afterwards",
    async (_what, change) => {
      const { clientId, spoiled, secret } = await createSpoiled(change);
      const linesBefore = harness.logLines.length;
      const get = (presented: string) => harness.http.get(url, { basic: [clientId, presented] });
      expect((await get(secret)).status).toBe(401);
      expect((await get(spoiled)).status).toBe(401);
      expect(errorsSince(linesBefore)).toEqual([
        expect.stringContaining("a client was changed in the database by somebody else"),
      ]);
      await harness.services.clients.confirm(clientId);
      expect((await get(secret)).status).toBe(200);
      expect((await get(spoiled)).status).toBe(401);
    },
  );

  test("are said once, and once more after the client has changed", async () => {
    const { clientId, secret } = await createSpoiled("sealed = '\\x00'");
    const linesBefore = harness.logLines.length;
    const get = () => harness.http.get(url, { basic: [clientId, secret] });
    await get();
    await get();
    expect(errorsSince(linesBefore)).toHaveLength(1);
    const client = await harness.services.clients.find(clientId);
    await harness.services.clients.update(client!, { name: "Other" });
    await get();
    await get();
    expect(errorsSince(linesBefore)).toHaveLength(2);
  });

  test.each([
    ["sealed", ""],
    ["sealed and said to be of an earlier version", ", is_bound = false"],
  ])(
    "bring back no earlier secret of the client by what is %s, now and after a rotation",
    async (_what, more) => {
      const { client, secret: earlier } = await harness.createClient();
      const { clientId } = client;
      const [row] = await harness.database.query(
        "select sealed from client_secrets where client_id = $1",
        [clientId],
      );
      const current = [mintCredential("cs", "dev"), mintCredential("cs", "dev")];
      await harness.services.clients.update(client, { secrets: current });
      await harness.database.query(
        `update client_secrets set sealed = $2${more} where client_id = $1 and position = 1`,
        [clientId, row?.["sealed"]],
      );
      const basic: [string, string] = [clientId, current[1] ?? ""];
      const statusOf = async (presented: string): Promise<number> =>
        (await harness.http.get(url, { basic: [clientId, presented] })).status;
      expect(await statusOf(earlier)).toBe(401);
      expect((await harness.http.post(url, { basic, json: { rotate_secret: true } })).status).toBe(
        200,
      );
      expect(await statusOf(earlier)).toBe(401);
    },
  );

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
