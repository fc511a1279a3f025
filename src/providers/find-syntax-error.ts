import { fileURLToPath, pathToFileURL } from "node:url";
import { runBelted } from "../platform/belt/index.ts";
import { readPlace } from "./find-place.ts";

/** File and line of the syntax error that ends the import of a file. No code runs before all of it is read. */
export async function findSyntaxError(
  file: string,
  readable: readonly string[],
): Promise<string | undefined> {
  const told = await runBelted(`import ${JSON.stringify(pathToFileURL(file).href)};`, readable);
  const line = told.split("\n").find((candidate) => candidate.startsWith("file://"));
  const place = line === undefined ? undefined : readPlace(line, 1);
  return place && `${fileURLToPath(place.url)}:${place.row}`;
}
