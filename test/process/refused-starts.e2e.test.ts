import { spawnSync } from "node:child_process";
import { randomBytes, randomUUID } from "node:crypto";
import { once } from "node:events";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { cp, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer, type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { readConfig } from "../../src/config/index.ts";
import { mintCredential } from "../../src/platform/crypto/index.ts";
import { explainRefusal } from "../../src/start/explain-start.ts";
import { untilNoProcessOf } from "../support/processes.ts";
import {
  makeStateDir,
  makeUsedStateDir,
  programEnvironment,
  projectDir,
} from "../support/program-environment.ts";
import { spawnService, startService } from "../support/service-process.ts";

/** What a start says that ends by itself, and leaves nothing running. */
async function refuse(env: Record<string, string>): Promise<string> {
  const { stateDir, remove } = await makeStateDir();
  const service = await spawnService({ STATE_DIR: stateDir, ...env });
  try {
    expect(await service.exited).toEqual({ code: 1, signal: null });
    await untilNoProcessOf(env["STATE_DIR"] ?? stateDir);
    expect(service.output).toMatch(/^Rollcall could not start\. [A-Z]/m);
    expect(service.output).not.toMatch(/^ +at |node:internal/m);
    return service.output;
  } finally {
    await service.stop();
    await remove();
  }
}

/** What a start would say of its variables. They are read before anything else is done. */
function explainVariables(env: Record<string, string>): string {
  try {
    readConfig(programEnvironment(env));
  } catch (error) {
    return explainRefusal(error) ?? "";
  }
  throw new Error("the variables are valid");
}

describe("a start that is refused ends with 1 and says why", () => {
  const key = randomBytes(32).toString("base64");
  const hosted = {
    DATABASE_URL: "postgres://u@127.0.0.1:1/none",
    MASTER_KEYS: `k:${key}`,
    PUBLIC_URL: "https://api.example.com",
    TRUST_PROXY: "none",
  };

  test("hosted by DATABASE_URL: the missing keys and the missing address at once", () => {
    const output = explainVariables({ DATABASE_URL: hosted.DATABASE_URL });
    expect(output).toMatch(/MASTER_KEYS: required, because DATABASE_URL is set/);
    expect(output).toMatch(/PUBLIC_URL: required/);
    expect(output).toMatch(/TRUST_PROXY: required/);
  });

  test.each([
    ["DATABASE_URL", { DATABASE_URL: hosted.DATABASE_URL }, "DATABASE_URL is set"],
    ["HOST", { HOST: "0.0.0.0" }, "HOST is not a loopback address"],
    [
      "PUBLIC_URL",
      { PUBLIC_URL: "https://api.example.com" },
      "PUBLIC_URL is not on a loopback address",
    ],
    ["ENVIRONMENT", { ENVIRONMENT: "prod" }, "ENVIRONMENT is prod"],
  ])("what %s alone makes neither local nor hosted", (_name, env, why) => {
    expect(explainVariables(env)).toContain(`TRUST_PROXY: required, because ${why}`);
  });

  test("hosted by an address that is not loopback, also without DATABASE_URL", () => {
    const output = explainVariables({ HOST: "0.0.0.0" });
    expect(output).toMatch(/MASTER_KEYS: required, because HOST is not a loopback address/);
    expect(output).toMatch(/PUBLIC_URL: required/);
  });

  test("what is missing is named also when something else is wrong", () => {
    const output = explainVariables({ DATABASE_URL: hosted.DATABASE_URL, LOG_LEVEL: "loud" });
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
    OUTBOUND_ALLOW_WEBHOOKS: "10.0.0.0/33:443",
    OUTBOUND_ADDRESSES: "192.0.2.1,192.0.2.2,192.0.2.3,192.0.2.4",
    WORKER_CONCURRENCY: "0",
    DATABASE_POOL_MAX: "none",
    DATABASE_WAIT_SECONDS: "-1",
    CACHE_MAX_BYTES: "0",
    LOG_LEVEL: "loud",
    METRICS_PORT: "-1",
  };

  test.concurrent("every bad value is named at once, and none is repeated", async () => {
    const output = await refuse(badValues);
    for (const name of Object.keys(badValues)) expect(output).toContain(`${name}: `);
    expect(output).not.toContain("hunter2");
  });

  test.each([
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
    [
      "an address without TLS",
      { PUBLIC_URL: "http://api.example.com" },
      "PUBLIC_URL: begins with https://, because DATABASE_URL is set",
    ],
    [
      "a loopback address without TLS in prod",
      { PUBLIC_URL: "http://127.0.0.1:3000", ENVIRONMENT: "prod" },
      "PUBLIC_URL: begins with https://, because DATABASE_URL is set",
    ],
    ["two keys of one name", { MASTER_KEYS: `k:${key},k:${key}` }, "MASTER_KEYS: "],
  ])("%s", (_name, env, named) => {
    expect(explainVariables({ ...hosted, ...env })).toContain(named);
  });

  test.concurrent.each([
    ["a package of providers that is not there", { PROVIDERS: `@acme/${randomUUID()}` }, "@acme/"],
    [
      "a database that does not answer in time",
      { DATABASE_WAIT_SECONDS: "1" },
      "The database on 127.0.0.1:1 does not answer (ECONNREFUSED). Start it, or correct DATABASE_URL.",
    ],
    [
      "a host of the database that does not exist",
      { DATABASE_URL: "postgres://u@none.invalid/x", DATABASE_WAIT_SECONDS: "0" },
      "or correct DATABASE_URL.",
    ],
  ])("%s", async (_name, env, named) => {
    expect(await refuse({ ...hosted, ...env })).toContain(named);
  });

  test.concurrent.each(["PORT", "METRICS_PORT"])(
    "a %s that is in use is named, and the embedded Postgres is stopped",
    async (name) => {
      const other = createServer().listen(0, "127.0.0.1");
      await once(other, "listening");
      const { port } = other.address() as AddressInfo;
      const { stateDir, remove } = await makeStateDir();
      const output = await refuse({ [name]: String(port), STATE_DIR: stateDir });
      expect(output).toContain(`Another program listens on 127.0.0.1:${port} (EADDRINUSE).`);
      expect(output).toContain(name);
      expect(existsSync(join(stateDir, "demo.json"))).toBe(false);
      await remove();
      other.close();
    },
  );

  test.concurrent("a port that is in use leaves the demo.json of who has it as it is", async () => {
    const { stateDir, remove } = await makeUsedStateDir();
    const first = await (await startService({ STATE_DIR: stateDir })).untilStarted();
    const demo = readFileSync(join(stateDir, "demo.json"), "utf8");
    const second = await spawnService({
      STATE_DIR: stateDir,
      PORT: String(first.port),
      PUBLIC_URL: "http://127.0.0.1:1",
    });
    expect(await second.exited).toEqual({ code: 1, signal: null });
    expect(readFileSync(join(stateDir, "demo.json"), "utf8")).toBe(demo);
    await first.stop();
    await remove();
  });

  test.concurrent("a state folder that cannot be made is named", async () => {
    const { stateDir, remove } = await makeStateDir();
    const file = join(stateDir, "file");
    writeFileSync(file, "");
    const service = await spawnService({ STATE_DIR: join(file, "state") });
    expect(await service.exited).toEqual({ code: 1, signal: null });
    expect(service.output).toMatch(/^Rollcall could not start\. .*file.*STATE_DIR/m);
    expect(service.output).not.toMatch(/^ +at /m);
    await remove();
  });

  test.concurrent(
    "a demo.json that cannot be read is named and left as it is, and what stands in it is not shown",
    async () => {
      const { stateDir, remove } = await makeUsedStateDir();
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

/** A copy of what `npm start` begins with, on a machine that has the programs of its folder `machine` first. */
async function startCopy(
  make: (folder: string) => Promise<void>,
): Promise<{ code: number | null; errors: string }> {
  const folder = await mkdtemp(join(tmpdir(), "rollcall-copy-"));
  await cp(join(projectDir, "bin"), join(folder, "bin"), { recursive: true });
  await make(folder);
  const { status, stderr } = spawnSync(join(folder, "bin/start"), {
    encoding: "utf8",
    env: { PATH: `${join(folder, "machine")}:/usr/bin:/bin` },
  });
  await rm(folder, { recursive: true });
  return { code: status, errors: stderr };
}

/** Installed packages without the Node that is one of them, and a machine with a Node of this version. */
async function makeMachine(folder: string, version: string): Promise<void> {
  for (const name of ["node_modules/fastify", "machine", "src"])
    await mkdir(join(folder, name), { recursive: true });
  await writeFile(join(folder, "node_modules/fastify/package.json"), "{}");
  await writeFile(join(folder, "src/main.ts"), "");
  const versions = join(folder, "machine/versions.cjs");
  await writeFile(
    versions,
    `Object.defineProperty(process, "versions", { value: { node: "${version}" } });`,
  );
  const script = `#!/bin/sh
[ "$1" != --version ] || { echo v${version}; exit; }
exec "${process.execPath}" --require "${versions}" "$@"
`;
  await writeFile(join(folder, "machine/node"), script, { mode: 0o755 });
}

describe("npm start says in a sentence what is missing", () => {
  test("the packages", async () => {
    const { code, errors } = await startCopy(async () => {});
    expect(code).toBe(1);
    expect(errors).toMatch(/^Rollcall could not start\. Its packages.*npm ci.*\n$/);
  });

  test.each(["20.20.2", "22.18.0", "24.19.0", "25.9.0", "26.4.0"])(
    "a newer Node than %s",
    async (version) => {
      const { code, errors } = await startCopy((folder) => makeMachine(folder, version));
      expect(code).toBe(1);
      expect(errors.replace(version, "…")).toMatch(
        /^Rollcall could not start\. It needs Node 24\.20 or 26\.5, or a newer one, and this is v…\..*\n$/,
      );
    },
  );

  test.each(["24.20.0", "26.5.0", "28.0.0"])("and nothing of Node %s", async (version) => {
    expect(await startCopy((folder) => makeMachine(folder, version))).toEqual({
      code: 0,
      errors: "",
    });
  });
});

test("npm start keeps its compiled modules, which halves what a start takes of the processor", async () => {
  const { errors } = await startCopy(async (folder) => {
    await makeMachine(folder, process.versions.node);
    const main = `process.stderr.write(require("node:module").getCompileCacheDir() ?? "nowhere");`;
    await writeFile(join(folder, "src/main.ts"), main);
  });
  expect(errors).toMatch(/\/rollcall-copy-\w+\/node_modules\/\.cache\/rollcall\/[^/]+$/);
});
