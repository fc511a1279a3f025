import { globSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { projectDir } from "../support/program-environment.ts";
import { Compiler } from "./compile.ts";
import { changeInCopy, prepareCopy, restoreCopy, workFolder } from "./copy.ts";
import { equivalentLines } from "./equivalent-lines.ts";
import { KeptLines } from "./kept-lines.ts";
import { ServedTests } from "./served-tests.ts";
import { findWrong } from "./table-checks.ts";
import { applyLineMutant, listLineMutants, type LineMutant } from "./table-lines.ts";

const adapters = [
  "bamboohr",
  "employment-hero",
  "factorial",
  "frappe-hr",
  "gusto",
  "hibob",
  "odoo",
  "personio",
  "sage-hr",
  "staffology",
  "xero",
];
const kept = new KeptLines<{ id: string; by: string }>(join(workFolder, "tables.jsonl"));

/**
 * Leaves out or renames each line of the tables of the adapters, one at a time. What does not compile, or is noticed
 * beside the adapter's fake, is killed in this process; what outlives that is left to the adapter's own test files, in
 * the copy. Who was killed before is not tried again. True when none outlived but those that are named as equivalent.
 */
export async function runTables(names: readonly string[], isQuick: boolean): Promise<boolean> {
  mkdirSync(workFolder, { recursive: true });
  const known = new Set(kept.read().map(({ id }) => id));
  let isWhole = true;
  for (const name of names.length > 0 ? names : adapters) {
    const broken = await findWrong(name, undefined);
    if (broken !== undefined) throw new Error(`${name} is wrong without a mutant: ${broken}`);
    const mutants = listMutants(name);
    const compiler = new Compiler([...new Set(mutants.map(({ path }) => path))]);
    const left = [];
    for (const mutant of mutants.filter(({ id }) => !known.has(id))) {
      const by = (await findWrong(name, mutant)) ?? findError(compiler, mutant);
      if (by === undefined) left.push(mutant);
      else kept.add({ id: mutant.id, by });
    }
    const lasting = isQuick ? left : await runInCopy(name, left);
    isWhole = report(name, mutants, lasting) && isWhole;
  }
  return isWhole;
}

function report(name: string, mutants: readonly LineMutant[], lasting: readonly LineMutant[]) {
  const named = equivalentLines.filter(({ path }) => path.startsWith(`src/providers/${name}/`));
  const isSame = (one: LineMutant, other: (typeof named)[number]): boolean =>
    one.path === other.path && one.kind === other.kind && one.line === other.line;
  const outlived = lasting.filter((mutant) => !named.some((other) => isSame(mutant, other)));
  const lost = named.filter((other) => !lasting.some((mutant) => isSame(mutant, other)));
  for (const { kind, path, start, line } of outlived) {
    const before = readFileSync(join(projectDir, path), "utf8").slice(0, start);
    const place = `${path}:${before.split("\n").length}`;
    process.stdout.write(`outlived, ${kind}: ${place}\n${line.replaceAll(/^/gm, "  - ")}\n`);
  }
  for (const { kind, path, line } of lost)
    process.stdout.write(
      `named as equivalent and killed, or gone, ${kind}: ${path}\n  - ${line}\n`,
    );
  const equivalent = lasting.length - outlived.length;
  process.stdout.write(
    outlived.length === 0
      ? `${name}: all ${mutants.length} lines are killed, but for ${equivalent} that are equivalent.\n`
      : `${name}: ${outlived.length} of ${mutants.length} lines outlived, and ${equivalent} are equivalent.\n`,
  );
  return outlived.length === 0 && lost.length === 0;
}

/** A renamed line has no types any more, so the compiler judges those that are left out alone. */
function findError(compiler: Compiler, mutant: LineMutant): string | undefined {
  if (mutant.kind !== "removed") return undefined;
  const text = readFileSync(join(projectDir, mutant.path), "utf8");
  return compiler.findError(mutant.path, mutant.id, applyLineMutant(text, mutant));
}

function listMutants(name: string): LineMutant[] {
  const paths = globSync(`src/providers/${name}/*.ts`, { cwd: projectDir }).toSorted();
  return paths.flatMap((path) =>
    listLineMutants(path, readFileSync(join(projectDir, path), "utf8")),
  );
}

/** Those that outlive the test files of the adapter, too. */
async function runInCopy(name: string, mutants: readonly LineMutant[]): Promise<LineMutant[]> {
  if (mutants.length === 0) return [];
  prepareCopy();
  const patterns = [`test/providers/${name}{,-*}.test.ts`, `test/providers/${name}/*.test.ts`];
  const tests = await ServedTests.start(globSync(patterns, { cwd: projectDir }));
  const lasting: LineMutant[] = [];
  for (const mutant of mutants) {
    changeInCopy(mutant.path, (text) => applyLineMutant(text, mutant));
    const by = await tests.findFailing(mutant.path);
    restoreCopy();
    if (by === undefined) lasting.push(mutant);
    else kept.add({ id: mutant.id, by });
  }
  await tests.stop();
  return lasting;
}
