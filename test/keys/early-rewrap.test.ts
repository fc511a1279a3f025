import { randomBytes } from "node:crypto";
import { expect, test } from "vitest";
import { rollcall } from "../support/command-line.ts";
import { createTestDatabase } from "../support/database.ts";
import { createHarness } from "../support/harness.ts";

const newKey = (name: string): string => `${name}:${randomBytes(32).toString("base64")}`;

test("rows that are sealed again too early, or back, keep no key from being retired", async () => {
  const [first, second] = [newKey("k1"), newKey("k2")];
  const database = await createTestDatabase();
  const harness = await createHarness({ database, env: { MASTER_KEYS: first } });
  const { token: bearer } = await harness.connect();
  const run = async (keys: string, ...args: string[]) =>
    await rollcall(["keys", ...args], { ...harness.environment, MASTER_KEYS: keys });

  const early = await run(`${first},${second}`, "rewrap", "--json");
  expect(early.json()).toMatchObject({ key: "k1", rewrapped: 0 });
  expect(early.stderr).toContain("Nothing was moved to k2: k1 is first.");

  expect((await run(`${second},${first}`, "rewrap", "--json")).json()).toMatchObject({ key: "k2" });
  const back = await run(`${first},${second}`, "rewrap");
  expect(back.stderr).not.toContain("Nothing was moved");
  expect((await run(`${second},${first}`, "rewrap")).code).toBe(0);
  expect((await run(`${second},${first}`, "retire", "k1")).code).toBe(0);

  const env = { ...harness.environment, MASTER_KEYS: second };
  const fresh = await createHarness({ database, env, clock: harness.clock });
  expect((await fresh.http.get("/2023-03-01/xhr/identity", { bearer })).status).toBe(200);
  await fresh.close();
  await harness.close();
  await database.drop();
});
