import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import type { Client } from "../../src/clients/index.ts";
import { mintCredential } from "../../src/platform/crypto/index.ts";
import { comparable } from "../support/comparable-reply.ts";
import { describedOperations, type Operation } from "../support/described-operations.ts";
import { createHarness, type Harness } from "../support/harness.ts";

const base = "/2023-03-01/management";
const challenge = 'Basic realm="rollcall", charset="UTF-8"';

interface Credentials {
  client: Client;
  secret: string;
  other: { client: Client; secret: string };
  token: string;
}
type Headers = Record<string, string | string[]>;

let harness: Harness;
let operations: Operation[];
let known: Credentials;
beforeAll(async () => {
  harness = await createHarness();
  operations = (await describedOperations(harness.http)).filter(({ schemes }) =>
    schemes.includes("basic"),
  );
  const { client, secret, token } = await harness.connect();
  known = { client, secret, token, other: await harness.createClient() };
});
afterAll(() => harness.close());

const encode = (value: string | Buffer): string => Buffer.from(value).toString("base64");
const basic = (id: string, secret: string): Headers => ({
  authorization: `Basic ${encode(`${id}:${secret}`)}`,
});
const send = ({ method, path }: Operation, headers: Headers) =>
  harness.http.request(method, path, { headers });

test("the client and tokens endpoints ask for Basic credentials", () => {
  const asked = operations.map(({ method, template }) => `${method} ${template}`);
  expect(asked).toEqual(
    expect.arrayContaining([`GET ${base}/client`, `POST ${base}/client`, `GET ${base}/tokens`]),
  );
});

const refused: [string, (credentials: Credentials) => Headers][] = [
  ["no header", () => ({})],
  [
    "a header without a scheme",
    ({ client, secret }) => ({ authorization: encode(`${client.clientId}:${secret}`) }),
  ],
  ["a scheme without credentials", () => ({ authorization: "Basic" })],
  [
    "another scheme",
    ({ client, secret }) => ({ authorization: `Digest ${encode(`${client.clientId}:${secret}`)}` }),
  ],
  [
    "a scheme that starts alike",
    ({ client, secret }) => ({
      authorization: `Basically ${encode(`${client.clientId}:${secret}`)}`,
    }),
  ],
  ["an access token of the client", ({ token }) => ({ authorization: `Bearer ${token}` })],
  ["an access token as the secret", ({ client, token }) => basic(client.clientId, token)],
  ["an access token as the id", ({ token }) => basic(token, "")],
  ["what is not base64", () => ({ authorization: "Basic ****" })],
  [
    "what is not encoded",
    ({ client, secret }) => ({ authorization: `Basic ${client.clientId}:${secret}` }),
  ],
  [
    "two words",
    ({ client, secret }) => ({
      authorization: `Basic ${encode(`${client.clientId}:${secret}`)} ${encode("a:b")}`,
    }),
  ],
  [
    "two credentials in one header",
    ({ client, secret }) => ({
      authorization: `${basic(client.clientId, secret)["authorization"]}, ${basic(client.clientId, secret)["authorization"]}`,
    }),
  ],
  ["no colon", ({ client }) => ({ authorization: `Basic ${encode(client.clientId)}` })],
  [
    "id and secret without the colon",
    ({ client, secret }) => ({ authorization: `Basic ${encode(client.clientId + secret)}` }),
  ],
  ["a colon alone", () => basic("", "")],
  ["an id without a secret", ({ client }) => basic(client.clientId, "")],
  ["a secret without an id", ({ secret }) => basic("", secret)],
  ["id and secret the wrong way round", ({ client, secret }) => basic(secret, client.clientId)],
  [
    "a zero character behind the id",
    ({ client, secret }) => basic(`${client.clientId}\u0000`, secret),
  ],
  [
    "a zero character behind the secret",
    ({ client, secret }) => basic(client.clientId, `${secret}\u0000`),
  ],
  ["a line feed behind the secret", ({ client, secret }) => basic(client.clientId, `${secret}\n`)],
  ["a space before the id", ({ client, secret }) => basic(` ${client.clientId}`, secret)],
  ["a space behind the secret", ({ client, secret }) => basic(client.clientId, `${secret} `)],
  [
    "a line separator in the secret",
    ({ client, secret }) => basic(client.clientId, `${secret}\u2028`),
  ],
  [
    "bytes that are not UTF-8",
    ({ client, secret }) => ({
      authorization: `Basic ${encode(Buffer.concat([Buffer.from(`${client.clientId}:${secret}`), Buffer.of(0xff, 0xc3)]))}`,
    }),
  ],
  [
    "letters outside ASCII",
    ({ client }) =>
      basic(client.clientId, "p\u00e4ssw\u00f6rd-\u5bc6\u7801-\u{1f511}".padEnd(32, "x")),
  ],
  [
    "the same letters as Latin-1",
    ({ client }) => ({
      authorization: `Basic ${encode(Buffer.from(`${client.clientId}:${"p\u00e4ssw\u00f6rd".padEnd(32, "x")}`, "latin1"))}`,
    }),
  ],
  [
    "UTF-16",
    ({ client, secret }) => ({
      authorization: `Basic ${encode(Buffer.from(`${client.clientId}:${secret}`, "utf16le"))}`,
    }),
  ],
  ["an unknown client", ({ secret }) => basic("00000000-00000000-00000000-00000000", secret)],
  [
    "an unknown client with the secret of another one",
    ({ other }) => basic("FFFFFFFF-FFFFFFFF-FFFFFFFF-FFFFFFFF", other.secret),
  ],
  ["a client id that is none", ({ secret }) => basic("' or 1=1 --", secret)],
  ["a very long client id", ({ secret }) => basic("A".repeat(4_000), secret)],
  [
    "a wrong secret of the right form",
    ({ client }) => basic(client.clientId, mintCredential("cs", "dev")),
  ],
  ["a secret that is no secret", ({ client }) => basic(client.clientId, "x")],
  [
    "the secret without its last character",
    ({ client, secret }) => basic(client.clientId, secret.slice(0, -1)),
  ],
  [
    "the secret with another last character",
    ({ client, secret }) =>
      basic(client.clientId, secret.slice(0, -1) + (secret.endsWith("0") ? "1" : "0")),
  ],
  [
    "the secret in another case",
    ({ client, secret }) => basic(client.clientId, secret.toUpperCase()),
  ],
  [
    "the masked secret",
    ({ client, secret }) => basic(client.clientId, `********${secret.slice(-4)}`),
  ],
  ["the secret twice", ({ client, secret }) => basic(client.clientId, `${secret}:${secret}`)],
  ["the secret of another client", ({ client, other }) => basic(client.clientId, other.secret)],
  [
    "the right credentials in two headers",
    ({ client, secret }) => ({
      authorization: [
        basic(client.clientId, secret)["authorization"],
        basic(client.clientId, secret)["authorization"],
      ] as string[],
    }),
  ],
  [
    "the right credentials before a wrong header",
    ({ client, secret }) => ({
      authorization: [basic(client.clientId, secret)["authorization"], "Basic x"] as string[],
    }),
  ],
  [
    "the right credentials beside a token",
    ({ client, secret, token }) => ({
      authorization: [
        basic(client.clientId, secret)["authorization"],
        `Bearer ${token}`,
      ] as string[],
    }),
  ],
  [
    "the right credentials for a proxy",
    ({ client, secret }) => ({
      "proxy-authorization": basic(client.clientId, secret)["authorization"] as string,
    }),
  ],
];

describe("401", () => {
  test.each(refused)(
    "%s: refused with the one challenge, on every endpoint that asks for Basic credentials",
    async (_name, headers) => {
      for (const operation of operations) {
        const reply = await send(operation, headers(known));
        const where = `${operation.method} ${operation.template}`;
        expect([where, reply.status]).toEqual([where, 401]);
        expect(reply.headers["www-authenticate"]).toBe(challenge);
        expect(reply.body).toEqual({
          error: "authentication_error",
          code: "incorrect_username_or_password",
          message: expect.any(String),
        });
      }
    },
  );

  test("all refusals are the same bytes, so that an unknown client is not told from a wrong secret", async () => {
    for (const operation of operations) {
      const seen = new Set<string>();
      for (const [, headers] of refused)
        seen.add(JSON.stringify(comparable(await send(operation, headers(known)))));
      expect([operation.template, seen.size]).toEqual([operation.template, 1]);
    }
  });

  test("an unknown client costs as many look-ups as a wrong secret", async () => {
    const look = vi.spyOn(harness.services.pool, "query");
    const countOf = async (id: string): Promise<number> => {
      look.mockClear();
      await harness.http.get(`${base}/client`, { basic: [id, mintCredential("cs", "dev")] });
      return look.mock.calls.length;
    };
    const [unknown, wrong] = [
      await countOf("00000000-00000000-00000000-00000000"),
      await countOf(known.client.clientId),
    ];
    look.mockRestore();
    expect(wrong).toBeGreaterThan(0);
    expect(unknown).toBe(wrong);
  });

  test("neither the client nor a wrong secret appears in a refusal or a log", async () => {
    const secret = `wrong-marker-${"x".repeat(30)}`;
    const reply = await harness.http.get(`${base}/client`, {
      basic: [known.client.clientId, secret],
    });
    expect(reply.bytes.toString()).not.toContain(known.client.clientId);
    expect(harness.logLines.join("")).not.toContain(secret);
    expect(harness.logLines.join("")).not.toContain(encode(`${known.client.clientId}:${secret}`));
  });

  test("credentials in the query are not read", async () => {
    const { client, secret } = known;
    for (const operation of operations) {
      const query = {
        client_id: client.clientId,
        client_secret: secret,
        authorization: String(basic(client.clientId, secret)["authorization"]),
      };
      const reply = await harness.http.request(operation.method, operation.path, { query });
      expect(reply.status).toBe(401);
    }
  });

  test("credentials in the body are not read", async () => {
    const { client, secret } = known;
    const reply = await harness.http.post(`${base}/client`, {
      json: { client_id: client.clientId, client_secret: secret },
    });
    expect(reply.status).toBe(401);
  });

  test("nobody signs in as the client of the shared sandbox token, with whatever secret", async () => {
    const introspection = await harness.http.get(`${base}/introspect`, {
      bearer: harness.sandboxToken,
    });
    const { client_id: clientId } = introspection.body as { client_id: string };
    const unknown = comparable(
      await harness.http.get(`${base}/tokens`, {
        basic: ["00000000-00000000-00000000-00000000", "x"],
      }),
    );
    for (const secret of ["", "x", harness.sandboxToken, "\u0030".repeat(32)]) {
      expect(
        comparable(await harness.http.get(`${base}/tokens`, { basic: [clientId, secret] })),
      ).toEqual(unknown);
    }
  });
});

describe("let in", () => {
  test.each(["Basic", "basic", "BASIC", "bAsIc", "Basic  "])(
    "the scheme is matched in any case, with any number of spaces after it: %s",
    async (scheme) => {
      const { client, secret } = known;
      const reply = await harness.http.get(`${base}/client`, {
        headers: { authorization: `${scheme} ${encode(`${client.clientId}:${secret}`)}` },
      });
      expect(reply.status).toBe(200);
      expect(reply.body).toHaveProperty("client_id", client.clientId);
    },
  );

  test("a secret may hold colons: only the first one parts", async () => {
    const { client } = await harness.createClient();
    const secret = `:${"a:b".repeat(12)}:`;
    await harness.services.clients.update(client, { secrets: [secret] });
    expect(
      (await harness.http.get(`${base}/client`, { basic: [client.clientId, secret] })).status,
    ).toBe(200);
    expect(
      (await harness.http.get(`${base}/client`, { basic: [client.clientId, secret.slice(1)] }))
        .status,
    ).toBe(401);
  });

  test("it is the client of the credentials that answers", async () => {
    for (const { client, secret } of [known, known.other]) {
      expect(
        (await harness.http.get(`${base}/client`, { basic: [client.clientId, secret] })).body,
      ).toHaveProperty("client_id", client.clientId);
    }
  });
});

describe("the windows", () => {
  test("a refused request does not count in the client's window", async () => {
    const limited = await createHarness({ env: { RATE_LIMIT_GATED_CLIENT_5M: "1" } });
    try {
      const { client, secret } = await limited.createClient();
      for (const wrong of ["x", secret.slice(1), ""])
        expect(
          (await limited.http.get(`${base}/client`, { basic: [client.clientId, wrong] })).status,
        ).toBe(401);
      expect(
        (await limited.http.get(`${base}/client`, { basic: [client.clientId, secret] })).status,
      ).toBe(200);
      expect(
        (await limited.http.get(`${base}/client`, { basic: [client.clientId, secret] })).status,
      ).toBe(429);
    } finally {
      await limited.close();
    }
  });
});

const authenticate = async (client: Client, secret: string): Promise<boolean> =>
  (await harness.services.clients.authenticate(client.clientId, secret)) !== undefined;

describe("whoever writes to the database", () => {
  test("lets no secret in as another client by copying its digest", async () => {
    const [mine, theirs] = [await harness.createClient(), await harness.createClient()];
    await harness.database.query(
      `update client_secrets set digest = (select digest from client_secrets where client_id = $1)
       where client_id = $2`,
      [mine.client.clientId, theirs.client.clientId],
    );
    expect(await authenticate(mine.client, mine.secret)).toBe(true);
    expect(await authenticate(theirs.client, mine.secret)).toBe(false);
  });

  test("nor by calling it a digest of before, which is compared with what the row seals", async () => {
    const { client, secret } = await harness.createClient();
    await harness.database.query(
      "update client_secrets set is_bound = false where client_id = $1",
      [client.clientId],
    );
    expect(await authenticate(client, secret)).toBe(true);
    expect(await authenticate(client, mintCredential("cs", "dev"))).toBe(false);
  });

  test("nor a secret of before, by writing back its digest", async () => {
    const { client, secret } = await harness.createClient();
    const [before] = await harness.database.query(
      "select digest, sealed from client_secrets where client_id = $1",
      [client.clientId],
    );
    const next = mintCredential("cs", "dev");
    const found = await harness.services.clients.find(client.clientId);
    await harness.services.clients.update(found!, { secrets: [next] });
    await harness.database.query(
      "update client_secrets set digest = $2, sealed = $3 where client_id = $1",
      [client.clientId, before?.["digest"], before?.["sealed"]],
    );
    expect(await authenticate(client, secret)).toBe(false);
  });
});
