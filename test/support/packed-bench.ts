import { execFile } from "node:child_process";
import { cp, mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { buildPackage } from "../../packages/provider/build.ts";
import { projectDir } from "./program-environment.ts";

const run = promisify(execFile);
const folder = join(projectDir, "packages/provider");

interface Manifest {
  dependencies?: Record<string, string>;
}

/**
 * Installs `@rollcall/provider` into a project as npm packs it, with the packages that it names and no others. Returns
 * the files that were packed.
 */
export async function installPackedBench(project: string): Promise<string[]> {
  const built = join(project, "built");
  for (const file of [
    "package.json",
    "bin.js",
    "conformance.js",
    "provider.d.ts",
    "conformance.d.ts",
  ])
    await cp(join(folder, file), join(built, file));
  buildPackage(join(built, "dist"));
  const args = ["pack", "--ignore-scripts", "--json", "--pack-destination", project];
  const { stdout } = await run("npm", args, { cwd: built });
  const [packed] = JSON.parse(stdout) as [{ filename: string; files: { path: string }[] }];
  const installed = join(project, "node_modules/@rollcall/provider");
  await mkdir(installed, { recursive: true });
  await run("tar", [
    "xzf",
    join(project, packed.filename),
    "-C",
    installed,
    "--strip-components=1",
  ]);
  for (const name of await listDependencies(join(folder, "package.json"), new Set()))
    await cp(join(projectDir, "node_modules", name), join(project, "node_modules", name), {
      recursive: true,
    });
  return packed.files.map(({ path }) => path);
}

async function listDependencies(manifest: string, known: Set<string>): Promise<Set<string>> {
  const { dependencies = {} } = JSON.parse(await readFile(manifest, "utf8")) as Manifest;
  for (const name of Object.keys(dependencies)) {
    if (known.has(name)) continue;
    known.add(name);
    await listDependencies(join(projectDir, "node_modules", name, "package.json"), known);
  }
  return known;
}
