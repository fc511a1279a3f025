import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { formToken, visitAsDeveloper, visitAsOperator } from "../support/console-visitors.ts";
import { createHarness, type Harness } from "../support/harness.ts";

let harness: Harness;
beforeAll(async () => {
  harness = await createHarness({ env: { CONSOLE: "on" } });
});
afterAll(() => harness.close());

describe("a token that is disconnected by a developer", () => {
  test("was ended by the client, as one that the application ends, and one by an operator is the operator's", async () => {
    const owner = await harness.createClient();
    const visitors = [await visitAsDeveloper(harness, owner), await visitAsOperator(harness)];
    const told = [];
    for (const one of visitors) {
      const { tokenId } = await harness.connect({ client: owner });
      const at = `/console/connections/${tokenId}`;
      const form_token = formToken(await one.ask("GET", at));
      expect((await one.ask("POST", `${at}/disconnect`, { form_token })).status).toBe(303);
      const basic: [string, string] = [owner.client.clientId, owner.secret];
      const { body: receipt } = await harness.http.get(
        `/2023-03-01/management/tokens/${tokenId}/receipt`,
        { basic },
      );
      const [event] = await harness.database.query(
        "select data from events where type = 'connection.ended' and token_id = $1",
        [tokenId],
      );
      const [entry] = await harness.database.query(
        "select detail->>'by' as by from audit_entries where action = 'token.disconnected' and token_id = $1",
        [tokenId],
      );
      told.push([receipt, event?.["data"], entry?.["by"]]);
    }
    expect(told).toEqual([
      [expect.objectContaining({ by: "client" }), { by: "client" }, null],
      [expect.objectContaining({ by: "operator" }), { by: "operator" }, "operator"],
    ]);
  });
});
