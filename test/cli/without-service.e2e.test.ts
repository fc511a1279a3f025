import { readdir } from "node:fs/promises";
import { describe, expect, test } from "vitest";
import { createClient, failedWith, rollcall } from "../support/command-line.ts";
import { processesOf, untilNoProcessOf } from "../support/processes.ts";
import { makeStateDir, makeUsedStateDir } from "../support/program-environment.ts";
import { startService } from "../support/service-process.ts";

const create = (name: string): string[] => [
  "client",
  "create",
  "--name",
  name,
  "--redirect-uri",
  "https://acme.example/callback",
  "--json",
];

describe("while no service runs", () => {
  test("a command on a folder without one makes nothing, and says what to do", async () => {
    const { stateDir, remove } = await makeStateDir();
    expect(await rollcall(create("Early"), { STATE_DIR: stateDir })).toMatchObject(
      failedWith(1, /No service was started in .*npm start.*DATABASE_URL/),
    );
    expect(await readdir(stateDir)).toEqual([]);
    await remove();
  });

  test("a command starts and stops the folder's Postgres, and a later service has its changes", async () => {
    const { stateDir, remove } = await makeUsedStateDir();
    const made = await rollcall(create("Early"), { STATE_DIR: stateDir });
    expect({ code: made.code, stderr: made.stderr }).toEqual({ code: 0, stderr: "" });
    await untilNoProcessOf(stateDir);
    const { client_id: id, client_secret: secret } = made.json<{
      client_id: string;
      client_secret: string;
    }>();

    const service = await startService({ STATE_DIR: stateDir });
    expect(
      (await service.http.get("/2023-03-01/management/client", { basic: [id, secret] })).status,
    ).toBe(200);
    await service.stop();
    await untilNoProcessOf(stateDir);
    await remove();
  });

  test("several commands at once all succeed and leave no process", async () => {
    const { stateDir, remove } = await makeUsedStateDir();
    const made = await Promise.all(
      ["One", "Two", "Three"].map((name) => rollcall(create(name), { STATE_DIR: stateDir })),
    );
    expect(made.map(({ code, stderr }) => ({ code, stderr }))).toEqual(
      made.map(() => ({ code: 0, stderr: "" })),
    );
    const listed = await rollcall(["client", "list", "--json"], { STATE_DIR: stateDir });
    expect(
      listed
        .json<{ name: string }[]>()
        .map(({ name }) => name)
        .sort(),
    ).toEqual(["One", "Three", "Two"]);
    await untilNoProcessOf(stateDir);
    await remove();
  });

  test("a command that fails also stops Postgres", async () => {
    const { stateDir, remove } = await makeUsedStateDir();
    expect((await rollcall(["client", "show", "nobody"], { STATE_DIR: stateDir })).code).toBe(1);
    await untilNoProcessOf(stateDir);
    await remove();
  });
});

test("while a service runs, a command uses its Postgres and leaves it running", async ({
  onTestFinished,
}) => {
  const { stateDir, remove } = await makeStateDir();
  onTestFinished(remove);
  const service = await startService({ STATE_DIR: stateDir });
  onTestFinished(async () => void (await service.stop()));
  const servers = (): string[] =>
    processesOf(stateDir).filter((text) => text.includes("/postgres -D "));
  const before = servers();
  const { id, secret } = await createClient({ STATE_DIR: stateDir });
  const reply = await service.http.get("/2023-03-01/management/client", { basic: [id, secret] });
  expect(reply.status).toBe(200);
  expect(before).toHaveLength(1);
  expect(servers()).toEqual(before);
});
