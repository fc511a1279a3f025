import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import {
  createClient,
  createConnectionArgs,
  hasTerminal,
  rollcall,
  rollcallOnTerminal,
} from "../support/command-line.ts";
import { untilNoProcessOf } from "../support/processes.ts";
import { makeUsedStateDir } from "../support/program-environment.ts";
import { startService } from "../support/service-process.ts";

const redirectUri = "https://acme.example/callback";
const secret = "hunter2-hunter2";

let folder: Awaited<ReturnType<typeof makeUsedStateDir>>;
let env: Record<string, string>;
let clientId: string;

beforeAll(async () => {
  folder = await makeUsedStateDir();
  env = { STATE_DIR: folder.stateDir };
  ({ id: clientId } = await createClient(env, { redirectUri }));
});
afterEach(() => untilNoProcessOf(folder.stateDir));
afterAll(() => folder.remove());

const args = (...more: string[]): string[] => [...createConnectionArgs(clientId), ...more];

describe.skipIf(!hasTerminal)("on a terminal", () => {
  test("the command asks for missing values and does not show a secret", async () => {
    const session = rollcallOnTerminal(args(), env);
    await session.until("User name");
    session.type("user_good\r");
    await session.until("Password");
    session.type(`${secret}\r`);
    expect(await session.exited).toBe(0);
    expect(session.screen).toContain("user_good");
    expect(session.screen).toMatch(/code +rc_ac_dev_/);
    expect(session.screen).not.toContain(secret);
    expect(session.screen).not.toContain(secret.slice(0, 4));
  });

  test("to end a client is asked again, and only yes ends it", async () => {
    const { id } = await createClient(env, { name: "Leaver", redirectUri });
    const question = "End Leaver for good? Connections that end with it: 0.";
    const kept = rollcallOnTerminal(["client", "end", id], env);
    await kept.until(question);
    kept.type("\r");
    expect(await kept.exited).toBe(1);
    expect((await rollcall(["client", "show", id, "--json"], env)).json()).toMatchObject({
      state: "active",
    });
    const ended = rollcallOnTerminal(["client", "end", id], env);
    await ended.until(question);
    ended.type("y\r");
    expect(await ended.exited).toBe(0);
    expect((await rollcall(["client", "show", id, "--json"], env)).json()).toMatchObject({
      state: "ending",
    });
  });

  test("the command asks for a second factor with the provider's prompt", async () => {
    const session = rollcallOnTerminal(args("--field", "username=user_mfa", "password=x"), env);
    await session.until("Six-digit code");
    session.type("123456\r");
    expect(await session.exited).toBe(0);
    expect(session.screen).toMatch(/code +rc_ac_dev_/);
  });

  test("with --json standard output has only the JSON", async () => {
    const session = rollcallOnTerminal(args("--json", "--field", "username=user_good"), env);
    await session.until("Password");
    session.type(`${secret}\r`);
    expect(await session.exited).toBe(0);
    expect(session.screen).toMatch(/"code": "rc_ac_dev_/);
  });

  test("the command says where the key is before it asks for it, and what to do with it later", async () => {
    const create = createConnectionArgs(clientId, {
      provider: "bamboohr",
      fields: ["companyDomain=lindgren"],
    });
    const session = rollcallOnTerminal(create, env);
    await session.until("API key [input is masked]");
    session.type("\u0003");
    expect(await session.exited).not.toBe(0);
    const lines = session.screen.split(/\r?\n/);
    const at = (part: string): number => lines.findIndex((line) => line.startsWith(part));
    const order = [
      "Where do I find the API key?",
      "  2. Click “Add New Key”.",
      "Rights",
      "To end it",
    ];
    const places = [...order.map(at), lines.findLastIndex((line) => line.includes("API key"))];
    expect(places).toEqual(places.toSorted((a, b) => a - b));
    expect(places).not.toContain(-1);
    expect(Math.max(...lines.slice(0, places[4]).map(({ length }) => length))).toBeLessThan(101);
  });

  test("Ctrl-C is a failure and leaves no process", async () => {
    const session = rollcallOnTerminal(args("--field", "username=user_good"), env);
    await session.until("Password");
    session.type("\u0003");
    expect(await session.exited).not.toBe(0);
    await untilNoProcessOf(folder.stateDir);
  });

  test("a service that starts while a command waits for input keeps running after it", async () => {
    const session = rollcallOnTerminal(args("--field", "username=user_good"), env);
    await session.until("Password");
    const service = await (await startService(env)).untilStarted();
    session.type(`${secret}\r`);
    expect(await session.exited).toBe(0);
    const { base_url: baseUrl } = JSON.parse(
      await (await import("node:fs/promises")).readFile(`${folder.stateDir}/demo.json`, "utf8"),
    ) as { base_url: string };
    expect(baseUrl).toBe(service.baseUrl);
    await expect
      .poll(async () => (await service.http.get("/readyz")).status, {
        interval: 200,
      })
      .toBe(200);
    const [, code = ""] = /code +(rc_ac_dev_\S+)/.exec(session.screen) ?? [];
    const listed = await rollcall(["client", "show", clientId, "--secrets", "--json"], env);
    const { client_secret: secrets } = listed.json<{ client_secret: string[] }>();
    const reply = await service.http.post("/2023-03-01/management/token", {
      json: {
        client_id: clientId,
        client_secret: secrets[0],
        grant_type: "authorization_code",
        code,
        redirect_uri: redirectUri,
      },
    });
    expect(reply.status).toBe(201);
    expect(await service.stop()).toEqual({ code: 0, signal: null });
  });
});
