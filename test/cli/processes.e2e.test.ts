import { afterAll, beforeAll, expect, test } from "vitest";
import { createClient, rollcall } from "../support/command-line.ts";
import { createTestDatabase, type TestDatabase } from "../support/database.ts";
import { testEnvironment } from "../support/harness.ts";

let database: TestDatabase;
let env: Record<string, string>;
let clientId: string;
beforeAll(async () => {
  database = await createTestDatabase();
  env = testEnvironment(database.url);
  ({ id: clientId } = await createClient(env));
});
afterAll(() => database.drop());

/** Other tests run the commands in their own process. Here each kind is one: it ends, whatever it has opened. */
test.each([
  "client list",
  "connection create --client CLIENT --provider sandbox --field username=user_good --field password=x",
  "token list --client CLIENT",
  "reads list",
  "delivery list --client CLIENT",
  "audit list",
  "audit verify",
  "keys status",
  "database migrate",
  "status",
])("%s, as a process, prints JSON alone and ends by itself", async (words) => {
  const args = words.replace("CLIENT", clientId).split(" ");
  const ended = await rollcall([...args, "--json"], env, { isProcess: true });
  expect(ended).toMatchObject({ code: 0, stderr: "" });
  expect(ended.json()).toBeInstanceOf(Object);
});

test("a command that fails, as a process, has its exit code and says so on standard error alone", async () => {
  const none = await rollcall(["client", "show", "00000000-00000000-00000000-00000000"], env, {
    isProcess: true,
  });
  expect(none).toMatchObject({ stdout: "" });
  expect([none.code, none.stderr]).toEqual([1, expect.stringContaining("rollcall: ")]);
  const wrong = await rollcall(["token", "list", "--none"], env, { isProcess: true });
  expect(wrong).toMatchObject({ code: 2, stdout: "" });
});
