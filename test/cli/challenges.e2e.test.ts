import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  createClient,
  createConnectionArgs,
  failedWith,
  hasTerminal,
  rollcall,
  rollcallOnTerminal,
} from "../support/command-line.ts";
import { makeUsedStateDir, projectDir } from "../support/program-environment.ts";
import { startService, type ServiceProcess } from "../support/service-process.ts";

let folder: Awaited<ReturnType<typeof makeUsedStateDir>>;
let service: ServiceProcess;
let env: Record<string, string>;
let clientId: string;

beforeAll(async () => {
  folder = await makeUsedStateDir();
  const providers = join(projectDir, "test/support/asking-provider.ts");
  env = { STATE_DIR: folder.stateDir, PROVIDERS: providers };
  service = await (await startService(env)).untilStarted();
  ({ id: clientId } = await createClient(env));
});
afterAll(async () => {
  await service.stop();
  await folder.remove();
});

const args = (kinds: string): string[] =>
  createConnectionArgs(clientId, { provider: "asking", fields: [`username=${kinds}`] });

/** Signs in without a terminal: whatever is asked comes from standard input. */
const run = (kinds: string, ...lines: string[]) =>
  rollcall([...args(kinds), "--fields-file", "-", "--json"], env, {
    input: ["password=x", "region=us", ...lines].join("\n"),
  });

describe("connection create", () => {
  test("answers what the provider asks, one after the other, and waits for an approval", async () => {
    const made = await run("text,choose,otp,wait", "text=blue", "choose=b", "otp=123456");
    expect(made.stderr).toBe("Approve it in your app\n");
    expect(made.json()).toMatchObject({ code: expect.stringMatching(/^rc_ac_dev_/) });
  });

  test("refuses what is none of the options, and a choice that the form does not have", async () => {
    expect(await run("choose", "choose=c")).toMatchObject(
      failedWith(1, /choose: is none of the options/),
    );
    expect(await run("none", "region=mars")).toMatchObject(
      failedWith(1, /region: Please choose one of these/),
    );
  });

  test("uses an answer once, and asks for the next one", async () => {
    expect(await run("text,text", "text=blue")).toMatchObject(failedWith(2, /text is missing/));
  });

  test.skipIf(!hasTerminal)(
    "asks at the terminal: lists to choose from, and secrets unseen",
    async () => {
      const session = rollcallOnTerminal(args("secret,choose"), env);
      await session.until("Password");
      session.type("x\r");
      await session.until("Region");
      session.type("\r");
      await session.until("A colour");
      session.type("blue\r");
      await session.until("Which company?");
      session.type("\u001b[B\r");
      expect(await session.exited).toBe(0);
      expect(session.screen).toMatch(/code +rc_ac_dev_/);
      expect(session.screen).not.toContain("blue");
    },
  );
});
