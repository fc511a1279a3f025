import { execFileSync } from "node:child_process";
import { rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { argv, execPath } from "node:process";
import { fileURLToPath } from "node:url";

// Writes dist: the server as JavaScript, with the library for TypeScript that it reads with. `npm pack` calls it.

const here = import.meta.dirname;

export function buildServer(target = join(here, "dist")): void {
  rmSync(target, { recursive: true, force: true });
  const compiler = resolve(here, "../../node_modules/typescript-native/bin/tsc");
  const args = [compiler, "-p", join(here, "tsconfig.json"), "--outDir", target];
  execFileSync(execPath, args, { stdio: "inherit" });
}

if (argv[1] === fileURLToPath(import.meta.url)) buildServer();
