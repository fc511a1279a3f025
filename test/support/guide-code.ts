import { spawn } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { projectDir } from "./program-environment.ts";

export type SampleLanguage = "curl" | "TypeScript" | "Python";

const programs: Record<SampleLanguage, { file: string; command: readonly string[] }> = {
  curl: { file: "sample.sh", command: ["bash", "-e", "-o", "pipefail"] },
  TypeScript: { file: "sample.mts", command: [join(projectDir, "node_modules/.bin/node")] },
  Python: { file: "sample.py", command: ["python3"] },
};

export interface Ended {
  code: number | null;
  output: string;
  errors: string;
}

/** Runs code of the documentation as its reader would: in a file, with only these variables. */
export async function runSample(
  language: SampleLanguage,
  code: string,
  { folder, env }: { folder: string; env: Record<string, string> },
): Promise<Ended> {
  const { file, command } = programs[language];
  const path = join(folder, `${crypto.randomUUID()}-${file}`);
  await writeFile(path, code);
  const [program = "", ...args] = command;
  const child = spawn(program, [...args, path], {
    env: { PATH: process.env["PATH"] ?? "", HOME: process.env["HOME"] ?? "/", ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let [output, errors] = ["", ""];
  child.stdout.on("data", (chunk: Buffer) => (output += chunk.toString()));
  child.stderr.on("data", (chunk: Buffer) => (errors += chunk.toString()));
  const exitCode = await new Promise<number | null>((done) => child.once("close", done));
  return { code: exitCode, output, errors };
}

/** The text of markup, as somebody copies it from a page. */
export function textOfMarkup(markup: string): string {
  const entities: Record<string, string> = {
    amp: "&",
    lt: "<",
    gt: ">",
    quot: '"',
    "#39": "'",
    "#x27": "'",
  };
  return markup
    .replaceAll(/<[^>]*>/g, "")
    .replaceAll(/&([a-z]+|#\w+);/g, (entity, name: string) => entities[name] ?? entity);
}
