import { execFileSync } from "node:child_process";
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import ts from "typescript";

// Writes dist: the library with its types, the command, and the script of the popup. `npm pack` calls it.

const here = import.meta.dirname;
const project = resolve(here, "../..");
const assets = join(project, "src/connect/assets");
/** What needs Node. The compiler sees the library without it. */
const ofNode = ["cli", "commands", "listen"];
/** They make a module of the script's own types, which then are no globals. */
const popupTypes = `
/** Opens a sign-in. Call it while you handle a click, or the browser blocks the window. */
export const openSignIn: typeof RollcallConnect.open;
/** Call it once on the redirect page: it hands what came back to the page that opened the sign-in. */
export const finishSignIn: typeof RollcallConnect.finish;
export type SignInOptions = RollcallConnect.OpenOptions;
`;

export function buildClient(target = join(here, "dist")): void {
  rmSync(target, { recursive: true, force: true });
  mkdirSync(target, { recursive: true });
  const compiler = join(project, "node_modules/typescript-native/bin/tsc");
  const args = [compiler, "-p", join(here, "tsconfig.json"), "--outDir", target];
  execFileSync(process.execPath, args, { stdio: "inherit" });
  for (const name of ofNode) {
    const text = readFileSync(join(here, `src/${name}.ts`), "utf8");
    const { outputText } = ts.transpileModule(text, {
      compilerOptions: {
        target: ts.ScriptTarget.ES2022,
        module: ts.ModuleKind.ESNext,
        verbatimModuleSyntax: true,
        rewriteRelativeImportExtensions: true,
      },
    });
    writeFileSync(join(target, `${name}.js`), outputText);
  }
  for (const name of ["popup.js", "react.js", "react.d.ts"])
    copyFileSync(join(here, "browser", name), join(target, name));
  copyFileSync(join(assets, "rollcall-connect.js"), join(target, "rollcall-connect.js"));
  const types = readFileSync(join(assets, "rollcall-connect.d.ts"), "utf8");
  writeFileSync(join(target, "popup.d.ts"), types + popupTypes);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) buildClient();
