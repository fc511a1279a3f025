import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { request } from "undici";
import { describe, expect, test } from "vitest";
import { mintCredential } from "../../src/platform/crypto/index.ts";
import {
  createClient as registerClient,
  hasTerminal,
  onTerminal,
  rollcall,
} from "../support/command-line.ts";
import { untilNoProcessOf } from "../support/processes.ts";
import { makeStateDir, makeUsedStateDir } from "../support/program-environment.ts";
import { freePort } from "../support/redis-server.ts";
import { spawnService, startService } from "../support/service-process.ts";
import { untilTrue } from "../support/until-true.ts";

function readDemo(stateDir: string): Record<string, string> {
  return JSON.parse(readFileSync(join(stateDir, "demo.json"), "utf8")) as Record<string, string>;
}

const createClient = [
  "client",
  "create",
  "--name",
  "Kept",
  "--redirect-uri",
  "https://acme.example/callback",
  "--json",
];

describe("npm start", () => {
  test
    .skipIf(!hasTerminal)
    .concurrent(
      "shows a person at a terminal how to go on, and Ctrl-C ends all of it",
      async ({ onTestFinished }) => {
        const { stateDir, remove } = await makeStateDir();
        onTestFinished(remove);
        const port = await freePort();
        const session = onTerminal(["npm", "start"], { STATE_DIR: stateDir, PORT: String(port) });
        await session.until(/Authorization: Bearer rc_at_\S+'/);
        const demo = readDemo(stateDir);
        for (const name of [
          "base_url",
          "client_id",
          "client_secret",
          "redirect_uri",
          "sandbox_token",
        ])
          expect(session.screen).toContain(demo[name]);
        const [, url = ""] =
          /curl -i (\S+) \\\s+-H 'Authorization: Bearer /.exec(session.screen) ?? [];
        const { statusCode } = await request(url, {
          headers: { authorization: `Bearer ${demo["sandbox_token"]}` },
        });
        expect(statusCode).toBe(200);
        const [start = "", banner = ""] = session.screen.split(/^(?=Rollcall runs at)/m);
        expect(banner).toMatch(/^Rollcall runs at http:\/\/127\.0\.0\.1:\d+\/ /);
        expect(start).toMatch(/info +started/);
        expect(start).not.toContain('{"level"');
        expect(start.match(/migrations? applied/g)).toHaveLength(1);
        expect(start.trim().split("\n").length).toBeLessThan(14);
        expect(await rollcall(["demo"], { STATE_DIR: stateDir, PORT: String(port) })).toMatchObject(
          {
            code: 0,
            stdout: expect.stringContaining(banner.trim().split(/\r?\n/)[0] ?? ""),
          },
        );
        session.type("\u0003");
        await session.exited;
        await untilNoProcessOf(stateDir);
      },
    );

  test.concurrent(
    "after kill -9 the next start has what was there before",
    async ({ onTestFinished }) => {
      const { stateDir, remove } = await makeUsedStateDir();
      onTestFinished(remove);
      const first = await (await startService({ STATE_DIR: stateDir })).untilStarted();
      const { client_id: id, client_secret: secret } = (
        await rollcall(createClient, { STATE_DIR: stateDir })
      ).json<Record<string, string>>();
      const demo = readDemo(stateDir);
      first.kill("SIGKILL");
      await first.exited;
      const next = await startService({ STATE_DIR: stateDir });
      onTestFinished(async () => void (await next.stop()));
      expect(
        (await next.http.get("/2023-03-01/management/client", { basic: [id ?? "", secret ?? ""] }))
          .status,
      ).toBe(200);
      expect(
        (await next.http.get("/2023-03-01/xhr/identity", { bearer: demo["sandbox_token"] })).status,
      ).toBe(200);
      expect(readDemo(stateDir)).toEqual({ ...demo, base_url: next.baseUrl });
    },
  );
});

describe("HOST", () => {
  test.concurrent.for([
    ["localhost", "localhost"],
    ["127.0.0.2", "127.0.0.2"],
    ["::1", "[::1]"],
  ] as const)(
    "%s is local: it is served there, and demo.json names where",
    async ([host, inUrl], { onTestFinished }) => {
      const { stateDir, remove } = await makeUsedStateDir();
      onTestFinished(remove);
      const port = await freePort();
      const service = await spawnService({ STATE_DIR: stateDir, HOST: host, PORT: String(port) });
      onTestFinished(async () => void (await service.stop()));
      const baseUrl = `http://${inUrl}:${port}`;
      await untilTrue("it serves", () =>
        request(`${baseUrl}/readyz`).then(
          ({ statusCode }) => statusCode === 200,
          () => false,
        ),
      );
      await service.untilStarted();
      const named = await request(`${readDemo(stateDir)["base_url"]}/readyz`);
      expect(named.statusCode).toBe(200);
    },
  );
});

test.concurrent(
  "ENVIRONMENT=prod on a machine of one's own makes credentials of prod, and refuses those of dev",
  async ({ onTestFinished }) => {
    const { stateDir, remove } = await makeStateDir();
    onTestFinished(remove);
    const token = mintCredential("at", "prod");
    const env = {
      STATE_DIR: stateDir,
      ENVIRONMENT: "prod",
      MASTER_KEYS: `k1:${randomBytes(32).toString("base64")}`,
      PUBLIC_URL: "https://api.acme.example",
      TRUST_PROXY: "none",
      SANDBOX_ACCESS_TOKEN: token,
    };
    const service = await (await startService(env)).untilStarted();
    onTestFinished(async () => void (await service.stop()));
    expect((await registerClient(env)).secret).toMatch(/^rc_cs_prod_/);
    expect((await service.http.get("/2023-03-01/xhr/identity", { bearer: token })).status).toBe(
      200,
    );
    expect(
      (await service.http.get("/2023-03-01/xhr/identity", { bearer: mintCredential("at", "dev") }))
        .status,
    ).toBe(403);
  },
);
