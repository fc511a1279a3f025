import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { hasServiceSignature, hasStandardSignature } from "../../src/cli/webhook-signatures.ts";
import { failedWith, rollcall, type CommandResult } from "../support/command-line.ts";
import {
  makeUsedStateDir,
  programEnvironment,
  projectDir,
} from "../support/program-environment.ts";
import { Receiver } from "../support/receiver.ts";
import { startService, type ServiceProcess } from "../support/service-process.ts";

vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 });

interface Demo {
  base_url: string;
  client_id: string;
  client_secret: string;
}

/** As on the machine of a developer, who knows the service by its address and the client's credentials alone. */
describe("a developer's commands against a service", () => {
  let folder: Awaited<ReturnType<typeof makeUsedStateDir>>;
  let service: ServiceProcess;
  let demo: Demo;
  /** Where the client's webhooks go, which cannot be reached from the service in this story. */
  let unreachable: Receiver;
  let local: Receiver;
  let env: Record<string, string>;

  const run = (...args: string[]): Promise<CommandResult> => rollcall([...args, "--json"], env);

  beforeAll(async () => {
    folder = await makeUsedStateDir();
    service = await (await startService({ STATE_DIR: folder.stateDir })).untilStarted();
    demo = JSON.parse(readFileSync(join(folder.stateDir, "demo.json"), "utf8")) as Demo;
    [unreachable, local] = await Promise.all([Receiver.start(), Receiver.start()]);
    env = {
      ROLLCALL_URL: service.baseUrl,
      ROLLCALL_CLIENT_ID: demo.client_id,
      ROLLCALL_CLIENT_SECRET: demo.client_secret,
    };
    await service.http.post("/2023-03-01/management/client", {
      basic: [demo.client_id, demo.client_secret],
      json: { webhook_uri: unreachable.url },
    });
  });
  afterAll(async () => {
    await Promise.all([unreachable.close(), local.close()]);
    await service.stop();
    await folder.remove();
  });

  test("a link to the console leads to the port of the service, not to that of the command", async () => {
    const made = (await rollcall(["console", "--json"], { STATE_DIR: folder.stateDir })).json();
    const url = String(made["console_url"]);
    expect(url.split("?")[0]).toBe(`${demo.base_url}/console/sign-in`);
    expect((await fetch(url)).status).toBe(200);
  });

  test("the doctor looks at the port of the service, too", async () => {
    const { json } = await rollcall(["doctor", "--json"], { STATE_DIR: folder.stateDir });
    const findings = json<{ check: string; found: string }[]>();
    expect(findings.find(({ check }) => check === "PUBLIC_URL")?.found).toBe(
      `${demo.base_url} answers as this service`,
    );
  });

  test("trigger connects as the demo client, moves and fails a sandbox connection", async () => {
    const ofDemo = ["trigger", "connect", "--scenario", "user_mfa", "--json"];
    const made = (await rollcall(ofDemo, { STATE_DIR: folder.stateDir })).json();
    expect(made).toMatchObject({ provider: "sandbox", access_token: expect.any(String) });
    const token = String(made["token"]);
    expect((await run("trigger", "advance", "--token", token)).json()).toMatchObject({ hour: 1 });
    const code = "captcha_challenge";
    expect((await run("trigger", "fail", "--token", token, "--code", code)).json()).toMatchObject({
      scenario: "user_mfa",
      failure: code,
    });
    expect((await run("trigger", "sign-in", "--token", token)).json()).toMatchObject({
      hour: 1,
      failure: null,
    });
    const rights = ["--limited", "tax_id", "bank_account", "--forbidden", "payruns"];
    expect((await run("trigger", "rights", "--token", token, ...rights)).json()).toMatchObject({
      limited: ["tax_id", "bank_account"],
      forbidden: ["payruns"],
    });
    const file = join(folder.stateDir, "records.json");
    writeFileSync(file, JSON.stringify({ payruns: [] }));
    const records = ["records", "--token", token, "--file", file];
    expect((await run("trigger", ...records)).json()).toMatchObject({ set: ["payruns"] });
  });

  test("forwarding says that the service takes no more requests, and ends at once when it is told to", async () => {
    const busy = createServer((_request, response) => {
      response.writeHead(429, { "retry-after": "200", "content-type": "application/json" });
      response.end("{}");
    }).listen(0, "127.0.0.1");
    await once(busy, "listening");
    const { port } = busy.address() as AddressInfo;
    const forwarder = spawn(
      join(projectDir, "bin/rollcall"),
      ["webhook", "listen", "--forward-to", local.url],
      { env: programEnvironment({ ...env, ROLLCALL_URL: `http://127.0.0.1:${port}` }) },
    );
    for await (const said of forwarder.stderr) {
      expect(String(said)).toContain("The service takes no more requests for 200 seconds.");
      break;
    }
    forwarder.kill("SIGINT");
    expect(await once(forwarder, "close")).toEqual([0, null]);
    busy.close();
  });

  test("a webhook is triggered and forwarded, signed as the service signs", async () => {
    const forwarder = spawn(
      join(projectDir, "bin/rollcall"),
      ["webhook", "listen", "--forward-to", local.url, "--count", "1", "--json"],
      { env: programEnvironment(env), stdio: ["ignore", "pipe", "pipe"] },
    );
    const printed = collect(forwarder);
    await expect.poll(() => printed(), { timeout: 60_000 }).toContain("Forwarding");
    const named = ["--client", demo.client_id, "--reference", "customer-17", "--exchange"];
    const form = ["--field", "username=user_good", "password=x"];
    const create = ["connection", "create", "--provider", "sandbox", ...named, ...form, "--json"];
    const made = (await rollcall(create, { STATE_DIR: folder.stateDir })).json();
    const token = String(made["token"]);
    expect((await run("trigger", "webhook", "--token", token)).json()).toMatchObject({ hour: 1 });
    const [code] = (await once(forwarder, "close")) as [number];
    expect(code).toBe(0);
    const [received] = local.received;
    expect(received).toMatchObject({ token, body: { added: [{}], removed: [{}] } });
    expect(received?.headers["x-service-api-reference"]).toBe("customer-17");
    const signed = { headers: received?.headers ?? {}, body: received?.bytes ?? Buffer.alloc(0) };
    expect(hasServiceSignature([demo.client_secret], signed)).toBe(true);
    expect(hasStandardSignature([demo.client_secret], signed)).toBe(true);
    expect(JSON.parse(printed().split("\n")[1] ?? "")).toMatchObject({
      token,
      status: 204,
      added: 1,
      removed: 1,
      updated: 2,
    });
  });

  test.each<[string, string[], Record<string, string>, RegExp, number]>([
    ["without a service", ["trigger", "connect"], { ROLLCALL_URL: "" }, /ROLLCALL_URL/, 2],
    [
      "without a demo client",
      ["webhook", "listen", "--forward-to", "http://127.0.0.1:9/"],
      { ROLLCALL_URL: "", ROLLCALL_CLIENT_ID: "", ROLLCALL_CLIENT_SECRET: "", STATE_DIR: "/none" },
      /ROLLCALL_URL/,
      2,
    ],
    ["with an address that is none", ["trigger", "connect"], { ROLLCALL_URL: "x" }, /--url/, 2],
    ["without --token", ["trigger", "poll"], {}, /poll needs --token/, 2],
    [
      "with a wrong secret",
      ["trigger", "connect"],
      { ROLLCALL_CLIENT_SECRET: "x" },
      /answered 401/,
      1,
    ],
    [
      "for a service that is away",
      ["trigger", "connect"],
      { ROLLCALL_URL: "http://127.0.0.1:9" },
      /cannot be reached/,
      1,
    ],
    [
      "for a refused sign-in",
      ["trigger", "connect", "--scenario", "user_captcha"],
      {},
      /answered 400: scenario: the sign-in of user_captcha is refused/,
      1,
    ],
  ])("%s: a sentence that says what to do", async (_, args, changed, says, code) => {
    const result = await rollcall(args, { ...env, ...changed });
    expect(result).toMatchObject(failedWith(code, says));
    expect(result.stderr).not.toContain(demo.client_secret);
  });
});

/** What the process has printed until now. */
function collect({ stdout, stderr }: ChildProcess): () => string {
  let text = "";
  for (const stream of [stdout, stderr])
    stream?.on("data", (chunk: Buffer) => (text += chunk.toString()));
  return () => text;
}
