#!/usr/bin/env node
// npm create rollcall-provider acme: writes the folder rollcall-acme with a provider package that passes its checks.
import { execFileSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";

const here = dirname(fileURLToPath(import.meta.url));
/** Of a checkout of Rollcall, and its Node. */
const bench = join(here, "../provider");
const isCheckout = existsSync(join(bench, "build.ts"));
const checkout = resolve(here, "../..");
const node = join(checkout, "node_modules/.bin/node");
/** How people sign in to the system, each with the files of a package that does it. */
const signIns = {
  key: "a key, which people copy from a page of the system",
  password: "user and password; a session that ends when nobody uses it is made anew",
  oauth2: "on the page of the system, by OAuth 2",
};
const usage = `Usage: npm create rollcall-provider NAME [-- --sign-in=${Object.keys(signIns).join("|")}]

NAME is that of the system in links, such as acme: two to forty small letters, digits and hyphens, with a letter first.
It makes the folder rollcall-NAME. How people sign in, a key unless said otherwise:

${Object.entries(signIns)
  .map(([name, told]) => `  ${name.padEnd(10)}${told}`)
  .join("\n")}
`;
const namePattern = /^[a-z][a-z0-9-]{1,39}$/;
/** npm packs no file of this name. */
const renamed = { gitignore: ".gitignore" };

function createPackage(name, signIn, workingDir) {
  if (!namePattern.test(name))
    return refuse(`${JSON.stringify(name)} is no name of a provider.\n\n${usage}`);
  if (!Object.hasOwn(signIns, signIn))
    return refuse(`${JSON.stringify(signIn)} is no way to sign in.\n\n${usage}`);
  const folder = resolve(workingDir, `rollcall-${name}`);
  if (existsSync(folder))
    return refuse(`${folder} is there already: choose another name, or move it away.\n`);
  if (isCheckout && !existsSync(node))
    return refuse(`${checkout} has no packages yet: run \`npm ci\` there first.\n`);
  const title = name
    .split("-")
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join(" ");
  const words = { acme: name, Acme: title, BENCH_PACKAGE: bringBench(folder) };
  for (const part of [join(here, "template"), join(here, "sign-ins", signIn)])
    copyFilled(part, folder, words);
  process.stdout.write(`rollcall-${name} is made. Now:

  cd rollcall-${name}
  npm install
  npm run check      every check of Rollcall, beside the recording of an invented system
  npm run try        signs in to ${title} and shows the people there, again on each save

README.md says what comes next.
`);
}

function copyFilled(from, folder, words) {
  for (const file of listFiles(from)) {
    const target = join(folder, relative(from, file));
    mkdirSync(dirname(target), { recursive: true });
    const text = Object.entries(words).reduce(
      (filled, [word, value]) => filled.replaceAll(word, value),
      readFileSync(file, "utf8"),
    );
    writeFileSync(join(dirname(target), renamed[basename(target)] ?? basename(target)), text);
  }
}

/**
 * What the bench is installed from: the version of this package, or of a checkout of Rollcall a packed copy, which goes
 * wherever the new package goes.
 */
function bringBench(folder) {
  if (!isCheckout) return JSON.parse(readFileSync(join(here, "package.json"), "utf8")).version;
  const built = mkdtempSync(join(tmpdir(), "rollcall-provider-"));
  try {
    cpSync(bench, built, { recursive: true, filter: (path) => path !== join(bench, "dist") });
    execFileSync(node, [join(bench, "build.ts"), join(built, "dist")]);
    const args = ["pack", "--ignore-scripts", "--silent"];
    const file = execFileSync("npm", args, { cwd: built, encoding: "utf8" }).trim();
    cpSync(join(built, file), join(folder, "vendor", file));
    return `file:vendor/${file}`;
  } finally {
    rmSync(built, { recursive: true });
  }
}

function listFiles(folder) {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    return entry.isDirectory() ? listFiles(path) : [path];
  });
}

function refuse(why) {
  process.stderr.write(why);
  process.exitCode = 2;
}

function readWords(words) {
  try {
    return parseArgs({
      args: words,
      allowPositionals: true,
      options: {
        "sign-in": { type: "string", default: "key" },
        help: { type: "boolean", short: "h" },
      },
    });
  } catch {
    return { values: {}, positionals: [] };
  }
}

const { values, positionals } = readWords(process.argv.slice(2));
const [name, ...others] = positionals;
if (values.help) process.stdout.write(usage);
else if (name === undefined || others.length > 0) refuse(usage);
else createPackage(name, values["sign-in"], process.cwd());
