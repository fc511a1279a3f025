import { afterEach, beforeEach, expect, test } from "vitest";
import type { SignIn } from "../../src/connections/index.ts";
import { mintCredential } from "../../src/platform/crypto/index.ts";
import { createHarness, type Harness } from "../support/harness.ts";
import { Gate } from "../support/stub-provider.ts";

let harness: Harness;
beforeEach(async () => {
  harness = await createHarness({ env: { SANDBOX_ACCESS_TOKEN: "" } });
});
afterEach(() => harness.close());

const credential = mintCredential("at", "dev");

async function signIn(): Promise<SignIn> {
  const step = await harness.services.connect.start(
    { provider: "sandbox", mode: "xhr", scopes: [] },
    { username: "user_good", password: "shared" },
  );
  if (step.kind !== "signed-in") throw new Error("the sandbox asked for a second factor");
  return step.signIn;
}

/** Sessions of this database that are in a transaction and are not at work in it. */
const idleInTransaction = (): Promise<Record<string, unknown>[]> =>
  harness.database.query(
    `select query from pg_stat_activity
     where datname = current_database() and state like 'idle in transaction%'`,
  );

test("a sign-in of the shared sandbox that lasts as long as it likes keeps no transaction waiting", async () => {
  const waiting: Record<string, unknown>[][] = [];
  await harness.services.tokens.ensureSharedSandbox(credential, async () => {
    waiting.push(await idleInTransaction());
    return await signIn();
  });
  expect(waiting).toEqual([[]]);
  const reply = await harness.http.get("/2023-03-01/xhr/identity", { bearer: credential });
  expect(reply.status).toBe(200);
});

test("of processes that all have signed in at once, one makes the connection and the others use it", async () => {
  const { tokens } = harness.services;
  const starts = Array.from({ length: 4 }, () => {
    const gate = new Gate();
    const done = tokens.ensureSharedSandbox(credential, async () => {
      const made = await signIn();
      await gate.pass();
      return made;
    });
    return { gate, done };
  });
  await Promise.all(starts.map(({ gate }) => gate.reached));
  for (const { gate } of starts) gate.open();
  await Promise.all(starts.map(({ done }) => done));
  const counts = await harness.database.query(
    `select (select count(*)::integer from connections) as connections,
       (select count(*)::integer from tokens) as tokens,
       (select count(*)::integer from clients where is_shared_sandbox) as clients,
       (select count(*)::integer from audit_entries where action = 'token.issued') as issued`,
  );
  expect(counts).toEqual([{ connections: 1, tokens: 1, clients: 1, issued: 1 }]);
  const reply = await harness.http.get("/2023-03-01/xhr/identity", { bearer: credential });
  expect(reply.status).toBe(200);
});
