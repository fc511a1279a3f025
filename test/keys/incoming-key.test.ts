import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { systemClock } from "../../src/platform/clock.ts";
import { rollcall } from "../support/command-line.ts";
import { createHarness, type Harness } from "../support/harness.ts";
import { untilTrue } from "../support/until-true.ts";

const newKey = (name: string): string => `${name}:${randomBytes(32).toString("base64")}`;
const [first, second] = [newKey("k1"), newKey("k2")];

/** Step 1 of a change of the master key: every process has the new one behind the old one. */
let old: Harness;
beforeAll(async () => {
  const env = { CONSOLE: "on", MASTER_KEYS: `${first},${second}` };
  old = await createHarness({ clock: systemClock, env });
});
afterAll(() => old.close());

async function tell({ services }: Harness, role: string): Promise<{ stop: () => Promise<void> }> {
  const telling = services.keys.tellKeys(role);
  await untilTrue("the process has told", async () =>
    (await services.keys.processes()).some((process) => process.id === telling.id),
  );
  return telling;
}
const unretired = async ({ services }: Harness): Promise<string[]> =>
  (await services.keys.listUnretired()).map(({ id }) => id);

async function findingOf(key: string, env: Record<string, string>) {
  const { json } = await rollcall(["doctor", "--json"], env);
  const findings = json<{ check: string; found: string; advice?: string }[]>();
  return findings.find(({ check, found }) => check === "master keys" && found.startsWith(key));
}

test("a key that waits to be put first is nobody's to retire, and neither is one that a process still has first", async () => {
  const telling = await tell(old, "api");
  expect(await unretired(old)).toEqual([]);
  const waiting = await findingOf("k2", old.environment);
  expect(waiting?.found).toBe("k2: opens, 0 rows, was never the first key");
  expect(waiting?.advice).toContain("waits to be put first");
  await expect(old.services.keys.retire("k2")).rejects.toThrow(
    "k2 has never been the first key, and a running process (api) has it",
  );

  // Step 2, while the processes are started again one by one.
  const env = { ...old.environment, MASTER_KEYS: `${second},${first}` };
  const { database, clock } = old;
  const fresh = await createHarness({ database, clock, env });
  const tellingOfFresh = await tell(fresh, "worker");
  expect([await unretired(old), await unretired(fresh)]).toEqual([[], []]);
  await telling.stop();
  expect(await unretired(fresh)).toEqual(["k1"]);
  await tellingOfFresh.stop();
  await fresh.services.keys.rewrap(() => undefined);
  expect((await findingOf("k1", env))?.advice).toContain("keys retire k1");
  expect(await fresh.services.keys.retire("k1")).toBe(true);
  await fresh.close();
});

test("a key that was never put first can be retired when no process has it any more", async () => {
  const { database, clock, environment } = old;
  const third = newKey("k3");
  const env = { ...environment, MASTER_KEYS: `${second},${third}` };
  const having = await createHarness({ database, clock, env });
  const telling = await tell(having, "all");
  await expect(having.services.keys.retire("k3")).rejects.toThrow("never been the first key");
  await telling.stop();
  expect(await having.services.keys.retire("k3")).toBe(true);
  await having.close();
});
