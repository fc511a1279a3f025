import { execFile } from "node:child_process";
import { fileURLToPath, pathToFileURL } from "node:url";
import { locatePackage } from "./locate-package.ts";

const ownUrl = new URL("..", import.meta.url).href;
const frame = /^ +at .*?(file:\/\/[^\s?]+)\S*?:(\d+):\d+\)?$/;
const longestImportMs = 10_000;

/** File and line of a package in which an error began, such as `/srv/acme/map.js:7`. */
export async function findPlace(error: unknown, name: string): Promise<string | undefined> {
  const { stack = "", message = "" } = error instanceof Error ? error : {};
  for (const line of stack.replace(message, "").split("\n")) {
    const [, url, row] = frame.exec(line) ?? [];
    if (url !== undefined && !url.startsWith(ownUrl)) return `${fileURLToPath(url)}:${row}`;
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
  const [, url, row] = /^(file:\/\/\S+):(\d+)$/m.exec(told) ?? [];
  return url === undefined ? undefined : `${fileURLToPath(url)}:${row}`;
}
