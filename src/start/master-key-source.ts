import { randomBytes } from "node:crypto";
import { mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { isObvious, parseMasterKey, type Config, type Secrets } from "../config/index.ts";
import type { KeySource } from "../keys/index.ts";
import type { MasterKey } from "../platform/crypto/index.ts";
import { createDurably, replaceDurably } from "../platform/durable-files.ts";
import { StartRefused } from "../platform/start-refused.ts";

const keysFile = z.object({
  master_keys: z
    .array(z.object({ id: z.string(), key: z.string() }))
    .min(1)
    .refine((keys) => new Set(keys.map(({ id }) => id)).size === keys.length)
    .refine((keys) => keys.every(({ id, key }) => parseMasterKey(`${id}:${key}`))),
});

/** The variable of a hosted service, or the file that local mode generates once into the state folder. */
export function findMasterKeySource(
  { stateDir }: Pick<Config, "stateDir">,
  { masterKeys }: Pick<Secrets, "masterKeys">,
): KeySource {
  if (!masterKeys) return fileSource(join(stateDir, "master-keys.json"));
  const read = async (): Promise<readonly MasterKey[]> => await Promise.resolve(masterKeys);
  return { place: "MASTER_KEYS", read, create: read };
}

export function generateMasterKey(id: string): MasterKey {
  return { id, key: randomBytes(32) };
}

/** Only its owner can read the file. Without it, stored data cannot be read. */
function fileSource(path: string): KeySource {
  return {
    place: path,
    read: async () => await readFileOfKeys(path),
    create: async () => {
      await mkdir(join(path, ".."), { recursive: true });
      createDurably(path, format([generateMasterKey("local")]));
      return (await readFileOfKeys(path)) ?? [];
    },
    addFirst: async (key) =>
      replaceDurably(path, format([key, ...((await readFileOfKeys(path)) ?? [])])),
  };
}

async function readFileOfKeys(path: string): Promise<MasterKey[] | undefined> {
  const text = await readFile(path, "utf8").catch((error: unknown) => {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT") return undefined;
    // There is no such folder: this is not about the keys.
    if (code === "ENOTDIR") throw error;
    throw new StartRefused(
      `The master keys in ${path} cannot be read (${code}). Let this account read the file, or restore it from a backup.`,
      { cause: error },
    );
  });
  if (text === undefined) return undefined;
  const keys = parse(path, text);
  const obvious = keys.find(isObvious);
  if (!obvious) return keys;
  throw new StartRefused(
    `The master key ${obvious.id} in ${path} is one byte again and again, which anybody would try first. Restore the ` +
      "file from a backup, or begin with another STATE_DIR.",
  );
}

function parse(path: string, text: string): MasterKey[] {
  try {
    const { master_keys: keys } = keysFile.parse(JSON.parse(text));
    return keys.map(({ id, key }) => ({ id, key: Buffer.from(key, "base64") }));
  } catch {
    // The cause is left out: it can quote a key.
    throw new StartRefused(
      `${path} does not hold master keys any more. Restore the file from a backup: without it no data can be read.`,
    );
  }
}

function format(keys: readonly MasterKey[]): string {
  const entries = keys.map(({ id, key }) => ({ id, key: key.toString("base64") }));
  return `${JSON.stringify({ master_keys: entries }, null, 2)}\n`;
}
