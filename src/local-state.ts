import { randomBytes } from "node:crypto";
import { link, mkdir, readFile, rename, unlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { z } from "zod";
import type { MasterKey } from "./platform/crypto/index.ts";

/** What local mode makes once and keeps in the state folder, readable by its owner alone. */
const demoFile = z.object({
  base_url: z.string(),
  client_id: z.string(),
  client_secret: z.string(),
  redirect_uri: z.string(),
  sandbox_token: z.string(),
});

export type Demo = z.output<typeof demoFile>;

const keysFile = z.object({
  master_keys: z.array(z.object({ id: z.string(), key: z.base64() })).min(1),
});

/** Generates the master key at the first start. Without this file nothing that is stored can be read any more. */
export async function loadOrCreateMasterKeys(stateDir: string): Promise<MasterKey[]> {
  const path = join(stateDir, "master-keys.json");
  if (!(await readJson(path, keysFile)))
    await createOnce(path, {
      master_keys: [{ id: "local", key: randomBytes(32).toString("base64") }],
    });
  const file = await readJson(path, keysFile);
  return (file?.master_keys ?? []).map(({ id, key }) => ({ id, key: Buffer.from(key, "base64") }));
}

export async function readDemo(stateDir: string): Promise<Demo | undefined> {
  return await readJson(demoPath(stateDir), demoFile);
}

export async function writeDemo(stateDir: string, demo: Demo): Promise<void> {
  const path = demoPath(stateDir);
  const draft = await writeDraft(path, demo);
  await rename(draft, path);
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
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw new Error(`${path} cannot be read; restore it, or remove it to start anew`, {
      cause: error,
    });
  }
}

/** Of several starters at once, one makes the file and the others find it. */
async function createOnce(path: string, content: unknown): Promise<void> {
  const draft = await writeDraft(path, content);
  try {
    await link(draft, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  } finally {
    await unlink(draft);
  }
}

async function writeDraft(path: string, content: unknown): Promise<string> {
  const draft = `${path}.${process.pid}`;
  await mkdir(dirname(path), { recursive: true });
  await writeFile(draft, `${JSON.stringify(content, null, 2)}\n`, { mode: 0o600 });
  return draft;
}
