import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { promisify } from "node:util";
import { readConfig, variables } from "../../src/config/index.ts";
import { createLog } from "../../src/platform/log.ts";
import { buildServices } from "../../src/start/services.ts";
import { untilNoProcessOf } from "./processes.ts";

export const projectDir = resolve(import.meta.dirname, "../..");
/** Shared by the processes of a run, so that not each of them compiles the same modules. */
const compileCache = join(projectDir, "node_modules/.cache/test-programs");

/** The given variables and no others, neither of this process nor of a `.env` in the project. */
export function programEnvironment(env: Record<string, string>): Record<string, string> {
  const unset = Object.fromEntries(Object.keys(variables.shape).map((name) => [name, ""]));
  return {
    PATH: process.env["PATH"] ?? "/usr/bin:/bin",
    HOME: process.env["HOME"] ?? "/",
    TERM: "xterm",
    NODE_COMPILE_CACHE: compileCache,
    ...unset,
    ...env,
  };
}

/**
 * A folder in which a service was started before, as a copy of one: to make a cluster and its schema takes a second of a
 * core.
 */
export async function makeUsedStateDir(): ReturnType<typeof makeStateDir> {
  const folder = await makeStateDir();
  used ??= useOnce();
  // With the accounts of its files: Postgres does not run as root.
  await promisify(execFile)("cp", ["-a", `${await used}/.`, folder.stateDir]);
  return folder;
}

let used: Promise<string> | undefined;

/** Made by the worker of the run that needs it first. The others wait for it. */
async function useOnce(): Promise<string> {
  const { inject } = await import("vitest");
  const stateDir = join(inject("runFolder"), "used");
  const made = `${stateDir}.made`;
  if (await isFirst(`${stateDir}.claimed`)) {
    await useFolder(stateDir);
    await writeFile(made, "");
  } else while (!existsSync(made)) await delay(50);
  return stateDir;
}

async function isFirst(claim: string): Promise<boolean> {
  try {
    await writeFile(claim, "", { flag: "wx" });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    return false;
  }
}

async function useFolder(stateDir: string): Promise<void> {
  const { config, secrets } = readConfig({ STATE_DIR: stateDir });
  const services = await buildServices(
    { config, secrets },
    { log: createLog({ level: "silent" }) },
  );
  await services.dispose();
  await untilNoProcessOf(stateDir);
}

/** A new folder. `remove` throws when a process of the folder is left. */
export async function makeStateDir(): Promise<{ stateDir: string; remove: () => Promise<void> }> {
  const stateDir = await mkdtemp(join(tmpdir(), "rollcall-state-"));
  const remove = async (): Promise<void> => {
    try {
      await untilNoProcessOf(stateDir);
    } finally {
      await rm(stateDir, { recursive: true, force: true, maxRetries: 50, retryDelay: 100 });
    }
  };
  return { stateDir, remove };
}
