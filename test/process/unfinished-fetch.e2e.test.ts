import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { expect, test } from "vitest";
import { rollcall } from "../support/command-line.ts";
import { createTestDatabase } from "../support/database.ts";
import { exchangeBody, testEnvironment } from "../support/harness.ts";
import { userNameOf } from "../support/marker-provider.ts";
import { projectDir } from "../support/program-environment.ts";
import { startService } from "../support/service-process.ts";

/** What process managers give a program before they kill it. */
const stopLimitMs = 25_000;
const redirectUri = "https://app.example.com/callback";

test("a fetch that takes longer than a stop may is left to another worker, which takes it up", async () => {
  const database = await createTestDatabase();
  const env = {
    ...testEnvironment(database.url),
    PROVIDERS: join(projectDir, "test/support/marker-provider.ts"),
  };
  const created = (
    await rollcall(
      ["client", "create", "--name", "Unfinished", "--redirect-uri", redirectUri, "--json"],
      env,
    )
  ).json<{ client_id: string; client_secret: string }>();
  const fields = [`username=${userNameOf("slow")}`, "password=x", "company=x"].join("\n");
  const { code } = (
    await rollcall(
      [
        "connection",
        "create",
        "--client",
        created.client_id,
        "--provider",
        "marker",
        "--fields-file",
        "-",
        "--json",
      ],
      env,
      { input: fields },
    )
  ).json<{ code: string }>();

  const first = await (await startService(env)).untilStarted();
  const second = await (await startService({ ...env, ROLE: "api" })).untilStarted();
  let third: Awaited<ReturnType<typeof startService>> | undefined;
  try {
    const json = exchangeBody({
      client: { clientId: created.client_id } as never,
      secret: created.client_secret,
      code,
    });
    const { access_token: bearer } = (
      await second.http.post("/2023-03-01/management/token", { json })
    ).body as { access_token: string };
    expect((await second.http.get("/2023-03-01/xhr/employees", { bearer })).status).toBe(202);
    const runs = (): Promise<Record<string, unknown>[]> =>
      database.query("select state, run from reads");
    await expect.poll(runs, { interval: 20 }).toEqual([{ state: "pending", run: 1 }]);

    first.kill("SIGTERM");
    const exit = await Promise.race([
      first.exited,
      delay(stopLimitMs, "still running", { ref: false }),
    ]);
    expect(exit).toEqual({ code: 0, signal: null });
    expect((await second.http.get("/2023-03-01/xhr/employees", { bearer })).status).toBe(202);

    third = await startService(env);
    await expect.poll(runs, { interval: 100 }).toEqual([{ state: "pending", run: 2 }]);
  } finally {
    for (const service of [first, second, third]) service?.kill("SIGKILL");
    for (const service of [first, second, third]) await service?.exited;
    await database.drop();
  }
}, 180_000);
