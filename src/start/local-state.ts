import { existsSync, readdirSync } from "node:fs";
import { mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import type { Config } from "../config/index.ts";
import { replaceDurably } from "../platform/durable-files.ts";
import { StartRefused } from "../platform/start-refused.ts";

/** The demo credentials that local mode writes into the state folder. Only their owner can read them. */
const demoFile = z.object({
  base_url: z.string(),
  client_id: z.string(),
  client_secret: z.string(),
  redirect_uri: z.string(),
  sandbox_token: z.string(),
});

export type Demo = z.output<typeof demoFile>;

/** Whether a service was started on the folder. */
export function isStateFolder(stateDir: string): boolean {
  return existsSync(stateDir) && readdirSync(stateDir).length > 0;
}

export async function readDemo(stateDir: string): Promise<Demo | undefined> {
  const path = demoPath(stateDir);
  try {
    return demoFile.parse(JSON.parse(await readFile(path, "utf8")));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT") return undefined;
    if (code !== undefined) throw error;
    throw new StartRefused(`${path} cannot be read; restore it, or remove it to start anew`, {
      cause: error,
    });
  }
}

/** Where the service runs: in local mode as it wrote when it started, which may have been with another PORT. */
export async function findAddress({
  isLocal,
  stateDir,
  publicUrl,
}: Pick<Config, "isLocal" | "stateDir" | "publicUrl">): Promise<string> {
  return (isLocal ? (await readDemo(stateDir))?.base_url : undefined) ?? publicUrl;
}

export async function writeDemo(stateDir: string, demo: Demo): Promise<void> {
  await mkdir(stateDir, { recursive: true });
  replaceDurably(demoPath(stateDir), `${JSON.stringify(demo, null, 2)}\n`);
}

export function demoPath(stateDir: string): string {
  return join(stateDir, "demo.json");
}
