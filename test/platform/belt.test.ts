import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { listReadable, runBelted } from "../../src/platform/belt/index.ts";
import { openPackage } from "../../src/providers/locate-package.ts";
import { projectDir } from "../support/program-environment.ts";

let folder: string;
beforeAll(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), "rollcall-readable-")));
  for (const path of [
    "acme/package.json",
    "acme/index.js",
    "acme/lib/map.js",
    "acme/.env",
    "acme/.rollcall/master-keys.json",
    "acme/data/countries.json",
    "acme/data/state/master-keys.json",
    "acme/secrets/key",
    "alone/provider.js",
    "alone/map.mjs",
    "alone/credentials.json",
    "alone/notes/salaries.js",
    "node_modules/dependency/index.js",
    "workspace/package.json",
    "workspace/index.js",
    "workspace/.env",
  ]) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), path.endsWith("package.json") ? "{}" : "");
  }
  const manifest = { type: "module", dependencies: { workspace: "1", dependency: "1" } };
  await writeFile(join(folder, "acme/package.json"), JSON.stringify(manifest));
  await symlink(join(folder, "workspace"), join(folder, "node_modules/workspace"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const readableBy = (name: string, withheld: readonly string[] = []): string[] =>
  listReadable(openPackage(join(folder, name)).code, withheld);

/** Of the folder of this test. */
const shown = (paths: readonly string[]): string[] =>
  paths
    .filter((path) => path.startsWith(folder))
    .map((path) => relative(folder, path))
    .toSorted();

describe("a belted process may read", () => {
  test("the code of the program, the hosts file and nothing else of it", () => {
    expect(listReadable([])).toEqual([
      "/etc/hosts",
      join(projectDir, "src"),
      join(projectDir, "node_modules"),
    ]);
  });

  test("the folder of a package without what is hidden, and what it can import", () => {
    expect(shown(readableBy("acme"))).toEqual([
      "acme/data",
      "acme/index.js",
      "acme/lib",
      "acme/package.json",
      "acme/secrets",
      "node_modules",
      "workspace/index.js",
      "workspace/package.json",
    ]);
  });

  test("neither the state folder nor a file with a secret that is inside of it", () => {
    const withheld = ["acme/data/state", "acme/secrets/key"].map((path) => join(folder, path));
    expect(shown(readableBy("acme", withheld))).toEqual([
      "acme/data/countries.json",
      "acme/index.js",
      "acme/lib",
      "acme/package.json",
      "node_modules",
      "workspace/index.js",
      "workspace/package.json",
    ]);
  });

  test("of a file without a package.json, the modules beside it", () => {
    expect(shown(readableBy("alone/provider.js"))).toEqual([
      "alone/map.mjs",
      "alone/provider.js",
      "node_modules",
    ]);
  });

  test("that, and no other file", async () => {
    const program = `import { readFileSync } from "node:fs";
      for (const path of ${JSON.stringify(["alone/credentials.json", "acme/index.js"])})
        try { readFileSync(${JSON.stringify(`${folder}/`)} + path); console.error(path, "read"); }
        catch ({ code }) { console.error(path, code); }`;
    expect(await runBelted(program, readableBy("acme"))).toBe(
      "alone/credentials.json ERR_ACCESS_DENIED\nacme/index.js read\n",
    );
  });
});
