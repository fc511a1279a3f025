import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { replaceDurably } from "./platform/durable-files.ts";
import { StartRefused } from "./platform/start-refused.ts";

/** The demo credentials that local mode writes into the state folder. Only their owner can read them. */
const demoFile = z.object({
  base_url: z.string(),
  client_id: z.string(),
  client_secret: z.string(),
  redirect_uri: z.string(),
  sandbox_token: z.string(),
});

export type Demo = z.output<typeof demoFile>;

const keysName = "master-keys.json";
const keysFile = z.object({
  master_keys: z.array(z.object({ id: z.string(), key: z.base64() })).min(1),
});

/** Generates the master key at the first start. Without this file, stored data cannot be read. */
export async function loadOrCreateMasterKeys(stateDir: string): Promise<MasterKey[]> {
  const path = join(stateDir, keysName);
  if (!(await readJson(path, keysFile))) {
    const key = randomBytes(32).toString("base64");
    await mkdir(stateDir, { recursive: true });
    createDurably(path, toJson({ master_keys: [{ id: "local", key }] }));
  }
  const file = await readJson(path, keysFile);
  return (file?.master_keys ?? []).map(({ id, key }) => ({ id, key: Buffer.from(key, "base64") }));
}

/** Whether a service was started on the folder. */
export function isStateFolder(stateDir: string): boolean {
  return existsSync(join(stateDir, keysName));
}

export async function readDemo(stateDir: string): Promise<Demo | undefined> {
  return await readJson(demoPath(stateDir), demoFile);
}

export async function writeDemo(stateDir: string, demo: Demo): Promise<void> {
  await mkdir(stateDir, { recursive: true });
  replaceDurably(demoPath(stateDir), toJson(demo));
}

export function demoPath(stateDir: string): string {
  return join(stateDir, "demo.json");
}

async function readJson<Schema extends z.ZodType>(
  path: string,
  schema: Schema,
): Promise<z.output<Schema> | undefined> {
  try {
    return schema.parse(JSON.parse(await readFile(path, "utf8")));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT") return undefined;
    if (code !== undefined) throw error;
    throw new StartRefused(`${path} cannot be read; restore it, or remove it to start anew`, {
      cause: error,
    });
  }
}

function toJson(content: unknown): string {
  return `${JSON.stringify(content, null, 2)}\n`;
}
