import { execFile } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { mkdir, mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { describeProvider } from "../../src/conformance/index.ts";
import type { FakeSystem, ProviderPackage } from "../../src/providers/kit.ts";
import { recordings, replay, ReplayServer } from "../../src/recordings/index.ts";
import { projectDir } from "../support/program-environment.ts";

const run = promisify(execFile);
const program = join(projectDir, "packages/create-rollcall-provider/index.js");
const manifest = readFileSync(join(projectDir, "packages/provider/package.json"), "utf8");
const { version } = JSON.parse(manifest) as { version: string };
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "rollcall-create-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function create(...args: readonly string[]) {
  return await run(process.execPath, [program, ...args], { cwd: folder }).then(
    (said) => ({ code: 0, ...said }),
    (error: { code: number; stdout: string; stderr: string }) => error,
  );
}

async function createBy(signIn: string) {
  const made = join(folder, `rollcall-by-${signIn}`);
  if (!existsSync(made)) await create(`by-${signIn}`, "--sign-in", signIn);
  const loaded = (await import(join(made, "index.js"))) as { default: ProviderPackage };
  return { made, provider: loaded.default, recording: recordings.read(join(made, "recording")) };
}

describe("npm create rollcall-provider", () => {
  test("writes a package that has the name of the system, and says what to do next", async () => {
    const { code, stdout } = await create("big-pay");
    expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringContaining("npm run try") });
    const made = join(folder, "rollcall-big-pay");
    const paths = (await readdir(made, { recursive: true })).toSorted();
    expect(paths).toEqual(
      expect.arrayContaining([".github/workflows/check.yml", ".gitignore", "README.md"]),
    );
    const bench = `vendor/rollcall-provider-${version}.tgz`;
    const read = async (path: string) => await readFile(join(made, path), "utf8");
    expect(await read(".gitignore")).toMatch(/^\.rollcall\/$[\s\S]*^\/recordings\/$/m);
    expect(await read("index.js")).toMatch(/name: "big-pay",\n\s+title: "Big Pay",/);
    expect(JSON.parse(await read("package.json"))).toMatchObject({
      name: "rollcall-big-pay",
      devDependencies: { "@rollcall/provider": `file:${bench}` },
    });
    expect(JSON.parse(await read("recording/recording.json"))).toMatchObject({
      provider: "big-pay",
    });
    const texts = [
      "index.js",
      "sign-in.js",
      "fields.js",
      "system.js",
      "package.json",
      "README.md",
    ].map(read);
    expect((await Promise.all(texts)).join("\n")).not.toMatch(/acme|BENCH_PACKAGE/i);
  });

  test("writes a package that brings what checks it, and needs no file of this machine", async () => {
    const { made } = await createBy("password");
    const entries = await readdir(made, { recursive: true, withFileTypes: true });
    const files = entries.filter((entry) => entry.isFile());
    const packed = files.filter(({ name }) => name.endsWith(".tgz"));
    expect(packed).toHaveLength(1);
    for (const { parentPath, name } of files)
      expect(await readFile(join(parentPath, name), "latin1")).not.toContain(projectDir);
    const { stdout } = await run("tar", ["tzf", join(made, "vendor", packed[0]!.name)]);
    expect(stdout.split("\n")).toEqual(
      expect.arrayContaining([
        "package/bin.js",
        "package/conformance.js",
        "package/dist/cli/provider-program.js",
        "package/provider.d.ts",
      ]),
    );
    expect(stdout).not.toContain("build.ts");
  });

  // That with a key is checked as a stranger does, in test/providers/stranger.e2e.test.ts.
  test.each(["password", "oauth2"])(
    "with a sign-in by %s makes a package that conforms beside its recording",
    async (signIn) => {
      const { provider, recording } = await createBy(signIn);
      const missing: string[] = [];
      const conformance = replay.conformanceOf(recording, {
        onMissing: (request) => void missing.push(request),
      });
      const checks = describeProvider(provider, conformance).filter(
        ({ leftOut }) => leftOut === undefined,
      );
      for (const check of checks) await check.run();
      const names = checks.map(({ name }) => name);
      expect(names).toEqual(expect.arrayContaining(["sign-in", "records", "filled-fields"]));
      expect(names.length).toBeGreaterThan(15);
      expect(missing).toEqual([]);
    },
  );

  test("with a sign-in by password makes a new session in place of one that nobody used", async () => {
    const { provider, recording } = await createBy("password");
    const logins: unknown[] = [];
    let isEnded = false;
    const start = async (): Promise<FakeSystem> => {
      const server = new ReplayServer(recording, {
        onMissing: () => undefined,
        twist: ({ path, sent }) => {
          if (path === "/login") logins.push(sent);
          else if (isEnded) {
            isEnded = false;
            return { status: 401 };
          }
          return undefined;
        },
      });
      await server.start();
      return {
        formValues: recording.formValues,
        baseUrl: server.baseUrl,
        afterSignIn: () => void (isEnded = true),
        close: async () => await server.close(),
      };
    };
    const checks = describeProvider(provider, { provider: recording.provider, start });
    await checks.find(({ name }) => name === "expired-session")?.run();
    expect(logins).toEqual([logins[0], logins[0]]);
  });

  test("changes nothing in a folder that is there", async () => {
    await mkdir(join(folder, "rollcall-taken"));
    expect(await create("taken")).toMatchObject({
      code: 2,
      stdout: "",
      stderr: expect.stringContaining("rollcall-taken is there already") as string,
    });
    expect(await readdir(join(folder, "rollcall-taken"))).toEqual([]);
  });

  test.each(["Acme", "../acme", "a", "1st", "acme.pay", ""])(
    "refuses the name %j, which no link could have",
    async (name) => {
      const before = await readdir(folder);
      const { code, stderr } = await create(name);
      expect({ code, stderr }).toEqual({
        code: 2,
        stderr: expect.stringMatching(/is no name of a provider[\s\S]*small letters/) as string,
      });
      expect(await readdir(folder)).toEqual(before);
    },
  );

  test("refuses a way to sign in that it does not know", async () => {
    expect(await create("acme", "--sign-in=fax")).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/"fax" is no way to sign in[\s\S]*password/) as string,
    });
  });

  test("says how it is called, when it is called otherwise", async () => {
    expect(await create()).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/^Usage: npm create rollcall-provider NAME/) as string,
    });
    expect(await create("acme", "--sing-in=key")).toMatchObject({ code: 2 });
    expect(await create("--help")).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^Usage:/) as string,
    });
  });
});
