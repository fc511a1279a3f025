import { afterAll, beforeAll, expect, test } from "vitest";
import { ConnectVisitor, hiddenFields, workSignIns } from "../support/connect-visitor.ts";
import { createHarness, type Harness } from "../support/harness.ts";

const rounds = 100;

let harness: Harness;
beforeAll(async () => {
  harness = await createHarness({ env: { DATABASE_POOL_MAX: "20" } });
});
afterAll(() => harness.close());

/** A re-authentication that the provider has accepted. The next look at its page completes it. */
async function signInAgain(client: Awaited<ReturnType<Harness["createClient"]>>) {
  const connected = await harness.connect({ client });
  const reply = await harness.http.post("/2023-03-01/management/connect-session", {
    basic: [client.client.clientId, client.secret],
    json: { token: connected.tokenId },
  });
  const { connect_url: link } = reply.body as { connect_url: string };
  const visitor = new ConnectVisitor(harness.baseUrl);
  const form = await visitor.open(link.replace("https://api.example.com", ""));
  const { headers } = await visitor.ask("POST", form.path, {
    ...hiddenFields(form, "sign-in"),
    username: "user_good",
    password: "anything",
  });
  return { ...connected, look: () => visitor.ask("GET", String(headers["location"])) };
}

test("a re-authentication and a disconnect of the same token at once: neither fails, and the token is disconnected", async () => {
  const client = await harness.createClient();
  const signedIn = [];
  for (let round = 0; round < rounds; round += 1) {
    harness.clock.advance(1);
    signedIn.push(await signInAgain(client));
  }
  const { drained } = workSignIns(harness);
  // One who meets others at the same account is tried a moment later.
  for (let seconds = 0; seconds < 60; seconds += 1) {
    await drained();
    harness.clock.advance(1);
  }
  expect(
    await harness.database.query(
      "select phase, count(*)::integer as count from connect_flows group by phase",
    ),
  ).toEqual([{ phase: "ready", count: rounds }]);
  const deadlocks = async (): Promise<unknown> =>
    await harness.database.query(
      "select deadlocks from pg_stat_database where datname = current_database()",
    );
  const before = await deadlocks();

  const outcomes = await Promise.all(
    signedIn.flatMap(({ look, token }, index) => {
      const disconnect = () =>
        harness.http.post("/2023-03-01/management/disconnect", { bearer: token });
      return index % 2 === 0 ? [look(), look(), disconnect()] : [disconnect(), look(), look()];
    }),
  );
  expect(outcomes.filter(({ status }) => status >= 500)).toEqual([]);
  expect(harness.logLines.filter((line) => line.includes("40P01"))).toEqual([]);
  expect(await deadlocks()).toEqual(before);
  expect(
    await harness.database.query("select 1 from connections where client_id = $1", [
      client.client.clientId,
    ]),
  ).toEqual([]);
});
