import { once } from "node:events";
import { existsSync, readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { Client } from "pg";
import { describe, expect, inject, test } from "vitest";
import { findRunningPostgres } from "../../src/platform/embedded/index.ts";
import { createTestDatabase } from "../support/database.ts";
import { FlakyProxy } from "../support/flaky-proxy.ts";
import { testEnvironment } from "../support/harness.ts";
import { processesOf, untilNoProcessOf } from "../support/processes.ts";
import { makeStateDir, makeUsedStateDir } from "../support/program-environment.ts";
import { openSocket } from "../support/raw-http.ts";
import { rollcall } from "../support/command-line.ts";
import {
  spawnService,
  startService,
  type Exit,
  type ServiceProcess,
} from "../support/service-process.ts";
import { untilTrue } from "../support/until-true.ts";

const clean: Exit = { code: 0, signal: null };
/** What process managers give a program before they kill it; a worker has ten seconds of it for what runs. */
const stopLimitMs = 25_000;

/** Done when the test has ended, the last one first. */
type Cleanup = (cleanup: () => Promise<void>) => void;

async function startLocal(
  cleanup: Cleanup,
): Promise<{ service: ServiceProcess; stateDir: string; token: string }> {
  const { stateDir, remove } = await makeUsedStateDir();
  cleanup(remove);
  const service = await startService({ STATE_DIR: stateDir });
  cleanup(() => end(service, stateDir));
  await service.untilStarted();
  const { sandbox_token: token } = JSON.parse(
    readFileSync(join(stateDir, "demo.json"), "utf8"),
  ) as { sandbox_token: string };
  return { service, stateDir, token };
}

/** Whatever state a test left it in. Its Postgres ends by itself when it is gone. */
async function end(service: ServiceProcess, stateDir?: string): Promise<void> {
  service.kill("SIGKILL");
  await service.exited;
  if (stateDir) await untilNoProcessOf(stateDir);
}

async function stopsWithin(
  service: ServiceProcess,
  limitMs: number,
): Promise<Exit | "still running"> {
  const limit = new AbortController();
  const late = delay(limitMs, "still running" as const, { signal: limit.signal });
  late.catch(() => undefined);
  const exit = await Promise.race([service.exited, late]);
  limit.abort();
  return exit;
}

describe.each(["SIGTERM", "SIGINT", "SIGHUP"] as const)("%s", (signal) => {
  test.concurrent(
    "what is being answered is answered to its end, and then the program ends with 0 and leaves nothing",
    async ({ onTestFinished }) => {
      const { service, stateDir, token } = await startLocal(onTestFinished);
      const held = service.http.get("/2023-03-01/xhr/employees", {
        bearer: token,
        headers: { prefer: "wait=5" },
      });
      await untilFetchRuns(stateDir);
      service.kill(signal);
      const reply = await held;
      expect([200, 202]).toContain(reply.status);
      expect(await stopsWithin(service, stopLimitMs)).toEqual(clean);
      await untilNoProcessOf(stateDir);
    },
  );
});

describe("SIGINT that comes twice at once, as npm passes it on", () => {
  test.concurrent("is one: open requests get their answers", async ({ onTestFinished }) => {
    const { service, stateDir, token } = await startLocal(onTestFinished);
    const held = service.http.get("/2023-03-01/xhr/employees", {
      bearer: token,
      headers: { prefer: "wait=5" },
    });
    await untilFetchRuns(stateDir);
    service.kill("SIGINT");
    await delay(100);
    service.kill("SIGINT");
    expect([200, 202]).toContain((await held).status);
    expect(await stopsWithin(service, stopLimitMs)).toEqual(clean);
    await untilNoProcessOf(stateDir);
  });
});

describe("SIGTERM", () => {
  test.concurrent(
    "it is heard as soon as the program says that it is ready",
    async ({ onTestFinished }) => {
      const { stateDir, remove } = await makeUsedStateDir();
      onTestFinished(remove);
      const service = await startService({ STATE_DIR: stateDir });
      onTestFinished(() => end(service, stateDir));
      service.kill("SIGTERM");
      expect(await stopsWithin(service, stopLimitMs)).toEqual(clean);
      await untilNoProcessOf(stateDir);
    },
  );

  test.concurrent(
    "connections on which nothing moves do not hold it up: idle, silent, half-way in headers, half-way in a body",
    async ({ onTestFinished }) => {
      const { service, stateDir } = await startLocal(onTestFinished);
      const idle = "GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n";
      const halfBody =
        "POST /2023-03-01/management/token HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 50\r\n\r\n{";
      for (const bytes of [idle, "", "GET /healthz HTTP/1.1\r\nHost:", halfBody]) {
        const socket = await openSocket(service.baseUrl);
        socket.on("end", () => socket.end());
        socket.write(bytes);
        if (bytes === idle) await once(socket, "data");
      }
      service.kill("SIGTERM");
      expect(await stopsWithin(service, stopLimitMs)).toEqual(clean);
      await untilNoProcessOf(stateDir);
    },
  );

  test.concurrent(
    "the first waits for a running fetch, the second ends at once, and nothing is left",
    async ({ onTestFinished }) => {
      const { service, stateDir } = await startLocal(onTestFinished);
      const slow = await connectSlow(service, stateDir);
      expect((await service.http.get("/2023-03-01/xhr/company", { bearer: slow })).status).toBe(
        202,
      );
      await untilFetchRuns(stateDir);
      service.kill("SIGTERM");
      await delay(500);
      expect(service.isRunning).toBe(true);
      service.kill("SIGTERM");
      // A stop that waited for the fetch to its end would be clean.
      expect(await stopsWithin(service, stopLimitMs)).toEqual({ code: 1, signal: null });
      await untilNoProcessOf(stateDir);
    },
  );

  test.concurrent.for<[string, (stateDir: string) => boolean]>([
    [
      "while the cluster is made",
      (stateDir) => readdirSync(stateDir).some((name) => name.startsWith("init.")),
    ],
    [
      "while Postgres starts",
      (stateDir) => existsSync(join(stateDir, "cluster")) && processesOf(stateDir).length > 1,
    ],
  ])(
    "a start that is ended %s leaves nothing, and the next one serves",
    async ([, isReached], { onTestFinished }) => {
      const { stateDir, remove } = await makeStateDir();
      onTestFinished(remove);
      const caught = await spawnService({ STATE_DIR: stateDir });
      onTestFinished(() => end(caught, stateDir));
      while (!isReached(stateDir)) await delay(2);
      caught.kill("SIGTERM");
      expect(await stopsWithin(caught, stopLimitMs)).not.toBe("still running");
      await untilNoProcessOf(stateDir);
      const next = await (await startService({ STATE_DIR: stateDir })).untilStarted();
      expect(await next.stop()).toEqual(clean);
    },
  );
});

describe("SIGTERM while Postgres is away", () => {
  test.concurrent.for(["gone", "hung"] as const)(
    "%s: it ends within a bound all the same",
    async (how, { onTestFinished }) => {
      const database = await createTestDatabase();
      onTestFinished(() => database.drop());
      const proxy = await FlakyProxy.before(inject("postgresUrl"));
      onTestFinished(() => proxy.close());
      const service = await startService({
        ...testEnvironment(database.url),
        DATABASE_URL: proxy.through(database.url),
      });
      onTestFinished(() => end(service));
      await service.untilStarted();
      if (how === "gone") await proxy.cut();
      else proxy.pause();
      service.kill("SIGTERM");
      expect(await stopsWithin(service, stopLimitMs)).not.toBe("still running");
    },
  );
});

/** Waits until a worker has taken a fetch. */
async function untilFetchRuns(stateDir: string): Promise<void> {
  const client = new Client({ connectionString: findRunningPostgres(stateDir) });
  await client.connect();
  try {
    await untilTrue(
      "a worker runs the fetch",
      async () => (await client.query("select 1 from reads where run > 0")).rowCount === 1,
    );
  } finally {
    await client.end();
  }
}

async function connectSlow(service: ServiceProcess, stateDir: string): Promise<string> {
  const { client_id, client_secret, redirect_uri } = JSON.parse(
    readFileSync(join(stateDir, "demo.json"), "utf8"),
  ) as Record<string, string>;
  const made = await rollcall(
    [
      "connection",
      "create",
      "--json",
      "--client",
      client_id ?? "",
      "--provider",
      "sandbox",
      "--field",
      "username=user_slow",
      "--field",
      "password=x",
    ],
    { STATE_DIR: stateDir },
  );
  const { code } = made.json<{ code: string }>();
  const reply = await service.http.post("/2023-03-01/management/token", {
    json: { client_id, client_secret, redirect_uri, code, grant_type: "authorization_code" },
  });
  return (reply.body as { access_token: string }).access_token;
}
