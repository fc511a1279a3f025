import { transaction } from "../../src/platform/db/index.ts";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { AskingProvider } from "../support/asking-provider.ts";
import { createHarness, exchangeBody, signIn, type Harness } from "../support/harness.ts";
import { Gate } from "../support/stub-provider.ts";
import { untilTrue } from "../support/until-true.ts";

const asking = new AskingProvider();
let harness: Harness;
beforeAll(async () => {
  harness = await createHarness({ registry: asking.registry() });
});
afterAll(() => harness.close());
beforeEach(() => asking.reset());

const connect = () =>
  harness.connect({
    provider: "asking",
    formValues: { username: "none", password: "x", region: "eu" },
    scopes: ["/2023-03-01/xhr/groups"],
  });

const disconnect = (token: string) =>
  harness.http.post("/2023-03-01/management/disconnect", { bearer: token });

describe("a disconnect", () => {
  test("ends the session at the provider, once, after the connection is gone", async () => {
    const { token, tokenId } = await connect();
    const gate = new Gate();
    asking.onLogOut = () => gate.pass();
    expect((await disconnect(token)).status).toBe(200);
    await gate.reached;
    expect(await harness.services.connections.loadByToken(tokenId)).toBeUndefined();
    expect((await disconnect(token)).status).toBe(200);
    gate.open();
    expect(asking.loggedOut).toEqual([{ user: "ann" }]);
  });

  test("succeeds when the provider fails; the failure is a line for developers", async () => {
    const { token } = await connect();
    asking.onLogOut = () => {
      throw new Error("no such session");
    };
    const linesBefore = harness.logLines.length;
    expect((await disconnect(token)).status).toBe(200);
    await untilTrue("the failure is logged", () =>
      harness.logLines.slice(linesBefore).some((line) => line.includes("not tried again")),
    );
    const levels = harness.logLines
      .slice(linesBefore)
      .map((line) => (JSON.parse(line) as { level: unknown }).level);
    expect(levels).not.toContain(40);
    expect(levels).not.toContain("warn");
  });

  test("by the operator does it too; one that was made before changes nothing", async () => {
    const { tokenId } = await connect();
    await harness.services.tokens.disconnectById(tokenId);
    await untilTrue("the session is ended", () => asking.loggedOut.length === 1);
    await harness.services.tokens.disconnectById(tokenId);
    expect(asking.loggedOut).toHaveLength(1);
  });

  test("of a provider that has no sign-out ends without one", async () => {
    const { token } = await harness.connect();
    expect((await disconnect(token)).status).toBe(200);
    expect(asking.loggedOut).toEqual([]);
  });
});

describe("a connection that nobody claims", () => {
  const request = {
    provider: "asking",
    formValues: { username: "none", password: "x", region: "eu" },
    scopes: ["/2023-03-01/xhr/groups"] as const,
  };

  test("has its session ended at the provider when its time is over, and no other one has", async () => {
    const { code, client, secret } = await signIn(harness.services, request);
    const claimed = exchangeBody({ client, secret, code });
    await harness.http.post("/2023-03-01/management/token", { json: claimed });
    await signIn(harness.services, { ...request, client: { client, secret } });
    await harness.services.connections.removeUnclaimed();
    expect(asking.loggedOut).toEqual([]);
    harness.clock.advance(300);
    await harness.services.connections.removeUnclaimed();
    await untilTrue("the session is ended", () => asking.loggedOut.length === 1);
    expect(asking.loggedOut).toEqual([{ user: "ann" }]);
  });

  test("keeps the next batch waiting until the provider has been told, and no longer than it answers", async () => {
    await signIn(harness.services, request);
    harness.clock.advance(300);
    const gate = new Gate();
    asking.onLogOut = () => gate.pass();
    let isRemoved = false;
    const { connections, logOuts } = harness.services;
    const removing = connections
      .removeUnclaimed(undefined, () => logOuts.done())
      .then(() => void (isRemoved = true));
    await gate.reached;
    expect(isRemoved).toBe(false);
    gate.open();
    await removing;
    expect(asking.loggedOut).toHaveLength(1);
  });
});

test("a process that stops does not wait first for providers that do not answer", async () => {
  const { token } = await connect();
  const gate = new Gate();
  asking.onLogOut = () => gate.pass();
  await disconnect(token);
  await gate.reached;
  const stopping = new AbortController();
  const waiting = harness.services.logOuts.done(stopping.signal);
  stopping.abort();
  await waiting;
  let isDone = false;
  const ended = harness.services.logOuts.done().then(() => (isDone = true));
  await new Promise(setImmediate);
  expect(isDone).toBe(false);
  gate.open();
  await ended;
});

test("a re-authentication ends no session", async () => {
  const { tokenId } = await connect();
  const { connections, pool } = harness.services;
  const connection = await connections.loadByToken(tokenId);
  await transaction(pool, (tx) =>
    connections.reauthenticate(
      tx,
      connection!,
      {
        session: { user: "bob" },
        identity: { name: "Bob", email: "bob@asking.example", phone_number: null },
        unsupported: [],
        origin: null,
      },
      { isSameAccount: false },
    ),
  );
  expect(asking.loggedOut).toEqual([]);
});
