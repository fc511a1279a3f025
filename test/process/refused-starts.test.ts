import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { existsSync, writeFileSync } from "node:fs";
import { createServer, type AddressInfo } from "node:net";
import { join } from "node:path";
import { describe, expect, test, vi } from "vitest";
import { mintCredential } from "../../src/platform/crypto/index.ts";
import { untilNoProcessOf } from "../support/processes.ts";
import { makeStateDir } from "../support/program-environment.ts";
import { spawnService } from "../support/service-process.ts";

vi.setConfig({ testTimeout: 120_000 });

/** What a start says that ends by itself, and leaves nothing running. */
async function refuse(env: Record<string, string>): Promise<string> {
  const { stateDir, remove } = await makeStateDir();
  const service = await spawnService({ STATE_DIR: stateDir, ...env });
  try {
    expect(await service.exited).toEqual({ code: 1, signal: null });
    await untilNoProcessOf(stateDir);
    return service.output;
  } finally {
    await service.stop();
    await remove();
  }
}

describe("a start that is refused ends with 1 and says why", () => {
  const key = Buffer.alloc(32, 7).toString("base64");
  const hosted = {
    DATABASE_URL: "postgres://u@127.0.0.1:1/none",
    MASTER_KEYS: `k:${key}`,
    PUBLIC_URL: "https://api.example.com",
  };

  test.concurrent(
    "hosted by DATABASE_URL: the missing keys and the missing address at once",
    async () => {
      const output = await refuse({ DATABASE_URL: hosted.DATABASE_URL });
      expect(output).toMatch(/MASTER_KEYS: required, because DATABASE_URL is set/);
      expect(output).toMatch(/PUBLIC_URL: required/);
    },
  );

  test.concurrent(
    "hosted by an address that is not loopback, also without DATABASE_URL",
    async () => {
      const output = await refuse({ HOST: "0.0.0.0" });
      expect(output).toMatch(/MASTER_KEYS: required, because HOST is not a loopback address/);
      expect(output).toMatch(/PUBLIC_URL: required/);
    },
  );

  test.concurrent("what is missing is named also when something else is wrong", async () => {
    const output = await refuse({ DATABASE_URL: hosted.DATABASE_URL, LOG_LEVEL: "loud" });
    expect(output).toContain("LOG_LEVEL: ");
    expect(output).toContain("MASTER_KEYS: ");
    expect(output).toContain("PUBLIC_URL: ");
  });

  const badValues = {
    ENVIRONMENT: "staging",
    ROLE: "scheduler",
    PORT: "70000",
    PUBLIC_URL: "ftp://api.example.com",
    DATABASE_URL: "mysql://u:hunter2@db/x",
    REDIS_URL: "http://u:hunter2@redis",
    REDIS_PREFIX: "a:b",
    MASTER_KEYS: "k:hunter2",
    TRUST_PROXY: "true",
    RATE_LIMIT_OPEN_1M: "0",
    RATE_LIMIT_OPEN_5M: "-1",
    RATE_LIMIT_GATED_IP_1M: "many",
    RATE_LIMIT_GATED_CLIENT_5M: "1.5",
    SNAPSHOT_FRESH_SECONDS: "soon",
    SNAPSHOT_STALE_SECONDS: "0",
    OUTBOUND_ALLOW: "10.0.0.0/33",
    OUTBOUND_ADDRESSES: "192.0.2.1,192.0.2.2,192.0.2.3,192.0.2.4",
    WORKER_CONCURRENCY: "0",
    DATABASE_POOL_MAX: "none",
    CACHE_MAX_BYTES: "0",
    LOG_LEVEL: "loud",
    METRICS_PORT: "-1",
  };

  test.concurrent("every bad value is named at once, and none is repeated", async () => {
    const output = await refuse(badValues);
    for (const name of Object.keys(badValues)) expect(output).toContain(`${name}: `);
    expect(output).not.toContain("hunter2");
  });

  test.concurrent.each([
    ["an address with a path", { PUBLIC_URL: "https://api.example.com/rollcall" }, "PUBLIC_URL: "],
    [
      "a sandbox token of the other environment",
      { SANDBOX_ACCESS_TOKEN: mintCredential("at", "prod") },
      "SANDBOX_ACCESS_TOKEN: ",
    ],
    [
      "stale before fresh",
      { SNAPSHOT_FRESH_SECONDS: "100", SNAPSHOT_STALE_SECONDS: "99" },
      "SNAPSHOT_STALE_SECONDS: ",
    ],
    ["two keys of one name", { MASTER_KEYS: `k:${key},k:${key}` }, "MASTER_KEYS: "],
    ["a package of providers that is not there", { PROVIDERS: `@acme/${randomUUID()}` }, "@acme/"],
    ["a database that does not answer", {}, "ECONNREFUSED"],
  ])("%s", async (_name, env, named) => {
    expect(await refuse({ ...hosted, ...env })).toContain(named);
  });

  test.concurrent.each(["PORT", "METRICS_PORT"])(
    "a %s that is in use is named, and the embedded Postgres is stopped",
    async (name) => {
      const other = createServer().listen(0, "127.0.0.1");
      await once(other, "listening");
      const { port } = other.address() as AddressInfo;
      const output = await refuse({ [name]: String(port) });
      expect(output).toContain("EADDRINUSE");
      expect(output).toContain(String(port));
      other.close();
    },
  );

  test.concurrent(
    "a demo.json that cannot be read is named and left as it is, and what stands in it is not shown",
    async () => {
      const { stateDir, remove } = await makeStateDir();
      const path = join(stateDir, "demo.json");
      writeFileSync(path, '{"client_secret": "rc_cs_dev_hunter2');
      const service = await spawnService({ STATE_DIR: stateDir });
      expect(await service.exited).toEqual({ code: 1, signal: null });
      expect(service.output).toContain(path);
      expect(service.output).not.toContain("hunter2");
      expect(existsSync(path)).toBe(true);
      await untilNoProcessOf(stateDir);
      await remove();
    },
  );
});
