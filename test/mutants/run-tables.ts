import { globSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { projectDir } from "../support/program-environment.ts";
import { changeInCopy, prepareCopy, restoreCopy, workFolder } from "./copy.ts";
import { KeptLines } from "./kept-lines.ts";
import { runTests } from "./run-tests.ts";
import { findCheck } from "./table-checks.ts";
import { applyLineMutant, listLineMutants, type LineMutant } from "./table-lines.ts";

const adapters = ["bamboohr", "employment-hero", "odoo", "personio", "staffology", "xero"];
const kept = new KeptLines<{ id: string; by: string }>(join(workFolder, "tables.jsonl"));
const limitMs = 600_000;

/**
 * Leaves out or renames each line of the tables of the adapters, one at a time. The checks beside the adapter's fake run
 * first, in this process; what outlives them is left to the adapter's own test files, in the copy. Who was killed before
 * is not tried again. True when none outlived.
 */
export async function runTables(names: readonly string[], isQuick: boolean): Promise<boolean> {
  mkdirSync(workFolder, { recursive: true });
  const known = new Map(kept.read().map((one) => [one.id, one]));
  let outlived = 0;
  for (const name of names.length > 0 ? names : adapters) {
    const broken = await findCheck(name, undefined);
    if (broken !== undefined) throw new Error(`${name} fails ${broken} without a mutant`);
    const mutants = listMutants(name);
    const left = [];
    for (const mutant of mutants) {
      if (known.has(mutant.id)) continue;
      const by = await findCheck(name, mutant);
      if (by === undefined) left.push(mutant);
      else kept.add({ id: mutant.id, by: `check ${by}` });
    }
    const lasting = isQuick ? left : await runInCopy(name, left);
    outlived += lasting.length;
    for (const { kind, path, line } of lasting)
      process.stdout.write(`outlived, ${kind}: ${path}\n${line.replaceAll(/^/gm, "  - ")}\n`);
    const killed = mutants.length - lasting.length;
    process.stdout.write(`${name}: ${killed} of ${mutants.length} lines are killed.\n`);
  }
  return outlived === 0;
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
  const files = globSync(
    [`test/providers/${name}{,-*}.test.ts`, `test/providers/${name}/*.test.ts`],
    {
      cwd: projectDir,
    },
  );
  const lasting: LineMutant[] = [];
  for (const mutant of mutants) {
    changeInCopy(mutant.path, (text) => applyLineMutant(text, mutant));
    const { failed } = await runTests(files, ["--project=embedded", "--bail=1"], limitMs);
    restoreCopy();
    const [by] = failed;
    if (by === undefined) lasting.push(mutant);
    else kept.add({ id: mutant.id, by });
  }
  return lasting;
}
