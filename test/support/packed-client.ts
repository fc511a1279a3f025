import { execFile } from "node:child_process";
import { cp, mkdir } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { buildClient } from "../../packages/client-typescript/build.ts";
import { projectDir } from "./program-environment.ts";

const run = promisify(execFile);
const folder = join(projectDir, "packages/client-typescript");

/** Installs `@rollcall/client` into a project as npm packs it, and nothing else. Returns the files that were packed. */
export async function installPackedClient(project: string): Promise<string[]> {
  const built = join(project, "built");
  const isOwn = (path: string): boolean => path !== join(folder, "dist");
  await cp(folder, built, { recursive: true, filter: isOwn });
  buildClient(join(built, "dist"));
  const args = ["pack", "--ignore-scripts", "--json", "--pack-destination", project];
  const { stdout } = await run("npm", args, { cwd: built });
  const [packed] = JSON.parse(stdout) as [{ filename: string; files: { path: string }[] }];
  const installed = join(project, "node_modules/@rollcall/client");
  await mkdir(installed, { recursive: true });
  const archive = join(project, packed.filename);
  await run("tar", ["xzf", archive, "-C", installed, "--strip-components=1"]);
  return packed.files.map(({ path }) => path);
}
