import { readdirSync } from "node:fs";
import { join, parse } from "node:path";
import type { Asset } from "../platform/http/index.ts";
import { StartRefused } from "../platform/start-refused.ts";
import type { ProviderRegistry } from "../providers/index.ts";
import { loadPicture } from "./load-picture.ts";

/** The marks of vendors by the names of their providers. */
export type ProviderMarks = ReadonlyMap<string, Asset>;

const setting = "PROVIDER_MARKS";

/**
 * Reads what the operator put into the folder: `<provider>.svg` or `<provider>.png`. What begins with a dot, as mounted
 * folders have, is left alone. Throws StartRefused for any other file that is no mark of a provider.
 */
export function loadMarks(
  folder: string,
  registry: Pick<ProviderRegistry, "isKnown" | "isSimulated">,
): ProviderMarks {
  const marks = new Map<string, Asset>();
  for (const file of listFolder(folder)) {
    const { name: provider, ext } = parse(file);
    const refuse = (why: string): never => {
      throw new StartRefused(`${setting}: ${join(folder, file)} ${why}`);
    };
    if (![".svg", ".png"].includes(ext)) refuse("is neither .svg nor .png.");
    if (!registry.isKnown(provider))
      refuse(`is of no provider: none is called ${provider}. GET /providers has the names.`);
    if (registry.isSimulated(provider)) refuse("is of the simulated provider, which has our mark.");
    if (marks.has(provider)) refuse(`is a second mark of ${provider}.`);
    marks.set(provider, loadPicture(join(folder, file), setting).asset);
  }
  return marks;
}

function listFolder(folder: string): string[] {
  try {
    return readdirSync(folder)
      .filter((name) => !name.startsWith("."))
      .sort();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new StartRefused(`${setting}: ${folder} cannot be read (${code}).`, { cause: error });
  }
}
