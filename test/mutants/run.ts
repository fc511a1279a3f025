// npm run mutants -- [ID …] [--choose 4] [--list]
//
// Makes small changes of the program, one at a time, and looks whether a test notices each. Only the test files that come
// to its place run, until one fails: those of its own room first, the quickest first, and end-to-end tests for what
// outlives all others alone. test/mutants/mutants.json has the changes. What was found is kept in .mutants, so a run that
// was stopped goes on where it was; a mutant that is named is tried again.
// --choose writes a new list, with so many of each room and each folder of platform. The exit code is 1 when a mutant
// outlives the tests, or is lost: its lines are no more in its file, and somebody has to aim it again.
// --tables [NAME …] leaves out or renames each line of the tables of these adapters instead, or of all; with --quick the
// compiler and the checks beside their fakes alone look.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { projectDir } from "../support/program-environment.ts";
import { chooseMutants } from "./choose.ts";
import { changeInCopy, prepareCopy, restoreCopy, workFolder } from "./copy.ts";
import { findReach } from "./find-reach.ts";
import { KeptLines } from "./kept-lines.ts";
import { applyMutant, type Mutant, type Outcome } from "./mutant.ts";
import { runTests } from "./run-tests.ts";

const listFile = join(import.meta.dirname, "mutants.json");
const kept = new KeptLines<Outcome>(join(workFolder, "outcomes.jsonl"));
const limitMs = 900_000;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    choose: { type: "string" },
    list: { type: "boolean", default: false },
    tables: { type: "boolean", default: false },
    quick: { type: "boolean", default: false },
  },
});

if (values.tables) {
  const { runTables } = await import("./run-tables.ts");
  process.exitCode = (await runTables(positionals, values.quick)) ? 0 : 1;
} else if (values.choose !== undefined) {
  const chosen = chooseMutants(projectDir, Number(values.choose));
  writeFileSync(listFile, `${JSON.stringify(chosen, null, 2)}\n`);
  process.stdout.write(`${chosen.length} mutants are chosen.\n`);
} else {
  const mutants = JSON.parse(readFileSync(listFile, "utf8")) as Mutant[];
  if (values.list) for (const mutant of mutants) process.stdout.write(`${describe(mutant)}\n`);
  else process.exitCode = (await runAll(mutants, positionals)) ? 0 : 1;
}

async function runAll(mutants: readonly Mutant[], named: readonly string[]): Promise<boolean> {
  const chosen = mutants.filter(({ id }) => named.length === 0 || named.includes(id));
  let left: readonly Mutant[] = chosen;
  for (const projects of ["!e2e*", "e2e*"]) left = await tryAll(left, projects, named.length > 0);
  process.stdout.write(`${chosen.length - left.length} of ${chosen.length} mutants are killed.\n`);
  return left.length === 0;
}

/** Returns those that outlive the tests of the projects. */
async function tryAll(mutants: readonly Mutant[], projects: string, again: boolean) {
  if (mutants.length === 0) return [];
  const reach = await findReach(mutants, projects);
  prepareCopy();
  const known = kept.read().filter((outcome) => !again && outcome.projects === projects);
  const left: Mutant[] = [];
  for (const mutant of mutants) {
    const before = known.find(({ id }) => id === mutant.id);
    const outcome = before ?? (await tryMutant(mutant, reach[mutant.id] ?? [], projects));
    if (!before) kept.add(outcome);
    const { result, by = "", seconds } = outcome;
    process.stdout.write(`${result} ${by} ${seconds.toFixed(0)} s\n${describe(mutant)}\n`);
    if (result !== "killed") left.push(mutant);
  }
  return left;
}

async function tryMutant(
  mutant: Mutant,
  files: readonly string[],
  projects: string,
): Promise<Outcome> {
  const startedAt = performance.now();
  const { id, path } = mutant;
  const ended = (result: Outcome["result"], by?: string): Outcome => {
    const seconds = (performance.now() - startedAt) / 1_000;
    return { id, result, projects, seconds, ...(by !== undefined && { by }) };
  };
  if (!changeInCopy(path, (text) => applyMutant(text, mutant))) return ended("lost");
  changeInCopy("vitest.config.ts", (text) => text.replaceAll("600_000", "120_000"));
  try {
    for (const portion of portionsOf(ownRoomFirst(path, files))) {
      const options = ["--project", projects, "--bail=1"];
      const [by] = (await runTests(portion, options, limitMs)).failed;
      if (by !== undefined) return ended("killed", by);
    }
    return ended("outlived");
  } finally {
    restoreCopy();
  }
}

/** What starts the program has no folder of tests of its own but that of whole processes. */
function ownRoomFirst(path: string, files: readonly string[]): string[] {
  const room = path.split("/")[1] ?? "";
  const own = room === "start" || room === "config" ? "test/process/" : `test/${room}/`;
  return [true, false].flatMap((isOwn) => files.filter((file) => file.startsWith(own) === isOwn));
}

/**
 * Of one run, Vitest chooses the order: first a few, then more. The last ones are so many that they end well within the
 * limit when nothing hangs.
 */
function portionsOf(files: readonly string[]): string[][] {
  const portions: string[][] = [];
  let from = 0;
  for (let size = 4; from < files.length; size = Math.min(4 * size, 48)) {
    portions.push(files.slice(from, from + size));
    from += size;
  }
  return portions;
}

function describe({ id, path, find, replace }: Mutant): string {
  return `${id} ${path}\n${mark("-", find)}\n${mark("+", replace)}`;
}

function mark(sign: string, lines: string): string {
  return lines.replaceAll(/^/gm, `  ${sign} `);
}
