#!/usr/bin/env node
// npm create rollcall-provider acme: writes the folder rollcall-acme with a provider package that passes its checks.
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, dirname, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const bench = join(here, "../provider");
const usage = `Usage: npm create rollcall-provider NAME

NAME is that of the system in links, such as acme: two to forty small letters, digits and hyphens, with a letter first.
It makes the folder rollcall-NAME.
`;
const namePattern = /^[a-z][a-z0-9-]{1,39}$/;
/** npm packs no file of this name. */
const renamed = { gitignore: ".gitignore" };

function createPackage(name, workingDir) {
  if (!namePattern.test(name))
    return refuse(`${JSON.stringify(name)} is no name of a provider.\n\n${usage}`);
  const folder = resolve(workingDir, `rollcall-${name}`);
  if (existsSync(folder))
    return refuse(`${folder} is there already: choose another name, or move it away.\n`);
  const title = name
    .split("-")
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join(" ");
  const template = join(here, "template");
  for (const file of listFiles(template)) {
    const text = readFileSync(file, "utf8");
    const target = join(folder, relative(template, file));
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(
      join(dirname(target), renamed[basename(target)] ?? basename(target)),
      text
        .replaceAll("acme", name)
        .replaceAll("Acme", title)
        .replaceAll("BENCH_PACKAGE", findBench()),
    );
  }
  process.stdout.write(`rollcall-${name} is made. Now:

${describeBuild()}  cd rollcall-${name}
  npm install
  npm run check      every check of Rollcall, beside the recording of an invented system
  npm run try        signs in to ${title} and shows the people there, again on each save

README.md says what comes next.
`);
}

/** What the bench is installed from: in a checkout of Rollcall its folder, else the version of this package. */
function findBench() {
  if (isCheckout()) return `file:${bench}`;
  return JSON.parse(readFileSync(join(here, "package.json"), "utf8")).version;
}

function describeBuild() {
  const isBuilt = !isCheckout() || existsSync(join(bench, "dist"));
  return isBuilt ? "" : `  (cd ${resolve(bench, "../..")} && npm run -s package)\n`;
}

function isCheckout() {
  return existsSync(join(bench, "build.ts"));
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

const [name, ...others] = process.argv.slice(2);
if (name === "--help" || name === "-h") process.stdout.write(usage);
else if (name === undefined || others.length > 0) refuse(usage);
else createPackage(name, process.cwd());
