import { request } from "undici";
import { compress } from "../src/platform/compression.ts";
import { transaction } from "../src/platform/db/index.ts";
import type { Services } from "../src/start/services.ts";
import { sealedBody } from "../src/sync/sealed-snapshot.ts";
import { upsertSnapshot } from "../src/sync/snapshot-store.ts";
import { redirectUri } from "../test/support/harness.ts";
import { employeesPath, headersOf } from "./companies.ts";
import { serverAt } from "./load.ts";
import { makeEmployee } from "./people.ts";
import type { Claim } from "./report.ts";
import { pidsOf } from "./stage-pids.ts";
import { startServer } from "./start-server.ts";
import { measureAll } from "./measure.ts";
import { withContext } from "./with-context.ts";

const tokens = 5_000;
const roomFor = tokens / 10;
const employees = 100;
/** A copy of an admission lives for ten seconds. In that time each token is asked for again, as it is under load. */
const requests = 6_000;
const atOnce = 8;
const version = "bench";
const scopes = [employeesPath] as const;

/** Tokens at random, of which a tenth has room in the cache, against a Fastify that sends one Buffer. */
export async function benchRandomTokens(): Promise<Claim[]> {
  return await withContext("redis", async (context) => {
    const { defer } = context;
    const people = Array.from({ length: employees }, (_, index) => makeEmployee(index + 1));
    const plain = Buffer.from(JSON.stringify(people));
    const body = await compress(plain, "br");
    const stage = await context.stage({
      SNAPSHOT_FRESH_SECONDS: "86400",
      SNAPSHOT_STALE_SECONDS: "86400",
      CACHE_MAX_BYTES: String(roomFor * body.length),
    });
    const credentials = await stage.withServices((services) =>
      fillTokens(services, { body, bodyBytes: plain.length }),
    );
    await stage.query("analyze");
    await stage.start("api");
    const ours = serverAt(stage.baseUrl, await pidsOf(stage));
    defer("the sockets", () => ours.pool.destroy());
    await checkBody(stage.baseUrl, credentials[0] ?? "", body);
    const reply = { name: "employees", encoding: "br", bytes: body };
    const reference = await startServer("bare-server.ts", [reply], { defer });
    const measurement = {
      name: `redis: ${tokens} tokens of ${employees} employees at random, room for ${roomFor}, against one Buffer`,
      requests,
      ours: {
        path: employeesPath,
        nextHeaders: () => headersOf(credentials[Math.floor(Math.random() * tokens)] ?? "", "br"),
      },
      reference: { path: "/employees" },
    };
    return await measureAll([measurement], { ours, reference });
  });
}

interface Stored {
  body: Buffer;
  bodyBytes: number;
}

/** Connections of one sign-in, each with a token and a list that is sealed for it alone. */
async function fillTokens(services: Services, stored: Stored): Promise<string[]> {
  const { clients, connect } = services;
  const { client } = await clients.create({ name: "Bench", redirectUris: [redirectUri] });
  const step = await connect.start(
    { provider: "sandbox", mode: "xhr", scopes },
    { username: "user_good", password: "anything" },
  );
  if (step.kind !== "signed-in") throw new Error("the sandbox did not sign in");
  const credentials: string[] = [];
  let left = tokens;
  const fillNext = async (): Promise<void> => {
    while ((left -= 1) >= 0)
      credentials.push(await fillToken(services, { ...stored, ...client, signIn: step.signIn }));
  };
  await Promise.all(Array.from({ length: atOnce }, fillNext));
  return credentials;
}

async function fillToken(
  { pool, connections, tokens: issuer }: Services,
  {
    clientId,
    signIn,
    body,
    bodyBytes,
  }: Stored & {
    clientId: string;
    signIn: Parameters<Services["connections"]["create"]>[1]["signIn"];
  },
): Promise<string> {
  const request = { clientId, provider: "sandbox", mode: "xhr", scopes, signIn } as const;
  const { id: tokenId, accessToken } = await transaction(pool, (tx) =>
    issuer.issueDirectly(tx, request),
  );
  const connectionId = (await connections.loadByToken(tokenId))?.id ?? "";
  const dataKey = await connections.dataKey(connectionId);
  if (!dataKey) throw new Error("the connection has no key");
  const owner = { connectionId, resource: "employees", parameters: "", version } as const;
  await upsertSnapshot(pool, {
    ...owner,
    sourceMac: null,
    madeBy: version,
    isSteady: true,
    limited: [],
    sealedSince: null,
    isFull: true,
    filled: null,
    sealedBody: sealedBody.seal(dataKey, owner, body),
    bodyBytes,
    sealedIndex: null,
    packedList: null,
  });
  return accessToken;
}

async function checkBody(baseUrl: string, credential: string, expected: Buffer): Promise<void> {
  const { statusCode, body } = await request(baseUrl + employeesPath, {
    headers: headersOf(credential, "br"),
  });
  const sent = Buffer.from(await body.arrayBuffer());
  if (statusCode !== 200 || !sent.equals(expected))
    throw new Error(`a planted token was answered with ${statusCode} and ${sent.length} bytes`);
}
