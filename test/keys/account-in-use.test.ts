import { randomBytes } from "node:crypto";
import { z } from "zod";
import { beforeEach, expect, test } from "vitest";
import { defineProvider } from "../../src/providers/contract.ts";
import { formField } from "../../src/providers/form-field.ts";
import { ProviderRegistry } from "../../src/providers/registry.ts";
import { sandbox } from "../../src/providers/sandbox/index.ts";
import { createTestDatabase } from "../support/database.ts";
import { createHarness } from "../support/harness.ts";

const inUse: boolean[] = [];
beforeEach(() => void (inUse.length = 0));

/** Its accounts have one approval, however often they are signed in to. */
const registry = new ProviderRegistry([
  sandbox,
  defineProvider({
    apiVersion: 1,
    name: "approved-once",
    title: "Approved Once HR",
    modes: {
      xhr: {
        form: z.object({ username: formField({ title: "Email" }) }),
        login: async (_context, { username }) => ({ session: { username } }),
        accountOfSession: ({ username }) => [String(username)],
        check: async () => ({ unsupported: [] }),
        identity: async () => ({ name: "Ann", email: "", phone_number: null }),
        logOut: async ({ isAccountInUse }) => void inUse.push(isAccountInUse),
        resources: {},
      },
    },
  }),
]);
const account = { provider: "approved-once", formValues: { username: "ann@x.example" } };

test.for([
  { order: "the older connection first", places: [0, 1] },
  { order: "the newer connection first", places: [1, 0] },
])(
  "connections of one account under two keys are told from the last one: $order",
  async ({ places }) => {
    const database = await createTestDatabase();
    const [first, second] = ["k1", "k2"].map((id) => `${id}:${randomBytes(32).toString("base64")}`);
    const old = await createHarness({ database, registry, env: { MASTER_KEYS: `${first}` } });
    const tokens = [(await old.connect(account)).token];
    const env = { ...old.environment, MASTER_KEYS: `${second},${first}` };
    const fresh = await createHarness({ database, registry, env, clock: old.clock });
    tokens.push((await fresh.connect(account)).token);
    for (const place of places) {
      const bearer = tokens[place] ?? "";
      await fresh.http.post("/2023-03-01/management/disconnect", { bearer });
      await fresh.services.logOuts.done();
    }
    expect(inUse).toEqual([true, false]);
    await old.close();
    await fresh.close();
    await database.drop();
  },
);
