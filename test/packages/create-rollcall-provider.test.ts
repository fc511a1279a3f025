import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { projectDir } from "../support/program-environment.ts";

const run = promisify(execFile);
const program = join(projectDir, "packages/create-rollcall-provider/index.js");
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

describe("npm create rollcall-provider", () => {
  test("writes a package that has the name of the system, and says what to do next", async () => {
    const { code, stdout } = await create("big-pay");
    expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringContaining("npm run try") });
    const made = join(folder, "rollcall-big-pay");
    const paths = (await readdir(made, { recursive: true })).toSorted();
    expect(paths).toEqual(
      expect.arrayContaining([".github/workflows/check.yml", ".gitignore", "README.md"]),
    );
    const read = async (path: string) => await readFile(join(made, path), "utf8");
    expect(await read(".gitignore")).toMatch(/^\.rollcall\/$[\s\S]*^\/recordings\/$/m);
    expect(await read("index.js")).toMatch(/name: "big-pay",\n\s+title: "Big Pay",/);
    expect(JSON.parse(await read("package.json"))).toMatchObject({
      name: "rollcall-big-pay",
      devDependencies: { "@rollcall/provider": `file:${join(projectDir, "packages/provider")}` },
    });
    expect(JSON.parse(await read("recording/recording.json"))).toMatchObject({
      provider: "big-pay",
    });
    const texts = ["index.js", "fields.js", "system.js", "package.json", "README.md"].map(read);
    expect((await Promise.all(texts)).join("\n")).not.toMatch(/acme|BENCH_PACKAGE/i);
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

  test("says how it is called, when it is called otherwise", async () => {
    expect(await create()).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/^Usage: npm create rollcall-provider NAME/) as string,
    });
    expect(await create("--help")).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^Usage:/) as string,
    });
  });
});
