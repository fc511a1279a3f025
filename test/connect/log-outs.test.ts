import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { LogOuts } from "../../src/connect/index.ts";
import { createLog } from "../../src/platform/log.ts";
import type { SignInHost } from "../../src/providers/index.ts";
import { AskingProvider } from "../support/asking-provider.ts";

const connection = {
  id: "01a1fd38-4e3b-76f0-aa4b-83ecbf6d43be",
  provider: "asking",
  mode: "xhr" as const,
  openSession: () => ({ user: "ann" }),
  isAccountInUse: async () => false,
};

beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] }));
afterEach(() => void vi.useRealTimers());

test("a provider that never answers is waited for ten seconds, and once", async () => {
  const registry = new AskingProvider().registry();
  let tries = 0;
  const logOut = async (): Promise<void> => {
    tries += 1;
    await new Promise(() => undefined);
  };
  const host = { logOut } as unknown as SignInHost;
  const lines: string[] = [];
  const log = createLog({
    level: "debug",
    destination: { write: (line) => void lines.push(line) },
  });
  const logOuts = new LogOuts({ registry, host, log });
  let isDone = false;
  logOuts.start(connection);
  const done = logOuts.done().then(() => (isDone = true));
  await vi.advanceTimersByTimeAsync(9_000);
  expect(isDone).toBe(false);
  await vi.advanceTimersByTimeAsync(1_000);
  await done;
  await logOuts.done();
  expect(tries).toBe(1);
  expect(lines).toEqual([expect.stringContaining("it is not tried again")]);
  expect(lines.join()).not.toContain("ann");
});
