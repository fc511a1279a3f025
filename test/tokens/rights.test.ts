import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { transaction } from "../../src/platform/db/index.ts";
import { AskingProvider } from "../support/asking-provider.ts";
import { createHarness, type Harness } from "../support/harness.ts";

const asking = new AskingProvider();
const formValues = { username: "none", password: "x", region: "eu" };
let harness: Harness;
beforeAll(async () => {
  harness = await createHarness({ registry: asking.registry() });
});
afterAll(() => harness.close());
beforeEach(() => asking.reset());

type Connected = Awaited<ReturnType<typeof connect>>;

const connect = () =>
  harness.connect({ provider: "asking", formValues, scopes: ["/2023-03-01/xhr/groups"] });

async function listed({ client, secret }: Connected): Promise<unknown> {
  const { body } = await harness.http.get("/2023-03-01/management/tokens", {
    basic: [client.clientId, secret],
  });
  const [{ forbidden, limited }] = body as [{ forbidden: unknown; limited: unknown }];
  return { forbidden, limited };
}

async function signInAgain({ tokenId }: Connected): Promise<void> {
  const { connect: signIns, pool } = harness.services;
  const request = await signIns.findReauthentication(tokenId);
  const step = await signIns.start(request, formValues);
  if (step.kind !== "signed-in") throw new Error("the provider asked a question");
  await transaction(pool, (tx) => signIns.reauthenticate(tx, tokenId, step.signIn));
}

async function record(
  connection: Parameters<Harness["services"]["connections"]["recordRights"]>[1],
  resource: "employees" | "payslips",
  found: { isForbidden: boolean; limited: string[] },
): Promise<void> {
  const { connections, pool } = harness.services;
  await transaction(pool, (tx) => connections.recordRights(tx, connection, resource, found));
}

async function load({ tokenId }: Connected) {
  const connection = await harness.services.connections.loadByToken(tokenId);
  if (!connection) throw new Error("the connection is gone");
  return connection;
}

describe("what the account may not read", () => {
  test("is told for each token, as the sign-in found it", async () => {
    asking.checked = { forbidden: ["payslips"], limited: { employees: ["tax_id"] } };
    const connected = await connect();
    expect(await listed(connected)).toEqual({
      forbidden: ["payslips"],
      limited: { employees: ["tax_id"] },
    });
    expect(await load(connected)).toMatchObject({
      forbidden: ["payslips"],
      limited: { employees: ["tax_id"] },
    });
  });

  test("is empty for an account that may read everything, and once disconnected", async () => {
    const nothing = { forbidden: [], limited: {} };
    expect(await listed(await connect())).toEqual(nothing);
    asking.checked = { forbidden: ["payslips"] };
    const connected = await connect();
    await harness.http.post("/2023-03-01/management/disconnect", { bearer: connected.token });
    expect(await listed(connected)).toEqual(nothing);
  });

  test("is found anew at every sign-in", async () => {
    asking.checked = { forbidden: ["payslips"], limited: { employees: ["tax_id"] } };
    const connected = await connect();
    asking.checked = { limited: { groups: ["name"] } };
    await signInAgain(connected);
    expect(await listed(connected)).toEqual({ forbidden: [], limited: { groups: ["name"] } });
  });

  test("is changed by a read, for its resource alone, with the time", async () => {
    asking.checked = { forbidden: ["payslips"] };
    const connected = await connect();
    const connection = await load(connected);
    await record(connection, "employees", { isForbidden: false, limited: ["tax_id", "tax_id"] });
    expect(await listed(connected)).toEqual({
      forbidden: ["payslips"],
      limited: { employees: ["tax_id"] },
    });
    harness.clock.advance(60);
    await record(connection, "payslips", { isForbidden: false, limited: [] });
    expect(await listed(connected)).toEqual({ forbidden: [], limited: { employees: ["tax_id"] } });
    const [row] = await harness.database.query(
      "select rights -> 'payslips' ->> 'checkedAt' as at from connections where id = $1",
      [connection.id],
    );
    expect(row).toEqual({ at: harness.clock.now().toISOString() });
  });

  test("is not changed by a read under an earlier sign-in", async () => {
    const connected = await connect();
    const before = await load(connected);
    await signInAgain(connected);
    await record(before, "payslips", { isForbidden: true, limited: [] });
    expect(await listed(connected)).toEqual({ forbidden: [], limited: {} });
  });
});
