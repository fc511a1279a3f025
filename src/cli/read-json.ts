import { readFile } from "node:fs/promises";
import { UsageFailure } from "./command-failure.ts";

/** The content of the file that `--file` names. */
export async function readJson<Content>(file: string): Promise<Content> {
  try {
    return JSON.parse(await readFile(file, "utf8")) as Content;
  } catch {
    throw new UsageFailure(`--file: ${file} is no file with JSON`);
  }
}
