import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import ts from "typescript";

// Writes dist, or the folder that it is given: the code that runs and checks a provider, as JavaScript, in the folders of
// src. `npm pack` calls it, and whoever makes a new package.

const here = import.meta.dirname;
const source = resolve(here, "../../src");
const program = "cli/provider-program.ts";
const suite = "conformance/index.ts";
/** Programs of child processes. They are started, and not imported. */
const children = ["conformance/child/entry.ts", "workbench/child/entry.ts"];

/** Writes what the programs import, and what that imports. */
export function buildPackage(target = join(here, "dist")): void {
  rmSync(target, { recursive: true, force: true });
  const open = [program, suite, ...children].map((file) => join(source, file));
  const known = new Set(open);
  for (let file = open.pop(); file !== undefined; file = open.pop()) {
    const code = compile(file);
    const path = join(target, relative(source, file).replace(/\.ts$/, ".js"));
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, code);
    for (const imported of listImports(file, code)) {
      if (known.has(imported)) continue;
      known.add(imported);
      open.push(imported);
    }
  }
  copyFileSync(join(here, "older-node.js"), join(target, "older-node.js"));
}

function compile(file: string): string {
  const { outputText } = ts.transpileModule(readFileSync(file, "utf8"), {
    fileName: file,
    compilerOptions: {
      target: ts.ScriptTarget.ES2023,
      module: ts.ModuleKind.ESNext,
      verbatimModuleSyntax: true,
      rewriteRelativeImportExtensions: true,
    },
  });
  const code = outputText.replaceAll('entry.ts", import.meta.url', 'entry.js", import.meta.url');
  const isChild = children.includes(relative(source, file));
  return isChild ? `import "../../older-node.js";\n${code}` : code;
}

/** The files of ours, by import and import(). */
function listImports(file: string, code: string): string[] {
  return ts
    .preProcessFile(code)
    .importedFiles.map(({ fileName }) => fileName)
    .filter((name) => name.startsWith(".") && !name.endsWith("/older-node.js"))
    .map((name) => resolve(dirname(file), name.replace(/\.js$/, ".ts")));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) buildPackage(process.argv[2]);
