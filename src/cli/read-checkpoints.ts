import { readFileSync } from "node:fs";
import { z } from "zod";
import type { Checkpoint } from "../audit/index.ts";
import { CommandFailure } from "./command-failure.ts";

const hex = z.string().regex(/^[0-9a-f]{64}$/);
const line = z.object({
  checkpoint: z.object({
    key: z.string(),
    position: z.number().int().positive(),
    chain: hex,
    at: z.string(),
    mac: hex,
  }),
});

/**
 * Of an export, of a log, or of what `audit verify --json` has printed. Other lines are passed over. Without a file there
 * are none.
 */
export function readCheckpoints(file: string | undefined): Checkpoint[] {
  if (file === undefined) return [];
  const text = readText(file);
  const whole = findCheckpoint(text);
  const found = whole ? [whole] : text.split("\n").flatMap((part) => findCheckpoint(part) ?? []);
  if (found.length === 0)
    throw new CommandFailure(`${file} has no line with a checkpoint: audit export prints one`);
  return found;
}

function findCheckpoint(text: string): Checkpoint | undefined {
  return text.includes('"checkpoint"')
    ? line.safeParse(parseJson(text)).data?.checkpoint
    : undefined;
}

function readText(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    throw new CommandFailure(`${file} cannot be read (${(error as NodeJS.ErrnoException).code})`);
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
