import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { exchangeSchema, recordingSchema, type Recording } from "./recording.ts";

const indexFile = "recording.json";
const signInFile = "sign-in.json";
const exchanges = z.array(exchangeSchema).readonly();
/** Of each step, its exchanges are in a file of their own. */
const indexSchema = recordingSchema.omit({ signIn: true, steps: true }).extend({
  steps: z.array(recordingSchema.shape.steps.unwrap().element.omit({ exchanges: true })),
});

/** Undefined when the folder has no recording. */
export function findRecording(folder: string): Recording | undefined {
  return existsSync(join(folder, indexFile)) ? readRecording(folder) : undefined;
}

/** Throws an error that says what is missing or wrong. */
export function readRecording(folder: string): Recording {
  const index = readFile(join(folder, indexFile), indexSchema);
  return {
    ...index,
    signIn: readFile(join(folder, signInFile), exchanges),
    steps: index.steps.map((step) => ({
      ...step,
      exchanges: readFile(join(folder, `${step.resource}.json`), exchanges),
    })),
  };
}

/**
 * Replaces what the folder has of an earlier recording, but for the fields that somebody has named. The folder ignores
 * itself in git, unless somebody has taken that file away to keep it.
 */
export function writeRecording(folder: string, { signIn, steps, ...rest }: Recording): void {
  const index = join(folder, indexFile);
  const before = existsSync(index) ? readFile(index, indexSchema) : undefined;
  mkdirSync(folder, { recursive: true });
  if (!before) writeFileSync(join(folder, ".gitignore"), "*\n");
  for (const { resource } of before?.steps ?? [])
    rmSync(join(folder, `${resource}.json`), { force: true });
  writeJson(join(folder, signInFile), signIn);
  for (const step of steps) writeJson(join(folder, `${step.resource}.json`), step.exchanges);
  const described = steps.map(({ exchanges: _exchanges, ...step }) => step);
  const neverFilled = rest.neverFilled ?? before?.neverFilled;
  writeJson(index, { ...rest, steps: described, ...(neverFilled && { neverFilled }) });
}

function readFile<Schema extends z.ZodType>(path: string, schema: Schema): z.output<Schema> {
  const parsed = schema.safeParse(parse(path));
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new Error(
    `${path} is no part of a recording: ${issue?.path.join(".") ?? ""} ${issue?.message ?? ""}`,
  );
}

function parse(path: string): unknown {
  if (!existsSync(path))
    throw new Error(`there is no recording at ${path}: make one with provider run --record`);
  try {
    return JSON.parse(readFileSync(path, "utf8")) as unknown;
  } catch {
    throw new Error(`${path} is no JSON`);
  }
}

function writeJson(path: string, value: unknown): void {
  writeFileSync(path, `${JSON.stringify(value, null, 1)}\n`);
}
