import { existsSync } from "node:fs";
import { mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { chromium, type Browser } from "playwright-core";
import { onlyEndToEnd } from "./only-end-to-end.ts";
import { projectDir } from "./program-environment.ts";

interface FoundBrowser {
  executablePath: string;
  /** Flags of this browser alone. */
  args?: readonly string[];
  env?: Record<string, string>;
}

/** No sandbox, because tests run as root. No traffic but that of the pages, and that with this machine alone. */
const launchArgs = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost",
];
const systemPaths = [
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome-stable",
  "/usr/bin/google-chrome",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
];
const cache = join(projectDir, "node_modules/.cache/test-browser");

/**
 * Undefined when this machine has no browser. The reason is printed: no test is left out in
 * silence.
 */
export async function launchBrowser(): Promise<Browser | undefined> {
  onlyEndToEnd("a browser");
  const given = process.env["CHROMIUM_PATH"];
  if (given) return await launch({ executablePath: given });
  const packaged = await launchPackaged();
  if (typeof packaged !== "string") return packaged;
  const executablePath = systemPaths.find((path) => existsSync(path));
  if (executablePath) return await launch({ executablePath });
  process.stdout.write(
    "The tests in a browser are left out: CHROMIUM_PATH is not set, there is no system chromium, " +
      `and the packaged browser cannot be used (${packaged}).\n`,
  );
  return undefined;
}

async function launch({ executablePath, args = [], env = {} }: FoundBrowser): Promise<Browser> {
  return await chromium.launch({
    executablePath,
    args: [...args, ...launchArgs],
    env: { ...process.env, ...env },
  });
}

/**
 * Launches the browser of the package, which is the same everywhere and twice as fast as a full
 * one. Returns the reason when it cannot.
 */
async function launchPackaged(): Promise<Browser | string> {
  if (process.platform !== "linux" || process.arch !== "x64")
    return `it is for linux on x64, and this is ${process.platform} on ${process.arch}`;
  try {
    return await launch(await unpackBrowser());
  } catch (error) {
    return String(error).split("\n", 1)[0] ?? "";
  }
}

/** Unpacks each version once. The first process makes the folder and the others use it. */
async function unpackBrowser(): Promise<FoundBrowser> {
  const bin = join(
    dirname(createRequire(import.meta.url).resolve("@sparticuz/chromium")),
    "../bin",
  );
  const { version } = JSON.parse(await readFile(join(bin, "../package.json"), "utf8")) as {
    version: string;
  };
  const folder = join(cache, version);
  if (!existsSync(folder)) {
    const draft = `${folder}.${process.pid}`;
    await mkdir(draft, { recursive: true });
    await inflateInto(
      draft,
      ["chromium.br", "fonts.tar.br", "al2023.tar.br"].map((name) => join(bin, name)),
    );
    // The packaged list of fonts names other folders. Without a font the browser ends at the first
    // form.
    await writeFile(
      join(draft, "fonts", "fonts.conf"),
      `<?xml version="1.0"?><fontconfig><dir>${folder}/fonts</dir>` +
        `<cachedir>${folder}/fonts-cache</cachedir></fontconfig>`,
    );
    await rename(draft, folder).catch(() => rm(draft, { recursive: true, force: true }));
  }
  return {
    executablePath: join(folder, "chromium"),
    args: ["--no-zygote"],
    env: { LD_LIBRARY_PATH: join(folder, "al2023/lib"), FONTCONFIG_PATH: join(folder, "fonts") },
  };
}

/** The package always unpacks into the folder for temporary files. */
async function inflateInto(folder: string, files: readonly string[]): Promise<void> {
  const { inflate } = await import("@sparticuz/chromium");
  const usual = process.env["TMPDIR"];
  process.env["TMPDIR"] = folder;
  try {
    await Promise.all(files.map((file) => inflate(file)));
  } finally {
    if (usual === undefined) delete process.env["TMPDIR"];
    else process.env["TMPDIR"] = usual;
  }
}
