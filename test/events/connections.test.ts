import { expect, test } from "vitest";
import { transaction } from "../../src/platform/db/index.ts";
import { stageEvents } from "../support/event-stage.ts";
import { signInAgain } from "../support/sign-in-again.ts";

const { harness, told } = await stageEvents();
const scopes = ["/2023-03-01/xhr/company", "/2023-03-01/xhr/payruns/:payrun_id"] as const;

async function connect() {
  const connected = await harness.connect({ scopes });
  const { connections, pool } = harness.services;
  const load = async () => {
    const connection = await connections.loadByToken(connected.tokenId);
    if (!connection) throw new Error("the connection is gone");
    return connection;
  };
  return {
    ...connected,
    subject: {
      token: connected.tokenId,
      provider: "sandbox",
      mode: "xhr",
      reference: null,
      metadata: null,
    },
    signInAgain: async () => await signInAgain(harness, (await load()).id),
    refuse: async () => {
      const connection = await load();
      await transaction(pool, (tx) =>
        connections.refuse(tx, connection, "incorrect_username_or_password"),
      );
    },
    findRights: async (isForbidden: boolean) => {
      const connection = await load();
      await transaction(pool, (tx) =>
        connections.recordRights(tx, connection, "payslips", { isForbidden, limited: [] }),
      );
    },
  };
}

test("an exchanged code is connection.created, once, and a code that is not exchanged is none", async () => {
  const connected = await connect();
  const created = ["connection.created", { ...connected.subject, scopes: [...scopes] }];
  expect(await told(connected)).toEqual([created]);
  await harness.connect({ client: connected, scopes });
  expect(await told(connected)).toHaveLength(2);
});

test("a refused session is told once, and a sign-in that mends it", async () => {
  const connected = await connect();
  await connected.refuse();
  await connected.refuse();
  await connected.signInAgain();
  // Nothing was wrong, so this one mends nothing.
  await connected.signInAgain();
  const error = "incorrect_username_or_password";
  expect((await told(connected)).slice(1)).toEqual([
    ["connection.reauthentication_required", { ...connected.subject, error }],
    ["connection.healed", connected.subject],
  ]);
});

test("a resource that the account may not read any more is lost, and gained when it may", async () => {
  const connected = await connect();
  await connected.findRights(true);
  await connected.findRights(true);
  await connected.findRights(false);
  await connected.findRights(true);
  await connected.signInAgain();
  const lost = { ...connected.subject, gained: [], lost: ["payslips"], replaces: [] };
  const gained = { ...connected.subject, gained: ["payslips"], lost: [], replaces: [] };
  expect((await told(connected)).slice(1)).toEqual([
    ["connection.rights_changed", lost],
    ["connection.rights_changed", gained],
    ["connection.rights_changed", lost],
    ["connection.rights_changed", gained],
  ]);
});

test.each<[by: string, end: (connected: Awaited<ReturnType<typeof connect>>) => Promise<unknown>]>([
  [
    "client",
    ({ token }) => harness.http.post("/2023-03-01/management/disconnect", { bearer: token }),
  ],
  ["operator", ({ tokenId }) => harness.services.tokens.disconnectById(tokenId)],
  [
    "end_user",
    ({ tokenId }) =>
      harness.services.tokens.disconnect({ tokenId, isSharedSandbox: false }, "end_user"),
  ],
])("an end by %s is told once, and what was told before is still there", async (by, end) => {
  const connected = await connect();
  await end(connected);
  await end(connected);
  expect(await told(connected)).toEqual([
    ["connection.created", { ...connected.subject, scopes: [...scopes] }],
    ["connection.ended", { ...connected.subject, by }],
  ]);
});

test("what happens in a transaction that is rolled back is no event", async () => {
  const connected = await connect();
  const { connections, pool } = harness.services;
  const connection = await connections.loadByToken(connected.tokenId);
  const failing = transaction(pool, async (tx) => {
    await connections.refuse(tx, connection!, "captcha_challenge");
    throw new Error("the end");
  });
  await expect(failing).rejects.toThrow("the end");
  expect(await told(connected)).toHaveLength(1);
});

test("nothing that happens at the sandbox token that all share is stored", async () => {
  await harness.http.get("/2023-03-01/xhr/company", { bearer: harness.sandboxToken });
  await harness.drain();
  const [row] = await harness.database.query(
    `select count(*)::integer as count from events
     where client_id = (select client_id from clients where is_shared_sandbox)`,
  );
  expect(row).toEqual({ count: 0 });
});
