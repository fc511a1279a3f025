import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { parseSync } from "oxc-parser";
import { projectDir } from "./program-environment.ts";

/** A declaration of the sources, with its comment. */
interface Declaration {
  id: string;
  name: string;
  text: string;
  /** The names that it refers to. */
  references: string[];
}

interface Module {
  declarations: Map<string, Declaration>;
  /** Names from other modules, and where each comes from. */
  imports: Map<string, { from: string; name: string }>;
}

interface Node {
  type: string;
  start: number;
  end: number;
  [key: string]: unknown;
}

const conformanceExports = ["describeProvider", "registerChecks", "Check", "TestFramework"];
const header = "// Written by `npm run types` from src. TypeScript reads it; nothing runs it.";

/** The types of `@rollcall/provider` and its checks, each in one file that needs zod alone. */
export function writeDeclarations(): { "provider.d.ts": string; "conformance.d.ts": string } {
  const outDir = emitDeclarations();
  try {
    const modules = new Map<string, Module>();
    const kit = join(outDir, "providers/kit.d.ts");
    const provider = collect(modules, kit, namesOf(modules, kit), () => false);
    const isOfProvider = ({ id }: Declaration): boolean =>
      provider.exported.some((declaration) => declaration.id === id);
    const suite = collect(
      modules,
      join(outDir, "conformance/index.d.ts"),
      conformanceExports,
      isOfProvider,
    );
    return { "provider.d.ts": print(provider, true), "conformance.d.ts": print(suite, false) };
  } finally {
    rmSync(outDir, { recursive: true });
  }
}

function emitDeclarations(): string {
  const outDir = mkdtempSync(join(tmpdir(), "declarations-"));
  const compilerOptions = {
    noEmit: false,
    declaration: true,
    emitDeclarationOnly: true,
    // `npm run typecheck` checks.
    noCheck: true,
    outDir,
    rootDir: join(projectDir, "src"),
    typeRoots: [join(projectDir, "node_modules/@types")],
  };
  const files = ["providers/kit.ts", "conformance/index.ts"].map((path) =>
    join(projectDir, "src", path),
  );
  const config = join(outDir, "tsconfig.json");
  const settings = { extends: join(projectDir, "tsconfig.json"), compilerOptions, include: [] };
  writeFileSync(config, JSON.stringify({ ...settings, files }));
  execFileSync(
    process.execPath,
    [join(projectDir, "node_modules/typescript-native/bin/tsc"), "-p", config],
    { stdio: "inherit" },
  );
  return outDir;
}

interface Bundle {
  exported: Declaration[];
  inner: Declaration[];
  /** Taken from the file that is written before. */
  borrowed: Declaration[];
  packages: Map<string, Set<string>>;
}

/** The exports of a module with all that they refer to. */
function collect(
  modules: Map<string, Module>,
  entry: string,
  names: readonly string[],
  isBorrowed: (declaration: Declaration) => boolean,
): Bundle {
  const bundle: Bundle = { exported: [], inner: [], borrowed: [], packages: new Map() };
  const known = new Map<string, string>();
  const visit = (file: string, name: string, isExported: boolean): void => {
    const found = resolveName(modules, file, name);
    if (!found) return;
    if ("from" in found) {
      const imported = bundle.packages.get(found.from) ?? new Set();
      bundle.packages.set(found.from, imported.add(found.name));
      return;
    }
    const { declaration, module } = found;
    if (known.has(declaration.name)) {
      if (known.get(declaration.name) !== declaration.id)
        throw new Error(`two declarations are called ${declaration.name}: rename one of them`);
      return;
    }
    known.set(declaration.name, declaration.id);
    if (isBorrowed(declaration)) return void bundle.borrowed.push(declaration);
    (isExported ? bundle.exported : bundle.inner).push(declaration);
    for (const reference of declaration.references) visit(module, reference, false);
  };
  // All exports come first, so that none of them is taken for an inner one.
  const exported = new Set(names);
  const isOne = (name: string): boolean => exported.has(name);
  for (const name of names) visit(entry, name, true);
  const late = bundle.inner.filter(({ name }) => isOne(name));
  return {
    ...bundle,
    exported: [...bundle.exported, ...late],
    inner: bundle.inner.filter(({ name }) => !isOne(name)),
  };
}

function resolveName(
  modules: Map<string, Module>,
  file: string,
  name: string,
): { declaration: Declaration; module: string } | { from: string; name: string } | undefined {
  const module = readModule(modules, file);
  const declaration = module.declarations.get(name);
  if (declaration) return { declaration, module: file };
  const imported = module.imports.get(name);
  if (!imported) return undefined;
  if (!imported.from.startsWith(".")) return imported;
  const target = resolve(dirname(file), imported.from.replace(/\.ts$/, ".d.ts"));
  return resolveName(modules, target, imported.name);
}

function namesOf(modules: Map<string, Module>, file: string): string[] {
  readModule(modules, file);
  const { program } = parseSync(file, readFileSync(file, "utf8"));
  return (program.body as unknown as Node[])
    .flatMap((node) => (node.type === "ExportNamedDeclaration" ? exportedNames(node) : []))
    .filter((name) => name !== "kit");
}

function exportedNames(node: Node): string[] {
  const declaration = node["declaration"] as Node | null;
  if (declaration) return declaredNames(declaration);
  return (node["specifiers"] as { exported: { name: string } }[]).map(
    ({ exported }) => exported.name,
  );
}

function declaredNames(node: Node): string[] {
  if (node.type === "VariableDeclaration")
    return (node["declarations"] as { id: { name: string } }[]).map(({ id }) => id.name);
  return [(node["id"] as { name: string }).name];
}

function readModule(modules: Map<string, Module>, file: string): Module {
  const known = modules.get(file);
  if (known) return known;
  const source = readFileSync(file, "utf8");
  const { program } = parseSync(file, source);
  const module: Module = { declarations: new Map(), imports: new Map() };
  modules.set(file, module);
  let end = 0;
  for (const node of program.body as unknown as Node[]) {
    readStatement(module, node, source, { file, end });
    end = node.end;
  }
  return module;
}

function readStatement(
  { declarations, imports }: Module,
  node: Node,
  source: string,
  { file, end }: { file: string; end: number },
): void {
  const from = (node["source"] as { value: string } | null | undefined)?.value;
  if (from !== undefined) {
    const specifiers = (node["specifiers"] ?? []) as {
      local: { name: string };
      imported?: { name: string };
      exported?: { name: string };
    }[];
    for (const { local, imported, exported } of specifiers)
      imports.set((exported ?? local).name, { from, name: (imported ?? local).name });
    return;
  }
  const declaration = (node["declaration"] ?? node) as Node;
  if (declaration.type === "ExportNamedDeclaration") return;
  const comment = /\/\*\*(?:(?!\*\/)[\s\S])*\*\/\s*$/.exec(source.slice(end, node.start))?.[0];
  const text = source.slice(node.start, node.end).replace(/^export (?:default )?/, "");
  for (const name of declaredNames(declaration)) {
    // A function with several signatures is declared as often.
    const before = declarations.get(name);
    const overload = `${comment ?? ""}${text}`;
    declarations.set(name, {
      id: `${file} ${name}`,
      name,
      text: before ? `${before.text}\n\n${overload}` : overload,
      references: [...new Set([...(before?.references ?? []), ...referencesOf(declaration)])],
    });
  }
}

/** The names of types and values that a declaration uses, without those of its own properties and parameters. */
function referencesOf(node: unknown): string[] {
  if (Array.isArray(node)) return node.flatMap(referencesOf);
  if (typeof node !== "object" || node === null) return [];
  const { type, ...parts } = node as Node;
  if (type === "TSTypeReference")
    return namesIn(parts["typeName"]).concat(restOf(parts, "typeName"));
  if (type === "TSTypeQuery") return namesIn(parts["exprName"]).concat(restOf(parts, "exprName"));
  if (type === "TSInterfaceHeritage" || type === "TSClassImplements")
    return namesIn(parts["expression"]).concat(restOf(parts, "expression"));
  if (type === "ClassDeclaration")
    return namesIn(parts["superClass"]).concat(restOf(parts, "superClass"));
  if (parts["computed"] === true && "key" in parts)
    return namesIn(parts["key"]).concat(restOf(parts, "key"));
  return referencesOf(Object.values(parts));
}

function restOf(parts: Record<string, unknown>, left: string): string[] {
  return Object.entries(parts).flatMap(([key, part]) => (key === left ? [] : referencesOf(part)));
}

/** The first name of `a.b.c`. */
function namesIn(node: unknown): string[] {
  const { type, name, left, object } = (node ?? {}) as Record<string, unknown>;
  if (type === "Identifier") return [String(name)];
  return left === undefined && object === undefined ? [] : namesIn(left ?? object);
}

function print({ exported, inner, borrowed, packages }: Bundle, isOfTypes: boolean): string {
  const imports = [...packages].map(
    ([from, imported]) => `import type { ${[...imported].toSorted().join(", ")} } from "${from}";`,
  );
  if (borrowed.length > 0)
    imports.push(`import type { ${listNames(borrowed)} } from "./provider.js";`);
  const exports = `export ${isOfTypes ? "type " : ""}{ ${listNames(exported)} };`;
  return [header, ...imports, ...exported.map(declare), ...inner.map(declare), exports, ""].join(
    "\n\n",
  );
}

function declare({ text }: Declaration): string {
  return text.replaceAll(/^(const|class|function|abstract)/gm, "declare $1");
}

function listNames(declarations: readonly Declaration[]): string {
  return declarations
    .map(({ name }) => name)
    .toSorted()
    .join(", ");
}
