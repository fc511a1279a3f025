import { execFile } from "node:child_process";
import { fileURLToPath, pathToFileURL } from "node:url";
import { locatePackage } from "./locate-package.ts";

const ownUrl = new URL("..", import.meta.url).href;
const longestImportMs = 10_000;

/** File and line of a package in which an error began, such as `/srv/acme/map.js:7`. */
export async function findPlace(error: unknown, name: string): Promise<string | undefined> {
  const { stack = "", message = "" } = error instanceof Error ? error : {};
  for (const line of stack.replace(message, "").split("\n")) {
    const place = line.trim().startsWith("at ") ? readPlace(line, 2) : undefined;
    if (place && !place.url.startsWith(ownUrl)) return `${fileURLToPath(place.url)}:${place.row}`;
  }
  return error instanceof SyntaxError ? await findSyntaxError(locatePackage(name)) : undefined;
}

/** Node tells the place of a syntax error only where it ends a process. No code runs before all of it is read. */
async function findSyntaxError(file: string): Promise<string | undefined> {
  const source = `import ${JSON.stringify(pathToFileURL(file).href)};`;
  const args = ["--input-type=module", "--eval", source];
  const told = await new Promise<string>((done) => {
    const options = { env: {}, timeout: longestImportMs };
    execFile(process.execPath, args, options, (_error, _stdout, stderr) => done(stderr));
  });
  const line = told.split("\n").find((candidate) => candidate.startsWith("file://"));
  const place = line === undefined ? undefined : readPlace(line, 1);
  return place && `${fileURLToPath(place.url)}:${place.row}`;
}

/** What stands in `file:///srv/acme/map.js?v=2:7`, or with a column after the row and brackets around it. */
function readPlace(text: string, numbers: 1 | 2): { url: string; row: string } | undefined {
  const start = text.indexOf("file://");
  if (start === -1) return undefined;
  const parts = text.slice(start).trim().replace(")", "").split(":");
  const row = parts.at(-numbers) ?? "";
  const [url = ""] = parts.slice(0, -numbers).join(":").split("?", 1);
  return /^\d+$/.test(row) && URL.canParse(url) ? { url, row } : undefined;
}
