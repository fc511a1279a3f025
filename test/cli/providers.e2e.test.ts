import { spawn } from "node:child_process";
import { once } from "node:events";
import { cp, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { rollcall } from "../support/command-line.ts";
import { programEnvironment, projectDir } from "../support/program-environment.ts";
import { staffdirDir } from "../support/staffdir.ts";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "rollcall-checked-"));
  // What a package imports is in its own folder.
  await writeFile(join(folder, "package.json"), '{ "type": "module" }');
  await cp(staffdirDir, join(folder, "staffdir"), { recursive: true });
  await writeFile(join(folder, "silent.js"), 'export { default } from "./staffdir/index.js";');
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function check(name: string, ...options: string[]) {
  return await rollcall(["provider", "check", name, ...options], {}, { cwd: folder });
}

describe("provider check", () => {
  test("prints a table of the sandbox's checks, with the reason of each that is left out", async () => {
    const { code, stdout, stderr } = await check("sandbox");
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toMatch(/^provider +check +result +note\n/);
    expect(stdout).toMatch(/^sandbox xhr +sign-in +passed +a valid sign-in gives a session/m);
    expect(stdout).toMatch(/^sandbox official +cut-off +left out +the sandbox has no network/m);
    expect(stdout).toMatch(/^sandbox xhr +resume +left out +no page of it has a cursor/m);
    expect(stdout).not.toContain("failed");
  });

  test("says what is wrong with a module and exits with 1", async () => {
    const index = JSON.stringify("./staffdir/index.js");
    await writeFile(
      join(folder, "broken.js"),
      `import make, { conformance } from ${index};
       export { conformance };
       export default (kit) => ({ ...make(kit), limits: { quotas: { requests: {}, exports: { perDay: 1 } } } });`,
    );
    const { code, stderr, json } = await check("./broken.js", "--json");
    expect({ code, stderr: JSON.parse(stderr) as unknown }).toEqual({
      code: 1,
      stderr: { error: "not_conforming", message: "1 of 50 checks failed" },
    });
    const rows = json<{ check: string; result: string; note: string }[]>();
    expect(rows.filter(({ result }) => result === "failed")).toEqual([
      {
        provider: "staffdir xhr",
        check: "quotas",
        result: "failed",
        note: "every request of a read names the quotas that it draws on: no request draws on exports",
      },
    ]);
  });

  test("shows a person each result as it comes", async () => {
    const index = JSON.stringify("./staffdir/index.js");
    await writeFile(
      join(folder, "stuck.js"),
      `import make, { conformance as whole } from ${index};
       const start = (scenario) => scenario === "wrong-password" ? new Promise(() => {}) : whole.start(scenario);
       export const conformance = { ...whole, start };
       export default make;`,
    );
    const args = ["provider", "check", "./stuck.js"];
    const child = spawn(join(projectDir, "bin/rollcall"), args, {
      cwd: folder,
      env: programEnvironment({}),
      stdio: ["ignore", "pipe", "inherit"],
    });
    let stdout = "";
    for await (const chunk of child.stdout) if ((stdout += String(chunk)).includes("passed")) break;
    expect(stdout).toMatch(
      /^provider +check +result +note\nstaffdir xhr +sign-in +passed +a valid/,
    );
    expect(stdout).not.toContain("wrong-password");
    child.kill();
    await once(child, "close");
  });

  test("ends at once with the refusal of a definition, whatever the package leaves open", async () => {
    const index = JSON.stringify("./staffdir/index.js");
    await writeFile(
      join(folder, "future.js"),
      `import { createServer } from "node:http";
       import make, { conformance } from ${index};
       createServer().listen(0, "127.0.0.1");
       export { conformance };
       export default (kit) => ({ ...make(kit), apiVersion: 2 });`,
    );
    const { code, stdout, stderr } = await check("./future.js");
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(stderr).toBe("rollcall: provider staffdir: apiVersion is 2 and has to be 1\n");
  });

  test("takes the folder of a package", async () => {
    const { code, stdout } = await check(staffdirDir);
    expect({ code, rows: stdout.split("\n").length > 20 }).toEqual({ code: 0, rows: true });
  });

  test("tells what the service refuses to the package, which swallows it", async () => {
    await writeFile(
      join(folder, "prying.js"),
      `import { readFileSync } from "node:fs";
       import make, { conformance } from "./staffdir/index.js";
       try { readFileSync("/proc/self/environ"); } catch {}
       export { conformance };
       export default make;`,
    );
    const { code, stderr } = await check("./prying.js");
    expect(code).toBe(0);
    expect(stderr).toBe(
      `rollcall: the package was refused reading a file (${join(folder, "prying.js")}:3); the service refuses it too\n`,
    );
  });

  test("tells file and line of what does not load", async () => {
    await writeFile(join(folder, "lib.js"), "export const one = 1;\n\nconst = 2;\n");
    await writeFile(join(folder, "syntax.js"), 'import "./lib.js";\n');
    await writeFile(join(folder, "throws.js"), "\nexport default () => undefined.modes;\n");
    const syntax = await check("./syntax.js");
    expect(syntax.stderr).toContain(`Unexpected token '=' (${join(folder, "lib.js")}:3)\n`);
    const throws = await check("./throws.js");
    expect(throws.stderr).toContain(`(reading 'modes') (${join(folder, "throws.js")}:2)\n`);
  });

  test.each([
    [
      "./silent.js",
      /nothing says how to check \.\/silent\.js: it exports no conformance description/,
    ],
    [
      "@acme/missing",
      /^rollcall: the provider package @acme\/missing is not installed: run [^\n]+\n$/,
    ],
    [
      "./missing.js",
      /the provider package \.\/missing\.js cannot be loaded: there is no file \/\S+\/missing\.js\n$/,
    ],
  ])("of %s says what is missing", async (name, said) => {
    const { code, stdout, stderr } = await check(name);
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(stderr).toMatch(said);
  });
});
