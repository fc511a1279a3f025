import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createConnectionArgs, rollcall, type CommandResult } from "../support/command-line.ts";
import {
  makeUsedStateDir,
  programEnvironment,
  projectDir,
} from "../support/program-environment.ts";
import { publicLoopback } from "../support/public-loopback.ts";
import { answers, Receiver } from "../support/receiver.ts";
import { freePort } from "../support/redis-server.ts";
import { startService, type ServiceProcess } from "../support/service-process.ts";
import { createWebhookHarness, people } from "../support/webhook-harness.ts";

interface Printed {
  id: string;
  token: string;
  verified: boolean;
  standard_verified: boolean;
  added: number;
  removed: number;
  updated: number;
}

const unknownId = "01a1fd50-0000-7000-8000-000000000000";

describe("the webhook commands in local mode", () => {
  let folder: Awaited<ReturnType<typeof makeUsedStateDir>>;
  let service: ServiceProcess;
  let clientId: string;
  let tokenId: string;
  let listener: Listener;

  const run = (...args: string[]): Promise<CommandResult> =>
    rollcall([...args, "--json"], { STATE_DIR: folder.stateDir });

  beforeAll(async () => {
    folder = await makeUsedStateDir();
    service = await (await startService({ STATE_DIR: folder.stateDir })).untilStarted();
    const demo = JSON.parse(readFileSync(join(folder.stateDir, "demo.json"), "utf8")) as Record<
      "client_id" | "client_secret" | "redirect_uri",
      string
    >;
    clientId = demo.client_id;
    const fields = ["username=user_good", "password=x"];
    const made = await run(...createConnectionArgs(clientId, { fields }));
    const { code } = made.json<{ code: string }>();
    const json = { ...demo, grant_type: "authorization_code", code };
    await service.http.post("/2023-03-01/management/token", { json });
    ({ token: tokenId } = (await service.http.post("/2023-03-01/management/token", { json }))
      .body as { token: string });
    const port = await freePort();
    listener = await listen(folder.stateDir, port);
    await run("client", "update", clientId, "--webhook-uri", `http://127.0.0.1:${port}/`);
  });
  afterAll(async () => {
    listener.child.kill("SIGTERM");
    await service.stop();
    await folder.remove();
  });

  test("the first poll sets the baseline and sends nothing", async () => {
    const polled = await run("poll", "now", "--token", tokenId);
    expect({ code: polled.code, stderr: polled.stderr }).toEqual({ code: 0, stderr: "" });
    expect(polled.json<{ token: string }[]>().map(({ token }) => token)).toEqual([tokenId]);
    expect((await run("delivery", "list", "--client", clientId)).json()).toEqual([]);
  });

  test("the changes of the next simulated hour arrive, signed in both ways", async () => {
    expect((await run("sandbox", "advance", "--token", tokenId)).json()).toEqual([
      { token: tokenId, change: "advance" },
    ]);
    expect((await run("poll", "now", "--token", tokenId)).code).toBe(0);
    await expect
      .poll(() => listener.printed())
      .toMatchObject([
        {
          token: tokenId,
          verified: true,
          standard_verified: true,
          added: 1,
          removed: 1,
          updated: 2,
        },
      ]);
  });

  test("the delivery is listed and shown with its attempt and its counts", async () => {
    const [printed] = listener.printed();
    await expect
      .poll(async () => (await run("delivery", "list", "--client", clientId)).json(), {
        interval: 500,
      })
      .toMatchObject([
        {
          id: printed?.id,
          token: tokenId,
          attempts: 1,
          last_status: 204,
          last_error: null,
          added: 1,
          removed: 1,
          updated: 2,
        },
      ]);
    const shown = await run("delivery", "show", printed?.id ?? "");
    expect(shown.json()).toMatchObject({
      id: printed?.id,
      last_reply: null,
      attempts: [{ status: 204 }],
    });
    const list = async (...narrow: string[]): Promise<unknown[]> =>
      (await run("delivery", "list", ...narrow)).json<{ id: string }[]>().map(({ id }) => id);
    const all = ["--status", "delivered", "--provider", "sandbox", "--since", "1h"];
    expect(await list(...all)).toEqual([printed?.id]);
    for (const narrow of [
      ["--status", "failed"],
      ["--provider", "odoo"],
      ["--until", "1h"],
      ["--since", "2999-01-01T00:00:00Z"],
    ])
      expect(await list(...narrow)).toEqual([]);
  });

  test("a replay sends the delivery again under the same id", async () => {
    const [printed] = listener.printed();
    expect((await run("delivery", "replay", printed?.id ?? "")).code).toBe(0);
    await expect.poll(() => listener.printed().length).toBe(2);
    expect(listener.printed()[1]).toEqual(printed);
  });

  test("a webhook that is signed with a newer secret is verified too", async () => {
    const [printed] = listener.printed();
    expect((await run("client", "update", clientId, "--rotate-secret")).code).toBe(0);
    expect((await run("delivery", "replay", printed?.id ?? "")).code).toBe(0);
    await expect.poll(() => listener.printed().length).toBe(3);
    expect(listener.printed()[2]).toEqual(printed);
  });

  test("the listener survives a sender that breaks off in the middle of a body", async () => {
    const [printed] = listener.printed();
    const socket = connect(listener.port, "127.0.0.1");
    socket.write("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 2000\r\n\r\n{}");
    await once(socket, "connect");
    socket.resetAndDestroy();
    expect((await run("delivery", "replay", printed?.id ?? "")).code).toBe(0);
    await expect.poll(() => listener.printed().length).toBe(4);
  });

  test.each<[string, () => string[], number, string]>([
    ["an unknown delivery", () => ["delivery", "show", unknownId], 1, "not_found"],
    ["an invalid delivery id", () => ["delivery", "replay", "nonsense"], 2, "usage"],
    ["a poll of an unknown token", () => ["poll", "now", "--token", unknownId], 1, "not_found"],
    [
      "a port that is in use",
      () => ["webhook", "listen", "--port", String(listener.port)],
      1,
      "port_in_use",
    ],
    ["an unknown option", () => ["poll", "now", "--nonsense"], 2, "usage"],
  ])("%s is refused in JSON", async (_what, args, code, error) => {
    const refused = await run(...args());
    expect([refused.code, JSON.parse(refused.stderr.split("\n")[0] ?? "")]).toEqual([
      code,
      { error, message: expect.any(String) as string },
    ]);
  });

  test("a poll of a connection whose end user has to sign in again fails with the reason", async () => {
    expect(
      (await run("sandbox", "fail", "--token", tokenId, "--code", "reauthentication_required"))
        .code,
    ).toBe(0);
    expect((await run("poll", "now", "--token", tokenId)).json()).toMatchObject([
      { outcome: "refused" },
    ]);
    const refused = await run("poll", "now", "--token", tokenId);
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining("sign in again")]);
  });
});

test("a refusal is shown with how its reply began, which gives the terminal no commands", async () => {
  const receiver = await Receiver.start();
  receiver.answer = answers.status(422, {}, "\u001b[31mno such column");
  const harness = await createWebhookHarness({ webhookWays: publicLoopback() });
  const company = await harness.watchCompany(people(2), receiver.url);
  company.people = people(3);
  await harness.pollNextHour();
  const [delivery] = await harness.deliveriesOf(company.client.clientId);
  const show = ["delivery", "show", delivery?.id ?? ""];
  const shown = await rollcall([...show, "--json"], harness.environment);
  const { stdout } = await rollcall(show, harness.environment);
  await harness.close();
  await receiver.close();
  expect(shown.json()).toMatchObject({
    last_error: "status",
    last_reply: "\u001b[31mno such column",
  });
  expect(stdout).toContain(" [31mno such column");
  expect(stdout).not.toContain("\u001b[31m");
});

interface Listener {
  child: ChildProcess;
  port: number;
  printed: () => Printed[];
}

/** Runs `webhook listen` as a process until it is ended. */
async function listen(stateDir: string, port: number): Promise<Listener> {
  const child = spawn(
    join(projectDir, "bin/rollcall"),
    ["webhook", "listen", "--port", String(port), "--json"],
    {
      cwd: projectDir,
      env: programEnvironment({ STATE_DIR: stateDir }),
      stdio: ["ignore", "pipe", "pipe"],
    },
  );
  let stdout = "";
  child.stdout.on("data", (chunk: Buffer) => (stdout += chunk.toString()));
  await once(child.stderr, "data");
  return {
    child,
    port,
    printed: () =>
      stdout
        .split("\n")
        .filter((line) => line !== "")
        .map((line) => JSON.parse(line) as Printed),
  };
}
